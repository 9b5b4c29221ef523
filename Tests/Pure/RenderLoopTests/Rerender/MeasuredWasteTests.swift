// SPDX-License-Identifier: MIT
// Measured waste against the screen as it would be without the evaluation.

import Observation
import OpenCombine
import RenderLoop
import Rerender
import RerenderModel
import Testing
@testable import RenderLoopSupport

private struct LevelKey: EnvironmentKey {
    static var defaultValue: Int { 0 }
}

private struct NumberKey: PreferenceKey {
    static var defaultValue: Int { 0 }
    static func reduce(value: inout Int, nextValue: () -> Int) { value += nextValue() }
}

extension EnvironmentValues {
    fileprivate var level: Int {
        get { self[LevelKey.self] }
        set { self[LevelKey.self] = newValue }
    }
}

@MainActor
@Observable
private final class Shared {
    var number = 0
}

@MainActor
private final class Hub: ObservableObject {
    let number: Int
    @Published var unread = 0
    init(_ number: Int) { self.number = number }
}

/// What the views of one screen have in common; changes are made through it.
@MainActor
private final class Desk {
    let shared = Shared()
    let hubs = [Hub(0), Hub(1)]
    let first: (outer: Int, inner: Int)
    var outer: Binding<Int>?
    var inner: Binding<Int>?

    init(outer: Int, inner: Int) { first = (outer, inner) }
}

/// Has a number of its own, and gives its content something that is made of it.
private struct Outer: View {
    let desk: Desk
    let content: @MainActor (Desk, Int) -> AnyView
    @State private var number: Int

    init(_ desk: Desk, _ content: @escaping @MainActor (Desk, Int) -> AnyView) {
        self.desk = desk
        self.content = content
        _number = State(wrappedValue: desk.first.outer)
    }

    var body: some View {
        let _ = desk.outer = $number
        content(desk, number)
    }
}

/// Has a number of its own, and gets nothing that changes.
private struct Inner<Content: View>: View {
    let desk: Desk
    let content: @MainActor (Desk, Int) -> Content
    @State private var number: Int

    init(_ desk: Desk, @ViewBuilder _ content: @escaping @MainActor (Desk, Int) -> Content) {
        self.desk = desk
        self.content = content
        _number = State(wrappedValue: desk.first.inner)
    }

    var body: some View {
        let _ = desk.inner = $number
        content(desk, number)
    }
}

/// One whose content are always two views.
private struct Two: View {
    let desk: Desk
    @State private var number: Int

    init(_ desk: Desk) {
        self.desk = desk
        _number = State(wrappedValue: desk.first.inner)
    }

    var body: some View {
        let _ = desk.inner = $number
        Text("inner \(number)")
        Text("two")
    }
}

/// One whose content are other views whenever its number changes.
private struct Swapping: View {
    let desk: Desk
    @State private var number: Int

    init(_ desk: Desk) {
        self.desk = desk
        _number = State(wrappedValue: desk.first.inner)
    }

    var body: some View {
        let _ = desk.inner = $number
        if number.isMultiple(of: 2) { Level(name: "even") } else { Level(name: "odd") }
    }
}

private struct Level: View {
    var name = "level"
    @Environment(\.level) private var level
    var body: some View { Text("\(name) \(level)") }
}

private struct HubView: View {
    @EnvironmentObject private var hub: Hub
    var body: some View { Text("hub \(hub.number)") }
}

private struct SharedView: View {
    let shared: Shared
    var body: some View { Text("shared \(shared.number)") }
}

private struct Tagged: ViewModifier {
    let tag: Int
    func body(content: Content) -> some View {
        HStack {
            Text("\(tag)")
            content
        }
    }
}

private struct Levelled: ViewModifier {
    let level: Int
    func body(content: Content) -> some View { content.environment(\.level, level) }
}

/// What the outer view's number changes, past the inner view.
private struct Way: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let make: @MainActor @Sendable (Desk, Int) -> AnyView

    init(_ name: String, _ make: @escaping @MainActor @Sendable (Desk, Int) -> AnyView) {
        testDescription = name
        self.make = make
    }

    @MainActor private static func around(_ desk: Desk) -> some View {
        Inner(desk) { _, number in
            VStack(alignment: .leading) {
                Text("inner \(number)")
                Level()
            }
        }
    }

    static let all = [
        Way("padding of one view") { AnyView(around($0).padding($1)) },
        Way("padding of two views") { AnyView(Two($0).padding($1)) },
        Way("opacity of two views") { AnyView(Two($0).opacity($1.isMultiple(of: 2) ? 1 : 0)) },
        Way("opacity of two views that is not seen") { AnyView(Two($0).opacity($1 < 0 ? 0 : 1)) },
        Way("overlay of two views") { desk, number in AnyView(Two(desk).overlay { Text("\(number)") }) },
        Way("attachment of two views") { desk, number in AnyView(Two(desk).background { Text("----- \(number)") }) },
        Way("modifier with a body of two views") { AnyView(Two($0).modifier(Tagged(tag: $1))) },
        Way("modifier with an environment of two views") { desk, number in
            AnyView(
                Group {
                    around(desk)
                    Text("x")
                }.modifier(Levelled(level: number)))
        },
        Way("padding of views that are new") { AnyView(Swapping($0).padding($1)) },
        Way("environment") { AnyView(around($0).environment(\.level, $1)) },
        Way("environment by halves") { AnyView(around($0).environment(\.level, $1 / 2)) },
        Way("environment of views that are new") { AnyView(Swapping($0).environment(\.level, $1)) },
        Way("environment that is made of another") { desk, number in
            AnyView(around(desk).transformEnvironment(\.level) { $0 += 1 }.environment(\.level, number))
        },
        Way("environment object") { desk, number in
            AnyView(
                Inner(desk) { _, own in
                    VStack(alignment: .leading) {
                        Text("inner \(own)")
                        HubView()
                    }
                }.environmentObject(desk.hubs[number % 2]))
        },
        Way("handler") { desk, number in
            AnyView(
                Inner(desk) { desk, own in
                    VStack(alignment: .leading) {
                        Text("inner \(own)")
                        SharedView(shared: desk.shared)
                    }
                }.onChange(of: number / 2, initial: true) { desk.shared.number = number / 2 })
        },
        Way("preference") { desk, number in
            AnyView(
                VStack(alignment: .leading) {
                    Inner(desk) { _, own in Text("inner \(own)") }
                    Text("own").preference(key: NumberKey.self, value: number / 2)
                })
        },
        Way("nothing") { desk, number in AnyView(around(desk)) },
        Way("nothing, with a handler") { desk, number in AnyView(around(desk).onChange(of: number) {}) },
    ]
}

/// Shows what is handed up to it.
private struct Screen: View {
    let desk: Desk
    let way: Way
    @State private var sum = 0
    var body: some View {
        VStack(alignment: .leading) {
            Outer(desk, way.make).rerender("outer")
            Text("sum \(sum)")
        }
        .onPreferenceChange(NumberKey.self) { sum = $0 }
    }
}

@MainActor
@Suite struct MeasuredWasteTests {
    private func screen(_ way: Way, outer: Int, inner: Int) -> String {
        Stage(Screen(desk: Desk(outer: outer, inner: inner), way: way)).screen
    }

    private func stats(_ store: RerenderStore, _ key: String) throws -> Stats {
        try #require(store.stats.first { $0.key.rawValue == key })
    }

    /// The oracle knows neither nodes nor layers: two screens that are made from scratch.
    @Test(arguments: Way.all)
    private func anEvaluationIsWastedWhereTheScreenWouldBeTheSameWithoutIt(way: Way) throws {
        let store = RerenderStore(name: "render-loop-tests")
        let desk = Desk(outer: 0, inner: 0)
        let stage = Stage(Screen(desk: desk, way: way).rerenderStore(store))
        var (outer, inner) = (0, 0)
        var wasted: UInt64 = 0
        for (addsOuter, addsInner) in [(1, 0), (0, 1), (1, 1), (1, 1), (0, 1), (1, 0), (1, 1)] {
            stage.act {
                if addsOuter > 0 { desk.outer?.wrappedValue += addsOuter }
                if addsInner > 0 { desk.inner?.wrappedValue += addsInner }
            }
            (outer, inner) = (outer + addsOuter, inner + addsInner)
            let now = screen(way, outer: outer, inner: inner)
            #expect(stage.screen == now)
            let isNeeded = now != screen(way, outer: outer - addsOuter, inner: inner)
            if addsOuter > 0, !isNeeded { wasted += 1 }
            #expect(try stats(store, "outer").wasted.measured == wasted, "outer \(outer), inner \(inner)")
        }
        #expect(try stats(store, "outer").count == 6)
        #expect(try stats(store, "outer").wasted.inferred == 0)
    }

    @Test func whoeverIsBetweenAReaderAndItsEnvironmentHasNoPartInIt() throws {
        let store = RerenderStore(name: "render-loop-tests")
        let desk = Desk(outer: 0, inner: 0)
        let way = Way("mute") { desk, number in
            AnyView(
                Inner(desk) { _, number in
                    let _ = number
                    Level()
                }.rerender("inner").environment(\.level, number))
        }
        let stage = Stage(Screen(desk: desk, way: way).rerenderStore(store))
        stage.act {
            desk.outer?.wrappedValue += 1
            desk.inner?.wrappedValue += 1
        }
        #expect(stage.screen == "level 1\nsum 0")
        #expect(try stats(store, "outer").wasted.count == 0)
        let inner = try stats(store, "inner")
        #expect(inner.count == 2 && inner.wasted.kinds == [.sameOutput: 1])
    }

    @Test func anOpenTransactionIsOneCommitHoweverManyTurnsItTakes() throws {
        let store = RerenderStore(name: "render-loop-tests")
        let desk = Desk(outer: 0, inner: 0)
        let way = Way("input") { desk, number in AnyView(Given(desk: desk, number: number)) }
        let stage = Stage(Screen(desk: desk, way: way).rerenderStore(store))
        stage.loop.beginTransaction()
        stage.act { desk.outer?.wrappedValue += 1 }
        stage.act { desk.inner?.wrappedValue += 1 }
        #expect(stage.screen == "0 0\nsum 0")
        stage.loop.endTransaction()
        #expect(stage.screen == "1 1\nsum 0")
        #expect(try stats(store, "outer").count == 2)
        #expect(try stats(store, "outer").wasted.count == 0)
        stage.loop.beginTransaction()
        stage.act { desk.inner?.wrappedValue += 1 }
        stage.act { desk.outer?.wrappedValue += 0 }
        stage.loop.endTransaction()
        #expect(stage.screen == "1 2\nsum 0")
        #expect(try stats(store, "outer").count == 2)
    }

    private struct Given: View {
        let desk: Desk
        let number: Int
        @State private var own = 0
        var body: some View {
            let _ = desk.inner = $own
            Text("\(number) \(own)")
        }
    }

    private struct Loading: View {
        let shared: Shared
        var body: some View {
            if shared.number > 1 { Text("loaded") }
        }
    }

    @Test func aFirstEvaluationIsNotWastedWhateverItShows() throws {
        let store = RerenderStore(name: "render-loop-tests")
        let shared = Shared()
        let stage = Stage(Loading(shared: shared).rerender("loading").rerenderStore(store))
        #expect(stage.screen == "")
        #expect(try stats(store, "loading").wasted.count == 0)
        stage.act { shared.number = 1 }
        #expect(try stats(store, "loading").wasted.kinds == [.sameOutput: 1], "there is an output before this one")
        stage.act { shared.number = 2 }
        #expect(stage.screen == "loaded")
        #expect(try stats(store, "loading").wasted.measured == 1)
    }
}
