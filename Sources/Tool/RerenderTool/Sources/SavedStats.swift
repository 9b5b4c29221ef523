// SPDX-License-Identifier: MIT
// What a file or a recording says, for the commands that also ask the daemon.

import Glibc
import RerenderShow
import RerenderTrace

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

    /// Reads an export, or the recording in a directory. Throws status 65 where it is neither.
    ///
    /// - Parameter name: As the user typed it: a path, or the name of a run that was kept.
    static func load(_ name: String) throws -> SavedStats {
        let path = try RunHistory.path(name)
        guard FilePath.kind(path) == S_IFDIR else { return SavedStats(try ExportFile(path: path).read(), name: name) }
        do {
            let pids = RecordedCommand.read(in: path)?.pids
            let report = try ProgressLine.reading(path) {
                try TraceReport.read(path: path, process: pids.map { .numbered($0) }, progress: $0)
            }
            return SavedStats(report, name: name)
        } catch let error as TraceError {
            throw ToolFailure(error)
        }
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
        var verdict = VerdictBuilder.verdict(of: stores, isRecording ? .recording : .ended)
        let commands = VerdictBuilder.verdict(of: stores, .live)?.findings.map(\.command) ?? []
        for (index, command) in commands.enumerated() where index < verdict?.findings.count ?? 0 {
            verdict?.findings[index].command = command.map { command in
                // The program names views before files.
                command + (name.map { " \(RunHistory.shown($0))" } ?? "")
            }
        }
        return verdict
    }

    /// The program and the time, for people.
    var title: String {
        let program = export.run?.program ?? export.processes.first?.name ?? "nothing"
        return "\(Printable.text(program)), \(LocalTime.text(export.generatedAt))"
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
