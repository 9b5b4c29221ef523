// SPDX-License-Identifier: MIT
// `rerenderctl wait`: waits for a program, a view, a hang, or until nothing is evaluated any more.

import ArgumentParser
import RerenderShow
import RerenderTrace
import Synchronization

/// Waits for something, for scripts.
struct WaitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "wait",
        abstract: "Wait for a program, a view, a hang, or idleness.",
        usage: """
            rerenderctl wait --program <pid or name> [--timeout <time>]
            rerenderctl wait --view <key> [--program <pid or name>]
                             [--timeout <time>]
            rerenderctl wait --idle|--hang [--program <pid or name>]
                             [--timeout <time>]
            """,
        discussion: """
            For scripts. It ends with status 0 as soon as
              --program  a process of that name or pid is connected
              --view     a view with that key, that in its key, or that ID (v3.12), was
                         evaluated
              --idle     no view was evaluated for one second, and no loop hung
              --hang     a main loop hangs
            and says in one line what it saw. With one of the others, --program selects
            the process. When the time is over, it ends with status 1 and says why: no
            daemon, no process, or what happened instead.

            A daemon need not run yet: one that starts meanwhile is found.

            Examples:
              rerenderctl run -- ./my-app & rerenderctl wait --program my-app
              rerenderctl wait --view CartTotal --timeout 10s
              rerenderctl wait --idle --program my-app
              rerenderctl wait --hang --timeout 2m && rerenderctl hangs
            """)

    @Option(
        name: [.customLong("program"), .customLong("process"), .customShort("p")],
        help: ArgumentHelp("Wait for the process with this pid or name, or in it.", valueName: "pid or name"),
        completion: DaemonCompletion.processes)
    var program: String?

    @Option(
        help: ArgumentHelp("Wait until this view was evaluated: its key, a part of it, or its ID.", valueName: "key"),
        completion: DaemonCompletion.keys)
    var view: String?

    @Flag(help: "Wait until no view was evaluated for one second.")
    var idle = false

    @Flag(help: "Wait for a hang.")
    var hang = false

    @Option(
        help: ArgumentHelp("Wait for this long: seconds, or 90s, 10m, 2h. (default: 30s)", valueName: "time"))
    var timeout: RecordDuration?

    func validate() throws {
        let goals = [view != nil, idle, hang].count { $0 }
        guard goals <= 1 else { throw ValidationError("Choose one of --view, --idle and --hang.") }
        guard goals == 1 || program != nil else {
            throw ValidationError("Say what to wait for: --program, --view, --idle or --hang.")
        }
        if view?.isEmpty == true { throw ValidationError("--view takes a key or a part of one.") }
    }

    private var goal: WaitModel.Goal {
        if let view { return .view(view) }
        return idle ? .idle : hang ? .hang : .program
    }

    func run() async throws {
        let clock = ContinuousClock()
        let limit = timeout?.duration ?? .seconds(30)
        let end = clock.now + limit
        // A program that does nothing sends nothing for as long as that.
        let session = try Session.current(patience: limit + .seconds(10), process: program)
        let watch = LiveWatch(WaitModel(goal, process: program, now: clock.now))
        let (signals, sender) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let daemon = try session.daemon
        let listener = Task { await watch.listen(to: daemon, until: end) { sender.yield() } }
        // The daemon tells of no time that passes.
        let alarm = Task {
            while !Task.isCancelled {
                sender.yield()
                try? await Task.sleep(for: .milliseconds(100))
            }
        }
        defer {
            listener.cancel()
            alarm.cancel()
        }
        for await _ in signals {
            let now = clock.now
            let (model, failure) = watch.look(at: now)
            if let reached = model.reached { return try Console.output.show(reached) }
            if let failure, failure.status != ExitStatus.noDaemon { throw failure }
            if now >= end { throw model.missed(after: limit, at: now, failure: failure, off: SwitchState.place) }
        }
    }
}

/// Listens to a daemon, and to the next one if it goes away.
private final class LiveWatch: Sendable {
    private let state: Mutex<(model: WaitModel, failure: ToolFailure?)>

    init(_ model: WaitModel) { state = Mutex((model: model, failure: nil)) }

    /// What was seen until now, and why no daemon answers, if none does.
    func look(at now: ContinuousClock.Instant) -> (model: WaitModel, failure: ToolFailure?) {
        state.withLock { state in
            state.model.pass(to: now)
            return state
        }
    }

    /// Reads events until a time, and tells after each piece.
    func listen(
        to daemon: any DaemonClient, until end: ContinuousClock.Instant, _ tell: @Sendable () -> Void
    ) async {
        while !Task.isCancelled, ContinuousClock.now < end {
            do {
                state.withLock { $0.model.connect() }
                try await daemon.send(.get(.events)) { bytes in
                    try state.withLock { state in
                        state.failure = nil
                        try state.model.take(bytes, at: .now)
                    }
                    tell()
                }
            } catch let failure as ToolFailure {
                state.withLock { $0.failure = failure }
            } catch {
                state.withLock { $0.failure = ToolFailure(ExitStatus.software, "\(error)") }
            }
            try? await Task.sleep(for: .milliseconds(200))
        }
    }
}

// `rerenderctl mark`: gives this moment a name, from which on other commands count.

/// Marks this moment.
struct MarkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mark",
        abstract: "Name this moment, to see later what came after it.",
        discussion: """
            The daemon keeps what the connected programs have counted until now. With
            --since NAME, `stats`, `explain`, `hangs`, `diff` and `export` show what
            happened since then: what this click cost. Nothing is reset.

            The last 8 marks of a program are kept, with up to 2,000 views of most
            evaluations. If it has more, the others are left out of what is shown, and
            their number is said. A name that is used again means the latest moment.

            A program tells what it counts every tenth of a second. So this command waits
            for a fifth of a second first.

            Examples:
              rerenderctl mark "tap Add"
              rerenderctl stats --since "tap Add"
              rerenderctl explain --since "tap Add"
              rerenderctl mark before --process shop
              rerenderctl export --since before -o click.json
            """)

    @Argument(help: ArgumentHelp("What the moment is called.", valueName: "name"))
    var name: String

    @OptionGroup var selection: ProcessOption

    func validate() throws {
        guard (1...MarkRequest.longestName).contains(name.utf8.count) else {
            throw ValidationError("A mark's name has 1 to \(MarkRequest.longestName) bytes.")
        }
        guard !name.unicodeScalars.contains(where: Self.isInvisible) else {
            throw ValidationError(
                "A mark's name has no control characters, and none that only change how others are shown.")
        }
        // `hangs --since` reads times before now, and `--from` times of a recording; `1h30m` they take for a mark, and people do not.
        let looksLikeTime = #/([0-9.]+(ms|[smhd]))+|[0-9]+:[0-9]{2}(:[0-9.]+)?|[0-9]{4}-[0-9]{2}-[0-9]{2}.*/#
        guard SinceTime(argument: name) == nil, TraceMoment(name) == .mark(name),
            name.wholeMatch(of: looksLikeTime) == nil
        else {
            throw ValidationError(
                "\"\(name)\" is a time, or looks like one: --since and --from take times. Choose another name.")
        }
    }

    /// A terminal obeys such characters where a name is shown as part of a command.
    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    func run() async throws {
        let session = try Session.current(process: selection.process)
        try await Task.sleep(for: .milliseconds(200))
        let request = try QueryRequest.post(.mark, MarkRequest(name: name, process: selection.process))
        let report = try await session.daemon.document(request, as: MarkReport.self)
        guard !report.processes.isEmpty else {
            let reason = report.left ?? 0 > 0 ? "there is no room for so many stores" : "no process is connected"
            let off = SwitchState.place.map { SwitchState.notice($0) } ?? ["See: rerenderctl stats"]
            let lines = ["\(reason), so there is nothing to mark."] + off
            throw ToolFailure(ExitStatus.checkFailed, lines.joined(separator: "\n"))
        }
        try Console.output.show(Self.lines(report))
    }

    /// What was marked, and what comes next.
    static func lines(_ report: MarkReport) -> [String] {
        let names = report.processes.map { "\(Printable.text($0.name))[\($0.pid)]" }
        let left = report.processes.reduce(0) { $0 + $1.left }
        let rest = "! \(Counted.text(left, "view")) beyond those that a mark keeps: what they do is not known"
        let others = Counted.text(report.left ?? 0, "process is", "processes are")
        let more = "! \(others) not marked, for want of room: mark one with --process"
        let next: ShellCommand = "rerenderctl stats" + MarkOption.words("--since", report.name)
        return ["marked \"\(Printable.text(report.name))\" in \(Counted.list(names))"] + (left > 0 ? [rest] : [])
            + (report.left ?? 0 > 0 ? [more] : []) + ["Next: \(next)"]
    }
}
