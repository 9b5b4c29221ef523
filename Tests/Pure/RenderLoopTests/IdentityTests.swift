// SPDX-License-Identifier: MIT
// When a view keeps its state, and when it is another one.

import RenderLoop
import Testing
@testable import RenderLoopSupport

@MainActor
@Suite struct IdentityTests {
    /// Remembers the first text that it was given.
    private struct Remembering: View {
        let text: String
        @State private var first: String

        init(_ text: String) {
            self.text = text
            first = text
        }

        var body: some View { Text("\(text)/\(first)") }
    }

    private struct Rows: View {
        @State private var words = ["a", "b", "c"]
        var body: some View {
            VStack(alignment: .leading) {
                ForEach(words, id: \.self) { Remembering($0) }
                Button("reverse") { words.reverse() }
                Button("drop") { words.removeFirst() }
                Button("add") { words.insert("d", at: 0) }
                Button("double") { words.append(words[0]) }
            }
        }
    }

    @Test func elementsKeepTheirIdentityWhereverTheyMove() {
        let stage = Stage(Rows())
        func lines() -> [String] {
            Array(stage.screen.split(separator: "\n").map(String.init).prefix { $0.contains("/") })
        }
        #expect(lines() == ["a/a", "b/b", "c/c"])
        _ = stage.takeEvaluations()
        stage.tap("reverse")
        #expect(lines() == ["c/c", "b/b", "a/a"])
        #expect(!stage.takeEvaluations().contains("Remembering"), "they moved and are the same")
        stage.tap("drop")
        #expect(lines() == ["b/b", "a/a"])
        stage.tap("add")
        #expect(lines() == ["d/d", "b/b", "a/a"])
        stage.tap("double")
        #expect(lines() == ["d/d", "b/b", "a/a", "d/d"])
    }

    private struct Switching: View {
        @State private var isFirst = true
        @State private var id = 1
        var body: some View {
            VStack(alignment: .leading) {
                if isFirst { Remembering("1") } else { Remembering("2") }
                Remembering("\(id)").id(id)
                Remembering("\(id)")
                AnyView(Remembering("\(id)"))
                Button("switch") { isFirst.toggle() }
                Button("id") { id += 1 }
            }
        }
    }

    /// Rows with ids that equal nothing, not even themselves.
    private struct Nameless: View {
        let isLazy: Bool
        let note: (String) -> Void
        @State private var numbers = [1.0, .nan, 2.0]

        var body: some View {
            VStack(alignment: .leading) {
                if isLazy { List { rows } } else { rows }
                Button("clear") { numbers = [1.0] }
            }
        }

        private var rows: some View {
            ForEach(numbers, id: \.self) { number in Text("\(number)").onDisappear { note("\(number)") } }
        }
    }

    @Test(arguments: [false, true])
    func rowsWhoseIdsEqualNothingDisappearToo(isLazy: Bool) {
        var gone: [String] = []
        let stage = Stage(Nameless(isLazy: isLazy) { gone.append($0) })
        stage.tap("clear")
        #expect(gone == ["2.0", "nan"])
    }

    @Test func anotherBranchAndAnotherIdAreOtherViews() {
        let stage = Stage(Switching())
        func lines() -> [String] { Array(stage.screen.split(separator: "\n").map(String.init).prefix(4)) }
        #expect(lines() == ["1/1", "1/1", "1/1", "1/1"])
        stage.tap("switch")
        stage.tap("id")
        #expect(lines() == ["2/2", "2/2", "2/1", "2/1"])
    }

    private struct Inputs: View {
        final class Reference {}
        enum Kind { case plain(Int), other }
        struct Pair {
            var flag: Bool
            var number: Double
            var text: String?
        }
        let reference: Reference
        let kind: Kind
        let pair: Pair
        let closure: () -> Void
        var body: some View { Text("") }
    }

    private struct Outer: View {
        let reference: Inputs.Reference
        @State private var count = 0
        @State private var text: String? = "a"
        var body: some View {
            VStack {
                Text("\(count)")
                Inputs(reference: reference, kind: .plain(1), pair: .init(flag: true, number: 1, text: text)) {}
                Button("count") { count += 1 }
                Button("text") { text = text == nil ? "b" : nil }
            }
        }
    }

    @Test func equalInputsAreNotEvaluatedAgain() {
        let stage = Stage(Outer(reference: Inputs.Reference()))
        _ = stage.takeEvaluations()
        stage.tap("count")
        #expect(stage.takeEvaluations() == ["Outer"])
        stage.tap("text")
        #expect(stage.takeEvaluations() == ["Outer", "Inputs"])
    }

    private struct Captures: View {
        @State private var count = 0
        var body: some View {
            let captured = count
            VStack {
                Inputs(reference: Self.reference, kind: .other, pair: .init(flag: true, number: 1)) { _ = captured }
                Button("count") { count += 1 }
            }
        }
        static let reference = Inputs.Reference()
    }

    @Test func aClosureThatCapturesIsNeverEqual() {
        let stage = Stage(Captures())
        _ = stage.takeEvaluations()
        stage.tap("count")
        #expect(stage.takeEvaluations() == ["Captures", "Inputs"])
    }
}
