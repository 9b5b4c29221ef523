// SPDX-License-Identifier: MIT
// Everything of an LTTng session in one file, from which one command makes and starts it.

import FoundationEssentials
import Glibc
import RerenderShow

/// A session as `lttng load` takes it: its output, its one channel, and what that records.
///
/// A command for each of these parts takes six programs, one after the other, while the user's own command waits. The elements are those of
/// LTTng's `session.xsd`, which wants all of them.
struct LTTngConfiguration: Hashable, Sendable {
    /// The events that a channel records.
    struct Rule: Hashable, Sendable {
        /// The name of an event; a star stands for anything.
        var name: String
        /// What must hold of the event's fields; nil for nothing.
        var filter: String?
    }

    var session: LTTngSession
    /// Where the trace goes: `file://` with a path.
    var url: String
    /// Keep the latest events in memory, and write them when that is asked for.
    var isSnapshot: Bool
    /// The size of the buffer for each processor, which is divided into ``parts``.
    var bytes: Int
    var parts: Int
    var rules: [Rule]

    /// What LTTng adds to each event.
    private static let contexts: [Markup] = ["VPID", "VTID", "PROCNAME"]

    /// The command that makes and starts the session.
    func load(_ file: String) -> [String] {
        LTTngSession.lttng("load", "--input-path=\(file)", "--override-url=\(url)", session.name)
    }

    /// The file's text. The output in it is a place-holder: the command names the real one, so that no path needs escaping.
    var text: Markup {
        let session =
            Self.element("name", Markup(session.name))
            + Self.element("domains", Self.element("domain", Self.kind + Self.element("channels", channel)))
            + Self.element("started", "true") + output
        return #"<?xml version="1.0" encoding="UTF-8"?>"# + "\n"
            + Self.element("sessions", Self.element("session", session)) + "\n"
    }

    private static let kind = element("type", "UST") + element("buffer_type", "PER_UID")

    private var channel: Markup {
        let attributes: [(Markup, Markup)] = [
            ("name", "rerender"), ("enabled", "true"), ("overwrite_mode", isSnapshot ? "OVERWRITE" : "DISCARD"),
            ("subbuffer_size", "\(bytes / parts)"), ("subbuffer_count", "\(parts)"), ("switch_timer_interval", "0"),
            ("read_timer_interval", "0"), ("output_type", "MMAP"), ("blocking_timeout", "0"),
            ("monitor_timer_interval", "1000000"), ("tracefile_size", "0"), ("tracefile_count", "0"),
            ("live_timer_interval", "0"),
        ]
        let events = rules.map { rule -> Markup in
            let filter = rule.filter.map { Self.element("filter", Markup($0)) } ?? ""
            return Self.element(
                "event",
                Self.element("name", Markup(rule.name)) + Self.element("enabled", "true")
                    + Self.element("type", "TRACEPOINT")
                    + Self.element("loglevel_type", "ALL") + filter)
        }
        let contexts = Self.contexts.map { Self.element("context", Self.element("type", $0)) }
        return Self.element(
            "channel",
            attributes.map { Self.element($0.0, $0.1) } + [
                Self.element("events", events), Self.element("contexts", contexts),
            ])
    }

    private var output: Markup {
        let place = Self.element(
            "consumer_output",
            Self.element("enabled", "true") + Self.element("destination", Self.element("path", "/")))
        guard isSnapshot else { return Self.element("output", place) }
        let snapshot = Self.element("name", "snapshot-1") + Self.element("max_size", "0") + place
        return Self.element("attributes", Self.element("snapshot_mode", "true"))
            + Self.element("output", Self.element("snapshot_outputs", Self.element("output", snapshot)))
    }

    private static func element(_ name: Markup, _ content: Markup) -> Markup { "<\(name)>\(content)</\(name)>" }

    private static func element(_ name: Markup, _ contents: [Markup]) -> Markup {
        element(name, contents.joined(separator: ""))
    }
}

extension LTTng {
    /// Makes and starts a session; throws status 71 with LTTng's own words, or where the file of it cannot be written.
    ///
    /// The session that is current for the user's own commands stays so.
    func load(_ configuration: LTTngConfiguration) async throws(ToolFailure) {
        let name = "\(configuration.session.name)-\(String(UInt32.random(in: 0 ... .max), radix: 36)).lttng"
        let file = FileManager.default.temporaryDirectory.appending(path: name)
        do {
            // Nobody's link or file is written to.
            try Data(configuration.text.text.utf8).write(to: file, options: .withoutOverwriting)
        } catch {
            throw ToolFailure(ExitStatus.system, "cannot write \(Printable.text(file.path)): \(error)")
        }
        defer { try? FileManager.default.removeItem(at: file) }
        let current = CurrentSession()
        defer { current.restore(from: configuration.session) }
        try await command(configuration.load(file.path))
    }
}

/// The session that is current for the user's own commands: LTTng makes each new one current.
private struct CurrentSession {
    private let file = URL(filePath: SessionDaemon.home + "/.lttngrc")
    /// What the file said before.
    private let before: Data?

    init() { before = try? Data(contentsOf: file) }

    /// Undoes that a session was made current.
    func restore(from session: LTTngSession) {
        let now = (try? String(contentsOf: file, encoding: .utf8))?.split(separator: "\n") ?? []
        guard now.contains("session=\(session.name)") else { return }
        if let before { try? before.write(to: file) } else { try? FileManager.default.removeItem(at: file) }
    }
}
