// SPDX-License-Identifier: MIT
// The command lines and the session name with which a recording uses LTTng.

import FoundationEssentials
import Glibc

/// What is recorded, and where it goes. Pure.
package struct RecordingCommands: Hashable, Sendable {
    /// The LTTng session's name.
    package var session: String
    /// Where the trace is written: the whole path.
    package var directory: String
    /// Keep the latest events in memory, and write them at the end alone.
    package var isSnapshot = false
    /// The events of every signposter, not only Rerender's own.
    package var allSignposts = false
    /// Processors: LTTng has buffers for each.
    package var processors: Int

    package init(
        session: String, directory: String, isSnapshot: Bool = false, allSignposts: Bool = false, processors: Int
    ) {
        (self.session, self.directory, self.isSnapshot, self.allSignposts, self.processors) = (
            session, directory, isSnapshot, allSignposts, processors
        )
    }

    /// All events of Rerender, including the daemon's hangs.
    private static let ours = [LTTngConfiguration.Rule(name: "com.rerender.*")]
    /// Every signposter's: each has these three events, and this field, which LTTng's own of these names do not have. What
    /// is ours too is recorded once. No exclusion: of a session that has one, 2.13's `lttng list` kills the daemon.
    private static let signposts = ["*:begin", "*:end", "*:event"].map {
        LTTngConfiguration.Rule(name: $0, filter: "signpost_id >= 0")
    }

    /// LTTng's session.
    var lttng: LTTngSession { LTTngSession(name: session) }

    /// What makes and starts the session.
    var configuration: LTTngConfiguration {
        // A full part is written while the others fill: few and large ones where all is written, many small ones where the
        // oldest are dropped.
        return LTTngConfiguration(
            session: lttng, url: "file://" + directory, isSnapshot: isSnapshot,
            bytes: FlightRecorderCommands.bytes(processors: processors),
            parts: isSnapshot ? FlightRecorderCommands.parts : 8,
            rules: allSignposts ? Self.ours + Self.signposts : Self.ours)
    }

    /// How large the buffers are, for a person.
    var bufferText: String { "\(FlightRecorderCommands.bytes(processors: processors) >> 10) KiB for each processor" }
}

/// What LTTng's lists in XML say. They are its own, so a search for its plain elements is enough.
enum LTTngList {
    /// The sum of the numbers in all elements of a name.
    static func sum(_ element: String, in xml: String) -> UInt64 {
        texts(element, in: xml).reduce(0) { $0 &+ (UInt64($1) ?? 0) }
    }

    /// The texts of all elements of a name, in order.
    static func texts(_ element: String, in xml: String) -> [String] {
        xml.components(separatedBy: "<\(element)>").dropFirst().map { rest in
            unescaped(String(rest.prefix { $0 != "<" }))
        }
    }

    static func sessions(in xml: String) -> [(name: String, path: String)] {
        xml.components(separatedBy: "<session>").dropFirst().compactMap { rest in
            texts("name", in: rest).first.map { ($0, texts("path", in: rest).first ?? "") }
        }
    }

    private static func unescaped(_ text: String) -> String {
        [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")]
            .reduce(text) { $0.replacing($1.0, with: $1.1) }
    }
}

/// Names sessions after the process that records.
package struct RecordingName: Hashable, Sendable {
    package static let prefix = "rerender-record-"

    let pid: pid_t
    /// When that process started, in the kernel's ticks: a number is given again, and not with the same start.
    let start: UInt64

    /// This process's.
    package static var ours: RecordingName { RecordingName(pid: getpid(), start: startTicks(of: getpid()) ?? 0) }

    package var session: String { "\(Self.prefix)\(pid)-\(start)" }

    /// Whether the process that records is gone.
    var isLeftBehind: Bool { Self.startTicks(of: pid) != start }

    /// Field 22 of the kernel's line; the program's name before it may hold anything.
    private static func startTicks(of pid: pid_t) -> UInt64? {
        let text = ProcFile.read("/proc/\(pid)/stat")
        guard let end = text.utf8.lastIndex(of: UInt8(ascii: ")")) else { return nil }
        let fields = text[end...].split(separator: " ")
        return fields.count > 20 ? UInt64(fields[20]) : nil
    }
}

extension RecordingName {
    /// Reads a session's name; nil for one that is not of a recording.
    init?(session: String) {
        let parts = session.dropFirst(Self.prefix.count).split(separator: "-", omittingEmptySubsequences: false)
        guard session.hasPrefix(Self.prefix), parts.count == 2, let pid = pid_t(parts[0]), let start = UInt64(parts[1])
        else { return nil }
        self.init(pid: pid, start: start)
    }
}
