// SPDX-License-Identifier: MIT
// Parses settings such as `hangThreshold=500`.

import RerenderShow

/// Reads `key=value` into a change.
enum SettingParser {
    /// The names of the settings.
    static let keys = ["enabled", "hangThreshold", "microHangThreshold", "notify", "hangStacks"]
    /// Those that each store has; the other is the daemon's.
    static let storeKeys = keys.filter { $0 != "notify" }

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
            case "notify": change.notify = try truth(value, of: key)
            case "hangThreshold": change.hangThresholdMilliseconds = try milliseconds(value, of: key)
            case "microHangThreshold": change.microHangThresholdMilliseconds = try milliseconds(value, of: key)
            case "hangStacks": change.hangStacks = try truth(value, of: key)
            default:
                throw .usage("there is no setting \"\(Printable.text(key))\".\nThere are: \(Counted.list(keys))")
            }
        }
        if change.notify != nil, process != nil || store != nil {
            throw .usage("notify is a setting of the daemon: remove --process and --store.")
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
