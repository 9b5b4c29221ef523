// SPDX-License-Identifier: MIT
// Renderers with fonts and controls of their own: they say how large these are, and give input to layers.

import RenderLoop
import Testing
@testable import RenderLoopSupport

@MainActor
@Suite struct RendererMetricsTests {
    /// A character takes two cells, and four in a title; a control is three cells wider than its label.
    private final class Wide: LayerMetrics {
        func size(of text: String, _ look: TextLook) -> CellSize {
            CellSize(width: text.count * (look.font == .title ? 4 : 2), height: 1)
        }
        func size(of face: ControlFace, label: CellSize) -> CellSize {
            switch face {
            case .button: CellSize(width: label.width + 3, height: label.height)
            default: CellSize(width: 20, height: 2)
            }
        }
    }

    private func made(_ view: some View) -> (loop: RenderLoop, clock: VirtualClock) {
        let clock = VirtualClock()
        let loop = RenderLoop(view, driver: clock)
        loop.setMetrics(Wide())
        clock.settle()
        return (loop, clock)
    }

    private func layers(of root: Layer) -> [Layer] { [root] + root.committed.sublayers.flatMap(layers) }

    private func controls(_ loop: RenderLoop) -> [Layer] {
        layers(of: loop.committedRoot).filter { if case .control = $0.committed.content { true } else { false } }
    }

    private func widths(_ loop: RenderLoop) -> [Int] {
        layers(of: loop.committedRoot).compactMap {
            if case .text = $0.committed.content { $0.committed.frame.size.width } else { nil }
        }
    }

    private struct Titled: View {
        @State private var isTitle = false
        var body: some View {
            VStack {
                Button("b") { isTitle.toggle() }
                Text("abc").font(isTitle ? .title : nil)
            }
        }
    }

    @Test func textsHaveTheSizeThatTheRendererSaysAndAnotherFontMeasuresThemAnew() {
        let (loop, clock) = made(Titled())
        #expect(widths(loop) == [2, 6])
        loop.send(InputEvent(.tap, target: "b"))
        clock.nextFrame()
        #expect(widths(loop) == [2, 12])
    }

    private struct Form: View {
        @State private var name = "x"
        @State private var volume = 0.25
        @State private var isLoud = false
        var body: some View {
            VStack {
                TextField("name", text: $name)
                Slider(value: $volume)
                Button("loud") { isLoud.toggle() }
                Button("save") { name += "!" }
            }
        }
    }

    @Test func controlsAreFacesWithTheirValues() {
        let (loop, _) = made(Form())
        let faces = controls(loop).map(\.committed.content)
        #expect(
            faces == [
                .control(.field("x", title: "name")), .control(.slider(0.25)), .control(.button), .control(.button),
            ])
        #expect(controls(loop).map(\.committed.frame.size.width) == [20, 20, 11, 11])
    }

    @Test func withoutMetricsTheyAreCharacters() {
        let stage = Stage(Form())
        #expect(stage.screen.contains("[x_]") && stage.screen.contains("-O-") && stage.screen.contains("loud"))
        #expect(controls(stage.loop).isEmpty)
    }

    @Test func inputForALayerReachesItsControl() {
        let (loop, clock) = made(Form())
        let layers = controls(loop)
        loop.send(InputEvent(.text("é\u{7}z")), to: layers[0])
        loop.send(InputEvent(.value(0.5)), to: layers[1])
        loop.send(InputEvent(.tap), to: layers[2])
        loop.send(InputEvent(.tap), to: layers[3])
        #expect(loop.hasWaitingInput)
        clock.nextFrame()
        #expect(!loop.hasWaitingInput)
        #expect(
            controls(loop).map(\.committed.content) == [
                .control(.field("éz!", title: "name")), .control(.slider(0.5)), .control(.button), .control(.button),
            ])
    }

    @Test func aLayerHasTheNameOfTheNearestControlOrNameAroundIt() {
        let (loop, _) = made(VStack { Form().inputName("form") })
        #expect(controls(loop).map { loop.inputName(of: $0) } == ["name", "form", "loud", "save"])
    }

    private struct Choice: View {
        @State private var isThere = true
        var body: some View {
            VStack {
                Button("away") { isThere = false }
                if isThere { Button("gone") { isThere = true } }
            }
        }
    }

    @Test func inputForAViewThatIsGoneIsDropped() {
        let (loop, clock) = made(Choice())
        let gone = controls(loop)[1]
        loop.send(InputEvent(.tap, target: "away"))
        clock.nextFrame()
        loop.send(InputEvent(.tap), to: gone)
        clock.nextFrame()
        #expect(controls(loop).count == 1)
    }

    @Test func anotherSizeOfTheScreenIsLaidOut() {
        let stage = Stage(
            HStack {
                Text("a"); Spacer(); Text("b")
            }, width: 10, height: 2)
        #expect(stage.screen == "a        b")
        stage.loop.resize(to: CellSize(width: 6, height: 2))
        stage.clock.settle()
        #expect(stage.screen == "a    b")
        let turn = stage.loop.turn
        stage.loop.resize(to: CellSize(width: 6, height: 2))
        stage.clock.settle()
        #expect(stage.loop.turn == turn)
    }
}
