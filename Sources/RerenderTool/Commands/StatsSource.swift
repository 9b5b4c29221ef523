// SPDX-License-Identifier: MIT
// Where the table's content comes from.

import RerenderModel

/// Asks the daemon for what a table shows.
struct StatsSource: Sendable {
    let session: Session
    let order: StatsOrder
    let process: String?
    /// What the user asked to see at most; nil where he left it to us.
    let limit: ViewLimit?

    init(session: Session, options: StatsOptions) {
        self.session = session
        self.order = options.sort
        self.process = options.process
        self.limit = options.limit
    }

    /// The request for these views.
    static func request(_ options: StatsOptions, limit: Int?) -> QueryRequest {
        .get(
            .stats, [("sort", options.sort.rawValue), ("limit", limit.map { String($0) }), ("process", options.process)])
    }

    /// The content of a table of at most `limit` views.
    ///
    /// Asks for one view more than it shows, and so knows whether there are more. Throws status 64 for a process that
    /// there is not.
    func screen(limit: Int?) async throws -> StatsScreen {
        let request = QueryRequest.get(
            .stats, [("sort", order.rawValue), ("limit", limit.map { String($0 + 1) }), ("process", process)])
        let export = try await session.client.export(request)
        if export.processes.isEmpty, let process {
            let known = try await session.processes()
            guard known.isEmpty else { throw StoreMatch.nothing(process: process, store: nil, among: known) }
        }
        return StatsScreen(export: export, health: await session.health(), order: order, limit: limit)
    }
}
