// SPDX-License-Identifier: MIT
// Where `rerenderctl stats` has its table from.

import RerenderShow

/// Asks for what a table shows.
struct TableSource: Sendable {
    let source: StatsSource
    let options: StatsOptions
    /// Whether it is one of sources and handlers.
    let showsSources: Bool
    /// The time that it is about, such as `since the mark`; nil for all.
    var time: String?

    private var session: Session { source.session }

    /// The content of a table of at most `limit` views.
    ///
    /// Throws status 64 if there are processes but not the one that was asked for.
    func screen(limit: Int?) async throws -> StatsScreen {
        let export = try await known(options.tableQuery(limit: limit))
        var screen = StatsScreen(
            export: export, health: await session.health(), order: options.order, limit: limit,
            total: export.matchingViews)
        screen.columns = options.columns.names
        screen.names = await SymbolHelp.prepare(export.processes)
        (screen.showsSources, screen.showsAll) = (showsSources, options.all)
        screen.time = time
        if let saved = source.saved {
            screen.shortfalls = saved.gaps
        } else {
            screen.off = SwitchState.place
            screen.shortfalls = RunningInjections.notes(beside: session.directory)
        }
        return screen
    }

    /// The export, or an empty one if the daemon knows no process at all. A failure names processes of similar names.
    private func known(_ query: StatsQuery) async throws -> StatsExport {
        do {
            return try await session.client.export(query)
        } catch let failure as ToolFailure where failure.status == ExitStatus.usage && options.selection.process != nil
        {
            let known = try await session.processes()
            guard known.isEmpty else { throw options.selection.choice.fitsNone(of: known) }
            return StatsExport(processes: [])
        }
    }
}
