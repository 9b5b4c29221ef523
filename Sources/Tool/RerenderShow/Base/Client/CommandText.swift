// SPDX-License-Identifier: MIT
// Texts on the result of a command that apps carried out, on the drops of a daemon, and on gaps in the counts of apps.

package import RerenderModel

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

    /// What became of a pulse, in one line; throws status 1 where it was not carried out, or where nothing of it can be seen.
    ///
    /// - Parameter name: Of the store, as people read it.
    package static func pulsed(_ key: ViewKey, in store: StoreID, _ name: String, _ report: CommandReport) throws
        -> String
    {
        let key = key.displayName
        guard report.sent > 0, report.confirmed == report.sent else {
            throw ToolFailure(
                ExitStatus.checkFailed,
                "\(name) did not confirm in time that it pulsed \(key).\n"
                    + "It may be stopped, or its main loop may hang. See: rerenderctl stats")
        }
        guard report.reached > 0 else {
            throw ToolFailure(
                ExitStatus.checkFailed,
                "\(key) was not pulsed in \(name): \(noPulse(in: store))")
        }
        let all = Counted.text(report.instances, "instance")
        if report.answered == 0 { return "pulsed \(key) in \(name): \(Counted.text(report.reached, "handler")) ran" }
        guard report.shown > 0 else {
            throw ToolFailure(
                ExitStatus.checkFailed,
                report.instances == 0
                    ? "\(key) was not pulsed in \(name): it has no instance any more."
                    : "\(key) was not pulsed in \(name): none of \(all) is on the screen.\n"
                        + "They are hidden, scrolled away, or in a window that is not shown.")
        }
        return report.shown == report.instances
            ? "pulsed \(key) in \(name): \(all)" : "pulsed \(key) in \(name): \(report.shown) of \(all)"
    }

    /// What became of a change of what is above windows, in one line; throws status 1 where nobody could carry it out.
    package static func overlaid(_ overlay: ScreenOverlay, isOn: Bool, _ report: CommandReport) throws -> String {
        guard report.confirmed == report.sent else { return try done("switched", report) }
        guard report.reached > 0 else {
            throw ToolFailure(
                ExitStatus.checkFailed,
                "No process has a window of GTK 4 that Rerender can draw in.\nStart the program with: rerenderctl run --inject -- PROGRAM"
            )
        }
        let (name, state) = (overlay == .hud ? "HUD" : "highlight", isOn ? "on" : "off")
        let apps = Counted.text(report.reached, "process", "processes")
        if overlay == .hud, isOn, report.shown < report.reached {
            return "the HUD is on in \(apps), and appears with the next window that is shown"
        }
        return "the \(name) is \(state) in \(apps)"
    }

    /// Why no view was highlighted though its app was told to.
    package static func noPulse(in store: StoreID) -> String {
        store.isInjected
            ? "where an injected view is shown is not known; of a program with GTK 4, the store widgets has what can be pulsed"
            : "the app sets no handler (store.onPulse)"
    }
}

extension HealthReport.Drops {
    /// Each cause with its number, the zeros left out.
    package var causes: [String] {
        let all: [(number: UInt64, noun: String, rest: String)] = [
            (connections, "connection", "over the limit"), (foreignPeers, "connection", "of another user"),
            (versions, "connection", "of another protocol version"), (malformed, "connection", "with invalid data"),
            (views, "view", "over the limit"), (stores, "store", "over the limit"),
            (totals, "total", "of an unknown view or an older epoch"),
            (flightPages, "flight page", "that could not be read"),
            (endedProcesses, "ended process", "forgotten early"),
        ]
        return all.filter { $0.number > 0 }.map { drop in
            let many = drop.noun.hasSuffix("s") ? drop.noun + "es" : nil
            return "\(Counted.text(drop.number, drop.noun, many)) \(drop.rest)"
        }
    }
}

extension HealthReport.Watchdog {
    /// How many long turns the watchdog could not examine; nil if there were none.
    package var unwatchedTurns: String? {
        let turns = missed.clampedSum(dropped)
        return turns == 0 ? nil : "\(Counted.text(turns, "long turn")) could not be watched for hangs"
    }
}

/// What apps say that may be missing from their counts.
package enum GapText {
    /// A sentence for each gap, with the store that has it; not yet fitted to a width. Safe to print.
    package static func lines(_ stores: [ProcessStats]) -> [String] {
        let labels = StoreLabels(stores)
        return stores.flatMap { store in
            (store.gaps ?? []).filter { $0 != ProcessStats.attached }
                .map { "\(labels.full(store)): \(Printable.text($0))" }
        }
    }
}
