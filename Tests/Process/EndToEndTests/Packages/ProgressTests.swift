// SPDX-License-Identifier: MIT
// What the scripts show of a build.

import Foundation
import TestSupport
import Testing

@Suite("Builds in scripts")
struct ProgressTests {
    private static let helpers = ["say.sh", "swift.sh"]
        .map { ". " + SystemdHarness.checkout.appending(path: "Scripts/lib/\($0)").path + "; " }.joined()

    private static func bash(_ script: String) -> [String] {
        ["/bin/bash", "-c", "set -uo pipefail; " + helpers + script]
    }

    /// The next line that has the text; the lines of the seconds before it are left out.
    private static func line(with text: String, of process: ChildProcess) async throws -> String {
        while true {
            let line = try await process.nextLine()
            if line.contains(text) { return line }
        }
    }

    @Test("Without a terminal, a line tells from time to time which step takes how long; messages are passed on")
    func plain() async throws {
        let process = try ChildProcess(Self.bash("progress_interval=1; show_progress 2>&1"))
        #expect(try await process.nextLine().wholeMatch(of: #/    [1-9][0-9]* s  starting/#) != nil)
        try process.send("Fetching https://example.org/shop")
        let fetching = try await Self.line(with: "Fetching", of: process)
        #expect(fetching.wholeMatch(of: #/    [1-9][0-9]* s  Fetching https://example.org/shop/#) != nil)
        try process.send("[1/2] Compiling Shop cart.swift")
        let compiling = try await Self.line(with: "Compiling", of: process)
        #expect(compiling.wholeMatch(of: #/    [1-9][0-9]* s  \[1/2\] Compiling Shop/#) != nil)
        try process.send("cart.swift:1:1: warning: look")
        #expect(try await Self.line(with: "warning", of: process) == "cart.swift:1:1: warning: look")
        let rest = await process.finish()
        #expect(rest.succeeded && rest.standardOutput.contains(#/built in [0-9]+ s/#))
    }

    @Test(
        "On a terminal, one line is written over, and gone in the end",
        .enabled(if: ChildProcess.path(of: "script") != nil, "script is not installed (bsdutils)"))
    func terminal() async throws {
        let input = #"printf '[1/2] Compiling Shop cart.swift\nwarning: look\n[2/2] Linking shop\n'"#
        let script = try TestFile.makeDirectory() + "/script"
        try await ChildProcess.makeScript("#!/bin/bash\n\(Self.helpers)\n\(input) | show_progress\n", at: script)
        let shown = try await ChildProcess.run([ChildProcess.installed("script"), "-qec", script, "/dev/null"])
            .standardOutput
        let erased = "\r\u{1b}[K"
        let first = shown.contains(#/\r\x1b\[K    [0-9]+ s  \[1/2\] Compiling Shop\r\x1b\[K/#)
        let last = shown.contains(#/ s  \[2/2\] Linking shop\r\x1b\[K/#) && !shown.contains("Linking shop\r\n")
        #expect(first && last, "\(shown.debugDescription)")
        #expect(shown.contains(erased + "warning: look\r\n"), "\(shown.debugDescription)")
    }

    @Test("A build that fails shows its messages, and ends the script")
    func failure() async throws {
        let failing = "swift() { echo 'error: no'; return 1; }; "
        let output = try await ChildProcess.run(Self.bash(failing + "build --product shop; echo on"))
        #expect(output.exit == .status(70) && output.standardOutput.isEmpty)
        #expect(output.standardError.contains("error: no\n"))
        #expect(output.standardError.contains("the build failed; its messages are above (swift build --product shop)"))
    }

    @Test(
        "A build begins without the archives that it makes, and leaves those of other builds",
        arguments: [
            ("--product Shop", ["release/libShop.a", "debug/libCart.a", "inject"]),
            ("-c release --product Shop", ["debug/libShop.a", "debug/libCart.a", "inject"]),
            ("--build-tests --traits GTK", ["release/libShop.a", "inject"]),
            (
                "-c release --scratch-path .build/inject --product Shop",
                ["release/libShop.a", "debug/libShop.a", "debug/libCart.a"]
            ),
        ])
    func archives(arguments: String, left: [String]) async throws {
        let paths = [
            "release/libShop.a": ".build/x86_64-unknown-linux-gnu/release/libShop.a",
            "debug/libShop.a": ".build/x86_64-unknown-linux-gnu/debug/libShop.a",
            "debug/libCart.a": ".build/x86_64-unknown-linux-gnu/debug/libCart.a",
            "inject": ".build/inject/x86_64-unknown-linux-gnu/release/libShop.a",
        ]
        let checkout = try TestFile.makeDirectory()
        for path in paths.values {
            let file = URL(filePath: "\(checkout)/\(path)")
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data("!<arch>\n".utf8).write(to: file)
        }
        let script = "swift() { echo \"[1/1] $*\"; }; cd '\(checkout)'; build \(arguments)"
        let output = try await ChildProcess.run(Self.bash(script))
        #expect(output.succeeded, "\(output)")
        let there = paths.filter { FileManager.default.fileExists(atPath: "\(checkout)/\($0.value)") }
        #expect(Set(there.keys) == Set(left))
    }

    @Test("A build that succeeds lets the script go on")
    func success() async throws {
        let succeeding = "swift() { echo \"[1/1] $*\"; }; "
        let output = try await ChildProcess.run(Self.bash(succeeding + "build --product shop; echo on"))
        #expect(output.succeeded && output.standardOutput == "on\n", "\(output)")
    }
}
