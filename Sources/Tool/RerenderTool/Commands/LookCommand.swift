// SPDX-License-Identifier: MIT
// `rerenderctl look`: measures a program that is counted, or a command that it starts, for some seconds.

import ArgumentParser
import Glibc
import RerenderDaemon
import RerenderShow
import Synchronization

/// Measures for some seconds, shows what costs most, and exits.
struct LookCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "look",
        abstract: "Measure a program or command for ten seconds.",
        usage: """
            rerenderctl look <program> [--for <time>] [--limit <number>] [--all]
            rerenderctl look [--for <time>] [--limit <number>] [--all]
                             [--no-inject]
                             [--inject [--view-protocol <module.name>] ...]
                             -- <command> ...
            """,
        discussion: """
            PROGRAM is the pid or the name of a program that runs. If it is not counted,
            `look` attaches to it, as `rerenderctl attach` does. It shows what happened in
            these seconds, and nothing of what was before. Ctrl-C ends the measurement,
            which is shown then.

            A command is started under a private daemon, and injected as by `run`. What it
            did is shown from its start on. Then it gets a SIGTERM, and a SIGKILL if it
            still runs five seconds later. If it ends before, rerenderctl shows that and
            exits as the command does. All that is shown goes to standard error. The
            counts are kept for later, as those of `run`.

            First it says what costs most, as `stats` does. Then it shows the first views.

            Examples:
              rerenderctl look gnome-calendar
              rerenderctl look 4711 --for 30s
              rerenderctl look --for 20s -- ./my-app
            """)

    @Argument(
        help: ArgumentHelp("The pid or name of a program that runs.", valueName: "program"),
        completion: DaemonCompletion.processes)
    var program: String?

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("Measure for this long: seconds, or 90s, 10m, 2h. (default: 10s)", valueName: "time"))
    var length: RecordDuration?

    @OptionGroup var rows: FirstRowsOptions

    @OptionGroup var injecting: InjectOptions

    @OptionGroup var leaving: NoInjectOption

    @Argument(
        parsing: .postTerminator, help: ArgumentHelp("The command and its arguments.", valueName: "command"))
    var command: [String] = []

    func validate() throws {
        guard program != nil || command.first?.isEmpty == false else {
            throw ValidationError("Name a program that is counted, or a command: look -- CMD")
        }
        if program != nil, !command.isEmpty { throw ValidationError("Choose either a program or a command.") }
        if program != nil, injecting.inject || leaving.noInject {
            throw ValidationError("--inject and --no-inject are for a command: rerenderctl look --inject -- CMD")
        }
        try leaving.mustFit(injecting.inject, named: "--inject")
        try injecting.mustInject(injecting.inject)
    }

    func run() async throws {
        guard let program else { return try await start() }
        if let target = await Self.uncounted(program) {
            let span = AttachSpan(target: target, duration: duration, rows: rows)
            try await span.run(try SignalPipe.open([SIGINT, SIGTERM]))
        } else {
            try await watch(program)
        }
    }

    private var duration: Duration { length?.duration ?? .seconds(10) }

    /// The first lines of a table: what costs most, and the first views.
    ///
    /// - Parameters:
    ///   - rows: How many views, where the user said so.
    ///   - above: Lines above these.
    static func lines(
        _ export: StatsExport, _ health: HealthReport?, _ names: [String], _ console: Console, rows: FirstRowsOptions,
        below above: Int = 0
    ) -> [String] {
        var screen = StatsScreen(
            export: export, health: health, order: ToolSettings.current.sort ?? .cost,
            limit: rows.limit.map(\.count) ?? 5)
        (screen.names, screen.time, screen.showsAll) = (names, "in this time", rows.all)
        screen.linesAbove = above
        return screen.lines(width: console.tableWidth, colours: console.colours)
    }

    // MARK: A program that runs, and is not counted

    /// The process that a name or pid means which no daemon counts; nil where one does, and where nothing can be loaded into the process.
    static func uncounted(_ program: String) async -> AttachTarget? {
        let selection = ProcessSelection(process: program)
        let stores = (try? await Session.current(process: program).processes()) ?? []
        guard !stores.contains(where: { $0.connected && selection.fits($0) }) else { return nil }
        guard let target = try? AttachTarget.find(program), target.refusal() == nil else { return nil }
        return target
    }

    // MARK: A program that is counted

    private func watch(_ program: String) async throws {
        let pipe = try SignalPipe.open([SIGINT, SIGTERM])
        let session = try Session.current(process: program)
        let before = try await known(program, session)
        let what = "measuring \(Printable.text(program)) for \(Self.text(duration))"
        let signal = try await ProgressLine.during(what) { _ in try await Self.wait(duration, pipe) }
        let (span, hangs) = try await measured(program, since: before, session)
        let names = await SymbolHelp.prepare(span.export.processes, hangs)
        let console = Console.output
        let above = Self.head(span, since: before, console)
        let lines = Self.lines(span.export, await session.health(), names, console, rows: rows, below: above.count)
        try console.show(above + lines)
        if let signal { Disposition.die(by: signal) }
    }

    /// Which time was measured, and what of it is judged by another one.
    static func head(_ span: ExportSpan, since before: StatsExport, _ console: Console) -> [String] {
        let spent = span.export.generatedAt.nanoseconds(since: before.generatedAt)
        let head =
            "What happened in \(DurationText.short(UInt64(max(0, spent)))) until \(LocalTime.text(span.export.generatedAt)):"
        return ([head] + span.remarks).flatMap { Wrap.lines($0, width: console.tableWidth, indent: 2) }
    }

    /// What was counted of the program until now. Throws status 64 where it is not connected.
    private func known(_ program: String, _ session: Session) async throws -> StatsExport {
        let (selection, stores) = (ProcessSelection(process: program), try await session.processes())
        let connected = stores.filter(\.connected)
        guard connected.contains(where: selection.fits) else {
            let failure = selection.fitsNone(of: connected)
            throw ToolFailure(failure.status, "\(failure.message)\n\(Self.ways(to: program))")
        }
        return try await session.client.export(StatsQuery(process: program))
    }

    /// How a program comes to be counted that is not connected; lines.
    static func ways(to program: String) -> String {
        let start: ShellCommand = "rerenderctl look -- \(.path(program))"
        let attach: ShellCommand = "rerenderctl attach \(.path(program))"
        return "To start a program, run: \(start)\nIf it runs, attach to it. Run: \(attach)"
    }

    private func measured(
        _ program: String, since before: StatsExport, _ session: Session
    ) async throws -> (span: ExportSpan, hangs: [Hang]) {
        do {
            var after = try await session.client.export(StatsQuery(process: program))
            let ended = Set(before.processes.filter { !$0.connected }.map { StoreID($0) })
            after.processes.removeAll { ended.contains(StoreID($0)) }
            let hangs = try await session.client.hangs(HangsQuery(process: program, since: before.generatedAt)).hangs
            return (ExportSpan(from: before, to: after, hangs: hangs), hangs)
        } catch let failure as ToolFailure where failure.isUnreachable {
            // The daemon was that of a command, or of an attach.
            let left = before.processes.filter(\.connected).map { AttachTarget(pid: $0.pid, name: $0.name) }
            let goesOn = left.contains { $0.isRunning() }
            throw ToolFailure(failure.status, Self.unmeasured(program, duration, goesOn: goesOn))
        }
    }

    /// Why nothing was measured, and what to do, where the daemon has ended.
    static func unmeasured(_ program: String, _ duration: Duration, goesOn: Bool) -> String {
        let (name, again) = (Printable.text(program), "rerenderctl look \(.path(program))" as ShellCommand)
        let early = "ended before \(text(duration)) were over"
        return goesOn
            ? "the rerenderctl that counted \(name) \(early), and \(name) goes on.\nTo measure once more, run: \(again)"
            : "\(name) \(early).\nSee: rerenderctl stats last"
    }

    /// Waits for so long, or until a signal comes that would end this process; nil where none came.
    private static func wait(_ duration: Duration, _ pipe: CInt) async throws -> CInt? {
        let end = ContinuousClock.now + duration
        return try await BlockingThread.run {
            InputFile.isReadable(pipe, until: end) ? SignalPipe.next(pipe)?.number : nil
        }
    }

    private static func text(_ duration: Duration) -> String {
        DurationText.short(UInt64(max(0, duration / Duration.nanoseconds(1))))
    }

    // MARK: A command

    /// What was counted when the time was over.
    private final class TimedHarvest: Sendable {
        let harvest = Mutex<RunHost.Harvest?>(nil)
    }

    /// The length at the end of the command's own words, as it was typed; nil without one.
    static func misplacedLength(in command: [String]) -> String? {
        let words = command.dropFirst().suffix(2)
        guard let last = words.last else { return nil }
        if last.hasPrefix("--for=") {
            return RecordDuration(argument: String(last.dropFirst("--for=".count))) == nil ? nil : last
        }
        let isLength = words.count == 2 && words.first == "--for" && RecordDuration(argument: last) != nil
        return isLength ? "--for \(last)" : nil
    }

    private func start() async throws {
        if length == nil, let option = Self.misplacedLength(in: command) {
            FailureText.note(
                "rerenderctl: \(Printable.text(option)) is given to \(Printable.text(command[0])); put it before --")
        }
        // First: a signal from now on can still clean up.
        let signals = try SignalPipe.open(CommandSupervisor.signals)
        let injection = try await injecting.injection(into: command) ?? leaving.unasked(into: command)
        let silence = RunSilence(before: command, isInjected: injection != nil, isLeft: leaving.noInject)
        let host = try await RunHost.openPrivate()
        let measured = TimedHarvest()
        let limit = CommandLimit(duration) {
            let harvest = try? await host.collect()
            measured.harvest.withLock { $0 = harvest }
        }
        let ending = try await host.run(command, injection: injection, signals: signals, limit: limit)
        let harvest = measured.harvest.withLock(\.self)
        let next = await report(host, harvest, injection?.end(), silence)
        await host.close()
        if let next { FailureText.note("Next: \(next)") }
        // The signal that ended it was ours.
        if harvest == nil { ending.repeatIt() }
    }

    /// Keeps and shows what was counted: when the time was over, or else until the command's end. A failure here does not change the status.
    private func report(
        _ host: RunHost, _ early: RunHost.Harvest?, _ injected: InjectionOutcome?, _ silence: RunSilence
    ) async -> ShellCommand? {
        var isCounted = false
        defer { for note in injected?.notes(isCounted: isCounted) ?? [] { FailureText.note("rerenderctl: \(note)") } }
        do {
            let harvest = try await ended(host, early)
            isCounted = InjectionOutcome.isCounted(in: harvest.export)
            let export = harvest.kept(of: command)
            let isKept = RunHistory.keepLatest(export)
            let names = await SymbolHelp.prepare(export.processes, harvest.hangs)
            let console = Console.error
            guard !export.processes.isEmpty, early != nil || !RunSilence.isMeant(for: harvest, injected) else {
                try console.show(silent(harvest, hasEnded: early == nil, injected, silence))
                for gap in harvest.gaps { FailureText.note("rerenderctl: \(gap)") }
                return nil
            }
            try console.show([""] + Self.lines(harvest.export, harvest.health, names, console, rows: rows))
            for gap in harvest.gaps { FailureText.note("rerenderctl: \(gap)") }
            return RunCommand.next(export, isKept: isKept, isPrivate: true)
        } catch {
            silence.show(error)
            return nil
        }
    }

    /// What the command left, whose processes have ended.
    private func ended(_ host: RunHost, _ early: RunHost.Harvest?) async throws -> RunHost.Harvest {
        guard var harvest = early else {
            _ = await host.waitForClosedHangs()
            return try await host.collect()
        }
        // They go on for a moment, and nothing more is counted of them.
        for index in harvest.export.processes.indices where harvest.export.processes[index].connected {
            harvest.export.processes[index].connected = false
            harvest.export.processes[index].loop?.endedAt = harvest.export.generatedAt
        }
        let length = UInt64(max(0, duration / Duration.nanoseconds(1)))
        harvest.export.verdict = VerdictBuilder.verdict(of: harvest.export.processes, .ended, length: length)
        return harvest
    }

    private func silent(
        _ harvest: RunHost.Harvest, hasEnded: Bool, _ injected: InjectionOutcome?, _ silence: RunSilence
    ) -> [String] {
        guard !hasEnded, harvest.gaps.isEmpty else { return silence.lines(harvest, injected) }
        return [
            "rerenderctl: \(Printable.text(command[0])) had no process that could be counted within \(Self.text(duration))."
        ]
    }
}
