// SPDX-License-Identifier: MIT
// Pulses draw a border around the views of a key, for a second.

import RenderLoop
import Rerender
import Testing
@testable import RenderLoopSupport

@MainActor
@Suite struct PulseTests {
    private struct Screen: View {
        @State private var lines = 1
        var body: some View {
            VStack(alignment: .leading) {
                Text(String(repeating: "above\n", count: lines) + "above")
                Button("more") { lines += 1 }
                Leaf().padding(1).rerender("leaf")
                Text("below")
            }
        }
    }

    private struct Leaf: View {
        var body: some View { Text("leaf") }
    }

    private let store = RerenderStore(name: "render-loop-tests")

    @Test func aPulseIsABorderAroundTheViewForASecond() {
        let stage = Stage(Screen().rerenderStore(store))
        #expect(stage.screen == "above\nabove\nmore\n\n leaf\n\nbelow")
        let before = stage.loop.evaluations
        stage.loop.pulse("leaf")
        stage.clock.settle()
        #expect(
            stage.overlays == [
                SeenOverlay(content: .border(.red, points: 3), frame: CellRect(0, 3, 6, 3), opacity: 1)
            ])
        #expect(stage.screen == "above\nabove\nmore\n+----+\n|leaf|\n+----+\nbelow")
        stage.clock.advance(by: 980_000_000)
        #expect(stage.overlays.count == 1)
        stage.clock.advance(by: 40_000_000)
        #expect(stage.overlays == [])
        #expect(stage.screen == "above\nabove\nmore\n\n leaf\n\nbelow")
        #expect(stage.loop.evaluations == before, "showing evaluates nothing")
    }

    @Test func theBorderFollowsTheView() {
        let stage = Stage(Screen().rerenderStore(store))
        stage.loop.pulse("leaf")
        stage.clock.settle()
        stage.tap("more")
        #expect(stage.overlays.map(\.frame) == [CellRect(0, 4, 6, 3)])
    }

    @Test func anotherPulseBeginsAnew() {
        let stage = Stage(Screen().rerenderStore(store))
        stage.loop.pulse("leaf")
        stage.clock.advance(by: 800_000_000)
        stage.loop.pulse("leaf")
        stage.clock.advance(by: 800_000_000)
        #expect(stage.overlays.count == 1)
        stage.clock.advance(by: 300_000_000)
        #expect(stage.overlays == [])
    }

    @Test func aKeyThatNoViewHasShowsNothing() {
        let stage = Stage(Screen().rerenderStore(store))
        let turn = stage.loop.turn
        stage.loop.pulse("Leaf")
        stage.clock.settle()
        #expect(stage.overlays == [])
        #expect(stage.loop.turn == turn)
    }

    private struct Full: View {
        var body: some View { Color.blue.frame(width: 8, height: 4) }
    }

    @Test func aBorderStaysOnTheScreen() {
        let stage = Stage(Full().rerender("Full").rerenderStore(store), width: 8, height: 4)
        stage.loop.pulse("Full")
        stage.clock.settle()
        #expect(stage.screen == "+------+\n|BBBBBB|\n|BBBBBB|\n+------+")
    }

    private struct Rows: View {
        var body: some View { VStack { ForEach(0..<3) { _ in Leaf().rerender("Leaf") } } }
    }

    @Test func everyInstanceIsShown() {
        let stage = Stage(Rows().rerenderStore(store))
        stage.loop.pulse("Leaf")
        stage.clock.settle()
        #expect(stage.overlays.count == 3)
    }

    @Test func aLoopMayGoWhileABorderIsShown() {
        weak var loop: RenderLoop?
        do {
            let stage = Stage(Rows().rerenderStore(store))
            stage.loop.pulse("Leaf")
            stage.clock.settle()
            loop = stage.loop
        }
        #expect(loop == nil)
    }
}
