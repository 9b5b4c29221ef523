// SPDX-License-Identifier: MIT
// Flashes over views that are made anew.

import RenderLoop
import Rerender
import Testing
@testable import RenderLoopSupport

@MainActor
@Suite struct CheckForRenderTests {
    /// What RenderMeThis calls a render: the initialiser ran.
    private struct Label: View {
        let text: String
        init(_ text: String, _ initialised: @MainActor () -> Void) {
            self.text = text
            initialised()
        }
        var body: some View { Text(text) }
    }

    private struct Screen: View {
        let initialised: @MainActor () -> Void
        @State private var taps = 0
        var body: some View {
            VStack(alignment: .leading) {
                Button("tap \(taps)") { taps += 1 }.inputName("tap")
                Label("same", initialised).checkForRender()
                Keeper()
            }
        }
    }

    private struct Keeper: View {
        @State private var own = 0
        var body: some View { Button("keeper \(own)") { own += 1 }.inputName("keeper") }
    }

    private let flash = SeenOverlay(content: .fill(.red), frame: CellRect(0, 1, 4, 1), opacity: 0.3)

    @Test func aViewFlashesWheneverItIsInitialised() {
        var count = 0
        let stage = Stage(Screen { count += 1 })
        #expect(count == 1)
        #expect(stage.overlays == [flash], "the first time, too")
        stage.clock.advance(by: 400_000_000)
        #expect(stage.overlays == [])
        stage.tap("keeper")
        #expect(count == 1)
        #expect(stage.overlays == [], "another view's evaluation initialises nothing here")
        stage.loop.send(InputEvent(.tap, target: "tap"))
        stage.clock.nextFrame()
        #expect(count == 2)
        #expect(stage.overlays == [flash], "although its inputs are equal")
    }

    @Test func theFlashFadesOutInThreeTenthsOfASecond() throws {
        let stage = Stage(Screen {})
        var opacities: [Float] = []
        while let overlay = stage.overlays.first {
            opacities.append(overlay.opacity)
            stage.clock.advance(by: stage.clock.frameLength)
        }
        // At 60 frames a second the eighteenth is the first after 0.3 s.
        #expect((18...19).contains(opacities.count))
        #expect(opacities.first == 0.3)
        #expect(zip(opacities, opacities.dropFirst()).allSatisfy { $0 > $1 })
        let steps = zip(opacities, opacities.dropFirst()).map { $0 - $1 }
        #expect(steps.dropFirst(9).max() ?? 1 < steps.prefix(9).min() ?? 0, "fast at first, slow at the end")
        // CSS and SwiftUI have the same curve; its value in the middle of the time is known.
        let middle = try #require(opacities.dropFirst(9).first)
        #expect(abs(middle - 0.3 * (1 - 0.6839)) < 0.003)
    }

    @Test func aFlashTakesNoPlaceNoInputAndNoFrameOnceItIsOver() {
        let stage = Stage(Screen {})
        #expect(stage.screen == "tap 0\nsame\nkeeper 0")
        stage.loop.send(InputEvent(.tap, location: CellPoint(x: 1, y: 1)))
        stage.clock.nextFrame()
        stage.clock.advance(by: 1_000_000_000)
        let commits = stage.renderer.commits
        let turn = stage.loop.turn
        stage.clock.advance(by: 1_000_000_000)
        #expect(stage.renderer.commits == commits)
        #expect(stage.loop.turn == turn, "an idle loop is not woken")
    }

    private struct Checked: View {
        let rows: [Int]
        @State private var taps = 0
        var body: some View {
            VStack(alignment: .leading) {
                Button("tap") { taps += 1 }
                RenderCheck {
                    Text("one")
                    if taps > 0 { Text("three") }
                    ForEach(rows, id: \.self) { Text("row \($0)") }
                }
            }
        }
    }

    @Test func renderCheckAppliesToEachChild() {
        let stage = Stage(Checked(rows: [1, 2]))
        #expect(stage.screen == "tap\none\nrow 1\nrow 2")
        #expect(
            Set(stage.overlays.map(\.frame)) == [CellRect(0, 1, 3, 1), CellRect(0, 2, 5, 1), CellRect(0, 3, 5, 1)])
        stage.clock.advance(by: 400_000_000)
        #expect(stage.overlays == [])
        stage.loop.send(InputEvent(.tap, target: "tap"))
        stage.clock.nextFrame()
        #expect(stage.screen == "tap\none\nthree\nrow 1\nrow 2")
        #expect(Set(stage.overlays.map(\.frame)).isSuperset(of: [CellRect(0, 1, 3, 1), CellRect(0, 2, 5, 1)]))
    }

    private struct Pair: View {
        let word: String
        var body: some View {
            Text(word)
            Text("same")
        }
    }

    private struct Subviews: View {
        @State private var word = "one"
        @State private var taps = 0
        var body: some View {
            VStack(alignment: .leading) {
                Button("word") { word += "!" }
                Button("tap") { taps += 1 }
                RenderCheck {
                    Group {
                        Text("a")
                        if taps > 0 { Text("bb") }
                    }
                    Pair(word: word)
                    EmptyView()
                    AnyView(
                        Group {
                            Text("c")
                            Text("d")
                        })
                }
            }
        }
    }

    @Test func renderCheckFlashesEachSubview() {
        let stage = Stage(Subviews())
        #expect(stage.screen == "word\ntap\na\none\nsame\nc\nd")
        let frames = [(2, 1), (3, 3), (4, 4), (5, 1), (6, 1)].map { CellRect(0, $0.0, $0.1, 1) }
        #expect(Set(stage.overlays.map(\.frame)) == Set(frames))
        #expect(stage.overlays.count == 5)
        stage.clock.advance(by: 400_000_000)
        stage.loop.send(InputEvent(.tap, target: "tap"))
        stage.clock.nextFrame()
        #expect(stage.screen == "word\ntap\na\nbb\none\nsame\nc\nd")
        #expect(stage.overlays.count == 6, "with the new one, and those whose body was not evaluated")
    }

    private struct Gone: View {
        @State private var shows = true
        var body: some View {
            VStack {
                Button("toggle") { shows.toggle() }
                if shows { Text("there").checkForRender() }
            }
        }
    }

    @Test func aFlashGoesWithItsView() {
        let stage = Stage(Gone())
        #expect(stage.overlays.count == 1)
        stage.tap("toggle")
        #expect(stage.overlays == [])
        #expect(stage.screen == "toggle")
    }

    @Test func renderCheckLeavesTheRowsOfAListAsTheyAre() {
        let stage = Stage(
            List {
                Text("head")
                RenderCheck {
                    Text("first")
                    ForEach(0..<1_000) { Text("\($0)") }
                }
            })
        #expect(stage.screen.hasPrefix("head\nfirst\n0\n1\n"), "\(stage.screen)")
        #expect(stage.takeEvaluations().count < 20)
    }

    private struct NumberRow: View {
        let number: Int
        var body: some View { Text("row \(number)") }
    }

    @Test func probesAndFlashesLeaveTheRowsOfAListAsTheyAre() throws {
        let store = RerenderStore(name: "render-loop-tests")
        let stage = Stage(
            List {
                Text("head")
                ForEach(0..<1_000) { NumberRow(number: $0) }.rerender("NumberRow").checkForRender()
            }
            .rerenderStore(store))
        #expect(stage.screen.hasPrefix("head\nrow 0\nrow 1\n"), "\(stage.screen)")
        let rows = stage.takeEvaluations().count { $0 == "NumberRow" }
        #expect(rows == 11, "as many as lines")
        let view = try #require(store.stats.first { $0.key.rawValue == "NumberRow" })
        #expect(view.count == 11)
        #expect(stage.overlays.count == 11)
    }

    private struct Many: View {
        var body: some View { VStack { ForEach(0..<1_100) { Text("\($0)").checkForRender() } } }
    }

    @Test func flashesAreBounded() {
        let stage = Stage(Many())
        #expect(stage.overlays.count == 1_024)
        stage.clock.advance(by: 400_000_000)
        #expect(stage.overlays == [])
    }

    private struct Unused: View {
        @State private var taps = 0
        var body: some View {
            let _ = taps
            VStack {
                Button("tap") { taps += 1 }
                Text("same").checkForRender()
                Text("beside").background(.debug)
            }
        }
    }

    @Test func flashesAndColoursAreNoChangesOfAView() throws {
        let store = RerenderStore(name: "render-loop-tests")
        let stage = Stage(Unused().rerender("Unused").rerenderStore(store))
        stage.tap("tap")
        stage.tap("tap")
        let view = try #require(store.stats.first)
        #expect(view.count == 3)
        #expect(view.wasted.measured == 2)
    }

    @Test func theSameScriptGivesTheSameFlashes() {
        func run() -> [String] {
            let stage = Stage(Screen {})
            var seen: [String] = []
            for step in 0..<40 {
                if step % 15 == 3 { stage.loop.send(InputEvent(.tap, target: "tap")) }
                stage.clock.nextFrame()
                seen.append("\(stage.overlays)")
            }
            return seen
        }
        let first = run()
        #expect(Set(first).count > 10)
        for _ in 0..<20 { #expect(run() == first) }
    }
}

extension VirtualClock {
    fileprivate var frameLength: UInt64 { 16_666_667 }
}
