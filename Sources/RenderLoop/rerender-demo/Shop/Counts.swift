// SPDX-License-Identifier: MIT
// The demo's own counts, which tests compare with Rerender's.

import Foundation
import RenderLoop

/// How often each view was evaluated and committed, and how many of it there are, by its name: from the loop's events,
/// which a build without probes and a run without Rerender have, too.
struct Counts: Encodable {
    private(set) var evaluations: [String: Int] = [:]
    private(set) var commits: [String: Int] = [:]
    private(set) var instances: [String: Int] = [:]
    var ticks = 0
    /// Milliseconds by kind.
    var stalls: [String: [Double]]?
    /// What was evaluated since the last commit, and is still there.
    private var uncommitted: Set<NodeReference> = []

    /// The others are the render loop's own.
    private static let views: Set = [
        "Shop", "Header", "CartTotal", "ItemList", "ItemRow", "TickerLabel", "ReportView",
    ]

    private enum CodingKeys: CodingKey { case evaluations, commits, instances, ticks, stalls }

    mutating func count(_ event: LoopEvent) {
        switch event {
        case .mounted(let view) where Self.views.contains(view.name): instances[view.name, default: 0] += 1
        case .evaluated(let view, _) where Self.views.contains(view.name):
            evaluations[view.name, default: 0] += 1
            uncommitted.insert(view)
        case .unmounted(let view) where Self.views.contains(view.name):
            instances[view.name, default: 0] -= 1
            uncommitted.remove(view)
        case .committed:
            for view in uncommitted { commits[view.name, default: 0] += 1 }
            uncommitted.removeAll(keepingCapacity: true)
        default: break
        }
    }

    /// The counts as a table.
    func table(_ scenario: ShopScenario) -> String {
        let total = evaluations.values.reduce(0, +)
        let rows = evaluations.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        let lines = rows.map { view, count in
            row(view, "\(count)", "\(instances[view] ?? 0)", perTick(count))
        }
        let head = "\(scenario.rawValue): \(ticks) ticks, \(total) evaluations, as the demo itself counted them"
        return ([head, row("view", "evaluations", "instances", "per tick")] + lines).joined(separator: "\n")
    }

    private func perTick(_ count: Int) -> String {
        ticks == 0 ? "-" : (Double(count) / Double(ticks)).formatted(.number.precision(.fractionLength(2)))
    }

    private func row(_ view: String, _ columns: String...) -> String {
        "  " + view.padding(toLength: 12, withPad: " ", startingAt: 0)
            + columns.map { String(repeating: " ", count: max(1, 13 - $0.count)) + $0 }.joined()
    }
}
