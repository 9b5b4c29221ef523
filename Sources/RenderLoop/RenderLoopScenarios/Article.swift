// SPDX-License-Identifier: MIT
// The two examples of "The SwiftUI render loop", in our words: loading in `onAppear`, and a layout by measured sizes.

import OpenCombine
import RenderLoop

/// An article that begins to load when it appears. Its body is evaluated twice in its first turn, and the screen never
/// shows what the first evaluation gave.
enum OnAppearLoading {
    @MainActor
    final class Loader: ObservableObject {
        @Published private(set) var status = "nothing"

        func fetch() { status = "loading" }
        func finish() { status = "loaded" }
    }

    struct Article: View {
        @StateObject private var loader = Loader()

        var body: some View {
            VStack(alignment: .leading) {
                Text("status: \(loader.status)")
                Button(action: { loader.finish() }, label: { ButtonText("finish") }).inputName("finish")
            }
            .onAppear { loader.fetch() }
        }
    }
}

/// Words in lines that are as full as their sizes allow. The sizes come up as preferences after the first evaluation; the
/// second one places the words, and only that is committed.
enum FlowLayout {
    struct FlowScreen: View {
        @State private var words = ["one", "three", "seven", "eleven"]

        var body: some View {
            VStack(alignment: .leading) {
                Flow(words: words, width: 12).rerender("Flow").frame(width: 14, height: 4, alignment: .topLeading)
                Button(action: { words[0] = "one hundred" }, label: { ButtonText("grow") }).inputName("grow")
            }
        }
    }

    /// The sizes of words, by their places.
    struct SizesKey: PreferenceKey {
        static var defaultValue: [Int: CellSize] { [:] }
        static func reduce(value: inout [Int: CellSize], nextValue: () -> [Int: CellSize]) {
            value.merge(nextValue()) { _, new in new }
        }
    }

    struct Flow: View {
        let words: [String]
        let width: Int
        @State private var sizes: [Int: CellSize] = [:]

        var body: some View {
            let places = places()
            ZStack(alignment: .topLeading) {
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
}
