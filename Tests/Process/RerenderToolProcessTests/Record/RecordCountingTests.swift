// SPDX-License-Identifier: MIT
// What `rerenderctl record` says while LTTng takes its time, and of a trace that is none.

import Foundation
@testable import RerenderTool
import TestSupport
import Testing
@testable import ToolSupport

@Suite("rerenderctl record, its waits")
struct RecordCountingTests {
    /// LTTng's tool as one that takes everything, and a trace that is looked at for three seconds before it is given up.
    private func record(in place: TemporaryDirectory, trace: String, path: String = ":/usr/bin:/bin") throws -> Spawned
    {
        let tool = place.path + "/lttng"
        if !FileManager.default.fileExists(atPath: tool) {
            try FileManager.default.createSymbolicLink(atPath: tool, withDestinationPath: "/bin/true")
        }
        return try Spawned(
            [Program.rerenderctl, "record", "-o", trace]
                + ["--", "/bin/sh", "-c", "echo nothing > \(trace)/metadata; exit 3"],
            environment: [
                "PATH": place.path + path, "HOME": place.path, "RERENDER_RUNTIME_DIR": place.path,
            ],
            terminal: .init(columns: 300, lines: 30))
    }

    @Test(
        "a start that takes long is told: in a line that is erased on a terminal, in one plain line elsewhere",
        arguments: [true, false])
    func slowStart(isTerminal: Bool) async throws {
        let place = try TemporaryDirectory()
        let (tool, gate) = (place.path + "/lttng", place.path + "/gate")
        #expect(mkfifo(gate, 0o600) == 0)
        let script = "#!/bin/sh\ncase \"$*\" in *load*) read -r line < \(gate);; esac\n"
        try await TestSupport.ChildProcess.makeScript(script, at: tool)
        let process = try Spawned(
            [Program.rerenderctl, "record", "-o", place.path + "/trace", "--", "/bin/echo", "begun"],
            environment: [
                "PATH": place.path + ":/usr/bin:/bin", "HOME": place.path, "RERENDER_RUNTIME_DIR": place.path,
            ], terminal: isTerminal ? .init(columns: 100, lines: 30) : nil)
        if isTerminal {
            try await process.expect("\rstarting to record …\u{1B}[K")
        } else {
            try await process.expectError("rerenderctl: starting to record\n")
        }
        try "\n".write(toFile: gate, atomically: false, encoding: .utf8)
        try await process.expect(isTerminal ? "\r\u{1B}[Kbegun" : "begun")
        _ = try await process.wait()
    }

    @Test("LTTng's tool that is there and cannot be started is told as that, not as missing")
    func notStarted() async throws {
        let place = try TemporaryDirectory()
        try await TestSupport.ChildProcess.makeScript("#!/nowhere\n", at: place.path + "/lttng")
        // No other one is found behind it.
        let process = try record(in: place, trace: place.path + "/trace", path: "")
        #expect(try await process.wait() == .exited(71))
        #expect(process.standardOutput.contains("lttng cannot run."), "\(process.standardOutput)")
    }

    @Test("a trace that cannot be read is told with its size, and it ends as the command did")
    func unreadable() async throws {
        let place = try TemporaryDirectory()
        let trace = place.path + "/trace"
        let process = try record(in: place, trace: trace)
        #expect(try await process.wait() == .exited(3))
        #expect(process.standardOutput.contains("8 bytes, in \(trace)"), "\(process.standardOutput)")
    }
}
