// SPDX-License-Identifier: MIT
// Handlers of the render loop whose writes lead back to the view that they react to.

import Observation
import RenderLoop
import RenderLoopScenarios
import Testing

@testable import Rerender

@MainActor
@Suite("Cycles of the render loop") struct LoopCycleTests {
    private let store = RerenderStore(name: "loop-cycles")

    private var found: [[String]] { store.core.cycles(WallClock()).map { $0.steps.map(\.name) } }

    /// The cycles of a view after some turns, as paths.
    private func paths(_ view: some View) throws -> [[String]] {
        let clock = VirtualClock()
        let loop = RenderLoop(view.rerenderStore(store), driver: clock)
        loop.onWarning = { _ in }
        for _ in 0..<50 { clock.turn() }
        return found
    }

    private struct Remade: View {
        @State private var number = 0
        var body: some View { Text("\(number)").onAppear { number += 1 }.id(number) }
    }

    @Test("onAppear of what is made anew writes what makes it anew")
    func ownState() throws {
        #expect(try paths(Remade().rerender("Remade")) == [["Remade", "Remade: onAppear"]])
    }

    private struct Child: View {
        @Binding var number: Int
        var body: some View { Text("\(number)").onAppear { number += 1 }.id(number) }
    }
    private struct Parent: View {
        @State private var number = 0
        var body: some View {
            VStack {
                Text("\(number)")
                Child(number: $number).rerender("Child")
            }
        }
    }

    @Test("onAppear of a child writes what it reads through a binding, as its parent does")
    func binding() throws {
        #expect(try paths(Parent().rerender("Parent")) == [["Child", "Child: onAppear"]])
    }

    @Observable
    fileprivate final class Sizes {
        var left = 0
        var right = 0
    }
    private struct Left: View {
        let sizes: Sizes
        var body: some View { Text("left").onAppear { sizes.left += 1 }.id(sizes.right) }
    }
    private struct Right: View {
        let sizes: Sizes
        var body: some View { Text("right").onAppear { sizes.right += 1 }.id(sizes.left) }
    }
    private struct Both: View {
        let sizes = Sizes()
        var body: some View {
            HStack {
                Left(sizes: sizes).rerender("Left")
                Right(sizes: sizes).rerender("Right")
            }
        }
    }

    @Test("two views write what the other one reads")
    func observed() throws {
        #expect(try paths(Both()) == [["Left", "Left: onAppear", "Right", "Right: onAppear"]])
    }

    private struct Settling: View {
        @State private var rounds = 0
        @State private var taps = 0
        var body: some View {
            Text("\(rounds) \(taps)").onAppear { rounds = 1 }.onChange(of: rounds) { if rounds < 5 { rounds += 1 } }
        }
    }

    @Test("a layout that settles is none")
    func settling() throws {
        #expect(try paths(Settling().rerender("Settling")).isEmpty)
    }

    @Test("a minute of each scenario has none", arguments: RedrawScenario.allCases)
    func scenarios(scenario: RedrawScenario) throws {
        let clock = VirtualClock()
        let run = RedrawRun(scenario, driver: clock, store: store)
        clock.settle()
        // A frame is a sixtieth of a second, and a wait is one.
        for _ in 0..<3600 { run.perform(.wait, on: clock) }
        #expect(found.isEmpty && store.stats.contains { $0.count > 0 })
    }
}
