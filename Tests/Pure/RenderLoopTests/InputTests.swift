// SPDX-License-Identifier: MIT
// Input and frames.

import RenderLoop
import Testing
@testable import RenderLoopSupport

@MainActor
@Suite struct InputTests {
    /// Takes all input.
    private struct Pad: View {
        let note: @MainActor (InputEvent) -> Void

        var body: some View {
            Control(label: Color.clear) { event, _ in
                note(event)
                return true
            }
        }
    }

    @Test func movesBetweenFramesArriveAsOne() {
        var received: [InputEvent] = []
        let stage = Stage(Pad { received.append($0) }.frame(width: 10, height: 2))
        stage.loop.send(InputEvent(.began, location: CellPoint(x: 1, y: 0)))
        for x in 2...5 {
            stage.clock.advance(by: 1_000_000)
            stage.loop.send(InputEvent(.moved, location: CellPoint(x: x, y: 0)))
        }
        #expect(received.isEmpty, "nothing before the frame")
        stage.clock.nextFrame()
        #expect(received.map(\.kind) == [.began, .moved])
        #expect(received.last?.latest.location.x == 5)
        #expect(received.last?.history.map(\.location.x) == [2, 3, 4, 5])
        #expect(received.last?.history.map(\.nanoseconds) == [1_000_000, 2_000_000, 3_000_000, 4_000_000])
    }

    @Test func aDisplayLinkThatAnotherCancelsIsNotCalledOnceMore() {
        let stage = Stage(Text("a"))
        var calls: [String] = []
        var second: DisplayLink?
        let first = stage.loop.addDisplayLink { _ in
            calls.append("first")
            second?.cancel()
        }
        second = stage.loop.addDisplayLink { _ in calls.append("second") }
        stage.clock.nextFrame()
        stage.clock.nextFrame()
        #expect(calls == ["first", "first"])
        first.cancel()
    }

    @Test func anObserverThatAnotherCancelsIsNotCalledOnceMore() {
        let stage = Stage(Text("a"))
        var calls: [String] = []
        var second: LoopObservation?
        let first = stage.loop.observe { _ in
            calls.append("first")
            second?.cancel()
        }
        second = stage.loop.observe { _ in calls.append("second") }
        stage.clock.turn()
        #expect(calls.count > 2 && !calls.contains("second"))
        first.cancel()
    }

    /// A button that a state hides, over another one.
    private struct Hiding: View {
        let note: @MainActor (String) -> Void
        @State private var opacity = 0.0
        var body: some View {
            VStack(alignment: .leading) {
                ZStack(alignment: .topLeading) {
                    Button("below") { note("below") }
                    Button("above") { note("above") }.opacity(opacity).inputName("name")
                }
                Button("show") { opacity = 0.1 }
            }
        }
    }

    @Test func aViewOfOpacityZeroTakesNoTaps() {
        var taps: [String] = []
        let stage = Stage(Hiding { taps.append($0) })
        func tapAll() {
            stage.loop.send(InputEvent(.tap, location: .zero))
            stage.tap("above")
            stage.tap("name")
        }
        tapAll()
        #expect(taps == ["below"])
        stage.tap("show")
        tapAll()
        #expect(taps == ["below", "above", "above", "above"])
    }

    @Test func lateFramesAreSkipped() {
        let stage = Stage(Text(""))
        var frames: [Frame] = []
        let interval: UInt64 = 16_666_667
        let link = stage.loop.addDisplayLink { frame in
            frames.append(frame)
            if frames.count == 2 { stage.clock.spend(3 * interval + interval / 2) }
        }
        stage.clock.advance(by: 7 * interval)
        #expect(frames.map(\.number) == [1, 2, 5, 6, 7])
        #expect(frames.map(\.skipped) == [0, 0, 2, 0, 0])
        link.cancel()
        stage.clock.advance(by: 5 * interval)
        #expect(frames.count == 5)
    }

    @Test func aTapFindsTheViewInFront() {
        var taps: [String] = []
        let stage = Stage(
            ZStack(alignment: .topLeading) {
                Button("behind behind") { taps.append("behind") }
                Button("front") { taps.append("front") }
            })
        stage.loop.send(InputEvent(.tap, location: CellPoint(x: 2, y: 0)))
        stage.loop.send(InputEvent(.tap, location: CellPoint(x: 9, y: 0)))
        stage.clock.nextFrame()
        #expect(taps == ["front", "behind"])
    }
}
