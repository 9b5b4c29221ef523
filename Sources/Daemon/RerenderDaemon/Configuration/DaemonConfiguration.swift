// SPDX-License-Identifier: MIT
// The settings of a daemon, with lengths of time as people type them, and the version of the protocol that it speaks.

import Logging
package import RerenderModel
import RerenderWire

/// The settings of one daemon.
package struct DaemonConfiguration: Sendable {
    /// Where the sockets are.
    package var runtimeDirectory: RuntimeDirectory
    /// Where ended processes are saved at a stop; nil to save them nowhere.
    package var stateDirectory: String?
    var stateFile: String? { stateDirectory.map { $0 + "/processes.state" } }
    /// How long processes that ended stay visible.
    package var keep = DaemonLimits.keep
    /// How many of them at most.
    package var maxEnded = DaemonLimits.endedProcesses
    /// Where the sockets come from.
    package var sockets = SocketSource.own
    /// The service manager, if one started us.
    package var notifier = ServiceNotifier.none
    /// Whether the process may have its limit of open files raised.
    ///
    /// Off by default: a program that an embedding process starts would inherit the limit.
    package var raisesOpenFiles = false
    /// What the watchdog's thread obtains, first of all.
    package let watchdogPriority = WatchdogPriority()
    /// What the user has set for good; nil for nothing.
    package var settingsFile: SettingsFile?
    /// Bounds; see ``DaemonLimits``.
    package var limits = DaemonLimits()

    /// Makes the settings of a daemon inside another program, with sockets of its own.
    package init(runtimeDirectory: RuntimeDirectory) { self.runtimeDirectory = runtimeDirectory }
}

/// A duration written as a number and `s`, `m`, `h` or `d`; seconds without one.
package struct RetentionTime: Hashable, Sendable, CustomStringConvertible {
    package var duration: Duration

    package init(duration: Duration) {
        self.duration = duration
    }

    /// Reads a time of at most a year; nil for any other text.
    package init?(argument text: String) {
        let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400]
        let unit = text.last.flatMap { units[$0] }
        guard let number = Int64(unit == nil ? text : String(text.dropLast())), number >= 0,
            number <= 366 * 86_400 / (unit ?? 1)
        else { return nil }
        duration = .seconds(number * (unit ?? 1))
    }

    package var description: String {
        let seconds = duration.components.seconds
        return seconds > 0 && seconds % 3_600 == 0 ? "\(seconds / 3_600)h" : "\(seconds)s"
    }
}

extension RerenderVersion {
    /// The version of the push protocol that this release's daemon and apps speak.
    package static let pushProtocol = Int(WireProtocol.version)
}

// The user's settings, as their file is now.

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
