// SPDX-License-Identifier: MIT
import Foundation
import RerenderModel
@testable import RerenderShow
@testable import RerenderTool
import TestSupport
import TestTraits
import Testing
@testable import ToolSupport

@Suite("rerenderctl run", .serialized)
struct RunTests {
    private func run(
        _ command: [String], options: [String] = [], bench: Bench, environment: [String: String] = [:]
    ) throws -> Spawned {
        try bench.start(["run"] + options + ["--"] + command, environment: environment)
    }

    @Test("ends with the status of the command", .promise, arguments: [0, 1, 7, 64, 127, 255])
    func status(status: Int32) async throws {
        let process = try run(["/bin/sh", "-c", "exit \(status)"], bench: Bench())
        #expect(try await process.wait() == .exited(status))
    }

    @Test(
        "ends by the signal that ended the command", .promise,
        arguments: [SIGTERM, SIGKILL, SIGINT, SIGSEGV, SIGPIPE, SIGUSR1, SIGABRT])
    func killed(signal: Int32) async throws {
        let process = try run(["/bin/sh", "-c", "kill -\(signal) $$"], bench: Bench())
        #expect(try await process.wait() == .killed(signal))
    }

    @Test("a command that is not found is 127, one that cannot be run is 126, and no daemon is left behind", .promise)
    func cannotRun() async throws {
        let bench = try Bench()
        let missing = try run(["no-such-command"], bench: bench)
        #expect(try await missing.wait() == .exited(127))
        #expect(missing.standardError == "rerenderctl: no-such-command: command not found\n")
        for file in ["/etc/passwd", "/etc"] {
            let process = try run([file], bench: bench)
            #expect(try await process.wait() == .exited(126))
            #expect(process.standardError == "rerenderctl: \(file): cannot run: Permission denied\n")
        }
    }

    @Test(
        "input and output are the command's: it gets every byte and gives every byte, and the table is elsewhere",
        .promise)
    func streams() async throws {
        let process = try run(["/bin/cat"], bench: Bench())
        let text = (0..<2_000).map { "line \($0)\n" }.joined()
        process.type(text)
        process.closeInput()
        #expect(try await process.wait() == .exited(0))
        #expect(process.standardOutput == text)
        let said = process.standardError.withoutProgress
        #expect(said.hasPrefix("rerenderctl: /bin/cat exited, and no instrumented process connected"))
        #expect(said.split(separator: "\n").count == 1, "\(said)")
    }

    @Test("where RERENDER=0 switched the command off, that is the one thing said")
    func switchedOff() async throws {
        let process = try run([Program.counting], bench: Bench(), environment: ["RERENDER": "0"])
        process.type("run 100\nexit\n")
        #expect(try await process.wait() == .exited(0))
        #expect(
            process.standardError.withoutProgress
                == "rerenderctl: \(Program.counting) counted nothing because RERENDER=0 is set. Run: unset RERENDER\n")
    }

    @Test(
        "everything that the command evaluated is in the table, though it exits at once", .promise,
        arguments: [1, 999, 200_000])
    func table(count: Int) async throws {
        let bench = try Bench()
        let file = bench.path + "/export.json"
        let process = try run(
            [Program.counting], options: ["--json", "-o", file, "--limit", "all", "--all"], bench: bench)
        process.type("run \(count)\ncounts\nexit\n")
        #expect(try await process.wait() == .exited(0))
        let own = process.standardOutput.split(separator: "\n")
        try #require(own.first == "ready" && own.count == 3, "\(process.standardOutput) \(process.standardError)")
        var truth: [String: UInt64] = [:]
        for entry in own[2].split(separator: ";") {
            let sides = entry.split(separator: "=")
            truth[String(sides[0])] = UInt64(sides[1])
        }
        let export = try JSONDecoder().decode(StatsExport.self, from: Data(contentsOf: URL(fileURLWithPath: file)))
        var counted: [String: UInt64] = [:]
        for store in export.processes {
            #expect(store.lost == 0 && store.dropped == 0 && !store.connected)
            for view in store.views { counted["\(store.store)/\(view.key.rawValue)"] = view.count }
        }
        #expect(counted == truth)
        #expect(
            process.standardError.contains(
                "0 processes connected, 1 ended; 3 stores, \(Counted.text(count, "evaluation")), by cost"))
        #expect(process.standardError.split(separator: "\n").count { $0.hasPrefix("counting/") } == truth.count)
    }

    @Test("of many processes that each end at once every one is in the table")
    func manyProcesses() async throws {
        let bench = try Bench()
        let file = bench.path + "/export.json"
        let script = "for i in $(seq 20); do printf 'run 30\\nexit\\n' | \(Program.counting) >/dev/null & done; wait"
        let process = try run(["/bin/bash", "-c", script], options: ["--json", "-o", file], bench: bench)
        #expect(try await process.wait() == .exited(0))
        let export = try JSONDecoder().decode(StatsExport.self, from: Data(contentsOf: URL(fileURLWithPath: file)))
        let heard = Set(export.processes.map(\.pid)).count
        #expect(heard == 20)
        // What one of them could not send in time is lost, and still accounted for.
        #expect(export.processes.reduce(0) { $0 + $1.evaluations } == 600)
    }

    @Test("a command that is killed is in the table with what it had sent, and what it had not is lost and said")
    func killedCommand() async throws {
        let bench = try await Bench(withDaemon: ())
        let file = bench.path + "/export.json"
        let process = try run([Program.counting], options: ["--json", "-o", file], bench: bench)
        process.type("run 10\n")
        try await bench.seen("the connection") {
            $0.processes.reduce(0) { $0 + ($1["evaluations"] as? Int ?? 0) } == 10
        }
        process.type("run 5000\ndie\n")
        #expect(try await process.wait() == .killed(SIGKILL))
        let export = try JSONDecoder().decode(StatsExport.self, from: Data(contentsOf: URL(fileURLWithPath: file)))
        #expect(export.processes.reduce(0) { $0 + $1.evaluations } == 5_010)
        let lost = export.processes.reduce(0) { $0 + $1.lost }
        let shown = export.processes.flatMap(\.views).reduce(0) { $0 + $1.count }
        #expect(shown + lost == 5_010)
        #expect(process.standardError.contains("LOST in counting") == (lost > 0))
    }

    @Test("a daemon of its own is private and gone afterwards, and nothing is put where the user's would be", .promise)
    func privateDaemon() async throws {
        let bench = try Bench()
        let process = try run(
            [
                "/bin/sh", "-c",
                "echo $RERENDER_RUNTIME_DIR; stat -c %a $RERENDER_RUNTIME_DIR; ls $RERENDER_RUNTIME_DIR",
            ], bench: bench)
        #expect(try await process.wait() == .exited(0))
        let lines = process.standardOutput.split(separator: "\n").map { String($0) }
        #expect(lines[0] != bench.path && lines[0].hasPrefix("/tmp/rerender-run-"))
        #expect(lines[1...] == ["700", "push.sock", "query.sock", "started", "user"])
        #expect(!FileManager.default.fileExists(atPath: lines[0]))
        #expect(try FileManager.default.contentsOfDirectory(atPath: bench.path).isEmpty)
    }

    @Test("a daemon that runs is used, and the table has only what connected meanwhile", .promise)
    func runningDaemon() async throws {
        let bench = try await Bench(withDaemon: ())
        let other = try await bench.app(evaluating: 77)
        let process = try run([Program.counting], options: ["-n", "all"], bench: bench)
        process.type("run 1000\nexit\n")
        #expect(try await process.wait() == .exited(0))
        #expect(process.standardError.contains("1,000 evaluations"))
        #expect(!process.standardError.contains("[\(other.pid)]"))
        let directory = try run(["/bin/sh", "-c", "echo $RERENDER_RUNTIME_DIR"], bench: bench)
        try await directory.wait()
        #expect(directory.standardOutput == bench.path + "\n")
        try await bench.seen("both") { $0.evaluations(of: other.pid) == 77 && $0.processes.count == 6 }
    }

    /// Counts a signal and says each; at another one says how many there were and ends with status 5.
    ///
    /// What is passed on keeps its order, so the other one comes after every copy of the first that there may be. Perl,
    /// because bash loses signals that come while it waits for a child.
    private func counter(of signal: String, until last: String) -> [String] {
        let script = """
            $| = 1; my $n = 0; $SIG{$ARGV[0]} = sub { $n++; print "got $n\\n" };
            $SIG{$ARGV[1]} = sub { print "total $n\\n"; exit 5 }; print "started\\n";
            select(undef, undef, undef, 0.01) while 1;
            """
        return ["/usr/bin/perl", "-e", script, signal, last]
    }

    @Test(
        "signals that are sent to us reach the command, once", .promise,
        arguments: [
            (SIGINT, "INT"), (SIGTERM, "TERM"), (SIGHUP, "HUP"), (SIGQUIT, "QUIT"), (SIGUSR1, "USR1"),
            (SIGWINCH, "WINCH"),
        ])
    func forwarding(signal: Int32, name: String) async throws {
        let process = try run(counter(of: name, until: "USR2"), bench: Bench())
        try await process.expect("started")
        for number in 1...3 {
            process.send(signal)
            try await process.expect("got \(number)")
        }
        process.send(SIGUSR2)
        #expect(try await process.wait() == .exited(5))
        #expect(process.standardOutput == "started\ngot 1\ngot 2\ngot 3\ntotal 3\n")
    }

    @Test("the command gets signals, descriptors and pipes as if we were not there", .promise)
    func inheritance() async throws {
        let bench = try Bench()
        // The tests' own process has descriptors of others open; these are closed before anything is compared.
        let close = "for f in $(ls /proc/$$/fd); do [ $f -gt 2 ] && eval \"exec $f>&-\"; done; exec 9<$FILE; "
        let look = "grep -E 'Sig(Blk|Ign)' /proc/self/status; ls /proc/self/fd | sort -n | tr '\\n' ' '; cat <&9"
        let file = bench.path + "/nine"
        try Data("nine".utf8).write(to: URL(fileURLWithPath: file))
        let variables = bench.environment(["LOOK": look, "FILE": file])
        let direct = try Spawned(["/bin/bash", "-c", close + "/bin/bash -c \"$LOOK\""], environment: variables)
        try await direct.wait()
        let through = try Spawned(
            ["/bin/bash", "-c", close + "\(Program.rerenderctl) run -- /bin/bash -c \"$LOOK\""], environment: variables)
        try await through.wait()
        // Before 2.41, glibc's posix_spawn leaves its two internal signals (32, 33) ignored; no program can use them.
        func usable(_ output: String) -> String {
            output.replacing("SigIgn:\t0000000180000000", with: "SigIgn:\t0000000000000000")
        }
        #expect(usable(through.standardOutput) == usable(direct.standardOutput))
        #expect(through.standardOutput.hasSuffix("nine"))
    }

    @Test("under nohup the command ignores the hang-up, as it would alone")
    func nohup() async throws {
        let process = try Spawned(
            [
                "/bin/bash", "-c",
                "trap '' HUP; exec \(Program.rerenderctl) run -- /bin/bash -c 'echo started; read -r line; echo $line'",
            ],
            environment: Bench().environment())
        try await process.expect("started")
        process.send(SIGHUP)
        process.type("alive\n")
        try await process.expect("alive")
        #expect(try await process.wait() == .exited(0))
    }

    @Test("on a terminal Ctrl-C reaches the command once each time, and a command that survives it goes on", .promise)
    func controlC() async throws {
        let command = ["run", "--"] + counter(of: "INT", until: "USR2")
        let process = try Bench().start(command, terminal: .init(columns: 100, lines: 30))
        try await process.expect("started")
        for number in 1...3 {
            process.type("\u{3}")
            try await process.expect("got \(number)")
        }
        process.send(SIGUSR2)
        #expect(try await process.wait() == .exited(5))
        #expect(process.standardOutput.contains("total 3\r\n"))
    }

    @Test("what a daemon that is held up has still to read is waited for")
    func lateDaemon() async throws {
        let bench = try await Bench(withDaemon: ())
        let daemon = try #require(bench.daemon)
        for _ in 1...5 {
            let app = "printf 'run 3000\\nexit\\n' | \(Program.counting) > /dev/null"
            // The daemon is stopped before the app starts, and goes on when the command has ended and rerenderctl knows it.
            let end = "while kill -0 $$; do sleep 0.01; done"
            let script = "kill -STOP \(daemon.pid); \(app); (\(end); kill -CONT \(daemon.pid)) > /dev/null 2>&1 &"
            let process = try run(["/bin/bash", "-c", script], bench: bench)
            try await process.wait()
            #expect(process.standardError.contains("3 stores, 3,000 evaluations"), "\(process.standardError)")
        }
    }

    @Test("a shell stops us with Ctrl-Z and continues us, and sees the command's end")
    func jobControl() async throws {
        let bench = try Bench()
        // A line editor changes the terminal around each prompt, and could lose what is typed there.
        let shell = try Spawned(
            ["/bin/bash", "--norc", "--noprofile", "--noediting", "-i"],
            environment: bench.environment(["PS1": "PROMPT ", "TERM": "dumb", "HISTFILE": ""]),
            terminal: .init(columns: 150, lines: 40))
        try await shell.expect("PROMPT ")
        // What the shell was asked and did not read is the command's, in front of its input.
        let command = "echo star''ted; until [ \"$x\" = input ]; do read -r x || exit; done; echo got-$x; exit 9"
        shell.type("\(Program.rerenderctl) run -- /bin/bash -c '\(command)'\n")
        try await shell.expect("started\r\n")
        shell.type("\u{1A}")
        try await shell.expect("Stopped", then: "PROMPT ")
        try await stopped(parent: shell.pid)
        shell.type("echo ans''wer\n")
        try await shell.expect("answer\r\n", then: "PROMPT ")
        let before = shell.outputBytes.count
        shell.type("fg\n")
        try await shell.expect("run --", after: before)
        shell.type("input\n")
        try await shell.expect("got-input")
        try await shell.expect("no instrumented process", then: "PROMPT ", after: before)
        shell.type("echo status=$?\n")
        try await shell.expect("status=9", then: "PROMPT ", after: before)
        try await shell.exitShell()
    }

    /// Every process of the job is stopped: ours and the command.
    private func stopped(parent: Int32) async throws {
        let children = try String(contentsOfFile: "/proc/\(parent)/task/\(parent)/children", encoding: .utf8)
        let job = try #require(children.split(separator: " ").first)
        let grandchildren = (try? String(contentsOfFile: "/proc/\(job)/task/\(job)/children", encoding: .utf8)) ?? ""
        // The shell has seen that ours stopped; the command has its signal, and stops when it runs next.
        for pid in [job] + grandchildren.split(separator: " ") {
            try await eventually("the stop of \(pid)") {
                let stat = try String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
                return stat.components(separatedBy: ") ")[1].hasPrefix("T") ? () : nil
            }
        }
    }

    @Test("an export that cannot be written is said before the command starts", .promise)
    func badFile() async throws {
        let process = try run(["/bin/echo", "ran"], options: ["--json", "-o", "/no/such/dir/x.json"], bench: Bench())
        #expect(try await process.wait() == .exited(73))
        #expect(process.standardOutput.isEmpty)
    }

    @Test("look ends a command after the time, shows what it counted, and keeps it")
    func lookAtCommand() async throws {
        let (bench, state) = (try Bench(), ["RERENDER_HISTORY": "1"])
        let environment = state.merging(["XDG_STATE_HOME": bench.path]) { $1 }
        let process = try bench.start(["look", "--for", "5s", "--", Program.counting], environment: environment)
        try await process.expect("ready")
        process.type("run 40\n")
        #expect(try await process.wait() == .exited(0))
        #expect(process.standardError.contains("3 stores, 40 evaluations"), "\(process.standardError)")
        #expect(process.standardError.contains("0 processes connected, 1 ended"), "\(process.standardError)")
        #expect(try await bench.ctl("history", environment: environment).output.contains("counting  last "))
        #expect(try FileManager.default.contentsOfDirectory(atPath: bench.path) == ["rerender"])
    }

    @Test("look ends as a command does that ends before, and kills one that does not obey")
    func lookAtOthers() async throws {
        let bench = try Bench()
        let early = try bench.start(["look", "--for", "1h", "--", "/bin/sh", "-c", "exit 5"])
        #expect(try await early.wait() == .exited(5))
        #expect(early.standardError.contains("/bin/sh exited, and no instrumented process connected"))
        let missing = try bench.start(["look", "--", "no-such-command"])
        #expect(try await missing.wait() == .exited(127))
        let deaf = try bench.start([
            "look", "--for", "0.2", "--", "/usr/bin/perl", "-e", "$SIG{TERM} = 'IGNORE'; sleep 1 while 1",
        ])
        #expect(try await deaf.wait() == .exited(0))
        #expect(deaf.standardError.contains("/usr/bin/perl had no process that could be counted within 200ms."))
    }

    @Test("look shows what a program did in the time, and not what it did before")
    func lookAtProgram() async throws {
        let bench = try await Bench(withDaemon: ())
        let app = try await bench.app(evaluating: 77)
        // Ctrl-C ends the measurement, and shows it.
        let process = try bench.start(["look", "counting", "--for", "1h"])
        try await process.expectError("measuring counting for 1h00m")
        app.type("run 5\n")
        try await bench.seen("what it did") { $0.evaluations(of: app.pid) == 82 }
        process.send(SIGINT)
        #expect(try await process.wait() == .killed(SIGINT))
        let shown = process.standardOutput
        #expect(shown.hasPrefix("What happened in ") && shown.contains("3 stores, 5 evaluations"), "\(shown)")
        #expect(!shown.contains("77 evaluations"))
        // So does the end of the time.
        let short = try await bench.ctl("look", "counting", "--for", "0.2")
        #expect(short.ending == .exited(0) && short.output.hasPrefix("What happened in "), "\(short)")
        let none = try await bench.ctl("look", "nobody")
        #expect(none.ending == .exited(64))
        #expect(none.errors.contains("To start a program, run: rerenderctl look -- nobody"))
        #expect(none.errors.contains("there is no process \"nobody\""))
    }

    @Test("--process selects what is shown and written, all is kept, and a name that fits nothing is an error")
    func process() async throws {
        let bench = try Bench()
        let (file, state) = (bench.path + "/out.json", ["XDG_STATE_HOME": bench.path, "RERENDER_HISTORY": "1"])
        for name in ["counting", "nobody"] {
            let process = try run(
                [Program.counting], options: ["--process", name, "--json", "-o", file], bench: bench, environment: state
            )
            try await process.expect("ready")
            process.type("run 3\nexit\n")
            #expect(try await process.wait() == .exited(0))
            let hasTable = process.standardError.contains("KEY")
            #expect(hasTable == (name == "counting"), "\(process.standardError)")
            #expect(process.standardError.contains("there is no process \"nobody\"") == (name == "nobody"))
            let isWritten = FileManager.default.fileExists(atPath: file)
            #expect(isWritten == (name == "counting"))
            try? FileManager.default.removeItem(atPath: file)
        }
        let runs = try await bench.ctl("history", environment: state).output
        #expect(runs.split(separator: "\n").count { $0.contains("counting") } == 2, "\(runs)")
    }
}
