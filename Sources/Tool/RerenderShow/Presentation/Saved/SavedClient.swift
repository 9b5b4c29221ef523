// SPDX-License-Identifier: MIT
// Answers for a file as the daemon answers for what runs, so that a command need not know whom it asks.

/// The views and hangs of something that was saved.
package struct SavedClient: QueryClient {
    private let saved: StatsExport
    private let all: [Hang]?
    private let shownName: String
    private let verdict: @Sendable (_ stores: [ProcessStats]) -> Verdict?

    /// - Parameters:
    ///   - hangs: Newest first; nil where no list of them was saved.
    ///   - shownName: What failures call it, ready to be printed.
    ///   - verdict: What costs most in some of the stores.
    package init(
        _ export: StatsExport, hangs: [Hang]?, shownName: String,
        verdict: @escaping @Sendable (_ stores: [ProcessStats]) -> Verdict?
    ) {
        (saved, all, self.shownName, self.verdict) = (export, hangs, shownName, verdict)
    }

    package func processes() -> [ProcessStats] { saved.processes.map { $0.with(views: []) } }

    package func export(_ query: StatsQuery) throws -> StatsExport {
        let stores = try selected(query.process)
        let found = verdict(stores)
        var rows = query.order.ranked(stores, found, isReversed: query.isReversed).filter { query.fits($0.view) }
        var matching: Int?
        if let limit = query.limit {
            rows = rows.filter(\.view.isRow)
            matching = rows.count
            rows = Array(rows.dropFirst(query.skip).prefix(limit))
        }
        let views = Dictionary(grouping: rows) { StoreID($0.store) }
        let processes = stores.map { store in store.with(views: (views[StoreID(store)] ?? []).map(\.view)) }
        var export = StatsExport(generatedAt: saved.generatedAt, processes: processes, verdict: found)
        export.matchingViews = matching
        return export
    }

    /// Throws where no list of hangs was saved.
    package func hangs(_ query: HangsQuery) throws -> HangList {
        guard let all else {
            throw ToolFailure(
                ExitStatus.unreadable,
                "\(shownName) has counts and no list of hangs.\n"
                    + "rerenderctl run writes such a list (rerenderctl history), and rerenderctl record a recording.")
        }
        let ofProcess = HangsQuery(process: query.process)
        if !all.contains(where: ofProcess.matches) { _ = try selected(query.process) }
        let hangs = all.filter(query.matches).prefix(query.limit ?? .max)
        return HangList(generatedAt: saved.generatedAt, hangs: Array(hangs))
    }

    /// What a run knows of hangs that are in no list; throws where that is not known.
    package func health() throws -> HealthReport {
        guard let run = saved.run else {
            throw ToolFailure(ExitStatus.unreadable, "\(shownName) does not tell what was dropped.")
        }
        var report = HealthReport()
        (report.watchdog.missed, report.watchdog.hangsForgotten) = (run.unwatchedTurns, run.hangsForgotten)
        return report
    }

    private func selected(_ process: String?) throws -> [ProcessStats] {
        let choice = ProcessSelection(process: process)
        let fitting = saved.processes.filter { choice.fits($0) }
        guard process == nil || !fitting.isEmpty else {
            throw choice.fitsNone(of: saved.processes, list: "rerenderctl stats FILE --json")
        }
        return fitting
    }
}

extension StatsQuery {
    /// Whether a view has the key that is asked for, and the part in it.
    fileprivate func fits(_ view: Stats) -> Bool {
        if let key, view.key.rawValue != key { return false }
        return match.map { view.key.rawValue.lowercased().contains($0.lowercased()) } ?? true
    }
}
