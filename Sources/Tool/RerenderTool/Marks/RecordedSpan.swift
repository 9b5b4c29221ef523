// SPDX-License-Identifier: MIT
// What a recording has between two moments, as counts of that time alone.

import Glibc
import RerenderShow
import RerenderTrace

enum RecordedSpan {
    /// The directory of a recording by the name that the user gave. Throws status 64 for an export, which has no times.
    static func directory(_ name: String) throws -> String {
        let path = try RunHistory.path(name)
        guard FilePath.kind(path) != S_IFREG else {
            throw ToolFailure.usage(
                "\(Printable.text(name)) has counts and no times: --since, --from and --to need a recording.\n"
                    + "Make one: rerenderctl record -- CMD")
        }
        return path
    }

    /// When a span of a recording begins and ends.
    static func window(of name: String, from: String?, to: String?) throws -> TraceWindow {
        let path = try directory(name)
        return try ProgressLine.reading(path) { progress in
            try TraceWindow.find(
                path: path, from: from.map { TraceMoment($0) }, to: to.map { TraceMoment($0) }, progress)
        }
    }

    /// The same as times of the day.
    static func times(of name: String, from: String?, to: String?) throws -> (from: Timestamp?, to: Timestamp?) {
        let window = try window(of: name, from: from, to: to)
        func time(_ nanoseconds: Int64?) -> Timestamp? { nanoseconds.map { Timestamp(nanosecondsSince1970: $0) } }
        return (time(window.from), time(window.to))
    }

    /// What came in a span, with the hangs that ended in it or after it, and what it is judged by and what was reset, as sentences.
    static func export(_ span: TraceSpan) -> (export: StatsExport, hangs: [Hang], remarks: [String]) {
        let report = span.report
        let hangs = report.hangs.filter(HangsQuery(since: span.began).matches)
        guard let before = span.before else { return (report.export, hangs, []) }
        // Evaluations that the recording lacks may have been before the span, also before the recording.
        let after = withoutLost(report.export)
        let start = aligned(withoutLost(before), with: after)
        let part = ExportSpan(from: start, to: after, hangs: hangs, areHangsKept: true)
        return (part.export, hangs, part.remarks)
    }

    private static func withoutLost(_ export: StatsExport) -> StatsExport {
        var export = export
        for index in export.processes.indices {
            let lost = export.processes[index].lost
            export.processes[index].evaluations -= min(lost, export.processes[index].evaluations)
            export.processes[index].lost = 0
        }
        return export
    }

    /// The counts at the beginning, with each store known as at the end: when it was made, and what it has, it may tell later.
    static func aligned(_ before: StatsExport, with after: StatsExport) -> StatsExport {
        var before = before
        // A program that replaced another one has stores of the same numbers, behind those of the first.
        var places = Dictionary(grouping: after.processes) { Identity($0) }.mapValues { $0[...] }
        for index in before.processes.indices {
            guard let known = places[Identity(before.processes[index])]?.popFirst() else { continue }
            before.processes[index].startedAt = known.startedAt
            before.processes[index].kind = known.kind
            // Only a reset that a recording has is known, with its time.
            if before.processes[index].countedSince == nil { before.processes[index].countedSince = known.startedAt }
        }
        return before
    }

    /// What a store is called in each report of one recording.
    private struct Identity: Hashable {
        let pid: Int32
        let name: String
        let number: UInt32

        init(_ store: ProcessStats) { (pid, name, number) = (store.pid, store.store, store.storeNumber) }
    }
}

extension SavedStats {
    /// Reads what a recording has in a span. Throws status 64 for an export, and status 65 where a moment is not in the recording.
    ///
    /// - Parameter all: Whether to read all processes of the recording, and not only its command's.
    static func load(_ name: String, in option: MarkOption, all: Bool = false) throws -> SavedStats {
        let path = try RecordedSpan.directory(name)
        let (from, to) = (option.from, option.span.to)
        let command = all ? nil : RecordedCommand.read(in: path), isUncounted = command?.isUncounted == true
        let read = try ProgressLine.reading(path) { progress in
            try TraceSpan.read(
                path: path, process: isUncounted ? nil : command.map { .numbered($0.pids) },
                from: from.map { TraceMoment($0) }, to: to.map { TraceMoment($0) }, progress: progress)
        }
        var (export, hangs, remarks) = RecordedSpan.export(read)
        // The others are not the command's.
        if isUncounted { (export.processes, hangs, remarks) = ([], [], []) }
        for remark in remarks { FailureText.note("rerenderctl: \(remark)") }
        let begin = from.map { MarkOption.words("--from", $0) } ?? ""
        let end = to.map { MarkOption.words("--to", $0) } ?? ""
        return SavedStats(export, hangs, gaps: Tally(read.report).gaps, name: name, span: begin + end)
    }
}
