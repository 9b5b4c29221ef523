// SPDX-License-Identifier: MIT
// The user's settings, as their file is now.

internal import Logging
import RerenderModel
import RerenderWire

/// Reads the user's settings anew each time. Confined to the event loop, which waits for the file: see `limits.md`.
final class CurrentSettings {
    /// Takes the settings, too, each time that they are read.
    var onLook: (UserSettings) -> Void = { _ in }
    private let file: SettingsFile?
    private let log: Logger
    /// The fault that was logged last; the same one is not logged again.
    private var fault: SettingsFault?

    /// Settings from a file; those without a file where it is nil.
    init(_ file: SettingsFile?, log: Logger) {
        (self.file, self.log) = (file, log)
    }

    /// The settings as they are now; those without a file where it cannot be used.
    var now: UserSettings {
        let settings = read()
        onLook(settings)
        return settings
    }

    private func read() -> UserSettings {
        guard let file else { return UserSettings() }
        do throws(SettingsFault) {
            let settings = try file.settings()
            fault = nil
            return settings
        } catch {
            if error != fault {
                let place = error.line.map { ":\($0)" } ?? ""
                log.warning("\(file.path)\(place): \(error.text). The settings in it are not used")
            }
            fault = error
            return UserSettings()
        }
    }
}

extension UserSettings {
    /// What a store is to be told; nil where that is nothing. An app's own choice stays, and what it was told before.
    func change(of state: StoreState) -> DaemonMessage.Settings? {
        guard !state.isConfigured else { return nil }
        var change = DaemonMessage.Settings()
        if state.hangThresholdMilliseconds == HangThreshold.hangMilliseconds {
            change.hangThresholdMilliseconds = hangThresholdMilliseconds
        }
        if state.microHangThresholdMilliseconds == HangThreshold.microHangMilliseconds {
            change.microHangThresholdMilliseconds = microHangThresholdMilliseconds
        }
        if !state.hangStacks { change.hangStacks = hangStacks }
        return change == DaemonMessage.Settings() ? nil : change
    }
}
