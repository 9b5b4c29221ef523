// SPDX-License-Identifier: MIT
// What a store says of views with `.rerender()`, against what the bodies and the loop's events say.

import Observation
import OpenCombine
import RenderLoop
import Rerender
import RerenderModel
import Testing
@testable import RenderLoopSupport

/// Counts what bodies do, independently of the store.
@MainActor
private final class Truth {
    var bodies: [String: UInt64] = [:]
    func body(_ view: String) { bodies[view, default: 0] += 1 }
}

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

private struct LocaleKey: EnvironmentKey {
    static var defaultValue: String { "none" }
}

extension EnvironmentValues {
    fileprivate var locale: String {
        get { self[LocaleKey.self] }
        set { self[LocaleKey.self] = newValue }
    }
}

@MainActor
@Suite struct RerenderModifierTests {
    private struct Screen: View {
        let truth: Truth
        let clock: Clock
        @StateObject var model = Series()
        @State private var open = false
        @State private var locale = "none"

        var body: some View {
            let _ = truth.body("Screen")
            VStack {
                Text(open ? "open" : "shut")
                Button("heart") { model.isMyFavourite.toggle() }
                Button("open") { open.toggle() }
                Button("locale") { locale += "x" }
                Episodes(truth: truth, model: model).rerender("Episodes")
                Ticks(truth: truth, clock: clock).padding().rerender("the clock")
                Local(truth: truth).rerender("Local")
                ForEach(0..<3) { Row(truth: truth, number: $0, open: open) }.rerender("Row")
            }
            .environment(\.locale, locale)
        }
    }

    private struct Episodes: View {
        let truth: Truth
        @ObservedObject var model: Series
        var body: some View {
            let _ = truth.body("Episodes")
            Text("episodes of \(model.title)")
        }
    }

    private struct Ticks: View {
        let truth: Truth
        let clock: Clock
        var body: some View {
            let _ = truth.body("the clock")
            Text("\(clock.tick)")
        }
    }

    private struct Local: View {
        let truth: Truth
        @Environment(\.locale) var locale
        var body: some View {
            let _ = truth.body("Local")
            Text(locale)
        }
    }

    private struct Row: View {
        let truth: Truth
        let number: Int
        let open: Bool
        var body: some View {
            let _ = truth.body("Row")
            Text("row \(number)")
        }
    }

    private func stage(_ truth: Truth, _ clock: Clock, _ store: RerenderStore?) -> Stage {
        Stage(Screen(truth: truth, clock: clock).rerender("Screen").rerenderStore(store), width: 60, height: 20)
    }

    private func stats(_ store: RerenderStore, _ key: String) throws -> Stats {
        try #require(store.stats.first { $0.key.rawValue == key })
    }

    @Test func theStoreCountsWhatTheBodiesCount() throws {
        let store = RerenderStore(name: "render-loop-tests")
        let (truth, clock) = (Truth(), Clock())
        let stage = stage(truth, clock, store)
        for name in ["heart", "open", "heart", "locale", "open"] { stage.tap(name) }
        stage.act { clock.tick += 1 }
        #expect(Dictionary(uniqueKeysWithValues: store.stats.map { ($0.key.rawValue, $0.count) }) == truth.bodies)
        let rows = try stats(store, "Row")
        #expect(rows.instances == 3)
        #expect(rows.count == 9)
        #expect(try stats(store, "the clock").file.hasSuffix("RerenderModifierTests.swift"))
        // All of a turn's evaluations are followed by one commit.
        #expect(store.stats.allSatisfy { $0.commits == $0.count })
    }

    @Test func reasonsNameWhatChanged() throws {
        let store = RerenderStore(name: "render-loop-tests")
        let (truth, clock) = (Truth(), Clock())
        let stage = stage(truth, clock, store)
        #expect(store.stats.allSatisfy { $0.lastReason == Reason.initial })
        stage.tap("heart")
        #expect(try stats(store, "Episodes").lastReason == "model.isMyFavourite")
        #expect(try stats(store, "Screen").lastReason == "model.isMyFavourite")
        #expect(try stats(store, "Row").lastReason == Reason.initial, "its inputs are equal")
        stage.tap("open")
        #expect(try stats(store, "Screen").lastReason == "open")
        #expect(try stats(store, "Row").lastReason == "open")
        stage.tap("locale")
        #expect(try stats(store, "Local").lastReason == "locale")
        stage.act { clock.tick += 1 }
        #expect(try stats(store, "the clock").lastReason == "clock.tick")
        let kinds = try stats(store, "Screen").reasons.map { [$0.reason: $0.attribution] }
        #expect(kinds.contains(["open": .announced]))
    }

    @Test func wasteIsMeasuredByWhatTheCommitChanged() throws {
        let store = RerenderStore(name: "render-loop-tests")
        let (truth, clock) = (Truth(), Clock())
        let stage = stage(truth, clock, store)
        #expect(store.stats.allSatisfy { $0.wasted.count == 0 }, "everything is new")
        stage.tap("heart")
        let episodes = try stats(store, "Episodes")
        #expect(episodes.wasted.measured == 1 && episodes.wasted.count == 1)
        #expect(episodes.wasted.kinds == [.sameOutput: 1])
        stage.tap("open")
        #expect(try stats(store, "Row").wasted.measured == 3, "it does not show what is open")
        stage.tap("locale")
        stage.act { clock.tick += 1 }
        #expect(try stats(store, "Local").wasted.count == 0)
        #expect(try stats(store, "the clock").wasted.count == 0)
        #expect(store.stats.allSatisfy { $0.wasted.inferred == 0 })
    }

    private struct Page: View {
        @StateObject var model = Series()
        @State private var shift = 0
        var body: some View {
            VStack {
                Button("heart") { model.isMyFavourite.toggle() }
                Button("shift") { shift += 1 }
                Heart(model: model).offset(x: shift).rerender("Heart")
                Given(isFavourite: model.isMyFavourite && shift > 0).rerender("Given")
            }
        }
    }

    private struct Heart: View {
        @ObservedObject var model: Series
        var body: some View { Text(model.isMyFavourite ? "<3" : "</3") }
    }

    private struct Given: View {
        let isFavourite: Bool
        var body: some View { Text(isFavourite ? "yes" : "no") }
    }

    @Test func aChangeOfAViewThatReadsForItselfDoesNotExcuseThoseAroundIt() throws {
        let store = RerenderStore(name: "render-loop-tests")
        let stage = Stage(Page().rerender("Page").rerenderStore(store))
        stage.tap("heart")
        #expect(try stats(store, "Heart").wasted.count == 0)
        #expect(try stats(store, "Page").wasted.measured == 1, "only the heart is another one")
        stage.tap("shift")
        #expect(try stats(store, "Page").wasted.measured == 1, "what it says of its own has changed")
        stage.tap("heart")
        #expect(try stats(store, "Given").wasted.count == 0)
        #expect(try stats(store, "Page").wasted.measured == 1, "it gave a view something else")
        #expect(try stats(store, "Given").count == 3)
    }

    private struct Preferring: View {
        @State private var locale = "none"
        @State private var count = 0
        var body: some View {
            VStack {
                Button("locale") { locale += "x" }
                Button("count") { count += 1 }
                Local(truth: Truth()).rerender("Local")
            }
            .environment(\.locale, "\(locale)\(count / 2)")
        }
    }

    @Test func whatAnEnvironmentBringsIsTheDoingOfTheViewThatSetsIt() throws {
        let store = RerenderStore(name: "render-loop-tests")
        let stage = Stage(Preferring().rerender("Preferring").rerenderStore(store))
        stage.tap("locale")
        #expect(try stats(store, "Preferring").wasted.count == 0)
        stage.tap("count")
        #expect(try stats(store, "Preferring").wasted.measured == 1)
    }

    @Test func withoutAStoreNothingIsDone() {
        let (truth, clock) = (Truth(), Clock())
        let stage = stage(truth, clock, nil)
        stage.tap("heart")
        #expect(truth.bodies["Episodes"] == 2)
        #expect(truth.bodies["Row"] == 3)
    }

    private struct Gone: View {
        @State private var shows = true
        var body: some View {
            VStack {
                Button("toggle") { shows.toggle() }
                if shows { Leaf().rerender("Leaf") }
            }
        }
    }

    private struct Leaf: View {
        var body: some View { Text("leaf") }
    }

    @Test func instancesEndWithTheirViews() throws {
        let store = RerenderStore(name: "render-loop-tests")
        let stage = Stage(Gone().rerenderStore(store))
        #expect(try stats(store, "Leaf").instances == 1)
        stage.tap("toggle")
        #expect(try stats(store, "Leaf").instances == 0)
        stage.tap("toggle")
        #expect(try stats(store, "Leaf").instances == 1)
        #expect(try stats(store, "Leaf").reasons.map(\.reason) == [Reason.initial])
    }

    @Test func instancesOfTwoLoopsCountApart() throws {
        let store = RerenderStore(name: "render-loop-tests")
        let stages = (0..<2).map { _ in Stage(Leaf().rerender("Leaf").rerenderStore(store)) }
        #expect(try stats(store, "Leaf").instances == 2)
        #expect(try stats(store, "Leaf").count == 2)
        withExtendedLifetime(stages) {}
    }

    @Test func aViewWithoutALabelCountsUnderItsFileAndLine() throws {
        let store = RerenderStore(name: "render-loop-tests")
        let stage = Stage(Leaf().rerender().rerenderStore(store))
        let key = "\(#fileID):\(#line - 1)"
        #expect(store.stats.map(\.key.rawValue) == [key])
        store.evaluate(of: Leaf()) {}
        let known = "\(#fileID):\(#line - 1)"
        #expect(store.stats.map(\.key.rawValue).contains(known), "as in the store itself")
        withExtendedLifetime(stage) {}
    }

    private struct Badge: View {
        let truth: Truth
        var body: some View {
            let _ = truth.body("Badge")
            Text("!")
        }
    }

    private struct Frame<Content: View>: View {
        let truth: Truth
        let content: Content
        var body: some View {
            let _ = truth.body("Frame")
            content.padding()
        }
    }

    private struct Framed: ViewModifier {
        let truth: Truth
        func body(content: Content) -> some View {
            let _ = truth.body("Framed")
            return Frame(truth: truth, content: content.modifier(Noted())).overlay(Badge(truth: truth))
        }
    }

    private struct Noted: ViewModifier {
        func body(content: Content) -> some View { content.rerender("noted") }
    }

    private struct Plain: ViewModifier {
        let truth: Truth
        func body(content: Content) -> some View {
            let _ = truth.body("Plain")
            return Frame(truth: truth, content: content).rerender("frame").overlay(Badge(truth: truth))
        }
    }

    @Test func theModifiedViewIsMeantAndNotTheModifiersBody() throws {
        let store = RerenderStore(name: "render-loop-tests")
        let (truth, clock) = (Truth(), Clock())
        let stage = Stage(
            VStack {
                Ticks(truth: truth, clock: clock).modifier(Plain(truth: truth)).modifier(Plain(truth: truth))
                    .rerender("ticks")
                Local(truth: truth).modifier(Framed(truth: truth)).rerender("local")
                Group {
                    Leaf()
                    Leaf()
                }.modifier(Plain(truth: truth)).rerender("leaf")
                Text("none").modifier(Plain(truth: truth)).rerender("none")
            }.rerenderStore(store))
        for _ in 0..<2 { stage.act { clock.tick += 1 } }
        #expect(truth.bodies["the clock"] == 3)
        #expect(try stats(store, "ticks").count == 3)
        #expect(try stats(store, "ticks").instances == 1)
        #expect(try stats(store, "noted").count == truth.bodies["Local"], "the nearest label counts")
        #expect(try stats(store, "leaf").instances == 2)
        #expect(try stats(store, "frame").instances == 5, "what is in a modifier's body is counted by that alone")
        #expect(store.stats.allSatisfy { !["none", "local"].contains($0.key.rawValue) }, "there is no view in it")
    }

    @MainActor
    private final class Sending: ObservableObject {
        @Published var published = 0
        var number = 0
    }

    private struct Receiver: View {
        @ObservedObject var model: Sending
        var body: some View { Text("\(model.number) \(model.published)") }
    }

    @Test func anObjectThatSendsByHandIsNamedByThePropertyThatHasIt() throws {
        let store = RerenderStore(name: "render-loop-tests")
        let model = Sending()
        let stage = Stage(Receiver(model: model).rerender("receiver").rerenderStore(store))
        stage.act {
            model.objectWillChange.send()
            model.number = 1
        }
        #expect(stage.screen == "1 0")
        #expect(try stats(store, "receiver").lastReason == "model")
        stage.act { model.published = 1 }
        #expect(try stats(store, "receiver").lastReason == "model.published")
    }
    private struct NumberRow: View {
        let number: Int
        var body: some View { Text("row \(number)") }
    }

    @Test func probesLeaveTheRowsOfAListAsTheyAre() throws {
        let store = RerenderStore(name: "render-loop-tests")
        let stage = Stage(
            List {
                Text("head")
                ForEach(0..<1_000) { NumberRow(number: $0) }.rerender("NumberRow")
            }
            .rerenderStore(store))
        #expect(stage.screen.hasPrefix("head\nrow 0\nrow 1\n"), "\(stage.screen)")
        #expect(stage.takeEvaluations().count { $0 == "NumberRow" } == 11, "as many as lines")
        #expect(try stats(store, "NumberRow").count == 11)
    }
}
