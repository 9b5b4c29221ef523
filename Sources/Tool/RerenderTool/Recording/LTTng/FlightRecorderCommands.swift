// SPDX-License-Identifier: MIT
// What the flight recorder asks of LTTng: its session and trigger.

import RerenderDaemon
import RerenderShow
import RerenderTrace

/// What is recorded, in which buffers, and what saves it. Pure.
package struct FlightRecorderCommands: Hashable, Sendable {
    /// Where snapshots are written.
    var directory: String
    /// Processors: LTTng has buffers for each.
    var processors: Int

    /// What the buffers may take in all: shared memory, of which a container often has 64 MiB.
    static let bufferBytes = 32 << 20
    /// The most for one processor: some seconds of 10,000 evaluations a second, 120 bytes a pair of events and more.
    static let mostBytes = 8 << 20
    /// The least: LTTng drops whole parts of a buffer, so it has many small ones.
    static let leastBytes = 512 << 10
    static let parts = 16
    /// What an evaluation takes in a trace: two events with names, reason and contexts.
    static let evaluationBytes = 250

    /// A buffer for one processor: a power of two, as LTTng wants it.
    var bytesPerProcessor: Int { Self.bytes(processors: processors) }

    static func bytes(processors: Int) -> Int {
        var bytes = mostBytes
        while bytes > leastBytes, bytes * max(1, processors) > bufferBytes { bytes /= 2 }
        return bytes
    }

    /// How much that is, for a person.
    package var text: String {
        let evaluations = bytesPerProcessor / Self.evaluationBytes
        return "\(bytesPerProcessor >> 10) KiB of memory for each of \(max(1, processors)) processors: "
            + "about the last \(Counted.grouped(evaluations)) evaluations, \(evaluations / 1_000) s at 1,000 a second"
    }

    private static let session = LTTngSession(name: HangCaptures.session)
    /// The events that explain a hang. `Hang` comes from the daemon, the others from apps.
    private static let events = ["BodyEval", "RenderLoop", "Write", "Hang"].map {
        LTTngConfiguration.Rule(name: "com.rerender.\($0):*")
    }

    /// What makes and starts the session.
    var configuration: LTTngConfiguration {
        LTTngConfiguration(
            session: Self.session, url: "file://" + directory, isSnapshot: true, bytes: bytesPerProcessor,
            parts: Self.parts, rules: Self.events)
    }

    /// What saves it at each hang, once the session is there.
    var trigger: [String] {
        let name = Self.session.name
        return LTTngSession.lttng()
            + [
                "add-trigger", "--name=\(name)", "--condition=event-rule-matches", "--type=user:tracepoint",
                "--name=com.rerender.Hang:begin", "--action=snapshot-session", name, "--path=\(directory)",
                "--max-size=\(HangCaptures.snapshotBytes)",
            ]
    }

    /// What undoes it; each may fail, where its part is missing.
    static let off: [[String]] = [LTTngSession.lttng("remove-trigger", session.name), session.destroy]

    /// Whether a list names our session or trigger.
    static func isListed(in xml: String) -> Bool { xml.contains("<name>\(session.name)</name>") }
}
