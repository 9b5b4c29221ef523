// SPDX-License-Identifier: MIT
// The flow layout of "The SwiftUI render loop": words in lines that are as full as measured sizes allow.

import RenderLoop
import Testing

@testable import RenderLoopScenarios
@testable import RenderLoopSupport

@MainActor
@Suite struct FlowLayoutTests {
    private static func lines(_ stage: Stage, _ count: Int) -> [String] { Array(stage.lines.prefix(count)) }

    @Test func wordsAreInTheirLinesBeforeAnythingIsSeen() {
        let stage = Stage(FlowLayout.FlowScreen())
        #expect(Self.lines(stage, 2) == ["one three", "seven eleven"])
        #expect(stage.renderer.history.count == 1, "that all are in one place is never committed")
        #expect(stage.loop.turn == 1)
        let events = stage.takeEvents()
        let bodies = events.count { if case .evaluated(let node, _) = $0 { node.name == "Flow" } else { false } }
        #expect(bodies == 2, "once without sizes, once with them")
        let again = events.compactMap {
            if case .evaluatedAgain(let node, let handler) = $0, node.name == "Flow" { handler?.kind } else { nil }
        }
        #expect(again == ["onPreferenceChange(SizesKey)"])
    }

    @Test func aWordThatGrowsMovesTheOthersInTheSameTurn() {
        let stage = Stage(FlowLayout.FlowScreen())
        let turn = stage.loop.turn
        _ = stage.takeEvaluations()
        stage.tap("grow")
        #expect(Self.lines(stage, 3) == ["one hundred", "three seven", "eleven"])
        #expect(stage.renderer.history.count == 2)
        #expect(stage.loop.turn == turn + 1)
        #expect(stage.takeEvaluations().count { $0 == "Flow" } == 2)
        #expect(stage.warnings.isEmpty)
    }
}
