// SPDX-License-Identifier: MIT
// The counts that `check` and `diff` use: a command's run, a saved export or trace, or the running daemon.

import Glibc
import RerenderShow
import RerenderTrace

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
