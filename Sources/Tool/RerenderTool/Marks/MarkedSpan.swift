// SPDX-License-Identifier: MIT
// What programs did since a mark, or between two: the difference of two exports, and who answers for it.

import Glibc
import RerenderShow
import RerenderTrace

/// What programs did since a mark, or between two.
struct MarkedSpan: Sendable {
    let mark: String
    /// The mark that it ends with; nil for now.
    let end: String?
    let at: Timestamp
    let endedAt: Timestamp?
    let span: ExportSpan
    /// Newest first.
    let hangs: [Hang]
    /// Views whose counts are not known since then.
    private let unknown: Int
    /// Connected processes that are left out, by name.
    private let unmarked: [String]
    /// Whether the program that was selected began after the mark.
    private let isYounger: Bool

    /// Asks the daemon for what the processes had counted at the mark, and for what they have counted now or had counted at another mark.
    ///
    /// Throws status 64 where there is no such mark of them, and where the other one is not later. Of a process that began after the mark, all
    /// counts came since.
    static func find(
        _ mark: String, to end: String? = nil, process: String?, _ session: Session
    ) async throws -> MarkedSpan {
        let (at, marked) = try await begin(mark, process: process, session)
        let pids = Set(marked.map(\.pid))
        let before = StatsExport(generatedAt: at, processes: marked.flatMap(\.processes), verdict: nil)
        var later: [MarkedCounts]?
        if let end { later = try await counts(end, process: process, session) }
        let endedAt = later?.map(\.at).max()
        if let end, let endedAt, endedAt <= at {
            throw ToolFailure.usage("the mark \"\(Printable.text(end))\" is not after \"\(Printable.text(mark))\".")
        }
        var after = try await self.after(later, process: process, session)
        let ended = Set(before.processes.filter { !$0.connected }.map { StoreID($0) })
        let started = startedSince(at, after.processes, marked: before.processes, isChosen: process != nil)
        let all = before.processes + after.processes
        after.processes.removeAll { store in
            pids.contains(store.pid) ? ended.contains(StoreID(store)) : !started.contains(store.pid)
        }
        let shown = Set(after.processes.map(\.pid))
        let unmarked = Set(all.filter { $0.connected && !shown.contains($0.pid) }.map(Self.name))
        let cut = Set((marked + (later ?? [])).filter { $0.left > 0 }.map(\.pid))
        let unknown = removeUnknown(from: &after, cut, before)
        let hangs = try await session.client.hangs(HangsQuery(process: process, since: at)).hangs
            .filter { hang in
                // A hang is counted when it ends: one that went on at a mark came after that.
                guard pids.contains(hang.pid) || started.contains(hang.pid) else { return false }
                return endedAt.map { hang.seenUntil <= $0 } ?? true
            }
        let span = ExportSpan(from: before, to: after, hangs: hangs)
        return MarkedSpan(
            mark: mark, end: end, at: at, endedAt: endedAt, span: span, hangs: hangs, unknown: unknown,
            unmarked: unmarked.sorted(), isYounger: marked.isEmpty)
    }

    /// When the mark was, and what had been counted; nothing where each process that is selected began later.
    private static func begin(
        _ mark: String, process: String?, _ session: Session
    ) async throws -> (at: Timestamp, marked: [MarkedCounts]) {
        do {
            let marked = try await counts(mark, process: process, session)
            return (marked.map(\.at).max() ?? .now, marked)
        } catch let failure as ToolFailure where process != nil && failure.status == ExitStatus.usage {
            let own = try await session.processes().filter(ProcessSelection(process: process).fits)
            let at = try? await counts(mark, process: nil, session).map(\.at).max()
            guard let at, !own.isEmpty, own.allSatisfy({ $0.startedAt > at }) else { throw failure }
            return (at, [])
        }
    }

    /// The processes that began after a mark, so that all of their counts came since.
    ///
    /// Where the mark left out a process that ran, it was for one program: then others than that are left out.
    ///
    /// - Parameter isChosen: Whether all stores are those of a process that the user selected.
    private static func startedSince(
        _ at: Timestamp, _ stores: [ProcessStats], marked: [ProcessStats], isChosen: Bool
    ) -> Set<Int32> {
        let (pids, names) = (Set(marked.map(\.pid)), Set(marked.map(\.name)))
        let earlier = stores.filter { $0.startedAt < at }
        let isOfOne = !isChosen && earlier.contains { $0.connected && !pids.contains($0.pid) }
        let later = stores.filter { !isOfOne || names.contains($0.name) }
        return Set(later.map(\.pid)).subtracting(earlier.map(\.pid))
    }

    /// When the latest mark of a name was. Throws status 64 without one.
    static func time(of mark: String, process: String?, _ session: Session) async throws -> Timestamp {
        try await counts(mark, process: process, session).map(\.at).max() ?? .now
    }

    /// What the mark is, and what is not known, as sentences.
    func notes(now: Timestamp = .now) -> [String] {
        let begin = "\"\(Printable.text(mark))\", \(Self.ago(at, now))"
        var head = "this is what happened since the mark \(begin)"
        if let end, let endedAt {
            let last = "\"\(Printable.text(end))\", \(Self.ago(endedAt, now))"
            head = "this is what happened between the marks \(begin), and \(last)"
        }
        if isYounger { head = "the program began after the mark, and was counted from its start; " + head }
        let views = Counted.text(unknown, "view is", "views are")
        let left = unknown == 0 ? [] : ["\(views) left out: new, or beyond those whose counts the mark keeps"]
        let more = unmarked.count > 8 ? ["\(unmarked.count - 8) more"] : []
        let list = Counted.list(Array(unmarked.prefix(8)) + more)
        let programs = unmarked.isEmpty ? [] : ["programs without such a mark are left out: \(list)"]
        return [head] + left + programs + span.remarks
    }

    private static func name(_ store: ProcessStats) -> String { "\(Printable.text(store.name))[\(store.pid)]" }

    private static func ago(_ time: Timestamp, _ now: Timestamp) -> String {
        DurationText.short(UInt64(max(0, now.nanoseconds(since: time)))) + " ago"
    }

    /// What was counted at the end: at a mark, or now.
    private static func after(
        _ later: [MarkedCounts]?, process: String?, _ session: Session
    ) async throws -> StatsExport {
        if let later {
            let at = later.map(\.at).max() ?? .now
            return StatsExport(generatedAt: at, processes: later.flatMap(\.processes), verdict: nil)
        }
        var query = StatsQuery(process: process)
        query.hasHandles = true
        return try await session.client.export(query)
    }

    /// Each process's counts at its latest mark of the name, of the newest moment alone.
    private static func counts(_ mark: String, process: String?, _ session: Session) async throws -> [MarkedCounts] {
        let choice = ProcessSelection(process: process)
        let all = try await session.processes()
        var marked: [MarkedCounts] = []
        var failure: ToolFailure?
        // One after the other: the views of one process are as many as one answer should have.
        for pid in Set(all.filter(choice.fits).map(\.pid)).sorted() {
            do {
                let request = QueryRequest.get(.mark, [("name", mark), ("process", String(pid))])
                marked.append(try await session.daemon.document(request, as: MarkedCounts.self))
            } catch let refusal as ToolFailure where refusal.status == ExitStatus.usage {
                failure = refusal
            }
        }
        guard let newest = marked.map(\.at).max() else {
            if all.isEmpty, process == nil {
                throw ToolFailure.usage("no process is connected, so no mark is known.\nSee: rerenderctl stats")
            }
            throw failure ?? choice.fitsNone(of: all)
        }
        return marked.filter { $0.at == newest }
    }

    /// Removes views that the mark does not have, where it does not have all views of their process. Returns how many these are.
    private static func removeUnknown(from after: inout StatsExport, _ cut: Set<Int32>, _ before: StatsExport) -> Int {
        let known = Dictionary(before.processes.map { (StoreID($0), $0) }) { first, _ in first }
        var removed = 0
        for index in after.processes.indices where cut.contains(after.processes[index].pid) {
            let store = after.processes[index]
            // After a reset all views are new.
            guard let old = known[StoreID(store)], !store.wasReset(since: old) else { continue }
            let keys = Set(old.views.map(\.key))
            let kept = store.views.filter { keys.contains($0.key) }
            removed += store.views.count - kept.count
            after.processes[index].views = kept
        }
        return removed
    }
}

/// Answers for what happened since a mark, or between two; of the daemon's own state the daemon tells.
struct SpanClient: QueryClient {
    private let saved: SavedClient
    private let daemon: any QueryClient

    init(_ marked: MarkedSpan, daemon: any QueryClient) {
        self.daemon = daemon
        saved = SavedClient(marked.span.export, hangs: marked.hangs, shownName: "what happened since the mark") {
            Self.verdict(of: $0, in: marked)
        }
    }

    func health() async throws -> HealthReport { try await daemon.health() }
    func processes() async throws -> [ProcessStats] { saved.processes() }
    func export(_ query: StatsQuery) async throws -> StatsExport { try saved.export(query) }
    func hangs(_ query: HangsQuery) async throws -> HangList { try saved.hangs(query) }

    /// The commands that tell more are about the same time.
    private static func verdict(of stores: [ProcessStats], in marked: MarkedSpan) -> Verdict? {
        let span =
            marked.end.map { MarkOption.words("--from", marked.mark) + MarkOption.words("--to", $0) }
            ?? MarkOption.words("--since", marked.mark)
        let now = marked.span.export.generatedAt
        let length = marked.span.length
        guard var verdict = VerdictBuilder.verdict(of: stores, .live, now: now, length: length) else { return nil }
        for index in verdict.findings.indices {
            verdict.findings[index].command = verdict.findings[index].command.map { $0 + span }
        }
        return verdict
    }
}

// What a recording has between two moments, as counts of that time alone.

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
