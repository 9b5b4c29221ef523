// SPDX-License-Identifier: MIT
// Settings on the command line, such as `hangThreshold=500`, and the names that a shell offers for a word.

import ArgumentParser
import RerenderShow

/// Reads `key=value` into a change.
enum SettingParser {
    /// The names of the settings, which each store has.
    static let keys = ["enabled", "hangThreshold", "microHangThreshold", "hangStacks"]

    /// All of the settings as one change; throws status 64 with what would be right.
    static func change(_ settings: [String], process: String?, store: String?) throws(ToolFailure)
        -> ConfigurationChange
    {
        var change = ConfigurationChange(process: process, store: store)
        for setting in settings {
            let parts = setting.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else {
                throw .usage("\"\(Printable.text(setting))\" is not key=value.\nTry: hangThreshold=500")
            }
            let (key, value) = (String(parts[0]), String(parts[1]))
            switch key {
            case "enabled": change.enabled = try truth(value, of: key)
            case "hangThreshold": change.hangThresholdMilliseconds = try milliseconds(value, of: key)
            case "microHangThreshold": change.microHangThresholdMilliseconds = try milliseconds(value, of: key)
            case "hangStacks": change.hangStacks = try truth(value, of: key)
            default:
                throw .usage("there is no setting \"\(Printable.text(key))\".\nThere are: \(Counted.list(keys))")
            }
        }
        return change
    }

    private static func truth(_ value: String, of key: String) throws(ToolFailure) -> Bool {
        switch value.lowercased() {
        case "true", "yes", "on", "1": return true
        case "false", "no", "off", "0": return false
        default: throw .usage("\(key)=\(Printable.text(value)) is neither true nor false.")
        }
    }

    private static func milliseconds(_ value: String, of key: String) throws(ToolFailure) -> UInt32 {
        let range = HangThreshold.allowedMilliseconds
        guard let number = HangThreshold.milliseconds(value) else {
            throw .usage(
                "\(key)=\(Printable.text(value)) is not a time "
                    + "from \(range.lowerBound) to \(range.upperBound) milliseconds."
            )
        }
        return number
    }
}

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
