// SPDX-License-Identifier: MIT
// What `rerenderctl record` does when the trace is complete and is still looked at.

import Foundation
@testable import RerenderTool
import TestSupport
import TestTags
import Testing

@Suite("rerenderctl record, counting", .tags(.heavy))
struct RecordCountingTests {
    /// LTTng's tool as one that takes everything, and a trace that is looked at for three seconds before it is given up.
    private func record(in place: TemporaryDirectory, trace: String) throws -> Spawned {
        let tool = place.path + "/lttng"
        if !FileManager.default.fileExists(atPath: tool) {
            try FileManager.default.createSymbolicLink(atPath: tool, withDestinationPath: "/bin/true")
        }
        return try Spawned(
            [Program.rerenderctl, "record", "-o", trace]
                + ["--", "/bin/sh", "-c", "echo nothing > \(trace)/metadata; exit 3"],
            environment: [
                "PATH": place.path + ":/usr/bin:/bin", "HOME": place.path, "RERENDER_RUNTIME_DIR": place.path,
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
        let script = "#!/bin/sh\ncase \"$*\" in *create*) read -r line < \(gate);; esac\n"
        try script.write(toFile: tool, atomically: true, encoding: .utf8)
        #expect(chmod(tool, 0o700) == 0)
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

    @Test("Ctrl-C leaves the counting out, and where the trace is has been said")
    func interrupted() async throws {
        let place = try TemporaryDirectory()
        // Whoever comes too late finds it counted: so again.
        for attempt in 1...20 {
            let trace = "\(place.path)/trace-\(attempt)"
            let process = try record(in: place, trace: trace)
            try await process.expect("the trace is complete, in \(trace); counting its events (Ctrl-C skips this)")
            process.type("\u{3}")
            let ending = try await process.wait()
            if ending == .killed(SIGINT) { return }
            #expect(ending == .exited(3))
        }
        Issue.record("no Ctrl-C was heard")
    }

    @Test("left alone it says what it found, and ends as the command did")
    func leftAlone() async throws {
        let place = try TemporaryDirectory()
        let trace = place.path + "/trace"
        let process = try record(in: place, trace: trace)
        #expect(try await process.wait() == .exited(3))
        #expect(process.standardOutput.contains("8 bytes, in \(trace)"), "\(process.standardOutput)")
    }
}
