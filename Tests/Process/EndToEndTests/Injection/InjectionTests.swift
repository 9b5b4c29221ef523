// SPDX-License-Identifier: MIT
// Views of programs that know nothing of Rerender are counted as the programs count them themselves.

import Foundation
import RerenderModel
import TestSupport
import TestTraits
import Testing

@Suite(
    "Views of programs that know nothing of Rerender",
    .enabled(if: Fixture.hasSwift, "needs swiftc to compile programs"))
struct InjectionTests {
    /// The app, as release builds are compiled.
    private func app() async throws -> String { try await Fixture.made("views/release/App") }
    private func programs() async throws -> String {
        try await URL(filePath: app()).deletingLastPathComponent().path
    }

    @Test(
        "are counted as they count themselves, whatever kind they are and however they were compiled",
        arguments: ["symbols", "release", "size", "one-release", "evolution"])
    func counts(way: String) async throws {
        let lab = try await InjectionLab()
        let app = try await lab.start([Fixture.made("views/\(way)/App"), "7"])
        let output = await app.finish()
        #expect(output.exit == .status(0))
        let truth = try lab.truth(output, isOneModule: way == "one-release")
        #expect(truth.count == 14 && truth["Leaf"] == 42)
        try await lab.expect(truth, of: app)
    }

    @Test("have the file and the line of their body, where the program has debug information")
    func places() async throws {
        let lab = try await InjectionLab()
        let app = try await lab.start([app(), "1"])
        let output = await app.finish()
        try await lab.expect(lab.truth(output), of: app)
        let source = try String(contentsOfFile: Fixture.source("Views/App/main.swift"), encoding: .utf8)
        let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
        // Whether a class overrides what it inherits, and where, is not known.
        for view in try lab.views(of: app) where view.key != "Special" {
            let isOther = view.key == "Badge (Other.swift)"
            #expect(view.file == (isOther ? "App/Other.swift" : "App/main.swift"), "\(view.key)")
            guard !isOther else { continue }
            #expect(lines[Int(view.line) - 1].contains("var body: "), "\(view.key): \(view.line)")
            let name = view.key.rawValue.split(separator: " ")[0].split(separator: ".").last ?? ""
            #expect(lines[Int(view.line)].contains(name), "\(view.key): \(view.line)")
        }
    }

    @Test(
        "are found in a library that a program without Swift loads while it runs, and are not the framework's own",
        .promise)
    func late() async throws {
        let lab = try await InjectionLab()
        let programs = try await programs()
        let app = try await lab.start([programs + "/loader", programs + "/libLate.so", "3"])
        for _ in 0..<2 {
            try app.send("draw")
            for number in 0..<3 { #expect(try await app.nextLine() == "(\(number) 1)") }
        }
        try await lab.expect(["Late.LateCard": 6, "Late.LateLeaf": 12], of: app)
        app.closeInput()
        #expect(await app.waitForExit() == .status(0))
    }

    @Test("are counted where the program has unloaded a library with Swift code, which the runtime does not forget")
    func unloaded() async throws {
        let lab = try await InjectionLab()
        let programs = try await programs()
        let app = try await lab.start(
            [programs + "/loader", programs + "/libLate.so", "3", programs + "/libBase.so"])
        try app.send("draw")
        for number in 0..<3 { #expect(try await app.nextLine() == "(\(number) 1)") }
        try await lab.expect(["Late.LateCard": 3, "Late.LateLeaf": 6], of: app)
        app.closeInput()
        #expect(await app.waitForExit() == .status(0))
    }

    @Test("are looked for in each library that a program loads, and a look gives its memory back")
    func looks() async throws {
        let programs = try await programs(), directory = try TestFile.makeDirectory()
        let copies = (1...16).map { "\(directory)/libCopy\($0).so" }
        for copy in copies { try FileManager.default.copyItem(atPath: programs + "/libBase.so", toPath: copy) }
        let environment = [
            "LD_PRELOAD": try await Fixture.preload(), "RERENDER_RUNTIME_DIR": directory, "LOADER_HEAP": "1",
        ]
        let output = try await ChildProcess.run(
            [programs + "/loader", programs + "/libLate.so", "1"] + copies,
            environment: ProcessInfo.processInfo.environment.merging(environment) { $1 })
        let heap = output.standardOutput.split(separator: "\n").compactMap { Int($0) }
        #expect(output.exit == .status(0) && heap.count == copies.count, "\(output)")
        // The first one brings Swift's own libraries. A look needs 128 KiB; of a library that stays, the loader keeps 2 KiB.
        let growth = zip(heap.dropFirst(), heap).map { $0 - $1 }
        #expect(growth.allSatisfy { $0 < 64 * 1024 }, "\(growth)")
    }

    @Test(
        "are found in what another thread loads while the program begins, and neither waits for the other for ever",
        arguments: [0, 200, 400, 600, 800, 1000, 1500, 2000])
    func early(microseconds: Int) async throws {
        let lab = try await InjectionLab()
        let programs = try await programs()
        let app = try await lab.start(
            [programs + "/loader", programs + "/libLate.so", "2"], ["LOADER_EARLY": "\(microseconds)"])
        try app.send("draw")
        for number in 0..<2 { #expect(try await app.nextLine() == "(\(number) 1)") }
        try await lab.expect(["Late.LateCard": 2, "Late.LateLeaf": 4], of: app)
        app.closeInput()
        #expect(await app.waitForExit() == .status(0))
    }

    @Test("say the instance is not known: none is counted, and a reason is not certain")
    func instances() async throws {
        let lab = try await InjectionLab()
        let app = try await lab.start([app(), "3"])
        let output = await app.finish()
        try await lab.expect(lab.truth(output), of: app)
        for view in try lab.views(of: app) {
            #expect(view.instances == 0, "\(view.key)")
            #expect(view.wasted.count == 0, "\(view.key)")
            let exact = view.reasons.filter { $0.attribution == .exact }
            #expect(exact.map(\.reason) == [Reason.initial] && exact.first?.count == 1, "\(view.key): \(exact)")
        }
    }

    @Test("are counted exactly on four threads at once, and memory does not grow")
    func threads() async throws {
        let lab = try await InjectionLab()
        let program = try await Fixture.made("alone/none/Threads")
        let app = try await lab.start([program, "500000", "1000"])
        let output = await app.finish()
        let truth = try lab.truth(output)
        #expect(output.exit == .status(0) && truth == ["Leaf": 450_000, "Row": 50_000], "\(output)")
        try await lab.expect(truth, of: app)
    }

    @Test(
        "have a mark where an optimised function calls their body too, or has it, and the store says what to build with",
        arguments: ["release", "symbols"])
    func uncounted(way: String) async throws {
        let lab = try await InjectionLab()
        let app = try await lab.start([Fixture.made("alone/\(way)/Resolved"), "3"])
        let output = await app.finish()
        #expect(try lab.truth(output) == ["Badge": 6, "Card": 6, "Row": 3], "\(output)")
        try await lab.expect(["Badge": 3, "Card": 3, "Row": 3], of: app)
        let marked = try lab.views(of: app).filter { $0.mayBeMore == true }
        let gaps = try lab.stores(of: app).flatMap { $0.gaps ?? [] }
        // Of a debug build, nothing is said.
        #expect(marked.map(\.key).sorted() == (way == "release" ? ["Badge", "Card"] : []))
        let isSaid = gaps.contains { $0.contains("Badge, Card may be evaluated more often; build with -Xswiftc ") }
        #expect(isSaid == (way == "release"), "\(gaps)")
    }

    @Test(
        "are counted for the object's class, once where a body calls the one that it overrides",
        arguments: ["none", "release"])
    func inherited(way: String) async throws {
        let lab = try await InjectionLab()
        let app = try await lab.start([Fixture.made("alone/\(way)/Inherited"), "3"])
        let output = await app.finish()
        let truth = try lab.truth(output)
        #expect(truth == ["Model": 3, "Special": 3, "Third": 3, "Fourth": 6, "Other": 3], "\(output)")
        try await lab.expect(truth, of: app)
        // One body calls another because its source says so.
        #expect(try lab.views(of: app).allSatisfy { $0.mayBeMore != true })
    }

    @Test(
        "have no other view's place where the optimiser made one function of their bodies",
        arguments: ["symbols", "release"])
    func merged(way: String) async throws {
        let lab = try await InjectionLab()
        let program = try await Fixture.made("alone/\(way)/Merged")
        let symbols = try await ChildProcess.run([try #require(ChildProcess.path(of: "nm")), program])
        let isMerged = symbols.standardOutput.split(separator: "\n").contains { $0.hasSuffix("V4bodySSvgTm") }
        #expect(isMerged == (way == "release"), "\(symbols.standardOutput)")
        let app = try await lab.start([program, "3"])
        let output = await app.finish()
        let truth = try lab.truth(output)
        #expect(truth == ["First": 3, "Second": 3, "Third": 6], "\(output)")
        try await lab.expect(truth, of: app)
        let source = try String(contentsOfFile: Fixture.source("Views/Merged/main.swift"), encoding: .utf8)
        let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
        for view in try lab.views(of: app) where way == "symbols" || !view.file.isEmpty {
            #expect(view.file == "Merged/main.swift", "\(view.key)")
            let line = Int(view.line)
            try #require((3...lines.count).contains(line))
            let isOwn = lines[line - 1].contains("var body") && lines[line - 3].contains("struct \(view.key.rawValue):")
            #expect(isOwn, "\(view.key): \(line)")
        }
        #expect(try lab.views(of: app).allSatisfy { $0.mayBeMore != true })
    }

    @Test("are named again after a reset where they are in outputs and were never seen")
    func notSeen() async throws {
        let lab = try await InjectionLab()
        let program = try await Fixture.made("views/speed/Inlined")
        let app = try await lab.start([program, "lines"])
        // So often that what was found is searched for no more.
        for round in 1...100 {
            _ = try await app.ask("draw")
            if round > 1, round < 100 { continue }
            try await lab.daemon.http.eventually("both are named", seen: { try lab.stores(of: app) }) {
                try lab.stores(of: app).first?.notSeenViews?.keys == ["Badge", "Late"] ? () : nil
            }
        }
        try await lab.ctl("reset")
        try await lab.daemon.http.eventually("nothing is known", seen: { try lab.stores(of: app) }) {
            try lab.stores(of: app).allSatisfy { $0.notSeenViews == nil && $0.evaluations == 0 } ? () : nil
        }
        _ = try await app.ask("draw")
        try await lab.daemon.http.eventually("both are named again", seen: { try lab.stores(of: app) }) {
            try lab.stores(of: app).first?.notSeenViews?.keys == ["Badge", "Late"] ? () : nil
        }
        app.closeInput()
        #expect(await app.waitForExit() == .status(0))
    }

    @Test("are left alone where Rerender is switched off, and the program does the same", .promise)
    func off() async throws {
        let lab = try await InjectionLab()
        let program = try await app()
        let alone = try await ChildProcess.run([program, "2"])
        let app = try await lab.start([program, "2"], ["RERENDER": "0"])
        let output = await app.finish()
        #expect(output.standardOutput == alone.standardOutput && output.standardError == alone.standardError)
        #expect(output.exit == alone.exit)
        #expect(try lab.stores(of: app).isEmpty)
    }

    @Test("the preloaded library needs libc alone, and the other one exports its entries alone", .promise)
    func libraries() async throws {
        let preload = try await Fixture.preload()
        let needed = try await ChildProcess.run([try #require(ChildProcess.path(of: "readelf")), "-d", preload])
        let libraries = needed.standardOutput.matches(of: /\(NEEDED\).*\[(.*)\]/).map { String($0.1) }
        #expect(libraries == ["libc.so.6"])
        let part = preload.replacing("librerender-preload.so", with: "librerender-inject.so")
        let symbols = try await ChildProcess.run(
            [try #require(ChildProcess.path(of: "nm")), "-D", "--defined-only", "--extern-only", part])
        let names = symbols.standardOutput.split(separator: "\n").compactMap { $0.split(separator: " ").last }
        // With the part for GTK, its entries as well.
        #expect(names.filter { !$0.hasPrefix("rerender_gtk_") } == ["rerender_inject_look", "rerender_loop_begin"])
    }
}

/// A real daemon, and programs that are injected.
struct InjectionLab {
    let daemon: DaemonProcess

    init() async throws { daemon = try await DaemonProcess(environment: DaemonProcess.patience) }

    /// Starts a program with the library preloaded.
    func start(_ command: [String], _ more: [String: String] = [:]) async throws -> ChildProcess {
        var environment = ProcessInfo.processInfo.environment
        environment["RERENDER_RUNTIME_DIR"] = daemon.directory
        environment["RERENDER_WAIT_AT_EXIT"] = "20000"
        environment["LD_PRELOAD"] = try await Fixture.preload()
        return try ChildProcess(command, environment: environment.merging(more) { $1 })
    }

    /// What the program counted itself: lines of a view, a tab, and a number.
    func truth(_ output: ChildProcess.Output, isOneModule: Bool = false) throws -> [String: UInt64] {
        var counts: [String: UInt64] = [:]
        for line in output.standardOutput.split(separator: "\n") {
            let words = line.split(separator: "\t")
            guard words.count == 2, let count = UInt64(words[1]) else { continue }
            counts[isOneModule ? String(words[0]).replacing("Base.", with: "") : String(words[0])] = count
        }
        return counts
    }

    /// Runs a command of `rerenderctl`, which must succeed.
    @discardableResult
    func ctl(_ arguments: String...) async throws -> ChildProcess.Output {
        let output = try await run(arguments)
        try #require(output.succeeded, "\(output.standardError)")
        return output
    }

    func run(_ arguments: String...) async throws -> ChildProcess.Output { try await run(arguments) }

    private func run(_ arguments: [String]) async throws -> ChildProcess.Output {
        let environment = ProcessInfo.processInfo.environment.merging(["RERENDER_RUNTIME_DIR": daemon.directory]) { $1 }
        return try await ChildProcess.run(
            [ChildProcess.product("rerenderctl")] + arguments, environment: environment)
    }

    func stores(of app: ChildProcess) throws -> [ProcessStats] {
        try daemon.http.get("/v1/stats").json(StatsExport.self).processes.filter { $0.pid == app.processID }
    }

    func views(of app: ChildProcess) throws -> [Stats] { try stores(of: app).flatMap(\.views) }

    /// Waits until the daemon has these counts of the program's views, and none beside them.
    ///
    /// Without debug information, private views of one name have numbers instead of files.
    func expect(_ truth: [String: UInt64], of app: ChildProcess) async throws {
        func seen() throws -> Any { try views(of: app).map { ($0.key, $0.count) } }
        try await daemon.http.eventually("the counts of \(truth)", seen: seen) {
            let views = try views(of: app).map { view in
                (view.key.rawValue.replacing(#/ \(.*/#, with: ""), view.count)
            }
            let counted = Dictionary(views, uniquingKeysWith: +)
            let expected = Dictionary(
                truth.map { ($0.key.replacing(#/ \(.*/#, with: ""), $0.value) }, uniquingKeysWith: +)
            return counted == expected && views.count == truth.count ? () : nil
        }
    }
}
