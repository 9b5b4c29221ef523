// SPDX-License-Identifier: MIT
// The command lines that create, start and end an LTTng session.

/// A user-space session with one channel.
struct LTTngSession: Hashable, Sendable {
    var name: String

    private static let channel = "rerender"
    private var options: [String] { ["--userspace", "--session=\(name)"] }
    private var channelOptions: [String] { options + ["--channel=\(Self.channel)"] }

    /// A command that starts no session daemon.
    static func lttng(_ words: String...) -> [String] { ["lttng", "--no-sessiond"] + words }

    static let list = lttng("--mi=xml", "list")
    static let listTriggers = lttng("--mi=xml", "list-triggers")

    func create(_ options: String...) -> [String] { Self.lttng("create", name) + options }

    /// Everything from the channel to the context of the events, in this order.
    ///
    /// - Parameters:
    ///   - bytes: The size of the buffer for each processor, divided into `parts`.
    ///   - events: The arguments of one `enable-event` each.
    func enable(bytes: Int, parts: Int, events: [[String]]) -> [[String]] {
        [
            Self.lttng("enable-channel") + options
                + ["--subbuf-size=\(bytes / parts)", "--num-subbuf=\(parts)", Self.channel]
        ] + events.map { Self.lttng("enable-event") + channelOptions + $0 } + [
            Self.lttng("add-context") + channelOptions + ["-t", "vpid", "-t", "vtid", "-t", "procname"]
        ]
    }

    var start: [String] { Self.lttng("start", name) }
    var stop: [String] { Self.lttng("stop", name) }
    var snapshot: [String] { Self.lttng("snapshot", "record", "--session=\(name)") }
    var description: [String] { Self.lttng("--mi=xml", "list", name) }
    var destroy: [String] { Self.lttng("destroy", name) }
    /// Makes this the session that LTTng's commands are for.
    var makeCurrent: [String] { Self.lttng("set-session", name) }
}
