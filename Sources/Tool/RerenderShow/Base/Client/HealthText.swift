// SPDX-License-Identifier: MIT
// Describes what the daemon dropped or could not watch.

package import RerenderModel

extension HealthReport.Drops {
    /// Each cause with its number, the zeros left out.
    package var causes: [String] {
        let all: [(number: UInt64, noun: String, rest: String)] = [
            (connections, "connection", "over the limit"), (foreignPeers, "connection", "of another user"),
            (versions, "connection", "of another protocol version"), (malformed, "connection", "with invalid data"),
            (views, "view", "over the limit"), (stores, "store", "over the limit"),
            (totals, "total", "of an unknown view or an older epoch"),
            (flightPages, "flight page", "that could not be read"),
            (events, "event line", "for a slow reader"), (endedProcesses, "ended process", "forgotten early"),
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
