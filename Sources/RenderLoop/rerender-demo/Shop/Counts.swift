// SPDX-License-Identifier: MIT
// The demo's own counts, which tests compare with Rerender's.

import Foundation

/// How often each view was evaluated and committed, and how many of it there are, by label.
struct Counts: Encodable {
    var evaluations: [String: Int] = [:]
    var commits: [String: Int] = [:]
    var instances: [String: Int] = [:]
    var ticks = 0
    /// Milliseconds by kind.
    var stalls: [String: [Double]]?

    /// The counts as a table.
    func table(_ scenario: ShopScenario) -> String {
        let total = evaluations.values.reduce(0, +)
        let rows = evaluations.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        let lines = rows.map { label, count in
            row(label, "\(count)", "\(instances[label] ?? 0)", perTick(count))
        }
        let head = "\(scenario.rawValue): \(ticks) ticks, \(total) evaluations, as the demo itself counted them"
        return ([head, row("view", "evaluations", "instances", "per tick")] + lines).joined(separator: "\n")
    }

    private func perTick(_ count: Int) -> String {
        ticks == 0 ? "-" : (Double(count) / Double(ticks)).formatted(.number.precision(.fractionLength(2)))
    }

    private func row(_ label: String, _ columns: String...) -> String {
        "  " + label.padding(toLength: 12, withPad: " ", startingAt: 0)
            + columns.map { String(repeating: " ", count: max(1, 13 - $0.count)) + $0 }.joined()
    }
}
