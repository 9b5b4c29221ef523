// SPDX-License-Identifier: MIT
import Foundation
@testable import RerenderTool
import TestSupport
import TestTraits
import Testing
@testable import ToolSupport

@Suite("A command's arguments and environment")
struct LaunchBytesTests {
    /// Runs a script of bash's, whose quotes can write any byte, and returns what came on standard output.
    private func shell(_ script: String, _ bench: Bench) async throws -> [UInt8] {
        let process = try Spawned(
            ["/bin/bash", "-c", script], environment: bench.environment(["PATH": "/usr/bin:/bin"]))
        process.closeInput()
        #expect(try await process.wait() == .exited(0), "\(process.standardError)")
        return process.outputBytes
    }

    @Test(
        "reach it byte for byte, UTF-8 or not", .promise,
        arguments: ["run --", "run", "run --limit 3 --", "check --budget B --update --"])
    func arguments(ours: String) async throws {
        let bench = try Bench()
        let command = ours.replacing("B", with: bench.path + "/none.json")
        let words = #"$'\xff\xfe name' $'caf\xc3\xa9' '' '--' $'\xed\xa0\x80'"#
        // check ends with its own status: nothing was counted.
        let bytes = try await shell(
            "\(Program.rerenderctl) \(command) /usr/bin/printf '<%s>' \(words) || true", bench)
        let expected: [[UInt8]] = [
            Array("<".utf8), [0xFF, 0xFE], Array(" name><café><><--><".utf8), [0xED, 0xA0, 0x80], Array(">".utf8),
        ]
        #expect(bytes == expected.flatMap(\.self))
    }

    @Test("of a program whose name is no UTF-8, too")
    func program() async throws {
        let bench = try Bench()
        let name = #"\#(bench.path)/$'\xff'"#
        let bytes = try await shell(
            "cp /usr/bin/printf \(name) && \(Program.rerenderctl) run -- \(name) ran", bench)
        #expect(bytes == Array("ran".utf8))
    }

    /// Commands of many kinds, with the files of ``makeFiles(in:)`` in the directory `DIR`.
    private static let commands: [[String]] = [
        ["true"], ["false"], ["echo", "a  b"], ["printf", #"\377\376\0"#], ["/bin/sh", "-c", "exit 3"],
        ["/bin/sh", "-c", "kill -TERM $$"], ["/bin/sh", "-c", "kill -KILL $$"],
        ["/bin/sh", "-c", "echo out; kill -SEGV $$"],
        ["bash", "-c", "echo $((6 * 7)) | cat; exit 3"], ["bash", "-c", "set -o pipefail; seq 9 | grep -q x | wc -l"],
        ["bash", "-c", "trap 'echo trapped' USR1; kill -USR1 $$; exit 9"],
        ["bash", "-c", "echo err >&2; echo out; exec false"],
        ["bash", "-c", "read -r line; echo \"<$line>\" $?"], ["env", "-i", "A=1", "/usr/bin/env"],
        ["env", "python3", "-c", "print(1)"],
        ["sudo", "-n", "true"], ["make", "--version"], ["make", "-s", "-f", "DIR/makefile", "all"],
        ["make", "-f", "/none"],
        ["git", "--version"], ["git", "-C", "/", "log"], ["ssh", "-V"], ["perl", "-e", "warn 'so'; print 5; exit 5"],
        ["ls", "/nothing"], ["find", "DIR/makefile", "-printf", "%f"], ["sed", "-n", "1p;q4", "DIR/makefile"],
        ["awk", "BEGIN { print 3; exit 3 }"], ["sort", "-r", "DIR/makefile"],
        ["tar", "-c", "--mtime=@0", "/etc/hostname"],
        ["date", "-u", "-d", "@0"], ["nice", "-n", "1", "echo", "nice"], ["timeout", "0.1", "sleep", "60"],
        ["python3", "-c", "print('one')"], ["python3", "-c", "import sys; print('e', file=sys.stderr); sys.exit(4)"],
        ["python3", "-c", "import os, signal; print(1, flush=True); os.kill(os.getpid(), signal.SIGTERM)"],
        ["python3", "-c", "import subprocess as s; print(s.run(['sh', '-c', 'echo hi; exit 4']).returncode)"],
        ["python3", "-c", "import os; os.fork() or os._exit(0); print(os.wait()[1])"],
        ["python3", "DIR/app.py", "a", ""], ["DIR/app.py", "b"], ["python3", "DIR/none.py"], ["gjs", "-c", "print(7)"],
        ["gjs", "DIR/app.js"], ["gjs", "-c", "imports.system.exit(6)"], ["gio", "version"],
        ["gio", "cat", "DIR/makefile"],
        ["gsettings", "--version"], ["glib-compile-schemas", "DIR/none"], ["gdbus", "help"],
    ]

    private func makeFiles(in directory: String) async throws {
        try "all:\n\t@echo made; exit 2\n".write(toFile: directory + "/makefile", atomically: true, encoding: .utf8)
        try "print('js'); imports.system.exit(3);\n".write(
            toFile: directory + "/app.js", atomically: true, encoding: .utf8)
        try await TestSupport.ChildProcess.makeScript(
            "#!/usr/bin/env python3\nimport sys\nprint(sys.argv[1:])\nsys.exit(7)\n", at: directory + "/app.py")
    }

    /// Runs a command as it is, and by `run`, and compares what they give.
    private func compare(_ command: [String], _ bench: Bench) async throws {
        let environment = bench.environment(["LC_ALL": "C.UTF-8", "HOME": bench.path])
        func ran(_ words: [String]) async throws -> (process: Spawned, ending: Spawned.Ending) {
            let process = try Spawned(words, environment: environment)
            process.closeInput()
            return (process, try await process.wait())
        }
        let (direct, ending) = try await ran(command)
        let (through, sameEnding) = try await ran([Program.rerenderctl, "run", "--"] + command)
        #expect(ending == sameEnding, "\(through.standardError)")
        #expect(through.outputBytes == direct.outputBytes, "\(through.standardError)")
        // Numbers of processes differ.
        func said(_ process: Spawned) -> String { process.standardError.replacing(#/\d+/#, with: "N") }
        #expect(said(direct).isEmpty || said(through).contains(said(direct)), "\(through.standardError)")
        #expect(!through.standardError.contains("LD_PRELOAD cannot be preloaded"), "\(through.standardError)")
        // None of these is counted. On a busy machine, the daemon may say that it was late.
        let own = through.standardError.withoutProgress.split(separator: "\n").filter {
            $0.hasPrefix("rerenderctl: ") && !$0.contains("still reading")
        }
        #expect(own.count <= 1, "\(own)")
    }

    @Test("make it give the same bytes, and end in the same way, as without the tool", arguments: commands)
    func same(command: [String]) async throws {
        let bench = try Bench()
        try await makeFiles(in: bench.path)
        let words = command.map { $0.replacing("DIR", with: bench.path) }
        let program = words[0].hasPrefix("/") ? words[0] : TestSupport.ChildProcess.path(of: words[0])
        guard let program else { try Test.cancel("\(words[0]) is not installed") }
        try await compare([program] + words.dropFirst(), bench)
    }

    @Test(
        "do so for programs that a compiler makes in unusual ways",
        .enabled(if: TestSupport.ChildProcess.path(of: "gcc") != nil, "needs gcc"),
        arguments: [
            [], ["-static"], ["-fsanitize=address"], ["-fsanitize=undefined"], ["-fsanitize=thread"], ["-m32"], ["-s"],
            ["-no-pie"],
        ] as [[String]])
    func compiled(options: [String]) async throws {
        try await compare(compiler: "gcc", options)
    }

    /// A program that asks for GLib is injected into.
    @Test(
        "do so for a program with Thread Sanitizer that could be counted without it",
        .enabled(if: TestSupport.ChildProcess.path(of: "gcc") != nil, "needs gcc"), arguments: ["gcc", "clang"])
    func threadSanitizer(compiler: String) async throws {
        try await compare(
            compiler: compiler, ["-fsanitize=thread", "-Wl,--no-as-needed", "-l:libglib-2.0.so.0"])
    }

    /// Compiles a program, and compares it, and a set-uid copy of it, with what `run` makes of them.
    private func compare(compiler: String, _ options: [String]) async throws {
        guard let compiler = TestSupport.ChildProcess.path(of: compiler) else {
            try Test.cancel("\(compiler) is not installed")
        }
        let bench = try Bench()
        let program = bench.path + "/program"
        try "#include <stdio.h>\nint main(int count, char **words) { puts(words[count - 1] + 1); return 6; }\n"
            .write(toFile: program + ".c", atomically: true, encoding: .utf8)
        let made = try await TestSupport.ChildProcess.run([compiler, "-o", program, program + ".c"] + options)
        if !made.succeeded { try Test.cancel("\(compiler) has no libraries for \(options)") }
        try await compare([program, "word"], bench)
        let copy = bench.path + "/copy"
        try await TestSupport.ChildProcess.copyProgram(program, to: copy)
        #expect(chmod(copy, 0o4755) == 0)
        try await compare([copy, "word"], bench)
    }

    @Test("have variables as they were, but for ours", .promise)
    func environment() async throws {
        let bench = try Bench()
        let variables =
            #"ODD=$'\xff\xfe' EMPTY= RERENDER_WAIT_AT_EXIT=$'\xff' RERENDER_HANG_STACKS=0 RERENDER_RUNTIME_DIR=\#(bench.path)"#
        let look = "/usr/bin/env -0"
        let direct = try await shell("env -i \(variables) \(look)", bench)
        let through = try await shell("env -i \(variables) \(Program.rerenderctl) run -- \(look)", bench)
        func entries(_ bytes: [UInt8]) -> [[UInt8]] {
            bytes.split(separator: 0).map { Array($0) }.filter { !$0.starts(with: "RERENDER_RUNTIME_DIR=".utf8) }
        }
        #expect(entries(direct) == entries(through) && entries(direct).count == 4)
    }
}
