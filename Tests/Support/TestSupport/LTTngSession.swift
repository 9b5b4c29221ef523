// SPDX-License-Identifier: MIT
// A recording session under a name of its own: set up, record, read, destroy.

import Foundation
import Synchronization

/// What to record.
package struct LTTngRecording: Sendable {
    /// Event names and globs.
    package var events: [String]
    /// A filter expression for all of them.
    package var filter: String?
    /// The least important level that is recorded: `INFO`.
    package var logLevel: String?
    package var contexts: [String]
    /// Large enough that a test loses nothing.
    package var subBufferSize = "2M"
    package var subBuffers = 4
    /// Whether each process has buffers, and a trace, of its own.
    package var hasBuffersOfEachProcess = false

    package init(_ events: String..., filter: String? = nil, contexts: [String] = ["vpid", "vtid", "procname"]) {
        self.events = events
        self.filter = filter
        self.contexts = contexts
    }
}

/// A session that records from its creation until it is read.
package final class LTTngSession: Sendable {
    package let name: String
    /// Where the trace is written.
    package let output: String
    private let daemon: LTTngDaemon
    private let exists = Atomic<Bool>(false)

    private init(_ daemon: LTTngDaemon) {
        name = "test-\(UUID().uuidString.prefix(13).lowercased())"
        output = "\(daemon.home)/\(name)"
        self.daemon = daemon
    }

    /// Runs `body` while `recording` is recorded, and destroys the session afterwards.
    package static func with<T>(
        _ daemon: LTTngDaemon, _ recording: LTTngRecording, _ body: (LTTngSession) async throws -> T
    ) async throws -> T {
        let session = LTTngSession(daemon)
        try await session.start(recording)
        do {
            let result = try await body(session)
            try await session.destroy()
            return result
        } catch {
            try? await session.destroy()
            throw error
        }
    }

    /// Ends the session and returns what was recorded.
    package func stopAndRead() async throws -> [LTTngEvent] {
        // Destroyed, because `stop` alone may return before the metadata is on disk.
        try await destroy()
        return try await LTTngTrace.read(output)
    }

    private func start(_ recording: LTTngRecording) async throws {
        let lttng = ["lttng", "--no-sessiond"]
        try await daemon.command(lttng + ["create", name, "--output=\(output)"])
        exists.store(true, ordering: .relaxed)
        do {
            try await daemon.command(
                lttng + [
                    "enable-channel", "--userspace", "--session=\(name)", "ch",
                    "--subbuf-size=\(recording.subBufferSize)", "--num-subbuf=\(recording.subBuffers)",
                ] + (recording.hasBuffersOfEachProcess ? ["--buffers-pid"] : []))
            var enable = lttng + ["enable-event", "--userspace", "--session=\(name)", "--channel=ch"]
            if let filter = recording.filter { enable += ["--filter=\(filter)"] }
            if let level = recording.logLevel { enable += ["--loglevel=\(level)"] }
            try await daemon.command(enable + [recording.events.joined(separator: ",")])
            if !recording.contexts.isEmpty {
                let types = recording.contexts.map { "--type=\($0)" }
                try await daemon.command(lttng + ["add-context", "--userspace", "--session=\(name)"] + types)
            }
            try await daemon.command(lttng + ["start", name])
        } catch {
            try? await destroy()
            throw error
        }
    }

    private func destroy() async throws {
        guard exists.exchange(false, ordering: .relaxed), daemon.isAlive else { return }
        try await daemon.command(["lttng", "--no-sessiond", "destroy", name])
    }
}
