// SPDX-License-Identifier: MIT
// Runs the `lttng` command line tool and explains its refusals; the command lines that look at a session and end it.

import FoundationEssentials
import Glibc
import RerenderDaemon
package import RerenderShow

/// Runs LTTng's tools, without a shell.
package struct LTTng: Sendable {
    /// How long one command may take; the last ones wait until all data is written, perhaps over a network.
    package static let limit = Duration.seconds(120)

    /// Runs a command; nil where it cannot be started.
    package let run: @Sendable ([String]) async -> CapturedOutput?

    package static let installed = LTTng { try? await CapturedCommand.run($0, limit: limit) }

    /// Whether its tools are there; runs none of them.
    package static var isInstalled: Bool { ProgramFile.path(of: "lttng") != nil }

    /// Says that LTTng's tools are not installed; `what` begins the sentence.
    package static func missing(_ what: String = "recording needs LTTng's tools, but they are") -> ToolFailure {
        ToolFailure(
            ExitStatus.missingProgram,
            "\(what) not installed.\n"
                + PackageAdvice.command("lttng-tools liblttng-ust1", for: "LTTng's tools and liblttng-ust"))
    }

    /// Says why a command could not be started: its tool may not be there, or the system refuses to run it.
    package static func notStarted(_ command: [String]) -> ToolFailure {
        isInstalled ? ToolFailure(ExitStatus.system, text(of: command, nil)) : missing()
    }

    /// Runs a command that must succeed; throws status 71 with LTTng's own words and what to do.
    @discardableResult
    package func command(_ command: [String]) async throws(ToolFailure) -> String {
        let result = await run(command)
        if let result, result.succeeded { return result.output }
        throw ToolFailure(ExitStatus.system, Self.text(of: command, result))
    }

    /// The output; nil where the command fails.
    package func output(_ command: [String]) async -> String? {
        guard let result = await run(command), result.succeeded else { return nil }
        return result.output
    }

    /// LTTng's error, and the command that caused it.
    package static func text(of command: [String], _ result: CapturedOutput?) -> String {
        let line = ShellCommand.line(command.filter { $0 != "--no-sessiond" })
        guard let result else { return "\(command.first ?? "") cannot run.\nSee: rerenderctl doctor" }
        if result.ending == .killed(by: SIGKILL) {
            return "LTTng did not answer in \(limit.components.seconds) s: \(line)\nSee: rerenderctl doctor"
        }
        let lines = (result.errors + result.output).split(separator: "\n").map { Printable.text(String($0)) }
        let errors = lines.filter { $0.hasPrefix("Error: ") || $0.hasPrefix("PERROR") }
        let said = (errors.isEmpty ? lines : errors).first.map {
            $0.hasPrefix("Error: ") ? String($0.dropFirst(7)) : $0
        }
        return "LTTng refused: \(said ?? "no reason given")\nThe command was: \(line)"
    }
}

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

// Everything of an LTTng session in one file, from which one command makes and starts it.

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

// Starts LTTng's session daemon if none is running, and stops the one that it started.

/// Starts a session daemon where none answers, and ends none but that one.
package struct SessionDaemon: Sendable {
    /// Where LTTng says which process its session daemon is.
    let pidFile: String
    /// Runs a program; nil where it cannot be run or fails.
    let run: @Sendable ([String]) async -> String?
    /// How long one may take to end. It takes a second or two.
    var endLimit = Duration.seconds(30)
    var processes = SessionProcesses.ofSystem

    /// Apps only: a daemon of root's would load kernel modules otherwise.
    static let startCommand = ["lttng-sessiond", "--daemonize", "--no-kernel"]

    /// The file of this user's daemon.
    static var usualPidFile: String {
        getuid() == 0 ? "/var/run/lttng/lttng-sessiond.pid" : home + "/.lttng/lttng-sessiond.pid"
    }

    /// The directory of LTTng's files of this user.
    static var home: String { environmentVariable("LTTNG_HOME") ?? environmentVariable("HOME") ?? "" }

    /// Holds the number of the session daemon that we started, so that we end no other.
    ///
    /// Beside LTTng's own file, so that the last of several rerenderctl processes ends the daemon.
    private var mark: String { pidFile + ".rerender" }

    /// Starts one; throws where it does not start. Does so also where another command's has just started, or is about to end.
    func start() async throws(ToolFailure) {
        if await run(Self.startCommand) == nil {
            if await run(LTTngSession.list) != nil { return }
            try await waitForPredecessor()
            guard await run(Self.startCommand) != nil else {
                throw ToolFailure(
                    ExitStatus.system, "lttng-sessiond does not start.\nRun it yourself to see why: lttng-sessiond -v")
            }
        }
        if let pid { try? Data("\(pid)\n".utf8).write(to: URL(filePath: mark)) }
    }

    /// Waits until it listens for apps; being started only means that it listens to the `lttng` command.
    ///
    /// Gives up after five seconds: an app then connects when it can.
    func waitForApps() async {
        let prefix = PathName.joined(PathName.directory(of: pidFile), "lttng-ust-sock-")
        let end = ContinuousClock.now + .seconds(5)
        while ContinuousClock.now < end, !Self.isListening(prefix, in: ProcFile.read("/proc/net/unix")) {
            try? await Task.sleep(for: .milliseconds(10))
        }
    }

    /// Whether the kernel's list has a listening socket of that path; `/var/run` may be a link to `/run`.
    static func isListening(_ prefix: String, in list: String) -> Bool {
        list.split(separator: "\n").contains { line in
            let fields = line.split(separator: " ", maxSplits: 7, omittingEmptySubsequences: true)
            guard fields.count == 8, let flags = UInt32(fields[3], radix: 16), flags & 0x10000 != 0 else {
                return false
            }
            return fields[7].hasPrefix(prefix)
        }
    }

    /// Ends the session daemon if we started it and it has no sessions. Returns when it has ended.
    ///
    /// While it ends, it holds a lock of the user's, so that no other can start. Returns a line for a person where it does not end.
    @discardableResult
    func end() async -> String? {
        guard let text = try? String(contentsOfFile: mark, encoding: .utf8) else { return nil }
        // Without a list it is unknown whether there are sessions.
        guard let sessions = await run(LTTngSession.list),
            let triggers = await run(LTTngSession.listTriggers)
        else { return nil }
        guard !sessions.contains("<session>"), !triggers.contains("<trigger>") else { return nil }
        try? FileManager.default.removeItem(atPath: mark)
        // The same number as in LTTng's own file, which a daemon removes when it ends: so it is still that one.
        guard let pid, text == "\(pid)\n" else { return nil }
        // Before the signal: the number may be another process's when that one has ended.
        let hasEnded = processes.watch(pid)
        processes.end(pid)
        guard let hasEnded, await !hasEnded(endLimit) else { return nil }
        return "lttng-sessiond (pid \(pid)) has not ended in \(endLimit.components.seconds) s: "
            + "the next recording starts when it has, or after: kill -KILL \(pid)"
    }

    /// Waits for the end of a session daemon that answers no more, which another command may have ended; throws where it does not end.
    private func waitForPredecessor() async throws(ToolFailure) {
        guard let pid, let hasEnded = processes.watch(pid), await !hasEnded(endLimit) else { return }
        throw ToolFailure(
            ExitStatus.system,
            "lttng-sessiond (pid \(pid)) does not answer, and has not ended in \(endLimit.components.seconds) s.\n"
                + "End it, and try again: kill -KILL \(pid)")
    }

    private var pid: pid_t? { processes.pid(pidFile) }

    /// Whether one of this user runs. One that was killed has its number and its name until its parent has waited for it.
    func isThere() async -> Bool {
        guard let pid else { return false }
        guard let hasEnded = processes.watch(pid) else { return self.pid != nil }
        return await !hasEnded(.zero)
    }
}

struct SessionProcesses: Sendable {
    /// The process that LTTng's pid file names, if it is a session daemon still.
    var pid: @Sendable (_ file: String) -> pid_t?
    /// A question whether a process ends within a time, which means that process whatever has its number later; nil where none has it.
    var watch: @Sendable (_ pid: pid_t) -> (@Sendable (_ limit: Duration) async -> Bool)?
    /// Asks a process to end.
    var end: @Sendable (_ pid: pid_t) -> Void

    /// Those of this machine.
    static let ofSystem = SessionProcesses(
        pid: { SessionDaemonPid.inFile($0) },
        watch: { watchSystem($0) }, end: { _ = kill($0, SIGTERM) })

    private static func watchSystem(_ pid: pid_t) -> (@Sendable (_ limit: Duration) async -> Bool)? {
        guard let end = ProcessEnd(of: pid) else { return nil }
        return { limit in await hasEnded(end, within: limit) }
    }

    /// Not cancelled with the caller: its answer is still needed.
    private static func hasEnded(_ end: ProcessEnd, within limit: Duration) async -> Bool {
        let deadline = ContinuousClock.now + limit
        return await Task {
            (try? await BlockingThread.run { InputFile.isReadable(end.number, until: deadline) }) ?? false
        }.value
    }
}
