// SPDX-License-Identifier: MIT
// Modifiers whose values change, and values that go up: preferences and frames.

import RenderLoop
import Rerender
import RerenderModel
import Testing
@testable import RenderLoopSupport

@MainActor
@Suite struct ModifierTests {
    /// Each modifier with a value that a button changes.
    private struct Screen<Content: View>: View {
        let content: @MainActor (Int) -> Content
        @State private var value = 0
        var body: some View {
            VStack(alignment: .leading) {
                content(value)
                Button("next") { value += 1 }
            }
        }
    }

    /// The screen before and after the value has changed, without the button.
    private func screens<Content: View>(@ViewBuilder _ content: @escaping @MainActor (Int) -> Content) -> [String] {
        let stage = Stage(Screen(content: content), width: 12, height: 8)
        let before = stage.screen
        stage.tap("next")
        return [before, stage.screen].map { $0.replacing("\nnext", with: "") }
    }

    @Test func modifiersTakeUpNewValues() {
        #expect(screens { Text("a").padding($0) } == ["a", "\n a\n"])
        #expect(screens { Text("a").offset(x: $0 * 2) } == ["a", "  a"])
        #expect(screens { Text("a").frame(width: 3 + $0 * 2).background(Color.red) } == ["RaR", "RRaRR"])
        #expect(screens { Text("a").opacity(Double($0)) } == ["", "a"])
        #expect(screens { Text("a b").background($0 == 0 ? Color.red : .blue) } == ["aRb", "aBb"])
        #expect(screens { Text("abc").overlay(Text("\($0)"), alignment: .topLeading) } == ["0bc", "1bc"])
        #expect(screens { Text("a").border(.red, width: $0).padding(0).id($0) } == ["+", "+"])
        #expect(
            screens { value in
                HStack {
                    if value > 0 { Text("b") } else { EmptyView() }; Text("c")
                }
            } == ["c", "b c"])
    }

    private struct Names: PreferenceKey {
        static var defaultValue: [String] { [] }
        static func reduce(value: inout [String], nextValue: () -> [String]) { value += nextValue() }
    }

    @Test func preferencesAreReducedInTheTreesOrderAndToldWhenTheyChange() {
        struct Child: View {
            let name: String
            var body: some View { Text(name).preference(key: Names.self, value: [name]) }
        }
        struct Parent: View {
            let told: @MainActor ([String]) -> Void
            @State private var count = 1
            var body: some View {
                VStack {
                    Child(name: "first")
                    ForEach(0..<count) { Child(name: "\($0)") }
                    // What is above hides what is below.
                    Child(name: "hidden").preference(key: Names.self, value: ["last"])
                    Button("more") { count += 1 }
                    Button("none") { count = 0 }
                }
                .onPreferenceChange(Names.self) { told($0) }
            }
        }
        var told: [[String]] = []
        let stage = Stage(Parent { told.append($0) })
        stage.tap("more")
        stage.tap("none")
        stage.tap("none")
        #expect(told == [["first", "0", "last"], ["first", "0", "1", "last"], ["first", "last"]])
    }

    @Test func aViewWithoutPreferencesBelowIsToldTheDefault() {
        var told: [[String]] = []
        _ = Stage(Text("a").onPreferenceChange(Names.self) { told.append($0) })
        #expect(told == [[]])
    }

    private struct Title: PreferenceKey {
        static var defaultValue: String? { "untitled" }
        static func reduce(value: inout String?, nextValue: () -> String?) { value = value ?? nextValue() }
    }

    @Test func anOptionalPreferenceIsFoundBelowViewsWithoutOne() {
        struct Page: View {
            let title: String??
            let told: @MainActor (String?) -> Void
            var body: some View {
                VStack {
                    Text("head")
                    if let title {
                        Text("page").preference(key: Title.self, value: title).preference(key: Names.self, value: [])
                    }
                }
                .onPreferenceChange(Title.self) { told($0) }
            }
        }
        var told: [String?] = []
        for title: String?? in ["a", .some(nil), nil] { _ = Stage(Page(title: title) { told.append($0) }) }
        #expect(told == ["a", nil, "untitled"])
    }

    @Test func aGeometryReaderFollowsItsSize() {
        struct Measured: View {
            @State private var width = 3
            var body: some View {
                VStack(alignment: .leading) {
                    GeometryReader { Text("\($0.size.width)x\($0.size.height)") }.frame(width: width, height: 2)
                    Button("wider") { width += 4 }
                }
            }
        }
        let stage = Stage(Measured())
        #expect(stage.lines[0] == "3x2")
        #expect(evaluations(stage) == ["GeometryReader: initial"], "once, with its size")
        #expect(stage.renderer.history.count == 1)
        stage.tap("wider")
        #expect(stage.lines[0] == "7x2")
        #expect(stage.renderer.history.count == 2)
        #expect(evaluations(stage) == ["GeometryReader: graph size"], "the closure captures nothing, and is equal")
    }

    /// The evaluations of readers since the last call, with their causes.
    private func evaluations(_ stage: Stage) -> [String] {
        stage.takeEvents().compactMap {
            guard case .evaluated(let node, let causes) = $0, node.name == "GeometryReader" else { return nil }
            return "\(node.name): \(causes.map(\.description).joined(separator: ", "))"
        }
    }

    #if DEBUG
        @Test func aSizeIsTheReasonOfAGeometryReaderInTheStore() throws {
            struct Screen: View {
                @State private var width = 3
                var body: some View {
                    VStack(alignment: .leading) {
                        Reader().frame(width: width, height: 1)
                        Button("wider") { width += 4 }
                    }
                }
            }
            struct Reader: View {
                var body: some View { GeometryReader { Text("\($0.size.width)") }.rerender("GeometryReader") }
            }
            let store = RerenderStore(name: "sizes")
            let stage = Stage(Screen().environment(\.rerenderStore, store))
            stage.tap("wider")
            #expect(stage.lines[0] == "7")
            let stats = try #require(store.stats.first)
            #expect(stats.key.rawValue == "GeometryReader")
            #expect(stats.count == 2)
            #expect(stats.lastReason == "size")
        }
    #endif
}
