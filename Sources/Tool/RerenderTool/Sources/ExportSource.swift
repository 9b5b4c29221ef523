// SPDX-License-Identifier: MIT
// Loads an export from a file, or from a trace.

import Glibc
import RerenderBudgets
import RerenderRecording
import RerenderToolBase
import RerenderTrace

/// Finds out what a path leads to, and reads it.
enum ExportSource {
    /// What the export at a path, the run of a name, or the trace in a directory adds up to. Throws status 65 with the error.
    static func load(_ path: String) async throws -> Tally {
        let path = try RunHistory.path(path)
        guard FilePath.kind(path) == S_IFDIR else { return Tally(try ExportFile(path: path).read()) }
        do {
            return Tally(try ProgressLine.reading(path) { try TraceReport.read(path: path, progress: $0) })
        } catch let error as TraceError {
            throw ToolFailure(error)
        }
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
        let missing = report.missing
        count(missing.reduce(0) { $0.clampedSum($1.before) }, "evaluation", "came before the trace")
        count(missing.reduce(0) { $0.clampedSum($1.between) }, "evaluation", "LOST in the trace")
        count(report.discarded.count, "event", "DISCARDED by the tracer")
        count(report.discarded.uncounted, "time", "the tracer discarded events without counting them")
        count(report.overflowed, "item", "of the trace exceeded the report's limits")
        self.init(export, gaps: gaps)
    }
}

/// An export in a file, which may hold anything at all.
///
/// Unknown names are skipped, because a later version may write them. Known members must exist
/// with their types, and a store may list a view once.
struct ExportFile: Sendable {
    let path: String

    /// The most views of a file: fifteen processes with as many as one may have. They take about a gigabyte of memory.
    static let mostViews = 1_000_000

    /// Reads the file piece by piece; throws status 65.
    func read() throws(ToolFailure) -> StatsExport {
        var reader = ExportReader(refuse: unreadable)
        var (processes, keys, views): ([ProcessStats], Set<ViewKey>, Int) = ([], [], 0)
        try InputFile.read(path, fault: { unreadable(SystemText.of($0)) }) { piece throws(ToolFailure) in
            for element in try reader.read(piece) {
                switch element {
                case .process(let process):
                    processes.append(process)
                    keys.removeAll(keepingCapacity: true)
                case .view(let view):
                    views += 1
                    try check(view, isNew: keys.insert(view.key).inserted, number: views)
                    processes[processes.count - 1].views.append(view)
                }
            }
        }
        let end = try reader.end()
        // Nobody can be asked about it any more.
        return StatsExport(
            generatedAt: end.generatedAt, processes: processes,
            verdict: VerdictBuilder.verdict(of: processes, .ended), run: end.run)
    }

    /// What stands beside the processes, which are not looked at; throws status 65.
    func envelope() throws(ToolFailure) -> ExportReader.Envelope {
        var reader = ExportReader(skipsProcesses: true, refuse: unreadable)
        try InputFile.read(path, fault: { unreadable(SystemText.of($0)) }) { piece throws(ToolFailure) in
            _ = try reader.read(piece)
        }
        return try reader.end()
    }

    private func check(_ view: Stats, isNew: Bool, number: Int) throws(ToolFailure) {
        guard isNew else { throw unreadable("the view \"\(view.key.rawValue)\" is twice in one store") }
        guard view.wasted.count <= view.count else {
            throw unreadable("the view \"\(view.key.rawValue)\" has more wasted evaluations than evaluations")
        }
        guard number <= Self.mostViews else { throw unreadable("it has more than \(Self.mostViews) views") }
    }

    private func unreadable(_ reason: String) -> ToolFailure {
        ToolFailure(
            ExitStatus.unreadable,
            "cannot read \(Printable.text(path)): \(Printable.text(reason))\(reason.hasSuffix(".") ? "" : ".")\n"
                + "It must be an export: rerenderctl export -o FILE, or rerenderctl run --json -o FILE -- CMD")
    }
}

extension ToolFailure {
    /// An unreadable recording is bad input; a missing library is not.
    init(_ error: TraceError) {
        self.init(error.code == .reader ? ExitStatus.software : ExitStatus.unreadable, error.description)
    }
}
