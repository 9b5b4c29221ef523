// SPDX-License-Identifier: MIT
// The highlight flashes views that are evaluated again.

import RenderLoop
import Rerender
import Testing
@testable import RenderLoopSupport

@MainActor
@Suite struct HighlightTests {
    private struct Screen: View {
        @State private var taps = 0
        var body: some View {
            VStack(alignment: .leading) {
                Button("tap") { taps += 1 }
                Count(taps: taps).rerender("Count")
                Same(taps: taps).rerender("Same")
                Text("below")
            }
        }
    }

    private struct Count: View {
        let taps: Int
        var body: some View { Text("taps \(taps)") }
    }

    private struct Same: View {
        let taps: Int
        var body: some View { Text("the same") }
    }

    /// Switches the highlight of all loops on for the time of a call, in which nothing waits.
    private func highlighted(_ store: String, _ body: () -> Void) throws {
        let live = try #require(LiveStore.all.first { $0.name == store })
        live.highlight(true)
        body()
        live.highlight(false)
    }

    @Test func whatIsEvaluatedAgainFlashesRedAndOrangeWhereItChangedNothing() throws {
        let store = RerenderStore(name: "highlighted")
        let stage = Stage(Screen().rerenderStore(store))
        try highlighted("highlighted") {
            #expect(stage.overlays == [])
            let before = stage.loop.evaluations
            stage.tap("tap")
            stage.clock.settle()
            let seen = stage.overlays
            let (contents, frames) = (seen.map(\.content), seen.map(\.frame))
            #expect(contents == [.fill(.red), .fill(.orange)])
            #expect(frames == [CellRect(0, 1, 6, 1), CellRect(0, 2, 8, 1)])
            let areFaint = seen.allSatisfy { $0.opacity > 0 && $0.opacity <= 0.3 }
            #expect(areFaint)
            #expect(stage.loop.evaluations == before + 3, "a flash evaluates nothing")
            stage.clock.advance(by: 320_000_000)
            #expect(stage.overlays == [])
        }
        stage.tap("tap")
        stage.clock.settle()
        #expect(stage.overlays == [])
    }

    private struct Rows: View {
        @State private var taps = 0
        var body: some View {
            VStack {
                Button("tap") { taps += 1 }
                ForEach(0..<250) { _ in Count(taps: taps).rerender("Count") }
            }
        }
    }

    @Test func atMostTwoHundredFlashAndTheOthersAreCounted() throws {
        let store = RerenderStore(name: "many highlighted")
        let stage = Stage(Rows().rerenderStore(store), width: 20, height: 300)
        try highlighted("many highlighted") {
            stage.tap("tap")
            stage.clock.settle()
            #expect(stage.overlays.count == 200)
            #expect(stage.loop.droppedOverlays == 50)
            #expect(stage.warnings == [.tooManyOverlays(200)])
        }
    }
}
