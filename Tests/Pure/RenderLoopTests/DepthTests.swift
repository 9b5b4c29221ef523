// SPDX-License-Identifier: MIT
// How deep views can be in one another.

import Foundation
import RenderLoop
import Rerender
import Testing
@testable import RenderLoopSupport

@MainActor
@Suite struct DepthTests {
    private final class Found {
        var depth: UInt32 = 0
        var ends = 0
        init() {}
    }

    private struct End: View {
        let word: String
        var body: some View { Text(word) }
    }

    private struct Nested: View {
        let left: Int
        let word: String
        let found: Found
        var body: some View {
            ZStack {
                if left > 0 {
                    Nested(left: left - 1, word: word, found: found).rerender("Nested").opacity(1)
                } else {
                    End(word: word).onDisappear { found.ends += 1 }
                        .modifier(
                            ProbeModifier { [found] node in
                                found.depth = node.depth
                                return nil
                            })
                }
            }
        }
    }

    private struct Screen: View {
        let left: Int
        let found: Found
        @State private var word = "deep"
        @State private var shows = true
        var body: some View {
            VStack(alignment: .leading) {
                Button("change") { word = "changed" }
                Button("hide") { shows = false }
                if shows { Nested(left: left, word: word, found: found) }
            }
        }
    }

    /// All that goes down the tree: making, updating, laying out, drawing, taking away.
    @Test func aTreeThatIsAlmostAsDeepAsItMayBeIsKeptUpToDate() {
        let found = Found()
        let store = RerenderStore(name: "depth")
        let stage = Stage(Screen(left: 780, found: found).environment(\.rerenderStore, store))
        #expect(found.depth > Node.depthLimit * 9 / 10)
        #expect(stage.screen == "change\nhide\ndeep")
        stage.tap("change")
        #expect(stage.screen == "change\nhide\nchanged")
        stage.loop.send(InputEvent(.tap, location: CellPoint(x: 0, y: 1)))
        stage.clock.nextFrame()
        #expect(stage.screen == "change\nhide")
        #expect(found.ends == 1)
    }
}
