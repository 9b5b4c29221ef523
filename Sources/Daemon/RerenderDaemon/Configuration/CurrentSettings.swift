// SPDX-License-Identifier: MIT
// The user's settings, as their file is now.

internal import Logging
import RerenderModel
import RerenderSettings
import RerenderWire

/// Reads the user's settings again where their file has changed. Confined to the event loop.
final class CurrentSettings {
    private let file: SettingsFile?
    private let log: Logger
    /// Nil until the file was read once, also where it is not there.
    private var known: (version: FileVersion?, settings: UserSettings)?

    init(_ file: SettingsFile?, log: Logger) {
        (self.file, self.log) = (file, log)
    }

    /// The settings now; those without a file where it cannot be used, which is logged once for each version of it.
    func settings() -> UserSettings {
        guard let file else { return UserSettings() }
        let version = file.version
        if let known, known.version == version { return known.settings }
        var settings = UserSettings()
        do {
            settings = try file.settings()
        } catch {
            let place = error.line.map { ":\($0)" } ?? ""
            log.warning("\(file.path)\(place): \(error.text). The settings in it are not used")
        }
        known = (version, settings)
        return settings
    }

    /// What a store that was not heard of before is to be told; nil where that is nothing. An app's own choice stays.
    func change(of state: StoreState) -> DaemonMessage.Settings? {
        let settings = settings()
        var change = DaemonMessage.Settings()
        if state.hangThresholdMilliseconds == HangThreshold.hangMilliseconds {
            change.hangThresholdMilliseconds = settings.hangThresholdMilliseconds
        }
        if state.microHangThresholdMilliseconds == HangThreshold.microHangMilliseconds {
            change.microHangThresholdMilliseconds = settings.microHangThresholdMilliseconds
        }
        if !state.hangStacks { change.hangStacks = settings.hangStacks }
        return change == DaemonMessage.Settings() ? nil : change
    }
}
