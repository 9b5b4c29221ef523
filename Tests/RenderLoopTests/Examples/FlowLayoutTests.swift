// SPDX-License-Identifier: MIT
// The flow layout of "The SwiftUI render loop", in our words: words in lines that are as full as measured sizes allow.

import RenderLoop
import Testing

/// The sizes of words, by their places.
private struct SizesKey: PreferenceKey {
    static var defaultValue: [Int: CellSize] { [:] }
    static func reduce(value: inout [Int: CellSize], nextValue: () -> [Int: CellSize]) {
        value.merge(nextValue()) { _, new in new }
    }
}

/// Puts words beside one another as long as they fit, once it knows their sizes.
private struct Flow: View {
    let words: [String]
    let width: Int
    let bodies: @MainActor () -> Void
    @State private var sizes: [Int: CellSize] = [:]

    var body: some View {
        bodies()
        let places = places()
        return ZStack(alignment: .topLeading) {
            ForEach(words.indices, id: \.self) { index in
                Text(words[index])
                    .background {
                        GeometryReader { Color.clear.preference(key: SizesKey.self, value: [index: $0.size]) }
                    }
                    .offset(x: places[index].x, y: places[index].y)
            }
        }
        .onPreferenceChange(SizesKey.self) { sizes = $0 }
    }

    private func places() -> [CellPoint] {
        var next = CellPoint.zero
        return words.indices.map { index in
            let size = sizes[index] ?? .zero
            if next.x > 0, next.x + size.width > width { next = CellPoint(x: 0, y: next.y + 1) }
            defer { next.x += size.width + 1 }
            return next
        }
    }
}

@MainActor
@Suite struct FlowLayoutTests {
    private struct Page: View {
        let bodies: @MainActor () -> Void
        @State private var words = ["one", "three", "seven", "eleven"]
        var body: some View {
            VStack(alignment: .leading) {
                Flow(words: words, width: 10, bodies: bodies).frame(width: 12, height: 4, alignment: .topLeading)
                Button("grow") { words[0] = "one hundred" }
            }
        }
    }

    @Test func wordsAreInTheirLinesBeforeAnythingIsSeen() {
        var bodies = 0
        let stage = Stage(Page { bodies += 1 })
        #expect(Array(stage.lines.prefix(3)) == ["one three", "seven", "eleven"])
        #expect(stage.renderer.history.count == 1, "that all are in one place is never committed")
        #expect(stage.loop.turn == 1)
        #expect(bodies == 2, "once without sizes, once with them")
        let again = stage.takeEvents().compactMap {
            if case .evaluatedAgain(let node, let handler) = $0, node.name == "Flow" { handler?.kind } else { nil }
        }
        #expect(again == ["onPreferenceChange(SizesKey)"])
    }

    @Test func aWordThatGrowsMovesTheOthersInTheSameTurn() {
        var bodies = 0
        let stage = Stage(Page { bodies += 1 })
        let turn = stage.loop.turn
        stage.tap("grow")
        #expect(Array(stage.lines.prefix(4)) == ["one hundred", "three", "seven", "eleven"])
        #expect(stage.renderer.history.count == 2)
        #expect(stage.loop.turn == turn + 1)
        #expect(bodies == 4)
        #expect(stage.warnings.isEmpty)
    }
}
