// SPDX-License-Identifier: MIT
// Traces in the Common Trace Format that no tracer writes.

import Foundation

/// A trace of one stream whose clock counts nanoseconds.
struct CraftedTrace {
    /// One event: its class, its stamp, and its fields.
    struct Event {
        let id: UInt64
        let stamp: UInt64
        let fields: [UInt8]

        static func turn(begins: Bool, at stamp: UInt64) -> Event {
            Event(id: begins ? 0 : 1, stamp: stamp, fields: bytes(1) + bytes(0))
        }

        static func hang(begins: Bool, of nanoseconds: UInt64, at stamp: UInt64) -> Event {
            Event(
                id: begins ? 2 : 3, stamp: stamp,
                fields: text("Row") + bytes(7) + text(" ") + bytes(0)
                    // In a body, and running.
                    + bytes(1) + bytes(1) + bytes(nanoseconds))
        }

        /// One of a class of its own, without fields.
        static func other(_ number: UInt64, at stamp: UInt64) -> Event {
            Event(id: 4 + number, stamp: stamp, fields: [])
        }

        private static func text(_ text: String) -> [UInt8] { Array(text.utf8) + [0] }
        fileprivate static func bytes(_ number: UInt64) -> [UInt8] {
            (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        }
    }

    /// As far from 1970 as seconds fit into nanoseconds, near enough.
    static let farSeconds: Int64 = 8_000_000_000

    let events: [Event]
    /// Where the clock begins, in seconds since 1970.
    let origin: Int64
    /// Classes of events that nobody knows.
    let otherClasses: Int

    init(_ events: [Event], origin: Int64 = 0, otherClasses: Int = 0) {
        (self.events, self.origin, self.otherClasses) = (events, origin, otherClasses)
    }

    /// Makes the files of the trace.
    func write(to directory: URL) throws {
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        try Data(metadata.utf8).write(to: directory.appending(path: "metadata"))
        let bytes = events.flatMap { Event.bytes($0.id) + Event.bytes($0.stamp) + $0.fields }
        try Data(bytes).write(to: directory.appending(path: "stream"))
    }

    private var metadata: String {
        let hang = "string name; u64 signpost_id; string last_rendered; u64 pid; u64 attribution; u64 verdict;"
        let classes =
            [
                ("com.rerender.RenderLoop:begin", "u64 turn; u64 evaluations;"),
                ("com.rerender.RenderLoop:end", "u64 turn; u64 evaluations;"),
                ("com.rerender.Hang:begin", "\(hang) u64 duration_ns;"),
                ("com.rerender.Hang:end", "\(hang) u64 duration_ns;"),
            ] + (0..<otherClasses).map { ("com.example.Other\($0):event", "") }
        let events = classes.enumerated().map { id, event in
            "event { name = \"\(event.0)\"; id = \(id); fields := struct { \(event.1) }; };"
        }
        return """
            /* CTF 1.8 */
            typealias integer { size = 64; align = 8; signed = false; } := u64;
            trace { major = 1; minor = 8; byte_order = le; };
            clock { name = crafted; freq = 1000000000; offset_s = \(origin); absolute = true; };
            typealias integer { size = 64; align = 8; signed = false; map = clock.crafted.value; } := stamp_t;
            stream { event.header := struct { u64 id; stamp_t timestamp; }; };
            \(events.joined(separator: "\n"))
            """
    }
}
