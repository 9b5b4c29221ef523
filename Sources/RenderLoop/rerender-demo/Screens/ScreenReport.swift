// SPDX-License-Identifier: MIT
// What each step evaluated, as lines and as JSON.

import Foundation
import RenderLoopScenarios

/// Steps and what they evaluated, as the loop told it.
struct ScreenReport: Encodable {
    struct Step: Encodable {
        let step: String
        let evaluations: Redraws
    }

    let scenario: String
    private(set) var steps: [Step] = []
    private(set) var evaluations: Redraws = [:]

    init(scenario: RedrawScenario) { self.scenario = scenario.rawValue }

    mutating func add(_ step: String, _ redraws: Redraws) {
        steps.append(Step(step: step, evaluations: redraws))
        count(redraws)
    }

    /// Adds to the sums alone: a user's steps have no end.
    mutating func count(_ redraws: Redraws) { evaluations.merge(redraws, uniquingKeysWith: +) }

    /// A line for each step, and one for all.
    var text: String {
        let width = min(steps.map(\.step.count).max() ?? 0, 24)
        let lines = steps.map { Self.line($0.step, $0.evaluations, width: width) }
        return (lines + [Self.line("in all", evaluations, width: width)]).map { "  " + $0 }.joined(separator: "\n")
    }

    /// A step and the views that it evaluated.
    private static func line(_ step: String, _ redraws: Redraws, width: Int) -> String {
        step + String(repeating: " ", count: max(1, width + 2 - step.count)) + views(redraws)
    }

    /// The render loop's own, which no reader of the program knows and Rerender does not count.
    private static let ownViews: Set = ["Slider", "TextField"]

    /// The views, by name; how often where that is more than once.
    static func views(_ redraws: Redraws) -> String {
        let views = redraws.filter { !ownViews.contains($0.key) }.sorted { $0.key < $1.key }.map {
            $1 == 1 ? $0 : "\($0) \($1)×"
        }
        return views.isEmpty ? "nothing is evaluated" : views.joined(separator: ", ")
    }
}
