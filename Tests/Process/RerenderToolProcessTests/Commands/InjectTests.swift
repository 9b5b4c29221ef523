// SPDX-License-Identifier: MIT
import Foundation
import RerenderModel
@testable import RerenderTool
import TestSupport
import TestTraits
import Testing
@testable import ToolSupport

/// What a program printed of its own counts: `NAME<tab>COUNT`.
private func truth(_ output: String) -> [String: UInt64] {
    var counts: [String: UInt64] = [:]
    for line in output.split(separator: "\n") {
        let parts = line.split(separator: "\t")
        if parts.count == 2 { counts[String(parts[0]), default: 0] += UInt64(parts[1]) ?? 0 }
    }
    return counts
}

@Suite(
    "rerenderctl --inject", .serialized,
    .enabled(if: Fixture.hasSwift, "needs swiftc to compile programs with views"))
struct InjectTests {
    private let bench: Bench
    private let views: InjectViews

    init() async throws {
        views = try await InjectLab.ready()
        bench = try Bench()
    }

    /// Runs a command with `--inject`, and returns what was counted of its views.
    private func run(
        _ command: [String], options: [String] = [], environment: [String: String] = [:]
    ) async throws -> (outcome: Outcome, counts: [String: UInt64]) {
        let run = try await runWithGaps(command, options: options, environment: environment)
        return (run.outcome, run.counts)
    }

    /// The same, and what may be missing from the counts.
    private func runWithGaps(
        _ command: [String], options: [String], environment: [String: String] = [:]
    ) async throws -> (outcome: Outcome, counts: [String: UInt64], gaps: [String]) {
        let file = bench.path + "/export.json"
        let process = try bench.start(
            ["run", "--inject", "--all", "--json", "-o", file] + options + ["--"] + command, environment: environment)
        process.closeInput()
        let ending = try await process.wait()
        var (counts, gaps) = ([String: UInt64](), [String]())
        if let data = FileManager.default.contents(atPath: file) {
            for store in try JSONDecoder().decode(StatsExport.self, from: data).processes {
                #expect(store.lost == 0 && store.dropped == 0)
                gaps += store.gaps ?? []
                for view in store.views { counts[view.key.rawValue, default: 0] += view.count }
            }
        }
        return (Outcome(ending: ending, output: process.standardOutput, errors: process.standardError), counts, gaps)
    }

    private func shell(_ script: String) -> [String] { ["/bin/sh", "-c", script] }

    // MARK: Counts

    @Test(
        "every view of a program that knows nothing of it is counted as the program counts it", .promise,
        arguments: [1, 3, 500])
    func counts(rounds: Int) async throws {
        let (outcome, counts) = try await run([views.app, "\(rounds)"])
        #expect(outcome.ending == .exited(0), "\(outcome)")
        let own = truth(outcome.output)
        #expect(own.count == 14 && own["Root"] == UInt64(rounds) && counts == own)
        for view in own.keys { #expect(outcome.errors.contains("\n\(view) "), "\(view)") }
        // All that are in outputs are shown, and the framework's building blocks have no body.
        #expect(!outcome.errors.contains("not seen"), "\(outcome.errors)")
        #expect(!outcome.errors.withoutProgress.contains("rerenderctl: "), "\(outcome.errors)")
    }

    @Test("run injects into such a program without being asked, and not with --no-inject")
    func unasked() async throws {
        func counted(_ options: [String], _ program: [String]) async throws -> (
            counts: [String: UInt64], outcome: Outcome
        ) {
            let file = bench.path + "/unasked.json"
            let process = try bench.start(["run", "--json", "-o", file] + options + ["--"] + program)
            process.closeInput()
            let ending = try await process.wait()
            let outcome = Outcome(ending: ending, output: process.standardOutput, errors: process.standardError)
            let data = try Data(contentsOf: URL(fileURLWithPath: file))
            var counts: [String: UInt64] = [:]
            for store in try JSONDecoder().decode(StatsExport.self, from: data).processes {
                for view in store.views { counts[view.key.rawValue, default: 0] += view.count }
            }
            return (counts, outcome)
        }
        let (counts, outcome) = try await counted([], [views.app, "3"])
        #expect(outcome.ending == .exited(0) && counts == truth(outcome.output) && counts["Root"] == 3, "\(outcome)")
        #expect(!outcome.errors.withoutProgress.contains("rerenderctl: "), "nothing is to be said: \(outcome.errors)")
        let (none, plain) = try await counted(["--no-inject"], [views.app, "3"])
        #expect(none.isEmpty && plain.output == outcome.output)
        #expect(
            plain.errors.contains("rerenderctl: \(views.app) exited, and no instrumented process connected.\n"),
            "\(plain.errors)")
        #expect(!plain.errors.contains("--inject"), "\(plain.errors)")
        // One that has a Swift runtime in it is started, and the line says what would count it.
        let (nothing, runtime) = try await counted([], [views.withStaticRuntime])
        #expect(nothing.isEmpty && truth(runtime.output) == ["Page": 5] && runtime.ending == .exited(0))
        #expect(
            runtime.errors.hasPrefix("rerenderctl: nothing can be injected into \(views.withStaticRuntime): "),
            "\(runtime.errors)")
        // A program with probes counts itself: the library of others would see the same views.
        let own = try bench.start(["run", "--", Program.counting])
        own.type("run 5\nexit\n")
        #expect(try await own.wait() == .exited(0))
        #expect(own.standardError.contains("5 evaluations") && !own.standardError.contains("/injected"))
    }

    @Test("a wrapper starts the program, and further programs after it", .promise)
    func wrapper() async throws {
        let script = bench.path + "/wrapper"
        try await TestSupport.ChildProcess.makeScript(
            "#!/bin/sh\n\(views.app) 2\n\(views.app) 5\nexit 7\n", at: script)
        let (outcome, counts) = try await run([script])
        #expect(outcome.ending == .exited(7))
        #expect(counts == truth(outcome.output) && counts["Root"] == 7)
        #expect(!outcome.errors.contains(InjectLab.nothing))
    }

    @Test("a protocol with another name is looked for where it is named")
    func protocols() async throws {
        let without = try await run([views.screens])
        #expect(
            without.counts.isEmpty
                && without.outcome.errors.contains(InjectLab.nothing + "; --view-protocol names another"))
        let (outcome, counts) = try await run(
            [views.screens], options: ["--view-protocol", "Kit.Other", "--view-protocol", "Odd.Screen"])
        #expect(truth(outcome.output) == ["Page": 5] && counts == ["Page": 5])
        // One that is set already is kept.
        let set = try await run(
            [views.screens], options: ["--view-protocol", "Kit.Other"],
            environment: ["RERENDER_VIEW_PROTOCOLS": "Odd.Screen"])
        #expect(set.counts == ["Page": 5])
    }

    @Test(
        "of several getters the one that symbols call body is counted, else the first",
        arguments: ["none", "stripped"])
    func getters(way: String) async throws {
        let program = try await Fixture.made("alone/\(way)/Getters")
        let (outcome, counts, gaps) = try await runWithGaps(
            [program], options: ["--view-protocol", "Getters.Screen"])
        #expect(truth(outcome.output) == ["Page": 5, "Chart": 2, "Meta.Window": 3])
        // Without symbols, the title counts: it is asked for three times. That is said.
        let isStripped = way == "stripped"
        let all: [String: UInt64] =
            isStripped
            ? ["Page": 15, "Chart": 2, "Items.List": 4] : ["Page": 5, "Chart": 2, "Meta.Window": 3]
        #expect(counts == all)
        #expect(gaps.contains { $0.hasPrefix("the program is stripped: ") } == isStripped, "\(gaps)")
        // What is not counted is named with its shape.
        let shape =
            isStripped
            ? "Getters.Meta.View were not counted: it has no associated type"
            : "Getters.Items.View were not counted: no property of its instances"
        #expect(outcome.errors.contains("types that conform to \(shape)"), "\(outcome)")
        #expect(outcome.errors.contains("was taken for the body of Getters.View") == isStripped, "\(outcome)")
    }

    @Test("a protocol of views is counted exactly whatever its shape is, or refused with the word for its shape")
    func protocolShapes() async throws {
        let program = try await Fixture.made("alone/none/Shapes")
        let (outcome, counts) = try await run([program])
        var own = truth(outcome.output)
        let exact = [
            "Acting", "Defaulted", "Existential", "Failing", "Lent", "Mixed", "Moved", "Mutating", "Named", "Objects",
            "Packs", "Plain", "Primary", "Recursive", "Refined", "Typed", "Writable",
        ]
        let all = (exact + ["Based"]).map { ("\($0).Row", UInt64(3)) }
        #expect(own == Dictionary(uniqueKeysWithValues: all), "\(outcome)")
        own["Based.Row"] = nil
        #expect(counts.filter { $0.value > 0 } == own, "\(outcome)")
        let none = "it has no property that could be a body"
        let otherName = "no property of its instances that waits for nothing is called body or view"
        let refused = [
            ("View", none), ("View", none + ", but asynchronous properties"), ("View", none + ", but methods"),
            ("View", none + ", but protocols that it refines, which --view-protocol can name"),
            ("View", none + ", but static properties"), ("Refused.OtherNames.View", otherName),
            ("Refused.Subscripts.View", otherName), ("Refused.Titles.View", otherName),
        ].map { "rerenderctl: types that conform to Shapes.\($0.0) were not counted: \($0.1)" }
        let said = outcome.errors.split(separator: "\n").filter { $0.contains(" types that conform to ") }
        #expect(said.map(String.init).sorted() == refused.sorted(), "\(outcome)")
        // The refined protocol is counted where it is named.
        let based = try await run([program], options: ["--view-protocol", "Shapes.Html"])
        #expect(based.counts["Based.Row"] == 3, "\(based.outcome)")
    }

    @Test(
        "a view in outputs whose body is called past its table is named, and none that is shown later or has no body",
        arguments: [
            ("speed", [], "not seen: Badge ("), ("speed", ["never"], "not seen: Badge, Late ("), ("none", [], nil),
            ("speed", ["many"], "not seen: Badge, Captured, Hidden, Listed, Rare, Refused ("),
            ("none", ["many"], "not seen: Captured, Hidden, Listed, Rare, Refused ("), ("stripped", ["many"], nil),
        ])
    func notSeen(way: String, arguments: [String], says: String?) async throws {
        for module in ["one-", ""] {
            let program = try await Fixture.made("views/\(module)\(way)/Inlined")
            let (outcome, counts) = try await run([program] + arguments)
            var own = truth(outcome.output)
            let isMany = arguments == ["many"]
            let rounds: UInt64 = isMany ? 3000 : 3
            #expect(
                own["Card"] == rounds && own["Badge"] == rounds && own["Late"] == (arguments == ["never"] ? nil : 1))
            if way == "speed" { own["Badge"] = 0 }
            if arguments == ["never"] { own["Late"] = 0 }
            if isMany, says != nil {
                for view in ["Captured", "Hidden", "Listed", "Rare", "Refused"] { own[view] = 0 }
            }
            #expect(counts == own, "\(outcome)")
            let isStripped = way == "stripped"
            #expect(outcome.errors.contains("views that were not seen are not named for ") == isStripped, "\(outcome)")
            #expect(outcome.errors.contains("not seen: ") == (says != nil), "\(outcome)")
            if let says { #expect(outcome.errors.contains(says), "\(outcome)") }
        }
    }

    @Test("a process that may write no file is counted, and lives")
    func fileSize() async throws {
        let (outcome, counts) = try await run(["bash", "-c", "ulimit -f 0; exec \"$0\" 3 | cat", views.app])
        #expect(outcome.ending == .exited(0) && counts == truth(outcome.output) && counts["Root"] == 3)
        #expect(!outcome.errors.contains(InjectLab.nothing), "\(outcome)")
    }

    // MARK: Neutrality

    @Test(
        "programs without views do the same as without it, and it is said that none had one", .promise,
        arguments: [
            ["true"], ["false"], ["bash", "-c", "echo $((6 * 7)) | cat; exit 3"],
            ["python3", "-c", "import subprocess; print(subprocess.run(['echo', 'hi']).returncode); exit(4)"],
            ["git", "--version"], ["/bin/sh", "-c", "kill -TERM $$"],
        ])
    func others(command: [String]) async throws {
        guard let program = TestSupport.ChildProcess.path(of: command[0]) ?? command.first else { return }
        try #require(access(program, X_OK) == 0)
        let plain = try Spawned([program] + command.dropFirst())
        plain.closeInput()
        let ending = try await plain.wait()
        let (outcome, counts) = try await run(command)
        #expect(outcome.ending == ending && outcome.output == plain.standardOutput)
        let said = outcome.errors.split(separator: "\n").filter { !$0.hasPrefix("rerenderctl: ") }.joined()
        #expect(said == plain.standardError && counts.isEmpty)
        #expect(outcome.errors.contains("rerenderctl: \(InjectLab.nothing); --view-protocol names another protocol. "))
        #expect(outcome.errors.contains(". Static programs, and those that a sandbox or the session bus starts, "))
    }

    @Test(
        "a library that is preloaded already stays, in front of ours",
        .enabled(if: TestSupport.ChildProcess.path(of: "cc") != nil))
    func preloaded() async throws {
        let theirs = bench.path + "/theirs.so"
        try
            "#include <unistd.h>\n__attribute__((constructor)) static void said(void) { (void)!write(1, \"theirs\\n\", 7); }\n"
            .write(toFile: bench.path + "/theirs.c", atomically: true, encoding: .utf8)
        let cc = try #require(TestSupport.ChildProcess.path(of: "cc"))
        let made = try await TestSupport.ChildProcess.run([
            cc, "-shared", "-fPIC", "-o", theirs, bench.path + "/theirs.c",
        ])
        #expect(made.succeeded, "\(made)")
        let (outcome, counts) = try await run(
            shell("echo \"$LD_PRELOAD\"; exec \(views.app) 2"), environment: ["LD_PRELOAD": theirs])
        #expect(outcome.output.contains("\n\(theirs):\(InjectLab.build)/librerender-preload.so\n"), "\(outcome)")
        // In the tool, in the shell, and in the app.
        #expect(outcome.output.split(separator: "\n").count { $0 == "theirs" } == 3)
        #expect(counts == truth(outcome.output) && counts["Root"] == 2)
        let empty = try await run(shell("echo \"<$LD_PRELOAD>\""), environment: ["LD_PRELOAD": ""])
        #expect(empty.outcome.output == "<\(InjectLab.build)/librerender-preload.so>\n")
    }

    @Test("a message bus that a command starts passes nothing of the injection on to its services")
    func services() async throws {
        let shell = URL(fileURLWithPath: "/bin/sh").resolvingSymlinksInPath().path
        for name in ["dbus-daemon", "another"] {
            try FileManager.default.copyItem(atPath: shell, toPath: "\(bench.path)/\(name)")
        }
        let said = "echo \"<$LD_PRELOAD$RERENDER_INJECT_REPORT$GIO_EXTRA_MODULES>\""
        let bus = try await run([bench.path + "/dbus-daemon", "-c", said]).outcome
        #expect(bus.output == "<>\n" && bus.ending == .exited(0), "\(bus)")
        let other = try await run([bench.path + "/another", "-c", said]).outcome
        #expect(
            other.output.contains("librerender-preload.so") && other.output.contains("rerender-inject-"), "\(other)")
    }

    @Test("without the option nothing is preloaded")
    func off() async throws {
        let process = try bench.start(["run", "--"] + shell("echo \"<$LD_PRELOAD$RERENDER_INJECT_REPORT>\""))
        #expect(try await process.wait() == .exited(0))
        #expect(process.standardOutput == "<>\n")
    }

    @Test(
        "the file of the report is private, and gone at the end, whatever the end is",
        arguments: ["exit 3", "kill -9 $$"])
    func report(end: String) async throws {
        let (outcome, _) = try await run(
            shell("echo $RERENDER_INJECT_REPORT; stat -c %a $(dirname $RERENDER_INJECT_REPORT); \(end)"))
        let lines = outcome.output.split(separator: "\n").map(String.init)
        #expect(lines.count == 2 && lines.last == "700", "\(outcome)")
        let directory = URL(fileURLWithPath: lines.first ?? "/").deletingLastPathComponent().path
        #expect(directory.contains("rerender-inject-") && !FileManager.default.fileExists(atPath: directory))
        let missing = try await run(["no-such-command"])
        #expect(missing.outcome.ending == .exited(127))
    }

    // MARK: Refusals

    @Test("a program with the Swift runtime in it is refused before it runs, with what to do")
    func staticRuntime() async throws {
        let (outcome, _) = try await run([views.withStaticRuntime])
        #expect(outcome.ending == .exited(64) && outcome.output.isEmpty)
        #expect(
            outcome.errors.contains("nothing can be injected into \(views.withStaticRuntime): it has a Swift runtime"))
        #expect(outcome.errors.contains("-static-stdlib"))
        let plain = try await bench.ctl("run", "--", views.withStaticRuntime)
        #expect(plain.ending == .exited(0) && truth(plain.output) == ["Page": 5])
    }

    @Test(
        "a program with other rights is refused before it runs", .promise,
        arguments: [("set-uid", 0o4755), ("set-gid", 0o2755)])
    func otherRights(name: String, mode: Int) async throws {
        let copy = bench.path + "/copy"
        try await TestSupport.ChildProcess.copyProgram("/bin/echo", to: copy)
        #expect(chmod(copy, mode_t(mode)) == 0)
        let (outcome, _) = try await run([copy, "hello"])
        #expect(outcome.ending == .exited(64) && outcome.output.isEmpty)
        #expect(outcome.errors.contains("it is \(name)") && outcome.errors.contains("cp \(copy) ./copy"))
        #expect(chmod(copy, 0o755) == 0)
        #expect(try await run([copy, "hello"]).outcome.output == "hello\n")
    }

    @Test(
        "a program with file capabilities is refused before it runs",
        .enabled(if: geteuid() == 0 && TestSupport.ChildProcess.path(of: "setcap") != nil, "needs root and setcap"))
    func capabilities() async throws {
        let copy = bench.path + "/copy"
        try await TestSupport.ChildProcess.copyProgram("/bin/echo", to: copy)
        let setcap = try #require(TestSupport.ChildProcess.path(of: "setcap"))
        let set = try await TestSupport.ChildProcess.run([setcap, "cap_net_raw+ep", copy])
        #expect(set.succeeded, "\(set)")
        let (outcome, _) = try await run([copy, "hello"])
        #expect(outcome.ending == .exited(64) && outcome.errors.contains("file capabilities"))
    }

    @Test(
        "a process with another Swift is not counted, and both versions are named",
        .enabled(if: TestSupport.ChildProcess.path(of: "cc") != nil))
    func otherVersion() async throws {
        // Of Swift 9.8.
        let process = try await refusedRun(version: 9 << 16 | 8 << 8, libraries: "libswiftCore.so")
        let refusal =
            #/rerenderctl: process \d+ was not counted: its Swift runtime, .*libswiftCore.so, is version (\S+), and rerender was built with 9.8.0/#
        let versions = process.standardError.firstMatch(of: refusal)
        #expect(versions?.1.hasPrefix("9.8") == false, "\(process.standardError)")
        #expect(!process.standardError.contains(InjectLab.nothing))
    }

    @Test(
        "a process whose Swift runtime lacks a library that is needed is not counted, and the library is named",
        .enabled(if: TestSupport.ChildProcess.path(of: "cc") != nil))
    func lackingLibrary() async throws {
        let process = try await refusedRun(version: 6 << 16 | 3 << 8, libraries: "libswiftNowhere.so")
        let refusal =
            #/rerenderctl: process \d+ was not counted: its Swift runtime, .*libswiftCore.so, has no libswiftNowhere.so beside it/#
        #expect(process.standardError.contains(refusal), "\(process.standardError)")
        #expect(!process.standardError.contains(InjectLab.nothing))
    }

    /// Runs a program by an installation whose preloaded library was made for this version and these libraries of a runtime.
    private func refusedRun(version: Int, libraries names: String) async throws -> Spawned {
        for place in ["bin", "lib/rerender"] {
            try FileManager.default.createDirectory(
                atPath: "\(bench.path)/\(place)", withIntermediateDirectories: true)
        }
        try await TestSupport.ChildProcess.copyProgram(Program.rerenderctl, to: bench.path + "/bin/rerenderctl")
        let libraries = bench.path + "/lib/rerender"
        try await TestSupport.ChildProcess.copyProgram(
            InjectLab.build + "/librerender-inject.so", to: libraries + "/librerender-inject.so")
        let script = Checkout.url("Scripts/lib/preload")
        let made = try await TestSupport.ChildProcess.run([
            script.path, libraries + "/librerender-preload.so", "\(version)u", "\"\(names)\"",
        ])
        #expect(made.succeeded, "\(made)")
        let process = try Spawned(
            [bench.path + "/bin/rerenderctl", "run", "--inject", "--", views.app, "2"], environment: bench.environment()
        )
        #expect(try await process.wait() == .exited(0))
        #expect(truth(process.standardOutput)["Root"] == 2, "it runs as ever")
        return process
    }

    // MARK: Other commands

    @Test(
        "check writes and checks a budget of a program that knows nothing of it, and fails where a process was refused")
    func check() async throws {
        let budget = bench.path + "/rerender.json"
        let options = ["check", "--budget", budget, "--inject"]
        func check(_ more: [String]) async throws -> Outcome {
            let process = try bench.start(options + more)
            process.closeInput()
            return Outcome(
                ending: try await process.wait(), output: process.standardOutput, errors: process.standardError)
        }
        let update = try await check(["--update", "--", views.app, "2"])
        #expect(update.ending == .exited(0) && update.errors.contains("14 entries for 14 views"), "\(update)")
        #expect(try await check(["--", views.app, "2"]).ending == .exited(0))
        let more = try await check(["--", views.app, "3"])
        #expect(more.ending == .exited(1) && more.errors.contains("Root: 3 evaluations, at most 2 allowed"))
        let refused = try await check(
            ["--"] + shell("\(views.app) 2; echo 77 refused it is odd >> $RERENDER_INJECT_REPORT"))
        #expect(refused.ending == .exited(1), "\(refused)")
        #expect(refused.errors.contains("process 77 was not counted: it is odd"), "\(refused)")
        let none = try await check(["--", "true"])
        #expect(none.ending == .exited(1) && none.errors.contains(InjectLab.nothing))
    }

    @Test("doctor says whether a program can be injected, and why not")
    func doctor() async throws {
        func doctor(_ program: String) async throws -> Outcome {
            try await bench.ctl("doctor", "--", program, environment: ["COLUMNS": "400"])
        }
        let good = try await doctor(views.app)
        #expect(good.output.contains("ok    libraries of --inject: they are in \(InjectLab.build)\n"))
        #expect(
            good.output.contains(
                "ok    program: \(views.app) can be injected: it uses a shared Swift runtime. `run` does so\n"))
        let bad = try await doctor(views.withStaticRuntime)
        #expect(bad.ending == .exited(1))
        #expect(
            bad.output.contains(
                "fail  program: nothing can be injected into \(views.withStaticRuntime): it has a Swift runtime"))
        #expect(bad.output.contains("-static-stdlib"))
        #expect(try await doctor("no-such-program").output.contains("fail  program: no-such-program cannot be found"))
        let without = try await bench.ctl("doctor")
        #expect(!without.output.contains("--inject") && !without.output.contains("program: "))
    }

    // MARK: The libraries

    @Test(
        "the preloaded library exports what it replaces and its entries, and nothing else",
        .enabled(if: TestSupport.ChildProcess.path(of: "nm") != nil, "needs binutils"))
    func libraries() async throws {
        let nm = try #require(TestSupport.ChildProcess.path(of: "nm"))
        let symbols = try await TestSupport.ChildProcess.run(
            [nm, "-D", "--defined-only", "--extern-only", InjectLab.build + "/librerender-preload.so"])
        let names = symbols.standardOutput.split(separator: "\n").compactMap { $0.split(separator: " ").last }
        #expect(
            Set(names) == [
                "__libc_start_main", "eventfd", "rerender_preload_attach", "rerender_preload_gio",
                "rerender_preload_given", "rerender_preload_poll", "swift_addNewDSOImage",
            ])
    }
}

@Suite(
    "rerenderctl record --inject",
    .enabled(
        if: LTTngDaemon.isInstalled && Fixture.hasSwift, "needs lttng-tools, babeltrace2, setpriv and swiftc"))
struct RecordInjectTests {
    @Test("the trace has every evaluation of a program that knows nothing of it")
    func record() async throws {
        let views = try await InjectLab.ready()
        try await RecordBench.with { bench in
            // Copies, because the user may not be allowed where the package is built.
            let files = ["librerender-inject.so", "librerender-preload.so"].map { "\(InjectLab.build)/\($0)" }
            let libraries = ["libKit.so", "libBase.so"].map { "\(views.directory)/\($0)" }
            for file in files + libraries + [views.app] {
                let name = URL(fileURLWithPath: file).lastPathComponent
                try await TestSupport.ChildProcess.copyProgram(file, to: "\(bench.home)/\(name)")
            }
            let output = await
                (try await bench.record(
                    ["--inject", "-o", bench.home + "/trace", "--", bench.home + "/App", "20"])).finish()
            #expect(output.exit == .status(0), "\(output)")
            let ends = try await bench.events("trace").filter { $0.name == "com.rerender.BodyEval:end" }
            var counts: [String: UInt64] = [:]
            for event in ends { counts[event.text("name") ?? "", default: 0] += 1 }
            #expect(counts == truth(output.standardOutput) && counts["Root"] == 20)
            #expect(!output.standardError.contains(InjectLab.nothing))
            let none = await (try await bench.record(["--inject", "-o", bench.home + "/none", "--", "true"])).finish()
            #expect(
                none.exit == .status(0) && none.standardError.contains("rerenderctl: \(InjectLab.nothing)"), "\(none)")
        }
    }
}
