// SPDX-License-Identifier: MIT
// Answers for the program that a daemon is a part of.

internal import NIOCore
package import RerenderModel
import Synchronization

/// The same values as on the query socket, without a request and its JSON. Each throws ``DaemonError/stopped`` unless the daemon is
/// ready.
extension Daemon {
    package func health() async throws -> HealthReport { try await ask { $0.health() } }

    /// Each store without its views.
    package func processes() async throws -> [ProcessStats] {
        try await ask {
            let registry = $0.current
            return Array(registry.stats(of: registry.stores(of: nil)))
        }
    }

    package func export(_ query: StatsQuery) async throws -> StatsExport {
        try await ask { $0.current.export(query) }
    }

    package func hangs(_ query: HangsQuery) async throws -> HangList {
        try await ask {
            let hangs = $0.current.hangs.list(limit: query.limit, where: query.matches)
            return HangList(generatedAt: .now, hangs: hangs)
        }
    }

    private func ask<Value: Sendable>(
        _ question: @escaping @Sendable (QueryService) -> Value
    ) async throws -> Value {
        guard let service = serving.withLock({ $0 }) else { throw DaemonError.stopped }
        return try await service.eventLoop.submit { question(service.value) }.get()
    }
}
