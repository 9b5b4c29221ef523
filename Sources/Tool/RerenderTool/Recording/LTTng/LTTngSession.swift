// SPDX-License-Identifier: MIT
// The command lines that look at an LTTng session and end it.

/// A user-space session with one channel.
struct LTTngSession: Hashable, Sendable {
    var name: String

    /// A command that starts no session daemon.
    static func lttng(_ words: String...) -> [String] { ["lttng", "--no-sessiond"] + words }

    static let list = lttng("--mi=xml", "list")
    static let listTriggers = lttng("--mi=xml", "list-triggers")

    var stop: [String] { Self.lttng("stop", name) }
    var snapshot: [String] { Self.lttng("snapshot", "record", "--session=\(name)") }
    var description: [String] { Self.lttng("--mi=xml", "list", name) }
    var destroy: [String] { Self.lttng("destroy", name) }
}
