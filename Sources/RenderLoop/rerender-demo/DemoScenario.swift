// SPDX-License-Identifier: MIT
// All scenarios of the demo, by their names.

import ArgumentParser
import Foundation
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

    /// Every name with what it is, as help shows them: in lines of at most 80 columns.
    static var listing: String {
        let width = (all.map(\.name.count).max() ?? 0) + 4
        return all.map { name, summary, _ in
            let indent = String(repeating: " ", count: width)
            let first = "  " + name.padding(toLength: width - 2, withPad: " ", startingAt: 0)
            return first + wrapped(summary, 80 - width).joined(separator: "\n" + indent)
        }.joined(separator: "\n")
    }

    private static func wrapped(_ text: String, _ width: Int) -> [String] {
        text.split(separator: " ").reduce(into: []) { lines, word in
            guard let last = lines.last, last.count + 1 + word.count <= width else { return lines.append(String(word)) }
            lines[lines.count - 1] = last + " " + word
        }
    }

    private static var all: [(name: String, summary: String, scenario: DemoScenario)] {
        ShopScenario.allCases.map { ($0.rawValue, $0.summary, .shop($0)) }
            + RedrawScenario.allCases.map { ($0.rawValue, $0.summary, .screen($0)) }
    }
}
