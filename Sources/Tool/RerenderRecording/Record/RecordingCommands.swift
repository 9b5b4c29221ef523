// SPDX-License-Identifier: MIT
// The LTTng session of a recording, as command lines.

import FoundationEssentials

/// What is recorded, and where it goes. Pure.
package struct RecordingCommands: Hashable, Sendable {
    /// Where the trace goes.
    package enum Place: Hashable, Sendable {
        /// A directory, by its whole path.
        case directory(String)
        /// An `lttng-relayd`, as `net://HOST[:CONTROL[:DATA]][/PATH]`.
        case relay(String)
    }

    /// The LTTng session's name.
    package var session: String
    package var place: Place
    /// Keep the latest events in memory, and write them at the end alone.
    package var isSnapshot = false
    /// The events of every signposter, not only Rerender's own.
    package var allSignposts = false
    /// Processors: LTTng has buffers for each.
    package var processors: Int

    package init(session: String, place: Place, isSnapshot: Bool = false, allSignposts: Bool = false, processors: Int) {
        (self.session, self.place, self.isSnapshot, self.allSignposts, self.processors) = (
            session, place, isSnapshot, allSignposts, processors
        )
    }

    /// A full part is written while the others fill: few and large ones where all is written, many small ones where the
    /// oldest are dropped.
    private var parts: Int { isSnapshot ? FlightRecorderCommands.parts : 8 }
    private static let channel = "rerender"
    private static let lttng = ["lttng", "--no-sessiond"]

    /// Every event of ours, the daemon's hangs among them.
    private static let ours = ["com.rerender.*"]
    /// Every signposter's: each has these three events, and this field, which LTTng's own of these names do not have. What
    /// is ours too is recorded once. Not `--exclude`: of a session that has it, 2.13's `lttng list` kills the daemon.
    private static let signposts = ["*:begin,*:end,*:event", "--filter=signpost_id >= 0"]

    /// What creates the session.
    var create: [String] {
        let output =
            switch place {
            case .directory(let path): "--output=\(path)"
            case .relay(let url): "--set-url=\(url)"
            }
        return Self.lttng + ["create", session, output] + (isSnapshot ? ["--snapshot"] : [])
    }

    /// What starts it once it is created, in this order.
    package var start: [[String]] {
        let channel = ["--userspace", "--session=\(session)"]
        let size = FlightRecorderCommands.bytes(processors: processors) / parts
        let events = allSignposts ? [Self.ours, Self.signposts] : [Self.ours]
        let enabling = events.map { Self.lttng + ["enable-event"] + channel + ["--channel=\(Self.channel)"] + $0 }
        return [
            Self.lttng + ["enable-channel"] + channel
                + ["--subbuf-size=\(size)", "--num-subbuf=\(parts)", Self.channel]
        ] + enabling + [
            Self.lttng + ["add-context"] + channel
                + ["--channel=\(Self.channel)", "-t", "vpid", "-t", "vtid", "-t", "procname"],
            Self.lttng + ["start", session],
        ]
    }

    package var stop: [String] { Self.lttng + ["stop", session] }
    package var snapshot: [String] { Self.lttng + ["snapshot", "record", "--session=\(session)"] }
    package var list: [String] { Self.lttng + ["--mi=xml", "list", session] }
    var destroy: [String] { Self.destroy(session) }
    static func destroy(_ session: String) -> [String] { lttng + ["destroy", session] }
    /// Makes a session the one that LTTng's commands are for.
    static func makeCurrent(_ session: String) -> [String] { lttng + ["set-session", session] }

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

    /// The names and paths of all sessions.
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
