// SPDX-License-Identifier: MIT
// Bodies that are evaluated twice in a turn: a waste of their own, with the handler that caused it.

import Observation
import OpenCombine
import RenderLoop
import Rerender
import RerenderModel
import Testing
@testable import RenderLoopSupport

@MainActor
@Suite struct AgainInATurnTests {
    private final class Loader: ObservableObject {
        @Published var status = "invalid"
    }

    private struct Article: View {
        @StateObject var loader = Loader()
        var body: some View { Text(loader.status).onAppear { loader.status = "loading" } }
    }

    private func stats(_ store: RerenderStore, _ key: String) throws -> Stats {
        try #require(store.stats.first { $0.key.rawValue == key })
    }

    @Test func theResultThatNobodySawIsWasted() throws {
        let store = RerenderStore(name: "render-loop-tests")
        let stage = Stage(Article().rerender("Article").rerenderStore(store))
        #expect(stage.renderer.history == ["loading"])
        let article = try stats(store, "Article")
        #expect(article.count == 2 && article.commits == 1)
        #expect(article.wasted.kinds == [.twiceInATurn: 1])
        #expect(article.wasted.inferred == 1 && article.wasted.measured == 0)
        let reason = try #require(article.reasons.first { $0.reason == "loader.status" })
        #expect(reason.writers.count == 1)
        #expect(reason.writers.first?.writer.hasSuffix("Article: onAppear") == true, "\(reason.writers)")
    }

    @Observable
    fileprivate final class Sizes {
        var width = 0
    }

    private struct Observing: View {
        let sizes: Sizes
        @State private var taps = 0
        var body: some View {
            VStack {
                Text("\(sizes.width) \(taps)")
                Button("tap") { taps += 1 }
            }
            .onChange(of: taps) { sizes.width = taps * 10 }
        }
    }

    @Test func theHandlerIsNamedWithTheWriterOfAnObservedProperty() throws {
        let store = RerenderStore(name: "render-loop-tests")
        let stage = Stage(Observing(sizes: Sizes()).rerender("Observing").rerenderStore(store))
        stage.tap("tap")
        let view = try stats(store, "Observing")
        #expect(view.count == 3)
        #expect(view.wasted.kinds == [.twiceInATurn: 1])
        let reason = try #require(view.reasons.first { $0.reason == "sizes.width" })
        #expect(reason.attribution == .exact)
        #expect(reason.writers.contains { $0.writer.hasSuffix("in Observing: onChange(of: Int)") })
        let handlers = stage.takeEvents().compactMap {
            if case .evaluatedAgain(_, let handler) = $0 { handler?.kind } else { nil }
        }
        #expect(handlers == ["onChange(of: Int)"])
    }

    private struct Counting: View {
        @State private var count = 0
        var body: some View { Button("count \(count)") { count += 1 }.inputName("count") }
    }

    @Test func whatAnOpenTransactionKeptBackIsToldWithItsCommit() throws {
        let store = RerenderStore(name: "render-loop-tests")
        let stage = Stage(Counting().rerender("Counting").rerenderStore(store))
        stage.loop.beginTransaction()
        stage.tap("count")
        stage.clock.turn()
        let before = try stats(store, "Counting")
        #expect(stage.screen == "count 0" && before.count == 2 && before.commits == 1)
        stage.loop.endTransaction()
        #expect(stage.screen == "count 1")
        let counting = try stats(store, "Counting")
        #expect(counting.count == 2 && counting.commits == 2)
        #expect(counting.wasted.count == 0)
    }

    private struct Restless: View {
        @State private var counter = 0
        var body: some View {
            Button("counter \(counter)") { counter = 42 }.inputName("button").onChange(of: counter) { counter += 1 }
        }
    }

    @Test func eachResultButTheLastIsWasted() throws {
        let store = RerenderStore(name: "render-loop-tests")
        let stage = Stage(Restless().rerender("Restless").rerenderStore(store))
        #expect(try stats(store, "Restless").wasted.count == 0)
        stage.tap("button")
        let view = try stats(store, "Restless")
        #expect(view.count == 4 && view.commits == 2)
        #expect(view.wasted.kinds == [.twiceInATurn: 2])
        #expect(view.wasted.nanoseconds <= view.body.totalNanoseconds)
    }

    private struct Idle: View {
        let note: @MainActor () -> Void
        @State private var isThere = false
        @State private var step = 0
        var body: some View {
            let _ = note()
            let _ = (isThere, step)
            Button("step") { step += 1 }.onChange(of: step) { isThere.toggle() }
        }
    }

    @Test func evaluationsThatChangeNothingAreMeasuredHoweverOften() throws {
        let store = RerenderStore(name: "render-loop-tests")
        var bodies = 0
        let stage = Stage(Idle { bodies += 1 }.rerender("Idle").rerenderStore(store))
        stage.tap("step")
        let view = try stats(store, "Idle")
        #expect(bodies == 3 && view.count == 3)
        #expect(view.wasted.measured == 2)
        #expect(view.wasted.kinds == [.sameOutput: 2])
    }
}
