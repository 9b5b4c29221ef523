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

    /// The sum, as a line.
    func summary(_ scenario: ShopScenario) -> String {
        let total = evaluations.values.reduce(0, +)
        return "\(scenario.rawValue): \(ticks) ticks, \(total) evaluations, as the demo itself counted them"
    }
}
