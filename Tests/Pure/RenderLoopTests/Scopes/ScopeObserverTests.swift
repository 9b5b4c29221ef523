// SPDX-License-Identifier: MIT
// Reactions to models beside the views: what fires, what does not, and that no body is evaluated for it.

import Observation
import OpenCombine
import RenderLoop
import Testing
@testable import RenderLoopSupport

@MainActor
@Observable
private final class Model {
    struct Pair: Equatable {
        var left = 0
        var right = 0
    }

    var count = 0
    var pair = Pair()
    var other = 0
}

@MainActor
private final class LegacyModel: ObservableObject {
    @Published var count = 0
    @Published var other = 0
}

/// Written to on other threads.
private final class SharedModel: ObservableObject, @unchecked Sendable {
    @Published var count = 0
}

@MainActor
@Suite struct ScopeObserverTests {
    /// What the actions were called with, and how often the body ran; counted by themselves.
    @MainActor
    private final class Log {
        var changes: [String] = []
        var bodies = 0
        func take() -> [String] {
            defer { changes = [] }
            return changes
        }
    }

    private struct Observing: View {
        let log: Log
        var body: some View {
            log.bodies += 1
            return Text("a")
                .onChange(of: \.count, in: Model.self) { log.changes.append("count \($0) → \($1)") }
                .onChange(of: \.pair, in: Model.self) { log.changes.append("pair \($0.left) → \($1.left)") }
        }
    }

    private struct Legacy: View {
        let log: Log
        var body: some View {
            log.bodies += 1
            return Text("a")
                .onChange(of: \.count, in: LegacyModel.self) { log.changes.append("\($0) → \($1)") }
        }
    }

    private struct Receiving: View {
        let log: Log
        var body: some View {
            log.bodies += 1
            return Text("a").onReceive(of: \.$count, in: LegacyModel.self) { log.changes.append("\($0)") }
        }
    }

    @Test func onChangeOfAnObservableFiresOnValueChangesOnlyAndEvaluatesNothing() {
        let model = Model()
        let log = Log()
        let stage = Stage(Observing(log: log).environment(model))
        #expect(log.take() == [], "not on first appear")
        _ = stage.takeEvaluations()
        stage.act { model.count = 1 }
        #expect(log.take() == ["count 0 → 1"])
        stage.act { model.count = 1 }
        stage.act { model.other += 1 }
        #expect(log.take() == [])
        // Observation tells of this set, although the value is the same.
        stage.act { model.pair.left = 0 }
        #expect(log.take() == [])
        stage.act { model.pair.left = 2 }
        #expect(log.take() == ["pair 0 → 2"])
        #expect(stage.takeEvaluations() == [])
        #expect(log.bodies == 1)
    }

    @Test func onChangeOfAnObjectFiresOnValueChangesOnlyAndEvaluatesNothing() {
        let model = LegacyModel()
        let log = Log()
        let stage = Stage(Legacy(log: log).environmentObject(model))
        #expect(log.take() == [], "not on first appear")
        _ = stage.takeEvaluations()
        stage.act { model.count = 1 }
        #expect(log.take() == ["0 → 1"])
        stage.act { model.count = 1 }
        stage.act { model.other += 1 }
        #expect(log.take() == [])
        #expect(stage.takeEvaluations() == [])
        #expect(log.bodies == 1)
    }

    @Test func onChangeSeesWhatATurnLeavesBehind() {
        let model = Model()
        let log = Log()
        let stage = Stage(Observing(log: log).environment(model))
        stage.act {
            model.count = 1
            model.count = 2
        }
        #expect(log.take() == ["count 0 → 2"])
        stage.act {
            model.count = 9
            model.count = 2
        }
        #expect(log.take() == [], "in the end it is what it was")
    }

    @Test func onChangeRunsInTheHandlersPhaseOfTheSameTurn() {
        struct Following: View {
            @State private var seen = 0
            var body: some View {
                Text("seen \(seen)").onChange(of: \.count, in: Model.self) { seen = $1 }
            }
        }
        let model = Model()
        let stage = Stage(Following().environment(model))
        _ = stage.takeEvents()
        let commits = stage.renderer.history.count
        stage.act { model.count = 3 }
        #expect(stage.renderer.history.dropFirst(commits) == ["seen 3"])
        let handlers = stage.takeEvents().compactMap {
            if case .handlerRan(let handler) = $0 { "\(handler.kind) \(handler.view.name)" } else { nil }
        }
        #expect(handlers == ["onChange(of: Int, in: Model) Following"])
    }

    @Test func onChangeThatKeepsChangingItsModelIsCutOff() {
        struct Runaway: View {
            let model: Model
            var body: some View { Text("a").onChange(of: \.count, in: Model.self) { _, _ in model.count += 1 } }
        }
        let model = Model()
        let stage = Stage(Runaway(model: model).environment(model))
        stage.act { model.count = 1 }
        #expect(model.count == 3)
        #expect(stage.warnings.map(\.description).filter { $0.contains("multiple times per frame") }.count == 1)
    }

    @Test func onReceiveFiresOnEverySetAtOnceAndNotOnFirstAppear() {
        let model = LegacyModel()
        let log = Log()
        let stage = Stage(Receiving(log: log).environmentObject(model))
        #expect(log.take() == [], "not on first appear")
        _ = stage.takeEvaluations()
        stage.act {
            model.count = 0
            #expect(log.take() == ["0"], "the same value, and at once")
            model.count = 1
            model.count = 1
            #expect(log.take() == ["1", "1"])
            model.other = 5
        }
        #expect(log.take() == [])
        #expect(stage.takeEvaluations() == [])
        #expect(log.bodies == 1)
    }

    @Test func whoFollowsAPropertyIsToldInTheOrderOfAppearance() {
        for _ in 0..<20 {
            let model = LegacyModel()
            let log = Log()
            let stage = Stage(
                ForEach(0..<5) { index in
                    Text("a").onReceive(of: \.$count, in: LegacyModel.self) { log.changes.append("\(index): \($0)") }
                }
                .environmentObject(model))
            stage.act { model.count = 7 }
            #expect(log.take() == ["0: 7", "1: 7", "2: 7", "3: 7", "4: 7"])
        }
    }

    @Test func onReceiveRunsOnTheMainActorInTheOrderOfTheSetsWhereverTheyHappen() async {
        let model = SharedModel()
        let (values, report) = AsyncStream.makeStream(of: Int.self)
        let stage = Stage(
            Text("a").onReceive(of: \.$count, in: SharedModel.self) { value in
                MainActor.assertIsolated()
                report.yield(value)
                if value == 100 { report.finish() }
            }
            .environmentObject(model))
        await Task.detached { for value in 1...100 { model.count = value } }.value
        var received: [Int] = []
        for await value in values { received.append(value) }
        #expect(received == Array(1...100))
        #expect(stage.screen == "a")
    }

    @Test func anObjectThatAnotherThreadChangesEvaluatesItsScopeInALaterTurn() async {
        let model = SharedModel()
        let (wakes, report) = AsyncStream.makeStream(of: Void.self)
        let stage = Stage(
            ScopeView(SharedModel.self) { model, _ in Text("\(model.count)") }
                .onReceive(of: \.$count, in: SharedModel.self) { _ in report.yield() }
                .environmentObject(model))
        await Task.detached { model.count = 7 }.value
        for await _ in wakes { break }
        stage.clock.settle()
        #expect(stage.screen == "7")
    }

    private struct Swapping<Content: View>: View {
        let first: (Model, LegacyModel)
        let second: (Model, LegacyModel)
        let content: Content
        @State private var isFirst = true
        @State private var isShown = true
        var body: some View {
            VStack {
                if isShown {
                    content
                        .environment(isFirst ? first.0 : second.0)
                        .environmentObject(isFirst ? first.1 : second.1)
                }
                Button("swap") { isFirst.toggle() }
                Button("toggle") { isShown.toggle() }
            }
        }
    }

    @Test func anotherModelIsFollowedInPlaceOfTheFirst() {
        let first = (Model(), LegacyModel())
        let second = (Model(), LegacyModel())
        second.0.count = 10
        second.1.count = 20
        let logs = [Log(), Log(), Log()]
        let content = VStack {
            Observing(log: logs[0])
            Legacy(log: logs[1])
            Receiving(log: logs[2])
        }
        let stage = Stage(Swapping(first: first, second: second, content: content))
        stage.tap("swap")
        // The value in the environment is another one; nothing was set.
        #expect(logs.map { $0.take() } == [["count 0 → 10"], ["0 → 20"], []])
        stage.act {
            first.0.count = 1
            first.1.count = 1
        }
        #expect(logs.map { $0.take() } == [[], [], []])
        stage.act {
            second.0.count = 11
            second.1.count = 21
        }
        #expect(logs.map { $0.take() } == [["count 10 → 11"], ["20 → 21"], ["21"]])
        #expect(logs.map(\.bodies) == [1, 1, 1])
        stage.tap("toggle")
        stage.act {
            second.0.count = 12
            second.1.count = 22
        }
        #expect(logs.map { $0.take() } == [[], [], []], "who is gone follows nothing")
    }

    @Test func anActionIsThatOfTheLatestEvaluation() {
        struct Renamed: View {
            let log: Log
            @State private var name = "old"
            var body: some View {
                Button("rename") { name = "new" }
                    .onChange(of: \.count, in: LegacyModel.self) { _, new in log.changes.append("\(name) changed") }
                    .onReceive(of: \.$count, in: LegacyModel.self) { _ in log.changes.append("\(name) received") }
            }
        }
        let model = LegacyModel()
        let log = Log()
        let stage = Stage(Renamed(log: log).environmentObject(model))
        stage.act { model.count += 1 }
        #expect(log.take() == ["old received", "old changed"])
        stage.tap("rename")
        stage.act { model.count += 1 }
        #expect(log.take() == ["new received", "new changed"])
    }

    @Test func nothingOfAModelIsKeptWhenItsViewsAreGone() {
        weak var observable: Model?
        weak var object: LegacyModel?
        do {
            let (first, second) = (Model(), LegacyModel())
            (observable, object) = (first, second)
            let stage = Stage(
                VStack {
                    Observing(log: Log())
                    Legacy(log: Log())
                    Receiving(log: Log())
                    ScopeView(Model.self) { _, model in
                        Switch(label: "t", isOn: .constant(model.count.wrappedValue > 0))
                    }
                    ScopeView(LegacyModel.self) { model, _ in Text("\(model.count)") }
                }
                .environment(first).environmentObject(second))
            stage.act {
                first.count += 1
                second.count += 1
            }
            #expect(stage.screen.contains("[x] t"))
        }
        #expect(observable == nil)
        #expect(object == nil)
    }

    @Test func anObserverAddsNoLayer() {
        let plain = Stage(HStack { Text("a").padding(0) })
        let observed = Stage(
            HStack { Text("a").padding(0).onChange(of: \.count, in: Model.self) { _, _ in } }.environment(Model()))
        func count(_ layer: Layer) -> Int { layer.committed.sublayers.reduce(1) { $0 + count($1) } }
        #expect(count(plain.loop.committedRoot) == count(observed.loop.committedRoot))
    }
}
