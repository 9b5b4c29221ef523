// SPDX-License-Identifier: MIT
// A store of Rerender's under the graph.

import Observation
import OpenCombine
import RenderLoop
import Rerender
import RerenderModel
import Testing

@MainActor
private final class Series: ObservableObject {
    @Published var title = "t"
    @Published var isMyFavourite = false
}

@MainActor
@Observable
private final class Clock {
    var tick = 0
}

@MainActor
@Suite struct StoreProbeTests {
    private struct Counted: ViewModifier {
        typealias Body = ModifiedContent<Content, ProbeModifier>
        let label: String
        func body(content: Content) -> Body {
            content.modifier(
                ProbeModifier { [label] node in
                    node.environment.values.rerenderStore.map { StoreProbe($0, label: label, node: node) }
                })
        }
    }

    private struct Screen: View {
        let clock: Clock
        @StateObject var model = Series()
        @State private var open = false
        var body: some View {
            VStack {
                Text(open ? "open" : "shut")
                Button("heart") { model.isMyFavourite.toggle() }
                Button("open") { open.toggle() }
                Episodes(model: model).modifier(Counted(label: "Episodes"))
                Ticks(clock: clock).modifier(Counted(label: "Ticks"))
            }
            .modifier(Counted(label: "outer"))
        }
    }

    private struct Episodes: View {
        @ObservedObject var model: Series
        var body: some View { Text("episodes of \(model.title)") }
    }

    private struct Ticks: View {
        let clock: Clock
        var body: some View { Text("\(clock.tick)") }
    }

    @Test func aStoreHasReasonsCommitsAndMeasuredWaste() throws {
        let store = RerenderStore(name: "render-loop-tests")
        let clock = Clock()
        let stage = Stage(Screen(clock: clock).modifier(Counted(label: "Screen")).environment(\.rerenderStore, store))
        stage.tap("heart")
        stage.tap("open")
        stage.act { clock.tick += 1 }
        let stats = Dictionary(uniqueKeysWithValues: store.stats.map { ($0.key.rawValue, $0) })
        let episodes = try #require(stats["Episodes"])
        #expect(episodes.count == 2)
        #expect(episodes.lastReason == "model.isMyFavourite")
        #expect(episodes.commits == 2)
        #expect(episodes.wasted.measured == 1 && episodes.wasted.count == 1)
        #expect(stats["Screen"]?.count == 3)
        #expect(stats["Screen"]?.lastReason == "open")
        #expect(stats["Ticks"]?.count == 2)
        #expect(stats["Ticks"]?.lastReason == "clock.tick")
        #expect(stats["Ticks"]?.wasted.count == 0)
    }

    @Test func withoutAStoreNothingIsDone() {
        let stage = Stage(Screen(clock: Clock()).modifier(Counted(label: "Screen")))
        stage.tap("heart")
        #expect(stage.screen.contains("episodes of t"))
    }
}
