// SPDX-License-Identifier: MIT
// What is printed of a body's changes.

import Observation
import OpenCombine
import RenderLoop
import Testing

@MainActor
@Observable
private final class Clock {
    var tick = 0
}

@MainActor
@Suite struct PrintChangesTests {
    private final class Model: ObservableObject {
        @Published var name = "a"
    }

    private struct Screen: View {
        let model: Model
        let clock: Clock
        @State private var count = 0
        var body: some View {
            VStack {
                Button("count") { count += 1 }
                Leaf(count: count, model: model, clock: clock)
            }
        }
    }

    private struct Leaf: View {
        let count: Int
        @ObservedObject var model: Model
        let clock: Clock
        @State private var own = 0
        var body: some View {
            let _ = RenderLoop.printChanges()
            Button("\(count) \(model.name) \(clock.tick) \(own)") { own += 1 }.inputName("own")
        }
    }

    @Test func aBodyPrintsWhatHasChangedForIt() {
        let (model, clock) = (Model(), Clock())
        let virtual = VirtualClock()
        let loop = RenderLoop(Screen(model: model, clock: clock), driver: virtual)
        var lines: [String] = []
        loop.changesOutput = { lines.append($0) }
        func act(_ body: @escaping @MainActor () -> Void) -> [String] {
            lines = []
            virtual.source("act", body)
            virtual.settle()
            return lines
        }
        func tap(_ name: String) -> [String] {
            lines = []
            loop.send(InputEvent(.tap, target: name))
            virtual.nextFrame()
            return lines
        }
        #expect(act {} == ["Leaf: @identity changed."])
        #expect(tap("own") == ["Leaf: _own changed."])
        #expect(tap("count") == ["Leaf: @self.count changed."])
        #expect(act { model.name = "b" } == ["Leaf: _model.name changed."])
        #expect(act { clock.tick += 1 } == ["Leaf: @dependencies changed."])
        let both = act {
            model.name = "c"
            clock.tick += 1
        }
        #expect(both == ["Leaf: _model.name, @dependencies changed."])
        RenderLoop.printChanges()
        #expect(lines == both, "outside of an evaluation nothing is printed")
    }

    @Test func theLoopPrintsAllOfThemIfAsked() {
        let virtual = VirtualClock()
        let loop = RenderLoop(Screen(model: Model(), clock: Clock()), driver: virtual)
        var lines: [String] = []
        loop.changesOutput = { lines.append($0) }
        loop.printChanges = true
        virtual.settle()
        #expect(Set(lines) == ["Screen: @identity changed.", "Leaf: @identity changed."])
        lines = []
        loop.send(InputEvent(.tap, target: "count"))
        virtual.nextFrame()
        #expect(lines == ["Screen: _count changed.", "Leaf: @self.count changed.", "Leaf: @self.count changed."])
    }
}
