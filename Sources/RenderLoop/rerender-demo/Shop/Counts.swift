// SPDX-License-Identifier: MIT
// The demo's own counts, which tests compare with Rerender's.

import Foundation

/// How often each view was evaluated and committed, and how many of it there are, by label.
struct Counts {
    var evaluations: [String: Int] = [:]
    var commits: [String: Int] = [:]
    var instances: [String: Int] = [:]

    /// The counts with what the demo knows beside them.
    func report(ticks: Int, _ stalls: [String: [Double]]?) -> some Encodable {
        Report(commits: commits, evaluations: evaluations, instances: instances, stalls: stalls, ticks: ticks)
    }

    private struct Report: Encodable {
        let commits: [String: Int]
        let evaluations: [String: Int]
        let instances: [String: Int]
        /// Milliseconds by kind.
        let stalls: [String: [Double]]?
        let ticks: Int
    }
}

/// The counts as a table.
enum Summary {
    static func text(_ counts: Counts, _ scenario: ShopScenario, ticks: Int) -> String {
        let total = counts.evaluations.values.reduce(0, +)
        let rows = counts.evaluations.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        let lines = rows.map { label, count in
            row(label, "\(count)", "\(counts.instances[label] ?? 0)", perTick(count, ticks))
        }
        let head = "\(scenario.rawValue): \(ticks) ticks, \(total) evaluations, as the demo itself counted them"
        return ([head, row("view", "evaluations", "instances", "per tick")] + lines).joined(separator: "\n")
    }

    private static func perTick(_ count: Int, _ ticks: Int) -> String {
        ticks == 0 ? "-" : (Double(count) / Double(ticks)).formatted(.number.precision(.fractionLength(2)))
    }

    private static func row(_ label: String, _ columns: String...) -> String {
        "  " + label.padding(toLength: 12, withPad: " ", startingAt: 0)
            + columns.map { String(repeating: " ", count: max(1, 13 - $0.count)) + $0 }.joined()
    }
}
