// SPDX-License-Identifier: MIT
// The settings of a daemon, with lengths of time as people type them, and the version of the protocol that it speaks.

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
