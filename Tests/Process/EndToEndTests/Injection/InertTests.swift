// SPDX-License-Identifier: MIT
// Programs without views do the same with the preloaded library as without it.

import Foundation
import TestSupport
import TestTraits
import Testing

/// A program as its users start it.
struct InertProgram: Sendable, CustomTestStringConvertible {
    let name: String
    /// What a shell runs, in a directory of its own that is empty at first.
    let script: String
    /// Commands that have to be there, beside the shell's own.
    var needs: [String] = []
    var isRootNeeded = false
    var seconds = 120.0

    var testDescription: String { name }

    /// Why it cannot be run here; nil if it can.
    var obstacle: String? {
        let missing = needs.filter { ChildProcess.path(of: $0) == nil }
        if !missing.isEmpty { return "\(missing.joined(separator: ", ")) is not installed" }
        return isRootNeeded && geteuid() != 0 ? "only root gives a program another owner" : nil
    }

    static let all = [
        InertProgram(name: "true", script: "/bin/true"),
        InertProgram(name: "dash, ended by a signal", script: "echo begins; kill -TERM $$"),
        InertProgram(
            name: "bash",
            script: #"""
                bash -c 'trap "echo trapped" USR1; kill -USR1 $$; a=(3 1 2); printf "%s\n" "${a[@]}" | sort | tr "\n" ,
                    diff <(echo 1) <(echo 2); echo "$BASHPID" | wc -l; exit 9'
                """#, needs: ["bash"]),
        InertProgram(name: "env", script: "env -i A=1 B=2 env"),
        InertProgram(name: "ls", script: "mkdir a b; ln -s a c; ls -F . /nothing"),
        InertProgram(name: "find", script: "mkdir -p a/b; touch a/b/c; find . -type f -exec basename {} ';'"),
        InertProgram(name: "sed", script: "seq 9 | sed -n '3,5p;7q4'"),
        InertProgram(name: "awk", script: "seq 100 | awk '{ s += $1 } END { print s; exit 3 }'"),
        InertProgram(name: "grep", script: "seq 100 | grep -c 7; seq 3 | grep -q 9"),
        InertProgram(name: "sort", script: "seq 20000 | sort -R --random-source=/bin/true | sort -n | sha256sum"),
        InertProgram(
            name: "tar and gzip",
            script: """
                seq 1000 > numbers; tar --mtime=@0 --owner=0 --group=0 --mode=600 -c numbers | gzip -n | tee x | sha256sum
                gzip -dc x | tar -t
                """, needs: ["tar", "gzip"]),
        InertProgram(
            name: "python3",
            script: """
                python3 -c 'import ctypes, json, subprocess, sys, threading
                t = threading.Thread(target=lambda: print(json.dumps({"a": [1, 2]})))
                t.start(); t.join()
                print(subprocess.run(["sh", "-c", "echo hi; exit 4"]).returncode, ctypes.CDLL(None).abs(-5))
                sys.exit(7)'
                """, needs: ["python3"]),
        InertProgram(
            name: "python3 that forks 100 children",
            script: """
                python3 -c 'import os
                children = [os.fork() or os._exit(number % 7) for number in range(100)]
                print(sum(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children))'
                """, needs: ["python3"]),
        InertProgram(
            name: "perl",
            script: #"perl -e 'print join(",", map { $_ * 2 } 1..9), "\n"; warn "so\n"; exit(5)'"#, needs: ["perl"]),
        InertProgram(
            name: "git",
            script: """
                export GIT_AUTHOR_DATE='2026-01-01T00:00:00Z' GIT_COMMITTER_DATE='2026-01-01T00:00:00Z' HOME=$PWD
                git init -q -b main . && echo text > file && git add file
                git -c user.name=A -c user.email=a@b -c commit.gpgSign=false commit -q -m one
                git log --stat --format='%H %s'; git show --oneline nothing
                """, needs: ["git"]),
        InertProgram(
            name: "cc and what it makes",
            script: """
                printf '#include <stdio.h>\\nint main(void) { puts("made"); return 3; }' > a.c
                cc -Wall -o a a.c && ./a
                """, needs: ["cc"]),
        InertProgram(
            name: "a static binary",
            script: """
                printf '#include <stdio.h>\\n#include <stdlib.h>
                int main(void) { puts(getenv("HERE")); return 6; }' > a.c
                cc -static -o a a.c && HERE=here ./a
                """, needs: ["cc"]),
        InertProgram(
            name: "a set-uid program",
            script: "cp /usr/bin/id id && chown nobody id && chmod 4755 id . && ./id -u && ./id -ru", needs: ["id"],
            isRootNeeded: true),
        InertProgram(
            name: "node",
            script: #"node -e 'setTimeout(() => { console.log([3, 1, 2].sort()); process.exit(2) }, 1)'"#,
            needs: ["node"]),
        InertProgram(
            name: "valgrind", script: "valgrind -q --error-exitcode=9 /bin/echo hello", needs: ["valgrind"]),
        InertProgram(
            name: "systemd-run without a manager",
            script: "XDG_RUNTIME_DIR=/nothing systemctl --user status; systemctl --version",
            needs: ["systemctl"]),
        InertProgram(
            name: "swift-format",
            script:
                "printf 'let a=1;print( a )' > a.swift; swift-format format a.swift; swift-format lint --strict a.swift",
            needs: ["swift-format"]),
        InertProgram(
            name: "sourcekit-lsp",
            script: #"""
                python3 -c 'import json, subprocess
                # Whether it logs its start depends on when it is asked.
                server = subprocess.Popen(["sourcekit-lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL)
                def say(**message):
                    text = json.dumps({"jsonrpc": "2.0", **message}).encode()
                    server.stdin.write(b"Content-Length: %d\r\n\r\n" % len(text) + text)
                    server.stdin.flush()
                def answer():
                    length = int(server.stdout.readline().split()[1])
                    server.stdout.readline()
                    print(json.dumps(json.loads(server.stdout.read(length)), sort_keys=True))
                say(id=1, method="initialize", params={"processId": None, "rootUri": None, "capabilities": {}})
                answer()
                say(id=2, method="shutdown")
                answer()
                say(method="exit")
                print(server.wait())'
                """#, needs: ["sourcekit-lsp", "python3"]),
        InertProgram(
            name: "swift build, and what it makes",
            script: """
                mkdir -p Sources/made
                printf '// swift-tools-version: 6.0\\nimport PackageDescription
                let package = Package(name: "made", targets: [.executableTarget(name: "made")])' > Package.swift
                printf 'print("made by", CommandLine.arguments.count)' > Sources/made/main.swift
                # Its steps run side by side, and are told in the order of their ends.
                swift build --quiet && .build/debug/made
                """, needs: ["swift"], seconds: 300),
    ]
}

@Suite("Programs without views", .enabled(if: Fixture.hasSwift, "needs the library of --inject"))
struct InertTests {
    @Test("do the same with the library as without, and it finds nothing to tell", arguments: InertProgram.all)
    func same(_ program: InertProgram) async throws {
        if let obstacle = program.obstacle { try Test.cancel("\(obstacle)") }
        let plain = try await run(program, preload: nil)
        let preloaded = try await run(program, preload: Fixture.preload())
        #expect(preloaded.exit == plain.exit)
        #expect(preloaded.standardOutput == plain.standardOutput)
        #expect(preloaded.standardError == plain.standardError)
        #expect(preloaded.report.isEmpty)
    }

    @Test(
        "with a window of GTK 4 show it, and end as without the library", .promise,
        .enabled(if: GTKWindow.obstacle == nil, "\(GTKWindow.obstacle ?? "")"))
    func window() async throws {
        let plain = try await GTKWindow.shown(preload: nil)
        let preloaded = try await GTKWindow.shown(preload: Fixture.preload())
        #expect(plain.exit == .signal(SIGTERM) && preloaded.exit == plain.exit)
        #expect(preloaded.standardOutput == plain.standardOutput)
        #expect(Self.withoutTimes(preloaded.standardError) == Self.withoutTimes(plain.standardError))
    }

    /// Instructions, since times depend on the machine: `Scripts/bench inject.inert` has those.
    @Test(
        "start with few instructions more",
        .enabled(
            if: ChildProcess.path(of: "valgrind") != nil && ChildProcess.path(of: "strip") != nil,
            "needs valgrind and binutils"), arguments: [("a C program", 100_000), ("a Swift program", 5_000_000)])
    func instructions(_ kind: String, most: Int) async throws {
        let directory = try TemporaryDirectory()
        var program = "/bin/true"
        if kind == "a Swift program" {
            // Valgrind of Debian 12 stops at the debug information that Swift writes.
            program = directory.path + "/program"
            try await ReleaseCost.succeed(
                [ReleaseCost.path("strip"), "--strip-debug", "-o", program, Fixture.made("alone/none/Odd")])
        }
        let plain = try await Self.instructions(of: program, preload: nil, directory)
        let preloaded = try await Self.instructions(of: program, preload: Fixture.preload(), directory)
        #expect(plain > 50_000 && preloaded > plain, "the library is there")
        #expect(preloaded - plain < most, "\(preloaded) instead of \(plain)")
    }

    // MARK: Running

    private struct Outcome {
        let exit: ChildProcess.Exit
        let standardOutput: String
        let standardError: String
        /// What the library told of the processes.
        let report: String
    }

    private func run(_ program: InertProgram, preload: String?) async throws -> Outcome {
        let (directory, aside) = try (TemporaryDirectory(), TemporaryDirectory())
        let report = aside.path + "/report"
        #expect(FileManager.default.createFile(atPath: report, contents: nil))
        var environment = ProcessInfo.processInfo.environment
        environment["LD_PRELOAD"] = preload
        environment["RERENDER_INJECT_REPORT"] = report
        environment["RERENDER_RUNTIME_DIR"] = aside.path
        environment["LC_ALL"] = "C.UTF-8"
        let output = try await ChildProcess.run(
            ["/usr/bin/env", "-C", directory.path, "/bin/sh", "-c", program.script], environment: environment,
            seconds: program.seconds)
        func same(_ text: String) -> String { Self.withoutTimes(text.replacing(directory.path, with: "DIRECTORY")) }
        return Outcome(
            exit: output.exit, standardOutput: same(output.standardOutput), standardError: same(output.standardError),
            report: try String(contentsOfFile: report, encoding: .utf8))
    }

    /// Times, and the numbers of processes, differ from run to run.
    private static func withoutTimes(_ text: String) -> String {
        text.replacing(#/\d+\.\d+ ?s\b/#, with: "TIME").replacing(#/\d\d:\d\d:\d\d\.\d+/#, with: "TIME")
            .replacing(#/:\d+\): /#, with: ":PROCESS): ").replacing(#/==\d+==/#, with: "==PROCESS==")
    }

    private static func instructions(
        of program: String, preload: String?, _ directory: TemporaryDirectory
    ) async throws -> Int {
        let profile = directory.path + "/callgrind.out"
        var environment = ProcessInfo.processInfo.environment
        environment["LD_PRELOAD"] = preload
        let valgrind = try ReleaseCost.path("valgrind")
        try await ReleaseCost.succeed(
            [valgrind, "--tool=callgrind", "--callgrind-out-file=\(profile)", program], environment: environment)
        let text = try String(contentsOfFile: profile, encoding: .utf8)
        let totals = try #require(text.firstMatch(of: #/(?m)^(?:summary|totals): (\d+)/#))
        return try #require(Int(totals.1))
    }
}
