// SPDX-License-Identifier: MIT
// Single statements of Apple's documentation of SwiftUI, each in quotation marks above what shows it.

import Observation
import OpenCombine
import RenderLoop
import Testing
@testable import RenderLoopSupport

private struct LevelKey: EnvironmentKey {
    static var defaultValue: Int { 0 }
}

extension EnvironmentValues {
    fileprivate var level: Int {
        get { self[LevelKey.self] }
        set { self[LevelKey.self] = newValue }
    }
}

private struct NamesKey: PreferenceKey {
    static var defaultValue: [String] { [] }
    static func reduce(value: inout [String], nextValue: () -> [String]) { value += nextValue() }
}

@MainActor
private final class Counter: ObservableObject {
    static var made = 0
    @Published var number = 0
    init() { Counter.made += 1 }
}

@MainActor
@Observable
private final class Book {
    var title = "t"
    var pages = 0
    @ObservationIgnored var notes = 0
    var size: Int { pages * 2 }
}

@MainActor
@Suite struct StatementTests {
    // MARK: State

    private struct Play: View {
        let name: String
        @State private var isPlaying = false
        var body: some View { Button("\(name) \(isPlaying)") { isPlaying.toggle() }.inputName(name) }
    }

    private struct PlayList: View {
        @State private var taps = 0
        @State private var id = 0
        var body: some View {
            VStack(alignment: .leading) {
                Button("tap") { taps += 1 }
                Button("id") { id += 1 }
                Play(name: "a\(taps)").inputName("a")
                Play(name: "b").id(id)
            }
        }
    }

    @Test("State: \"SwiftUI initializes the state's storage only once for each container instance that you declare.\"")
    func stateIsMadeOnce() {
        let stage = Stage(PlayList())
        stage.tap("a")
        stage.tap("tap")
        #expect(stage.screen == "tap\nid\na1 true\nb false", "other inputs, the same state; and each view has its own")
    }

    @Test("id(_:): when the id \"changes, the identity of the view — for example, its state — is reset\"")
    func anotherIdIsAnotherState() {
        let stage = Stage(PlayList())
        stage.tap("b")
        #expect(stage.screen.hasSuffix("b true"))
        stage.tap("id")
        #expect(stage.screen.hasSuffix("b false"))
    }

    private struct Owner: View {
        let id: Int
        @StateObject private var counter = Counter()
        var body: some View { Text("\(id) \(counter.number)") }
    }

    private struct OwnerScreen: View {
        @State private var input = 0
        @State private var id = 0
        var body: some View {
            VStack {
                Button("input") { input += 1 }
                Button("id") { id += 1 }
                Owner(id: input).id(id)
            }
        }
    }

    @Test("StateObject: not \"a new instance if a view's inputs change, but … if the identity of a view changes\"")
    func aStateObjectIsMadeOncePerIdentity() {
        let before = Counter.made
        let stage = Stage(OwnerScreen())
        #expect(Counter.made == before + 1)
        stage.tap("input")
        #expect(Counter.made == before + 1)
        stage.tap("id")
        #expect(Counter.made == before + 2)
    }

    // MARK: Binding

    private struct Point: Equatable {
        var x = 1
        var y = 2
    }

    private struct Plane: View {
        @State private var point = Point()
        var body: some View {
            VStack(alignment: .leading) {
                Axis(value: $point.x)
                Axis(value: .constant(9))
            }
        }
    }

    private struct Axis: View {
        @Binding var value: Int
        var body: some View { Button("\(value)") { value += 1 }.inputName("axis \(value)") }
    }

    @Test("Binding: a part of a value by a key path; constant(_:) is \"a binding with an immutable value\"")
    func partsAndConstants() {
        let stage = Stage(Plane())
        stage.tap("axis 1")
        stage.tap("axis 9")
        #expect(stage.screen == "2\n9")
    }

    // MARK: Environment

    private struct Level: View {
        @Environment(\.level) private var level
        var body: some View { Text("\(level)") }
    }

    @Test("environment(_:_:): it \"affects the given view, as well as that view's descendant views\", and no others")
    func theEnvironmentIsThatOfDescendants() {
        let stage = Stage(
            VStack(alignment: .leading) {
                Level()
                VStack {
                    Level()
                    Level().environment(\.level, 2)
                    Level().transformEnvironment(\.level) { $0 += 5 }
                }
                .environment(\.level, 1)
                Level()
            })
        #expect(stage.screen == "0\n1\n2\n6\n0")
    }

    private struct LevelScreen: View {
        @State private var level = 1
        @State private var other = 0
        var body: some View {
            VStack {
                Button("level") { level += 1 }
                Button("other") { other += 1 }
                Level()
            }
            .environment(\.level, level)
        }
    }

    @Test("Environment: \"If the value changes, SwiftUI updates any parts of your view that depend on the value.\"")
    func aChangedValueReachesItsReaders() {
        let stage = Stage(LevelScreen())
        _ = stage.takeEvaluations()
        stage.tap("level")
        #expect(stage.takeEvaluations() == ["LevelScreen", "Level"])
        stage.tap("other")
        #expect(stage.takeEvaluations() == [], "nothing reads it")
    }

    private struct Optional: View {
        @Environment(Book.self) private var book: Book?
        var body: some View { Text(book?.title ?? "none") }
    }

    @Test("Environment: an object that may be missing is an optional")
    func aMissingObjectIsNil() {
        let stage = Stage(
            VStack {
                Optional()
                Optional().environment(Book())
            })
        #expect(stage.screen == "none\n t")
    }

    // MARK: Observation

    private struct BookView: View {
        let book: Book
        var body: some View { Text("\(book.title) \(book.size)") }
    }

    @Test("Observable: a view is updated when a property that it reads changes, also by way of a computed one")
    func onlyWhatIsReadCounts() {
        let book = Book()
        let stage = Stage(BookView(book: book))
        _ = stage.takeEvaluations()
        stage.act { book.notes += 1 }
        #expect(stage.takeEvaluations() == [])
        stage.act { book.pages = 4 }
        #expect(stage.takeEvaluations() == ["BookView"])
        #expect(stage.screen == "t 8")
    }

    private struct Passing: View {
        let book: Book
        var body: some View { BookView(book: book) }
    }

    @Test("Observable: a view that only passes a model on does not depend on it")
    func passingIsNoReading() {
        let book = Book()
        let stage = Stage(Passing(book: book))
        _ = stage.takeEvaluations()
        stage.act { book.title = "u" }
        #expect(stage.takeEvaluations() == ["BookView"])
    }

    private struct Holding: View {
        @ObservedObject var counter: Counter
        var body: some View { Text("same") }
    }

    @Test("ObservedObject: it \"invalidates a view whenever the observable object changes\", read or not")
    func everyChangeOfAnObjectCounts() {
        let counter = Counter()
        let stage = Stage(Holding(counter: counter))
        _ = stage.takeEvaluations()
        stage.act { counter.number = counter.number }
        #expect(stage.takeEvaluations() == ["Holding"], "an equal value, too")
    }

    // MARK: Handlers

    private struct Changing: View {
        let note: @MainActor (String) -> Void
        let initial: Bool
        @State private var number = 1
        var body: some View {
            VStack {
                Button("twice") {
                    number = 5
                    number = 7
                }
                Button("back") {
                    number += 1
                    number -= 1
                }
            }
            .onChange(of: number, initial: initial) { old, new in note("\(old) \(new)") }
            .onChange(of: 3) { note("never") }
        }
    }

    @Test("onChange: \"the old value that failed the comparison check (or the initial value when requested)\"")
    func onChangeComparesWithTheEvaluationBefore() {
        var notes: [String] = []
        let stage = Stage(Changing(note: { notes.append($0) }, initial: true))
        #expect(notes == ["1 1"])
        stage.tap("twice")
        #expect(notes == ["1 1", "1 7"], "once for an evaluation")
        stage.tap("back")
        #expect(notes.count == 2)
        var others: [String] = []
        let other = Stage(Changing(note: { others.append($0) }, initial: false))
        #expect(others == [])
        withExtendedLifetime(other) {}
    }

    private struct Appearing: View {
        @State private var text = "first"
        var body: some View { Text(text).onAppear { text = "second" } }
    }

    @Test("onAppear: \"the action closure completes before the first rendered frame appears\"")
    func onAppearComesBeforeTheFirstFrame() {
        #expect(Stage(Appearing()).renderer.history == ["second"])
    }

    // MARK: Identity

    private struct Shuffled: View {
        @State private var names = ["a", "b", "c"]
        var body: some View {
            VStack(alignment: .leading) {
                Button("reverse") { names.reverse() }
                Button("drop") { names.removeFirst() }
                ForEach(names, id: \.self) { Play(name: $0) }
            }
        }
    }

    @Test("ForEach: an element is known by its id, and keeps its state where it moves")
    func elementsKeepTheirState() {
        let stage = Stage(Shuffled())
        stage.tap("a")
        stage.tap("reverse")
        #expect(stage.screen == "reverse\ndrop\nc false\nb false\na true")
        stage.tap("drop")
        #expect(stage.screen == "reverse\ndrop\nb false\na true")
    }

    private struct Branches: View {
        @State private var isFirst = true
        var body: some View {
            VStack(alignment: .leading) {
                Button("switch") { isFirst.toggle() }
                if isFirst { Play(name: "x") } else { Play(name: "x") }
                Play(name: isFirst ? "y" : "z").inputName("y")
            }
        }
    }

    @Test("Demystify SwiftUI: branches have \"distinct structural identity\"; a ternary inside of a view has not")
    func branchesAreTwoViews() {
        let stage = Stage(Branches())
        stage.tap("x")
        stage.tap("y")
        stage.tap("switch")
        #expect(stage.screen == "switch\nx false\nz true")
        stage.tap("switch")
        #expect(stage.screen == "switch\nx false\ny true", "the first one was lost")
    }

    private struct Sometimes: View, Equatable {
        let number: Int
        var body: some View { Text("\(number)") }
        nonisolated static func == (lhs: Self, rhs: Self) -> Bool { lhs.number / 10 == rhs.number / 10 }
    }

    private struct Comparing: View {
        @State private var number = 1
        var body: some View {
            VStack(alignment: .leading) {
                Button("more") { number += 4 }
                Sometimes(number: number).equatable()
            }
        }
    }

    @Test("EquatableView: it \"prevents its child updating if its new value is the same as its old value\"")
    func anEquatableViewDecidesForItself() {
        let stage = Stage(Comparing())
        _ = stage.takeEvaluations()
        stage.tap("more")
        stage.tap("more")
        #expect(stage.takeEvaluations() == ["Comparing", "Comparing"])
        stage.tap("more")
        #expect(stage.takeEvaluations() == ["Comparing", "Sometimes"])
        #expect(stage.screen == "more\n13")
    }

    // MARK: Preferences

    private func preference(_ view: some View) -> [String] {
        var seen: [String] = []
        let stage = Stage(view.onPreferenceChange(NamesKey.self) { seen = $0 })
        withExtendedLifetime(stage) {}
        return seen
    }

    @Test("PreferenceKey: values are combined \"in view-tree order\"; a view without one has the default value")
    func preferencesComeInTheOrderOfTheTree() {
        func name(_ name: String) -> some View { Text(name).preference(key: NamesKey.self, value: [name]) }
        let tree = VStack {
            name("a")
            HStack {
                name("b")
                Text("")
                ForEach(0..<2) { name("r\($0)") }
            }
            name("c")
        }
        #expect(preference(tree) == ["a", "b", "r0", "r1", "c"])
        #expect(preference(tree.preference(key: NamesKey.self, value: ["all"])) == ["all"])
    }

    // MARK: Layout and input

    private func screen(_ view: some View) -> String { Stage(view, width: 12, height: 6).screen }

    @Test("stacks, ZStack, overlay, background, offset, GeometryReader, hidden")
    func arrangements() {
        // "A view that overlays its subviews": the last is in front, and what is behind a space is seen.
        let overlaid = ZStack(alignment: .topLeading) {
            Text("abc")
            Text("x y")
        }
        #expect(screen(overlaid) == "xby")
        // offset(x:y:): "the original dimensions of the view aren't changed".
        #expect(
            screen(
                HStack(spacing: 0) {
                    Text("a").offset(y: 1); Text("b")
                }) == " b\na")
        // overlay: "the overlay's proposed size is the view's".
        #expect(screen(Text("abc").overlay { Color.red.opacity(0.2) }) == "abc")
        #expect(screen(Text("  c").background(Color.red)) == "RRc")
        // GeometryReader: "a flexible preferred size to its parent layout".
        #expect(screen(GeometryReader { Text("\($0.size.width)x\($0.size.height)") }) == "12x6")
        // hidden(): "Hidden views are invisible …. However, they do remain in the view hierarchy and affect layout."
        #expect(
            screen(
                HStack(spacing: 0) {
                    Text("abc").hidden(); Text("d")
                }) == "   d")
        // EmptyView: "a view that doesn't contain any content".
        #expect(
            screen(
                HStack(spacing: 1) {
                    EmptyView(); Text("a"); EmptyView(); Text("b")
                }) == "a b")
    }

    private struct Veiled: View {
        @State private var taps = 0
        var body: some View {
            ZStack(alignment: .topLeading) {
                Button("tap \(taps)") { taps += 1 }
                Button("veil!!") { taps += 100 }.hidden()
            }
        }
    }

    @Test("hidden(): hidden views \"can't receive or respond to interactions\"")
    func hiddenViewsTakeNoInput() {
        let stage = Stage(Veiled())
        stage.loop.send(InputEvent(.tap, location: CellPoint(x: 0, y: 0)))
        stage.clock.nextFrame()
        #expect(stage.screen == "tap 1")
    }
}
