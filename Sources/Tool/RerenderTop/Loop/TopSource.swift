// SPDX-License-Identifier: MIT
// Asks the daemon for what the screen shows: a few small requests for each sample.

import RerenderPresentation
import RerenderToolBase

/// Asks for samples, one after the other.
actor TopSource {
    private let session: Session
    private var samples = 0
    private var health: HealthReport?

    /// Open hangs and the latest ones that are asked for.
    private static let newestHangs = 8
    /// Hangs of the process with the open view.
    private static let hangsOfProcess = 32
    /// What the daemon refused changes seldom.
    private static let samplesPerHealth = 10

    init(session: Session) { self.session = session }

    /// The daemon's current data for the screen.
    func sample(_ query: TopQuery) async throws -> TopSample {
        var sample = try await views(query)
        sample.hangs = try await hangs(query.process, Self.newestHangs)
        if let pid = query.hangsOf { sample.hangsOfProcess = try await hangs(String(pid), Self.hangsOfProcess) }
        if samples.isMultiple(of: Self.samplesPerHealth) {
            health = await session.health() ?? health
        }
        samples += 1
        sample.health = health
        sample.off = SwitchState.place
        return sample
    }

    private func views(_ query: TopQuery) async throws -> TopSample {
        do {
            let (export, matching) = try await session.client.rankedExport(query.stats)
            let rows = query.order.ranked(export.processes)
            return TopSample(
                query: query, at: export.generatedAt, stores: export.processes.map { $0.with(views: []) }, rows: rows,
                total: matching ?? query.first + rows.count, verdict: export.verdict)
        } catch let failure as ToolFailure where failure.status == ExitStatus.usage && query.process != nil {
            // The process is not there yet, or no longer known.
            return TopSample(query: query, at: .now, stores: [], rows: [], total: 0)
        }
    }

    private func hangs(_ process: String?, _ limit: Int) async throws -> [Hang] {
        do {
            let request = QueryRequest.get(.hangs, [("process", process), ("limit", String(limit))])
            return try await session.client.document(request, as: HangList.self).hangs
        } catch let failure as ToolFailure where failure.status == ExitStatus.usage && process != nil {
            return []
        }
    }
}
