// SPDX-License-Identifier: MIT
// All scenarios of the demo, by their names.

import ArgumentParser
import RenderLoopScenarios

/// A shop that runs by itself, or a screen that is operated.
enum DemoScenario: ExpressibleByArgument, Equatable {
    case shop(ShopScenario)
    case screen(RedrawScenario)

    init?(argument: String) {
        guard let known = Self.all.first(where: { $0.name == argument }) else { return nil }
        self = known.scenario
    }

    static var allValueStrings: [String] { all.map(\.name) }

    /// Every name with what it is, as help shows them.
    static var listing: String {
        let width = all.map(\.name.count).max() ?? 0
        return all.map { name, summary, _ in
            "  " + name + String(repeating: " ", count: width + 2 - name.count) + summary
        }.joined(separator: "\n")
    }

    private static var all: [(name: String, summary: String, scenario: DemoScenario)] {
        ShopScenario.allCases.map { ($0.rawValue, $0.summary, .shop($0)) }
            + RedrawScenario.allCases.map { ($0.rawValue, $0.summary, .screen($0)) }
    }
}
