// SPDX-License-Identifier: MIT
// Describes the result of a command that apps carried out.

package import RerenderQuery

/// What a command reports after it was sent to apps.
package enum CommandText {
    /// One line; throws status 1 when an app did not say in time that it had carried the command out.
    package static func done(_ what: String, _ report: CommandReport) throws -> String {
        let apps = Counted.text(report.sent, "process", "processes")
        guard report.confirmed == report.sent else {
            throw ToolFailure(
                ExitStatus.checkFailed,
                "\(report.sent - report.confirmed) of \(apps) did not confirm in time.\n"
                    + "A process that is stopped or hangs applies it when it continues. See: rerenderctl stats")
        }
        return "\(what) \(Counted.text(report.reached, "store")) in \(apps)"
    }

    /// Why no view was highlighted though its app was told to.
    package static func noPulse(in store: StoreID) -> String {
        store.isInjected
            ? "where an injected view is shown is not known; of a program with GTK 4, the store widgets has what can be pulsed"
            : "the app sets no handler (store.onPulse)"
    }
}
