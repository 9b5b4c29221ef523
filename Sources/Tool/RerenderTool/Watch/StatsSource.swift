// SPDX-License-Identifier: MIT
// Where the table's content comes from.

import RerenderModel
import RerenderPresentation
import RerenderToolBase

/// Asks the daemon for what a table shows.
struct StatsSource: Sendable {
    let session: Session
    let order: StatsOrder
    let process: String?
    /// What the user asked to see at most; nil where he left it to us.
    let limit: ViewLimit?

    /// Up to so many views are counted for the line that says how many are not shown: some milliseconds of both sides.
    static let countedViews = 2_000

    init(session: Session, options: StatsOptions) {
        self.session = session
        self.order = options.sort
        self.process = options.process
        self.limit = options.limit
    }

    /// The request for these views.
    static func request(_ options: StatsOptions, limit: Int?) -> QueryRequest {
        .get(
            .stats,
            [("sort", options.sort.rawValue), ("limit", limit.map { String($0) }), ("process", options.process)])
    }

    /// The content of a table of at most `limit` views.
    ///
    /// Asks for one view more than it shows, and so knows whether there are more. Throws status 64 for a process that
    /// is not there among others.
    func screen(limit: Int?) async throws -> StatsScreen {
        let request = QueryRequest.get(
            .stats, [("sort", order.rawValue), ("limit", limit.map { String($0 + 1) }), ("process", process)])
        let export = try await known(request)
        let health = await session.health()
        let total = try await total(export, limit, health)
        return StatsScreen(export: export, health: health, order: order, limit: limit, total: total)
    }

    /// How many views there are; nil where the export has them all.
    private func total(_ export: StatsExport, _ limit: Int?, _ health: HealthReport?) async throws -> ViewTotal? {
        guard let limit, export.processes.reduce(0, { $0 + $1.views.count }) > limit else { return nil }
        // The daemon's own number has views of every process in it, and names that a reset left without totals.
        guard let bound = health?.views else { return .unknown }
        guard bound <= Self.countedViews else { return .atMost(bound) }
        var counter = ViewCounter()
        try await session.client.send(.get(.stats, [("process", process)])) { counter.count($0) }
        return .exactly(counter.views)
    }

    /// The export. Where the daemon refuses because it knows no such process: that failure with the near names,
    /// or an empty export if it knows no process at all.
    private func known(_ request: QueryRequest) async throws -> StatsExport {
        do {
            return try await session.client.export(request)
        } catch let failure as ToolFailure where failure.status == ExitStatus.usage && process != nil {
            let known = try await session.processes()
            guard known.isEmpty else { throw StoreMatch.nothing(process: process, store: nil, among: known) }
            return StatsExport(processes: [])
        }
    }
}
