// SPDX-License-Identifier: MIT
// What came between two exports of one daemon, as an export with a verdict of its own.

package import RerenderModel

/// The counts of a span of time. Sums are subtracted; of what is known of a longer time alone, it is said which time that is.
package struct ExportSpan: Sendable {
    /// What came in it. A store that began in it is there as a whole.
    package let export: StatsExport
    /// In nanoseconds.
    package let length: UInt64
    /// What is judged by an earlier time, and whose counts were reset in it, as sentences.
    package let remarks: [String]

    /// - Parameters:
    ///   - old: The export at the beginning, with all views.
    ///   - new: The export at the end, by the same daemon and of the same processes.
    ///   - hangs: Those that the daemon lists, newest first.
    ///   - areHangsKept: Whether a reset leaves hangs, as in a recording.
    package init(from old: StatsExport, to new: StatsExport, hangs: [Hang], areHangsKept: Bool = false) {
        let start = old.generatedAt
        var sample = Self.sample(new)
        sample.hangs = hangs.filter { $0.seenUntil <= new.generatedAt }
        var baseline = TopBaseline(Self.sample(old))
        baseline?.areHangsKept = areHangsKept
        let since = baseline.map { $0.since(sample) } ?? sample
        let views = Dictionary(grouping: since.rows) { StoreID($0.store) }
        let before = Self.byID(old), now = Self.byID(new)
        var stores: [ProcessStats] = [], remarks: [String] = []
        for store in since.stores {
            let id = StoreID(store)
            var part = store.with(views: (views[id] ?? []).map(\.view))
            if let old = before[id] {
                let isAnew = now[id]?.wasReset(since: old) == true
                part.dropEnded(before: start, old: isAnew ? [] : old.cycles ?? [])
                if isAnew, let began = store.countedSince {
                    remarks.append(
                        "\(StoreLabels.full(store)): its counts were reset at \(LocalTime.text(began)), and these are what came after that"
                    )
                }
            }
            part.loop?.dropUncalledRows()
            stores.append(part)
            if let earlier = part.loop?.judgedUntil(before: start) {
                remarks.append(
                    "\(Printable.text(store.name))[\(store.pid)]: what goes on without input is judged by its longest time, which ended at "
                        + LocalTime.text(earlier))
            }
        }
        self.remarks = remarks
        length = UInt64(max(0, new.generatedAt.nanoseconds(since: start)))
        export = StatsExport(
            generatedAt: new.generatedAt, processes: stores,
            verdict: VerdictBuilder.verdict(
                of: stores, .live, now: new.generatedAt, length: areHangsKept ? nil : length))
    }

    private static func sample(_ export: StatsExport) -> TopSample {
        let rows = StatsOrder.count.ranked(export.processes)
        return TopSample(
            query: TopQuery(order: .count, first: 0, limit: rows.count, filter: ""), at: export.generatedAt,
            stores: export.processes.map { $0.with(views: []) }, rows: rows, total: rows.count)
    }

    private static func byID(_ export: StatsExport) -> [StoreID: ProcessStats] {
        Dictionary(export.processes.map { (StoreID($0), $0) }) { first, _ in first }
    }
}

extension ProcessStats {
    /// Leaves out what went on without input before a moment alone, and the rounds that cycles had gone by then.
    fileprivate mutating func dropEnded(before start: Timestamp, old: [Cycle]) {
        let work = (idleWork ?? []).filter { $0.latestAt >= start }
        let found = (cycles ?? []).filter { $0.latestAt >= start }.map { cycle in
            old.first { ($0.steps, $0.over) == (cycle.steps, cycle.over) }.map { cycle.since($0, of: [\.rounds]) }
                ?? cycle
        }.filter { $0.rounds > 0 }
        (idleWork, cycles) = (work.isEmpty ? nil : work, found.isEmpty ? nil : found)
    }
}

extension Cycle: GrowingSums {}
