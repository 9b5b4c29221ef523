// SPDX-License-Identifier: MIT
// Answers for a file as the daemon answers for what runs, so that a command need not know whom it asks.

import FoundationEssentials
package import RerenderModel
import RerenderQuery
package import RerenderToolBase

/// The query API of something that was saved. Nothing of it can be changed.
package struct ExportClient: QueryClient {
    private let export: StatsExport
    private let hangs: [Hang]?
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
        (self.export, self.hangs, self.shownName, self.verdict) = (export, hangs, shownName, verdict)
    }

    package func send(_ request: QueryRequest, receive: (_ bytes: [UInt8]) throws -> Void) async throws {
        try receive(answer(request))
    }

    /// The body of the answer. Throws ``ToolFailure`` where nothing was saved of what is asked for.
    package func answer(_ request: QueryRequest) throws -> [UInt8] {
        switch request.path {
        case .stats: return try stats(StatsParameters(request))
        case .processes:
            return try Self.text(ProcessList(processes: export.processes.map { $0.with(views: []) }))
        case .hangs: return try Self.text(hangList(request))
        case .health: return try Self.text(health())
        case .events, .reset, .config, .pulse, .overlay:
            throw ToolFailure.usage("\(shownName) was saved: nothing of it runs, and nothing of it can be changed.")
        }
    }

    private static func text(_ document: some Encodable) throws -> [UInt8] {
        Array(try StatsExport.encoder().encode(document)) + [UInt8(ascii: "\n")]
    }

    // MARK: Views

    /// What a request for views asks for, as ``QueryPath/stats`` has it.
    private struct StatsParameters {
        let order: StatsOrder
        let limit: Int?
        let skip: Int
        let process, key, match: String?
        let isReversed: Bool

        init(_ request: QueryRequest) {
            let given = request.parameters
            order = given["sort"].flatMap { StatsOrder(rawValue: $0) } ?? .count
            limit = given["limit"].flatMap { Int($0) }
            skip = given["skip"].flatMap { Int($0) } ?? 0
            (process, key, match) = (given["process"], given["key"], given["match"]?.lowercased())
            isReversed = given["reverse"] == "true"
        }

        func fits(_ view: Stats) -> Bool {
            if let key, view.key.rawValue != key { return false }
            return match.map { view.key.rawValue.lowercased().contains($0) } ?? true
        }
    }

    private func stats(_ asked: StatsParameters) throws -> [UInt8] {
        let stores = try selected(asked.process)
        var rows = asked.order.ranked(stores, isReversed: asked.isReversed).filter { asked.fits($0.view) }
        var matching: Int?
        if let limit = asked.limit {
            rows = rows.filter(\.view.isRow)
            matching = rows.count
            rows = Array(rows.dropFirst(asked.skip).prefix(limit))
        }
        let views = Dictionary(grouping: rows) { StoreID($0.store) }
        let processes = stores.map { store in store.with(views: (views[StoreID(store)] ?? []).map(\.view)) }
        var answer = StatsExport(
            generatedAt: export.generatedAt, processes: processes, verdict: verdict(stores))
        answer.matchingViews = matching
        return try Self.text(answer)
    }

    private func selected(_ process: String?) throws -> [ProcessStats] {
        let choice = ProcessSelection(process: process)
        let fitting = export.processes.filter { choice.fits($0) }
        guard process == nil || !fitting.isEmpty else { throw choice.fitsNone(of: export.processes) }
        return fitting
    }

    // MARK: Hangs

    private func hangList(_ request: QueryRequest) throws -> HangList {
        guard let all = hangs else {
            throw ToolFailure(
                ExitStatus.unreadable,
                "\(shownName) has counts and no list of hangs.\n"
                    + "rerenderctl run writes such a list (rerenderctl history), and rerenderctl record a recording.")
        }
        let (process, limit) = (request.parameters["process"], request.parameters["limit"].flatMap { Int($0) })
        let since = request.parameters["since"].flatMap { SinceTime(argument: $0) }?.time()
        if !all.contains(where: { Self.fits($0, process) }) { _ = try selected(process) }
        let fitting = all.filter { Self.fits($0, process) && Self.ended($0, after: since) }
        return HangList(generatedAt: export.generatedAt, hangs: Array(fitting.prefix(limit ?? fitting.count)))
    }

    private static func fits(_ hang: Hang, _ process: String?) -> Bool {
        process.map { $0 == hang.process || $0 == String(hang.pid) } ?? true
    }

    private static func ended(_ hang: Hang, after time: Timestamp?) -> Bool {
        guard let time, !hang.open else { return true }
        return time.nanoseconds(since: hang.startedAt) <= Int64(clamping: hang.durationNanoseconds)
    }

    /// What a run knows of hangs that are in no list; throws where that is not known.
    private func health() throws -> HealthReport {
        guard let run = export.run else {
            throw ToolFailure(ExitStatus.unreadable, "\(shownName) does not tell what was dropped.")
        }
        var report = HealthReport()
        (report.watchdog.missed, report.watchdog.hangsForgotten) = (run.unwatchedTurns, run.hangsForgotten)
        return report
    }
}
