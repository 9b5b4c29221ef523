// SPDX-License-Identifier: MIT
// A background that shows evaluations by its colour.

import RenderLoop
import Testing
@testable import RenderLoopSupport

@MainActor
@Suite struct DebugBackgroundTests {
    private struct Screen: View {
        let note: @MainActor () -> Void
        @State private var taps = 0
        @State private var unread = 0
        var body: some View {
            let _ = note()
            VStack {
                Button("tap") { taps += 1 }
                Button("unread") { unread += 1 }
                Text("\(taps)").padding().background(.debug)
            }
        }
    }

    private func color(_ stage: Stage) -> Color? {
        func find(_ layer: Layer) -> Color? {
            if case .fill(let color) = layer.committed.content { return color }
            return layer.committed.sublayers.lazy.compactMap(find).first
        }
        return find(stage.loop.committedRoot)
    }

    @Test func theColourIsAnotherOneAfterEachEvaluationAndOnlyThen() throws {
        var bodies = 0
        let stage = Stage(Screen { bodies += 1 })
        var colors = [try #require(color(stage))]
        for _ in 0..<20 {
            stage.tap("tap")
            colors.append(try #require(color(stage)))
            stage.tap("unread")
            #expect(color(stage) == colors.last)
        }
        #expect(bodies == 21)
        #expect(zip(colors, colors.dropFirst()).allSatisfy { $0 != $1 && $0.letter != $1.letter })
        #expect(Set(colors).count > 15)
    }

    @Test func theSeedDecidesTheColours() {
        func colors(_ seed: UInt64) -> [Color?] {
            let stage = Stage(Screen {})
            stage.loop.setDebugColors(seed: seed)
            return (0..<5).map { _ in
                stage.tap("tap")
                return color(stage)
            }
        }
        #expect(colors(7) == colors(7))
        #expect(colors(7) != colors(8))
    }
}
