// SPDX-License-Identifier: MIT
// Turns: what happens in which order, and how often.

import Observation
import RenderLoop
import Testing
@testable import RenderLoopSupport

@MainActor
@Observable
private final class Model {
    var first = 0
    var second = 0
    var unread = 0
}

@MainActor
@Suite struct TurnTests {
    private struct Parent: View {
        let model: Model
        var body: some View {
            VStack {
                Text("\(model.first)")
                Child(model: model)
                Other(model: model)
            }
            .onChange(of: model.first) {}
        }
    }

    private struct Child: View {
        let model: Model
        var body: some View { Text("\(model.first) \(model.second)") }
    }

    private struct Other: View {
        let model: Model
        var body: some View { Text("\(model.second)") }
    }

    @Test func allChangesOfATurnLeadToOneEvaluation() {
        let model = Model()
        let stage = Stage(Parent(model: model))
        _ = stage.takeEvaluations()
        var during: [String] = []
        stage.act {
            for _ in 0..<3 {
                model.second += 1
                model.first += 1
            }
            during = stage.takeEvaluations()
        }
        #expect(during == [])
        // Parents before children, each once.
        #expect(stage.takeEvaluations() == ["Parent", "Child", "Other"])
        stage.act { model.unread += 1 }
        #expect(stage.takeEvaluations() == [])
    }

    @Test func phasesComeInTheirOrder() {
        let model = Model()
        let stage = Stage(Parent(model: model))
        _ = stage.takeEvents()
        stage.clock.async("block") { model.second += 1 }
        stage.clock.timer(after: 0, "timer") { model.first += 1 }
        stage.clock.source("source") { model.second += 1 }
        stage.clock.turn()
        let events = stage.takeEvents().compactMap(Self.outline)
        #expect(
            events == [
                "turn", "+callouts", "source source", "timer timer", "mainQueue block", "-callouts",
                "+evaluation 1", "Parent", "Child", "Other", "-evaluation", "+handlers 1", "onChange(of: Int)",
                "-handlers", "+commit 1", "commit", "-commit", "wait",
            ])
    }

    /// An event in short; nil for those that others imply.
    private static func outline(_ event: LoopEvent) -> String? {
        switch event {
        case .turnBegan: "turn"
        case .phaseBegan(let phase, let pass): "+\(phase)" + (pass == 0 ? "" : " \(pass)")
        case .phaseEnded(let phase): "-\(phase)"
        case .callout(let kind, let label): "\(kind) \(label)"
        case .evaluated(let node, _): node.name
        case .handlerRan(let handler): handler.kind
        case .committed: "commit"
        case .waiting: "wait"
        default: nil
        }
    }

    @Test func anEvaluationHasItsCauses() {
        let model = Model()
        let stage = Stage(Parent(model: model))
        let initial = stage.takeEvents().contains {
            if case .evaluated(let node, let causes) = $0 {
                node.name == "Child" && causes.map(\.kind) == [.initial]
            } else {
                false
            }
        }
        #expect(initial)
        stage.act { model.second += 1 }
        let causes = stage.takeEvents().compactMap { event -> String? in
            if case .evaluated(let node, let causes) = event { "\(node.name) \(causes)" } else { nil }
        }
        #expect(causes == ["Child [observed model.second]", "Other [observed model.second]"])
    }

    @Test func theSameScriptGivesTheSameEventsAThousandTimes() {
        func run() -> [LoopEvent] {
            let models = (0..<4).map { _ in Model() }
            let stage = Stage(VStack { ForEach(0..<4) { Parent(model: models[$0]) } })
            for step in 0..<3 {
                stage.act {
                    for model in models {
                        model.first += step
                        model.second += 1
                    }
                }
            }
            return stage.takeEvents()
        }
        let first = run()
        #expect(first.count > 100)
        #expect((0..<1_000).count { _ in run() != first } == 0)
    }
}
