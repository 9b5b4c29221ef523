// SPDX-License-Identifier: MIT
// What is left out because there is too much of it is counted and shown.

import RenderLoop
import RenderLoopScenarios
import Rerender
import Testing
@testable import RenderLoopSupport

@MainActor
@Suite struct DroppedTests {
    private final class Found {
        var node: Node?
        init() {}
    }

    private struct Inner: View {
        var body: some View { Text("inner") }
    }

    /// Its node, for whoever wants to invalidate it.
    private struct Outer: View {
        let found: Found
        var body: some View {
            Inner().modifier(
                ProbeModifier { [found] node in
                    found.node = node
                    return nil
                })
        }
    }

    @Test func causesBeyondTheLimitAreCountedInTheEvent() throws {
        let found = Found()
        let stage = Stage(Outer(found: found))
        _ = stage.takeEvents()
        stage.act {
            for number in 100..<140 { found.node?.invalidate(EvaluationReason(.state, "s\(number)")) }
            found.node?.invalidate(EvaluationReason(.state, "s100"))
        }
        let causes = try #require(
            stage.takeEvents().compactMap { if case .evaluated(_, let causes) = $0 { causes } else { nil } }.first)
        #expect(causes.count == 33)
        #expect(causes.last == EvaluationReason(.further, "+8"))
        stage.act { found.node?.invalidate(EvaluationReason(.state, "s1")) }
        let next = stage.takeEvents().compactMap { if case .evaluated(_, let causes) = $0 { causes } else { nil } }
        #expect(next == [[EvaluationReason(.state, "s1")]])
    }

    #if DEBUG
        private struct Row: View {
            let number: Int
            var body: some View { Text("\(number)") }
        }

        @Test func bordersBeyondTheLimitAreCountedAndWarnedOfOnce() {
            let store = RerenderStore(name: "render-loop-tests")
            let rows = VStack { ForEach(0..<1_100, id: \.self) { Row(number: $0).rerender("Row") } }
            let stage = Stage(rows.rerenderStore(store))
            stage.loop.pulse("Row")
            #expect(stage.loop.droppedOverlays == 76)
            #expect(stage.warnings == [.tooManyOverlays(1_024)])
            #expect(stage.warnings.first?.description.contains("droppedOverlays") == true)
        }
    #endif

    @Test func aHandlersWarningSaysThatItIsTheOnlyOne() {
        struct Runaway: View {
            @State private var counter = 0
            var body: some View { Button("b") { counter += 1 }.onChange(of: counter) { counter += 1 } }
        }
        let stage = Stage(Runaway())
        stage.tap("b")
        stage.tap("b")
        #expect(stage.warnings.count == 1)
        #expect(stage.warnings.first?.description.contains("further times are not mentioned") == true)
    }

    @Test func aLoopThatOutlivesItsRunIsObservedByNobody() {
        let clock = VirtualClock()
        var run: RedrawRun? = RedrawRun(.dashboardOptimised, driver: clock)
        clock.settle()
        let loop = run?.loop
        #expect(run?.total.isEmpty == false)
        run = nil
        loop?.send(InputEvent(.tap, target: "count"))
        clock.nextFrame()
        #expect(loop?.evaluations ?? 0 > 0)
    }
}
