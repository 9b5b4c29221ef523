// SPDX-License-Identifier: MIT
// The recording session that `Scripts/bench` made: its events of evaluations are switched on and off between rounds.

import Foundation
import Signpost

/// One event pair of a session.
struct Session {
    let name: String
    let channel: String
    private let provider = Provider.reserved(.bodyEval)

    init(name: String, channel: String) throws {
        self.name = name
        self.channel = channel
        guard provider.exists else { throw Fault("there is no provider for evaluations") }
    }

    /// Switches and waits until it holds in this process.
    func record(_ isOn: Bool) throws {
        guard !isRecorded(isOn) else { return }
        let verb = isOn ? "enable-event" : "disable-event"
        for event in ["begin", "end"] {
            try lttng([verb, "--userspace", "-s", name, "-c", channel, "com.rerender.BodyEval:\(event)"])
        }
        try wait(for: "evaluations are \(isOn ? "" : "not ")recorded") { isRecorded(isOn) }
    }

    /// Waits until the events that the session was made with are recorded in this process.
    func waitUntilRecording() throws {
        try wait(for: "the session records com.rerender.BodyEval:*") { isRecorded(true) }
    }

    private func isRecorded(_ isOn: Bool) -> Bool {
        provider.beginIsOn == isOn && provider.endIsOn == isOn
    }

    private func lttng(_ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["lttng", "--no-sessiond"] + arguments
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Fault("lttng \(arguments.joined(separator: " ")) failed") }
    }
}
