// SPDX-License-Identifier: MIT
// Taps on any view, and disabled ones.

import RenderLoop
import Testing
@testable import RenderLoopSupport

@MainActor
@Suite struct InteractionTests {
    private struct Taps: View {
        @State private var outer = 0
        @State private var inner = 0
        let isDisabled: Bool
        var body: some View {
            VStack(alignment: .leading) {
                Text("text").onTapGesture { inner += 1 }.inputName("text").disabled(isDisabled)
                Button("button") { inner += 10 }.disabled(isDisabled)
                Text("\(outer) \(inner)")
            }
            .onTapGesture { outer += 1 }
        }
    }

    @Test func theInnermostViewTakesATap() {
        let stage = Stage(Taps(isDisabled: false))
        stage.tap("text")
        stage.tap("button")
        #expect(stage.screen.hasSuffix("0 11"))
        stage.loop.send(InputEvent(.tap, location: CellPoint(x: 0, y: 2)))
        stage.clock.nextFrame()
        #expect(stage.screen.hasSuffix("1 11"), "a view without a gesture leaves it to those around")
    }

    @Test func aDisabledViewTakesNoTaps() {
        let stage = Stage(Taps(isDisabled: true))
        stage.tap("text")
        stage.tap("button")
        #expect(stage.screen.hasSuffix("2 0"))
    }

    private struct Clicks: View {
        @State private var clicks = 0
        var body: some View { Text("clicks \(clicks)").onTapGesture(count: 2) { clicks += 1 }.inputName("text") }
    }

    @Test func twoTapsInShortSuccessionAreADoubleTap() {
        let stage = Stage(Clicks())
        stage.tap("text")
        #expect(stage.screen == "clicks 0")
        stage.tap("text")
        #expect(stage.screen == "clicks 1")
        stage.tap("text")
        stage.clock.advance(by: 1_000_000_000)
        stage.tap("text")
        #expect(stage.screen == "clicks 1", "the second came too late")
        stage.tap("text")
        #expect(stage.screen == "clicks 2")
    }

    private struct Fields: View {
        @State private var first = ""
        @State private var second = ""
        @State private var isOff = true
        var body: some View {
            VStack(alignment: .leading) {
                TextField("first", text: $first).disabled(isOff)
                TextField("second", text: $second)
                Toggle("off", isOn: $isOff)
            }
        }
    }

    @Test func typedCharactersPassADisabledFieldBy() {
        let stage = Stage(Fields())
        func type(_ character: Character) {
            stage.loop.send(InputEvent(.key(character)))
            stage.clock.nextFrame()
        }
        type("a")
        #expect(stage.screen.hasPrefix("[_first]\n[a_]"))
        stage.tap("off")
        type("b")
        #expect(stage.screen.hasPrefix("[b_]\n[a_]"))
    }

    private struct Ability: View {
        @Environment(\.isEnabled) private var isEnabled
        var body: some View { Text(isEnabled ? "enabled" : "disabled") }
    }

    @Test func whatIsDisabledOutsideStaysSo() {
        #expect(Stage(Ability()).screen == "enabled")
        #expect(Stage(Ability().disabled(true)).screen == "disabled")
        #expect(Stage(Ability().disabled(false).disabled(true)).screen == "disabled")
        #expect(Stage(Ability().disabled(true).disabled(false)).screen == "disabled")
    }

    private struct Heavy: View, Equatable {
        let id: Int
        let note: String
        var body: some View { Text("heavy \(id)") }
        nonisolated static func == (lhs: Self, rhs: Self) -> Bool { lhs.id == rhs.id }
    }

    private struct Around: View {
        @State private var ticks = 0
        var body: some View {
            Heavy(id: ticks / 2, note: "note \(ticks)").equatable()
            Button("tick") { ticks += 1 }
        }
    }

    @Test func equatableKeepsEqualViewsFromBeingEvaluated() {
        let stage = Stage(Around())
        _ = stage.takeEvaluations()
        stage.tap("tick")
        #expect(stage.takeEvaluations() == ["Around"])
        stage.tap("tick")
        #expect(stage.takeEvaluations() == ["Around", "Heavy"])
    }
}
