// SPDX-License-Identifier: MIT
// What a shell offers for a word: names that the daemon knows.

import ArgumentParser
import RerenderShow

/// Completions from the daemon. Without one they are none, and a shell never sees an error.
enum DaemonCompletion {
    /// A shell shows no more in a useful way.
    private static let most = 1_000
    /// A person waits for this at each press of the key.
    private static let patience = Duration.seconds(1)

    /// The keys of the views that are known.
    static let keys = CompletionKind.custom { _, _, _ in
        await names {
            let export = try await $0.client.export(StatsQuery(limit: most))
            return export.processes.flatMap(\.views).map(\.key.rawValue)
        }
    }

    /// The names of the processes that are known.
    static let processes = CompletionKind.custom { _, _, _ in await names { try await $0.processes().map(\.name) } }

    /// The names of the stores that are known.
    static let stores = CompletionKind.custom { _, _, _ in await names { try await $0.processes().map(\.store) } }

    /// The settings, each with its `=`.
    static let settings = CompletionKind.list(SettingParser.keys.map { $0 + "=" })

    private static func names(_ read: (Session) async throws -> [String]) async -> [String] {
        guard let session = try? Session.current(patience: patience), let names = try? await read(session) else {
            return []
        }
        return offered(names)
    }

    /// Each name once, in order. Those that a shell would split or that a terminal would obey are left out.
    static func offered(_ names: [String]) -> [String] {
        Array(Set(names.filter { !$0.isEmpty && Printable.text($0) == $0 && !$0.contains("\n") }).sorted().prefix(most))
    }
}
