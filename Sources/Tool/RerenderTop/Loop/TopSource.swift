// SPDX-License-Identifier: MIT
// The daemon as `top` asks it: a few small requests for each sample, however many views there are.

import RerenderModel
import RerenderPresentation
import RerenderToolBase

/// Asks for samples, one after the other.
actor TopSource {
    private let session: Session
    private var samples = 0
    private var health: HealthReport?

    /// Open hangs and the latest ones that are asked for.
    private static let newestHangs = 8
    /// Hangs of the process whose view stands open.
    private static let hangsOfProcess = 32
    /// What the daemon refused changes seldom.
    private static let samplesPerHealth = 10

    init(session: Session) { self.session = session }

    /// What the daemon knows now of what is on the screen.
    func sample(_ query: TopQuery) async throws -> TopSample {
        var sample = try await views(query)
        sample.hangs = try await hangs(query.process, Self.newestHangs)
        if let pid = query.hangsOf { sample.hangsOfProcess = try await hangs(String(pid), Self.hangsOfProcess) }
        if samples.isMultiple(of: Self.samplesPerHealth) {
            health = await session.health() ?? health
        }
        samples += 1
        sample.health = health
        return sample
    }

    private func views(_ query: TopQuery) async throws -> TopSample {
        var reader = ExportReader()
        var processes: [ProcessStats] = []
        do {
            try await session.client.send(query.stats) { piece in
                for element in try reader.read(piece) {
                    switch element {
                    case .process(let process): processes.append(process)
                    case .view(let view): processes[processes.count - 1].views.append(view)
                    }
                }
            }
        } catch let failure as ToolFailure where failure.status == ExitStatus.usage && query.process != nil {
            // The process is not there yet, or no longer known.
            return TopSample(query: query, at: .now, stores: [], rows: [], total: 0)
        }
        let end = try reader.end()
        let rows = query.order.ranked(processes)
        let stores = processes.map { process in
            var store = process
            store.views = []
            return store
        }
        // A daemon of before has no window: then what came is all that there is.
        return TopSample(
            query: query, at: end.generatedAt, stores: stores, rows: rows,
            total: end.matchingViews ?? query.first + rows.count)
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
