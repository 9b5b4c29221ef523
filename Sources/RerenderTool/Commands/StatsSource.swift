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
        return StatsScreen(export: export, health: await session.health(), order: order, limit: limit)
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
