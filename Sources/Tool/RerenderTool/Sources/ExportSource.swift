// SPDX-License-Identifier: MIT
// Loads what was saved, to be checked or compared: an export in a file, or a trace.

import Glibc
import RerenderShow
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

extension ToolFailure {
    /// An unreadable recording is bad input; a missing library is not.
    init(_ error: TraceError) {
        self.init(error.code == .reader ? ExitStatus.software : ExitStatus.unreadable, error.description)
    }
}
