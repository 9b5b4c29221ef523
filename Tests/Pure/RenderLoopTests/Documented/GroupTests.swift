// SPDX-License-Identifier: MIT
// A modifier of what stands for several views applies to each of them.
//
// Apple's documentation of `Group`: "The modifier applies to all members of the group, and not to the group itself. For
// example, if you apply onAppear(perform:) to the above group, it applies to all of the views produced by the
// `if isLoggedIn` conditional, and it executes every time isLoggedIn changes."

import RenderLoop
import Testing
@testable import RenderLoopSupport

private struct DepthKey: EnvironmentKey {
    static var defaultValue: Int { 0 }
}

extension EnvironmentValues {
    fileprivate var depth: Int {
        get { self[DepthKey.self] }
        set { self[DepthKey.self] = newValue }
    }
}

extension EdgeInsets {
    fileprivate init(leading: Int) { self.init(top: 0, leading: leading, bottom: 0, trailing: 0) }
}

@MainActor
@Suite struct GroupTests {
    private struct Pair: View {
        let word: String
        var body: some View {
            Text(word)
            Text("b")
        }
    }

    private struct Choice: View {
        let isFirst: Bool
        var body: some View {
            if isFirst { Text("first") } else { Text("second") }
        }
    }

    private func screen(_ view: some View) -> String { Stage(view).screen }

    @Test func aModifierOfAGroupAppliesToEachMember() {
        let group = Group {
            Text("a")
            Text("bb")
        }
        #expect(screen(VStack(alignment: .leading) { group.border(.red) }) == "+\n++")
        #expect(screen(HStack(spacing: 0) { group.padding(EdgeInsets(leading: 1)) }) == " a bb")
        #expect(
            screen(VStack(alignment: .leading) { group.padding().padding(EdgeInsets(leading: 1)) }) == "\n  a\n\n\n  bb"
        )
        #expect(
            screen(VStack(alignment: .leading) { Group { group.frame(width: 3) }.background(Color.red) }) == "RaR\nbbR")
    }

    @Test func aBodyWithTwoStatementsIsTwoViews() {
        #expect(screen(VStack(alignment: .leading) { Pair(word: "a").padding(EdgeInsets(leading: 2)) }) == "  a\n  b")
        #expect(screen(VStack { AnyView(Pair(word: "a")).frame(width: 3) }) == " a\n b")
        #expect(screen(VStack { Pair(word: "a").id(1).frame(width: 3) }) == " a\n b")
    }

    @Test func aModifierOfNoViewDoesNothing() {
        var appeared = 0
        #expect(screen(EmptyView().frame(width: 3, height: 3).background(Color.red).onAppear { appeared += 1 }) == "")
        #expect(appeared == 0)
    }

    private struct LoginScreen: View {
        let note: @MainActor (String) -> Void
        @State private var isLoggedIn = false
        var body: some View {
            VStack {
                Button("log in") { isLoggedIn.toggle() }
                Group {
                    if isLoggedIn { Text("welcome") } else { Text("login") }
                }
                .onAppear { note("group") }
                Choice(isFirst: isLoggedIn).onDisappear { note("choice") }
            }
        }
    }

    @Test func onAppearOfAGroupRunsWheneverItsConditionChanges() {
        var notes: [String] = []
        let stage = Stage(LoginScreen { notes.append($0) })
        #expect(notes == ["group"])
        stage.tap("log in")
        #expect(notes == ["group", "group", "choice"])
        stage.tap("log in")
        #expect(notes == ["group", "group", "choice", "group", "choice"])
    }

    /// Has state of its own, for each view that it modifies.
    private struct Counted: ViewModifier {
        let name: String
        @State private var count = 0
        func body(content: Content) -> some View {
            HStack {
                content
                Button("\(name)\(count)") { count += 1 }
            }
        }
    }

    private struct Modified: View {
        @State private var name = "x"
        @State private var shows = true
        var body: some View {
            VStack(alignment: .leading) {
                Button("name") { name = "y" }
                Button("hide") { shows = false }
                Group {
                    Text("a")
                    if shows { Text("b") }
                    ForEach(0..<2) { Text("\($0)") }
                }
                .modifier(Counted(name: name))
            }
        }
    }

    @Test func eachMemberHasTheStateOfItsModifierAndItsNewValue() {
        let stage = Stage(Modified())
        #expect(stage.screen == "name\nhide\na x0\nb x0\n0 x0\n1 x0")
        stage.loop.send(InputEvent(.tap, location: CellPoint(x: 3, y: 3)))
        stage.clock.nextFrame()
        stage.loop.send(InputEvent(.tap, location: CellPoint(x: 3, y: 5)))
        stage.clock.nextFrame()
        #expect(stage.screen == "name\nhide\na x0\nb x1\n0 x0\n1 x1")
        stage.tap("name")
        #expect(stage.screen == "name\nhide\na y0\nb y1\n0 y0\n1 y1")
        stage.tap("hide")
        #expect(stage.screen == "name\nhide\na y0\n0 y0\n1 y1")
    }

    private struct Outer: View {
        let evaluated: @MainActor () -> Void
        @State private var inset = 0
        var body: some View {
            VStack(alignment: .leading) {
                Button("inset") { inset += 1 }
                Inner(evaluated: evaluated).padding(EdgeInsets(leading: inset)).onChange(of: inset) {}
            }
        }
    }

    private struct Inner: View, @MainActor Equatable {
        let evaluated: @MainActor () -> Void
        var body: some View {
            let _ = evaluated()
            Text("a")
            Text("b")
        }
        static func == (lhs: Self, rhs: Self) -> Bool { true }
    }

    @Test func aNewValueReachesTheViewsInABodyThatIsNotEvaluatedForIt() {
        var evaluations = 0
        let stage = Stage(Outer { evaluations += 1 })
        _ = stage.takeEvents()
        stage.tap("inset")
        #expect(stage.screen == "inset\n a\n b")
        #expect(evaluations == 1)
        let handlers = stage.takeEvents().compactMap {
            if case .handlerRan(let handler) = $0 { "\(handler.kind) \(handler.view.name)" } else { nil }
        }
        #expect(handlers == ["onChange(of: Int) Outer", "onChange(of: Int) Outer"], "the view that has the modifier")
    }

    private struct Depth: View {
        @Environment(\.depth) private var depth
        var body: some View { Text("\(depth)") }
    }

    private struct ReadsItself: View {
        @Environment(\.depth) private var depth
        var body: some View {
            Text("own \(depth)")
            Depth()
        }
    }

    @Test func theEnvironmentOfSeveralViewsIsAlsoThatOfTheViewWhichTheyAre() {
        let view = VStack(alignment: .leading) {
            ReadsItself().environment(\.depth, 2).padding(0)
            Group {
                Group {
                    Depth()
                    Depth()
                }
                .environment(\.depth, 3)
                Depth()
            }
            .padding(0)
        }
        #expect(screen(view) == "own 2\n2\n3\n3\n0")
    }

    private struct WordsKey: PreferenceKey {
        static var defaultValue: [String] { [] }
        static func reduce(value: inout [String], nextValue: () -> [String]) { value += nextValue() }
    }

    @Test func eachMemberHandsThePreferenceUp() {
        var seen: [[String]] = []
        let stage = Stage(
            VStack { Pair(word: "a").preference(key: WordsKey.self, value: ["p"]) }
                .onPreferenceChange(WordsKey.self) { seen.append($0) })
        #expect(seen == [["p", "p"]])
        withExtendedLifetime(stage) {}
    }

    @Test func aModifierOfRowsMakesNoFurtherRows() {
        let stage = Stage(List { ForEach(0..<1_000) { Text("\($0)") }.padding(EdgeInsets(leading: 1)).onAppear {} })
        #expect(stage.screen.hasPrefix(" 0\n 1\n"))
        let handlers = stage.takeEvents().count { if case .handlerRan = $0 { true } else { false } }
        #expect(handlers == 12, "one for each line")
    }
}
