// SPDX-License-Identifier: MIT
// The source that a command asks: the daemon, a file or a recording that was named, or the last run.

import Glibc
import RerenderShow
import RerenderTrace

/// Whom a command asks. Found once; a command then asks the session, whatever is behind it.
struct StatsSource: Sendable {
    let session: Session
    /// What was saved; nil for the daemon.
    let saved: SavedStats?

    /// Who reads the output.
    enum Reader: Sendable {
        /// A person, who is told that no daemon answers and gets the last run.
        case person
        /// A program, which must not be given the last run for what runs now. With the command that names it.
        case program(named: ShellCommand)
    }

    /// What was named, or else the daemon; for people, the last run where no daemon answers.
    ///
    /// - Parameter process: The one that the user selected: its last run is meant, if one is kept.
    static func find(_ file: String?, for reader: Reader, process: String? = nil) async throws -> StatsSource {
        if let file { return StatsSource(try SavedStats.load(file)) }
        let session = try Session.current(process: process)
        // Where there is no last run either, the command says that no daemon answers.
        guard RunHistory.isOn, let history = RunHistory.current(), !history.runs().isEmpty,
            await !isReachable(session), let last = history.latest(of: process)
        else { return StatsSource(session: session, saved: nil) }
        switch reader {
        case .person:
            let saved = SavedStats(try ExportFile(path: last.run.path).read(), name: last.name)
            let time = LocalTime.text(saved.export.generatedAt)
            FailureText.note("rerenderctl: no daemon answers: this is the last run of \(saved.program), \(time)")
            return StatsSource(saved)
        case .program(let command): throw await unreachable(session, command)
        }
    }

    /// The daemon of a command that shows what runs, and nothing else.
    static func daemon(process: String? = nil) throws -> StatsSource {
        StatsSource(session: try Session.current(process: process), saved: nil)
    }

    /// The one that answers in a session, where nothing was saved.
    init(_ session: Session) { self.init(session: session, saved: nil) }

    init(_ saved: SavedStats) {
        self.init(
            session: Session(directory: RuntimeDirectory.current(), client: SavedClient(saved: saved)), saved: saved)
    }

    private init(session: Session, saved: SavedStats?) { (self.session, self.saved) = (session, saved) }

    /// Whether somebody takes connections: the daemon in use, or that of a command.
    private static func isReachable(_ session: Session) async -> Bool {
        guard let found = session.client as? FoundDaemonClient else { return true }
        return await found.isReachable
    }

    /// Why nobody answers, with how to ask for the last run instead.
    private static func unreachable(_ session: Session, _ command: ShellCommand) async -> ToolFailure {
        let advice = "\nThe last run is read only where it is named: \(command)"
        do {
            _ = try await session.client.health()
            return ToolFailure.usage("a daemon has just started: try again.")
        } catch let failure as ToolFailure {
            return ToolFailure(failure.status, failure.message + advice)
        } catch {
            return ToolFailure(ExitStatus.software, "\(error)")
        }
    }
}

/// Counts and hangs that were saved.
struct SavedStats: Sendable {
    /// As the user named it; nil for the last run, which no command needs to name.
    let name: String?
    let export: StatsExport
    /// Newest first; nil where the file has no list of them.
    let hangs: [Hang]?
    /// What may be missing, as sentences.
    let gaps: [String]
    private let isRecording: Bool
    /// What the commands that tell more end with, if this is a span of a recording.
    private var span: ShellCommand = ""

    /// What a recording has in a span.
    ///
    /// - Parameter span: What the commands that tell more end with.
    init(_ export: StatsExport, _ hangs: [Hang], gaps: [String], name: String, span: ShellCommand) {
        (self.export, self.hangs, self.gaps, self.name) = (export, hangs, gaps, name)
        (isRecording, self.span) = (true, span)
    }

    /// Reads an export, or the recording in a directory. Throws status 65 where it is neither.
    ///
    /// - Parameter name: As the user typed it: a path, or the name of a run that was kept.
    static func load(_ name: String) throws -> SavedStats {
        let path = try RunHistory.path(name)
        guard FilePath.kind(path) == S_IFDIR else { return SavedStats(try ExportFile(path: path).read(), name: name) }
        let command = RecordedCommand.read(in: path), isUncounted = command?.isUncounted == true
        var report = try ProgressLine.reading(path) {
            try TraceReport.read(
                path: path, process: isUncounted ? nil : command.map { .numbered($0.pids) }, progress: $0)
        }
        if isUncounted { report.leaveNone() }
        return SavedStats(report, name: name)
    }

    init(_ export: StatsExport, name: String?) {
        (self.export, self.name) = (export, name)
        (hangs, gaps) = (export.run?.hangs, export.run?.gaps ?? [])
        isRecording = false
    }

    private init(_ report: TraceReport, name: String) {
        (export, hangs, self.name) = (report.export, report.hangs, name)
        gaps = Tally(report).gaps
        isRecording = true
    }

    /// What costs most in some of its stores. The commands that tell more have its name, where one is needed.
    func verdict(of stores: [ProcessStats]) -> Verdict? {
        let now = export.generatedAt
        // What ran when it was saved is judged as it was then.
        let ended: VerdictBuilder.Subject = stores.contains(where: \.connected) ? .live : .ended
        var verdict = VerdictBuilder.verdict(of: stores, isRecording ? .recording : ended, now: now)
        let commands = VerdictBuilder.verdict(of: stores, .live, now: now)?.findings.map(\.command) ?? []
        for (index, command) in commands.enumerated() where index < verdict?.findings.count ?? 0 {
            verdict?.findings[index].command = command.map { command in
                // The program names views before files.
                command + (name.map { " \(RunHistory.shown($0))" } ?? "") + span
            }
        }
        return verdict
    }

    /// The program, for people.
    var program: String { Printable.text(export.run?.program ?? export.processes.first?.name ?? "nothing") }

    /// The program and the time, for people.
    var title: String { "\(program), \(LocalTime.text(export.generatedAt))" }
}

extension ToolFailure {
    /// That no daemon answers, with the program of the last run: it may be the one that was meant. Any other failure as it is.
    var besideLastRun: ToolFailure {
        guard isUnreachable, RunHistory.isOn, let last = RunHistory.current()?.runs().first,
            let head = try? ExportFile(path: last.path).head(), let program = head.run?.program
        else { return self }
        // One that was attached to may go on.
        let ended =
            "\(Printable.text(program)) was counted until \(LocalTime.text(head.generatedAt)): rerenderctl stats last"
        let lines = message.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        return ToolFailure(status, (lines.prefix(1) + [ended] + lines.dropFirst()).joined(separator: "\n"))
    }
}

extension SavedClient {
    /// Answers for what was saved.
    init(saved: SavedStats) {
        self.init(
            saved.export, hangs: saved.hangs,
            shownName: saved.name.map { Printable.text($0) } ?? "the last run", verdict: { saved.verdict(of: $0) })
    }
}

// The counts that `check` and `diff` use: a command's run, a saved export or trace, or the running daemon.

/// A run with everything that is missing from its numbers.
struct CheckedRun: Sendable {
    let tally: Tally
    /// What is missing beside what the export itself says.
    let gaps: [String]
    /// How the command ended; nil where none was run.
    let ending: ProcessEnding?
    /// What else is to be said of the command.
    var notes: [String] = []
    private let program: String

    /// Runs the command if there is one, or else reads the export, or else asks the daemon.
    static func make(export: String?, command: [String], _ injecting: InjectOptions) async throws -> CheckedRun {
        if !command.isEmpty { return try await run(command, injecting) }
        if let export {
            return CheckedRun(tally: try await ExportSource.load(export), gaps: [], ending: nil, program: "")
        }
        let session = try await StatsSource.find(
            nil, for: .program(named: "rerenderctl check --export last …")
        ).session
        let tally = Tally(try await session.client.export(StatsQuery()))
        return CheckedRun(tally: tally, gaps: gaps(await session.health()), ending: nil, program: "")
    }

    private static func run(_ command: [String], _ injecting: InjectOptions) async throws -> CheckedRun {
        // Before there is anything that a signal could leave behind.
        let signals = try SignalPipe.open(CommandSupervisor.signals)
        let injection = try await injecting.injection(into: command)
        let host = try await RunHost.openPrivate()
        let ending = try await host.run(command, injection: injection, signals: signals)
        let injected = injection?.end()
        let harvest: RunHost.Harvest
        let areHangsClosed = await host.waitForClosedHangs()
        do {
            harvest = try await host.collect()
        } catch {
            await host.close()
            throw error
        }
        await host.close()
        let late =
            (injected?.refusals ?? []) + harvest.gaps
            + (areHangsClosed ? [] : ["the daemon did not finish a hang of an ended process in time"])
        // The harvest's gaps have them already.
        var health = harvest.health
        health?.dropped.endedProcesses = 0
        let nothing = InjectionOutcome.isCounted(in: harvest.export) ? nil : injected?.nothing
        return CheckedRun(
            tally: Tally(harvest.export), gaps: late + gaps(health), ending: ending,
            notes: [nothing].compactMap(\.self), program: Printable.text(command.first ?? ""))
    }

    /// What the daemon dropped. Connections of other users do not matter here.
    private static func gaps(_ health: HealthReport?) -> [String] {
        guard let health else { return ["it is unknown whether the daemon dropped anything"] }
        var drops = health.dropped
        drops.foreignPeers = 0
        return drops.causes.map { "the daemon dropped \($0)" } + [health.watchdog.unwatchedTurns].compactMap(\.self)
    }

    /// How the command failed; nil where it did not.
    var commandFailure: String? {
        switch ending {
        case nil, .exited(0): nil
        case .exited(let status): "\(program) exited with status \(status)"
        case .killed(let signal): "\(program) was killed by signal \(signal)"
        }
    }
}

/// Finds out what a path leads to, and reads it.
enum ExportSource {
    /// What the export at a path, the run of a name, or the trace in a directory adds up to. Throws status 65 with the error.
    static func load(_ path: String) async throws -> Tally {
        let path = try RunHistory.path(path)
        guard FilePath.kind(path) == S_IFDIR else { return Tally(try ExportFile(path: path).read()) }
        return Tally(try ProgressLine.reading(path) { try TraceReport.read(path: path, progress: $0) })
    }
}

extension Tally {
    /// What is lost in a trace is named by when it was, and not as what a process did not live to report.
    init(_ report: TraceReport) {
        var (export, gaps) = (report.export, [String]())
        for index in export.processes.indices {
            let lost = export.processes[index].lost
            export.processes[index].evaluations -= min(lost, export.processes[index].evaluations)
            export.processes[index].lost = 0
        }
        func count(_ number: UInt64, _ noun: String, _ rest: String) {
            if number > 0 { gaps.append("\(Counted.text(number, noun)) \(rest)") }
        }
        let (missing, event) = (report.missing, StoreWords(export.processes).event)
        count(missing.reduce(0) { $0.clampedSum($1.before) }, event, "came before the trace")
        count(missing.reduce(0) { $0.clampedSum($1.between) }, event, "LOST in the trace")
        count(report.discarded.count, "event", "DISCARDED by the tracer")
        count(report.discarded.uncounted, "time", "the tracer discarded events without counting them")
        count(report.overflowed, "item", "of the trace exceeded the report's limits")
        self.init(export, gaps: gaps)
    }
}

extension ToolFailure {
    /// An unreadable recording is bad input; a missing library is not.
    init(_ error: TraceError) {
        self.init(error.code == .reader ? ExitStatus.software : ExitStatus.unreadable, error.description)
    }
}
