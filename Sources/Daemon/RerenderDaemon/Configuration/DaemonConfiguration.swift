// SPDX-License-Identifier: MIT
// The settings of a daemon.

package import RerenderModel

/// The settings of one daemon.
package struct DaemonConfiguration: Sendable {
    /// Where the sockets and flight pages are.
    package var runtimeDirectory: RuntimeDirectory
    /// Where ended processes are saved at a stop; nil to save them nowhere.
    package var stateDirectory: String?
    /// The state file in it.
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
