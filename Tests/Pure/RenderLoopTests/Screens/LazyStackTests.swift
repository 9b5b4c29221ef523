// SPDX-License-Identifier: MIT
// Lazy stacks in scroll views: which rows are made, and where they lie.

import Observation
import RenderLoop
import Testing
@testable import RenderLoopSupport

@MainActor
@Suite struct LazyStackTests {
    private struct Row: View {
        let number: Int
        var height = 1
        var body: some View {
            Text((0..<height).map { $0 == 0 ? "row \(number)" : "  \($0)" }.joined(separator: "\n"))
        }
    }

    @MainActor
    @Observable
    fileprivate final class Rows {
        var count = 1000
    }

    private struct Table: View {
        let rows: Rows
        var height: @MainActor (Int) -> Int = { _ in 1 }
        var body: some View {
            VStack(alignment: .leading, spacing: 0) {
                Text("top")
                ScrollView {
                    LazyVStack(alignment: .leading) {
                        ForEach(0..<rows.count, id: \.self) { Row(number: $0, height: height($0)) }
                    }
                }
                .inputName("scroll")
                Text("end")
            }
        }
    }

    private func lines(_ numbers: Range<Int>) -> [String] { numbers.map { "row \($0)" } }

    /// How many rows were evaluated since the last call.
    private func rows(_ stage: Stage) -> Int { stage.takeEvaluations().filter { $0 == "Row" }.count }

    @Test func onlyTheRowsThatAreShownAreEvaluated() {
        let stage = Stage(Table(rows: Rows()), width: 10, height: 7)
        #expect(stage.screen.split(separator: "\n").map(String.init) == ["top"] + lines(0..<5) + ["end"])
        #expect(rows(stage) == 5)
    }

    @Test func scrollingEvaluatesTheRowsThatComeIntoSight() {
        let stage = Stage(Table(rows: Rows()), width: 10, height: 7)
        _ = stage.takeEvaluations()
        scroll(stage, .scrolled(2))
        #expect(stage.screen.split(separator: "\n").map(String.init) == ["top"] + lines(2..<7) + ["end"])
        #expect(rows(stage) == 2)
        scroll(stage, .value(1))
        #expect(stage.screen.split(separator: "\n").map(String.init) == ["top"] + lines(995..<1000) + ["end"])
        #expect(rows(stage) == 5)
        scroll(stage, .scrolled(3))
        #expect(stage.takeEvaluations() == [], "the end is reached")
        scroll(stage, .scrolled(-5000))
        #expect(stage.screen.hasPrefix("top\nrow 0\n"))
    }

    private func scroll(_ stage: Stage, _ kind: InputEvent.Kind) {
        stage.loop.send(InputEvent(kind, target: "scroll"))
        stage.clock.nextFrame()
        stage.clock.settle()
    }

    @Test func rowsOfSeveralHeightsFillTheSpace() {
        let stage = Stage(Table(rows: Rows()) { $0.isMultiple(of: 3) ? 3 : 1 }, width: 10, height: 9)
        #expect(stage.screen == "top\nrow 0\n  1\n  2\nrow 1\nrow 2\nrow 3\n  1\nend")
        scroll(stage, .scrolled(4))
        #expect(stage.screen == "top\nrow 2\nrow 3\n  1\n  2\nrow 4\nrow 5\nrow 6\nend")
        #expect(rows(stage) == 7)
    }

    @Test func rowsComeAndGoWithTheirElements() {
        let rows = Rows()
        rows.count = 2
        let stage = Stage(Table(rows: rows), width: 10, height: 6)
        #expect(stage.screen == "top\nrow 0\nrow 1\n\n\nend")
        stage.act { rows.count = 9 }
        #expect(stage.screen == "top\nrow 0\nrow 1\nrow 2\nrow 3\nend")
        stage.act { rows.count = 0 }
        #expect(stage.screen == "top\n\n\n\n\nend")
        stage.act { rows.count = 3 }
        #expect(stage.screen == "top\nrow 0\nrow 1\nrow 2\n\nend")
    }

    @Test func withoutAScrollViewTheScreenIsTheLimit() {
        let stage = Stage(LazyVStack { ForEach(0..<500) { Row(number: $0) } }, width: 5, height: 4)
        #expect(stage.screen == "row 0\nrow 1\nrow 2\nrow 3")
        #expect(rows(stage) == 4)
    }

    private struct Stateful: View {
        @State private var taps = 0
        let number: Int
        var body: some View { Button("\(number): \(taps)") { taps += 1 }.inputName("\(number)") }
    }

    @Test func aRowThatLeavesTheScreenIsGone() {
        let view = ScrollView { LazyVStack { ForEach(0..<100) { Stateful(number: $0) } } }.inputName("scroll")
        let stage = Stage(view, width: 6, height: 2)
        stage.tap("0")
        #expect(stage.screen.contains("0: 1"))
        scroll(stage, .scrolled(5))
        #expect(!stage.loop.hasInput(named: "0") && stage.loop.hasInput(named: "5"))
        scroll(stage, .scrolled(-5))
        #expect(stage.screen.contains("0: 0"))
    }

    @Test func aScrollViewShowsAPartOfAnyContent() {
        let numbers = VStack(alignment: .leading) { ForEach(0..<5) { Text("line \($0)") } }
        let stage = Stage(ScrollView { numbers }.inputName("scroll"), width: 10, height: 3)
        #expect(stage.screen == "line 0\nline 1\nline 2")
        scroll(stage, .scrolled(1))
        #expect(stage.screen == "line 1\nline 2\nline 3")
        scroll(stage, .scrolled(10))
        #expect(stage.screen == "line 2\nline 3\nline 4")
        let wide = Stage(ScrollView(.horizontal) { Text("abcdef") }.inputName("scroll"), width: 3, height: 1)
        #expect(wide.screen == "abc")
        scroll(wide, .scrolled(2))
        #expect(wide.screen == "cde")
    }

    @Test func spacingAndAlignmentAreKept() {
        let stack = LazyVStack(alignment: .trailing, spacing: 1) { ForEach(0..<2) { Text("\($0)") } }
        #expect(Stage(ScrollView { stack }, width: 3, height: 5).screen == "  0\n\n  1")
    }
}
