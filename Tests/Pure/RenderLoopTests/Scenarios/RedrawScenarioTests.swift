// SPDX-License-Identifier: MIT
// The classic redraws: which views each action evaluates, in each scenario.

import RenderLoop
import RenderLoopScenarios
import Rerender
import RerenderModel
import Testing

/// A scenario in virtual time, with the views of a store beside what the loop says.
@MainActor
private final class RedrawStage {
    let clock = VirtualClock()
    let run: RedrawRun
    var events: [LoopEvent] = []

    init(_ scenario: RedrawScenario, store: RerenderStore? = nil) {
        run = RedrawRun(scenario, driver: clock, store: store)
        run.loop.observe { [unowned self] in events.append($0) }
        clock.settle()
    }

    var commits: Int { events.count { if case .committed = $0 { true } else { false } } }
    var screen: String { TextRenderer.text(of: run.loop.committedRoot) }

    /// What a script evaluates, after the views have appeared.
    func redraws(_ script: String) throws -> Redraws {
        _ = run.takeRedraws()
        for step in try Script(parsing: script).steps { run.perform(step, on: clock) }
        return run.takeRedraws()
    }
}

@MainActor
@Suite struct RedrawScenarioTests {
    /// What one action evaluates.
    struct Expectation: Sendable {
        let scenario: RedrawScenario
        let script: String
        let redraws: Redraws

        nonisolated init(_ scenario: RedrawScenario, _ script: String, _ redraws: Redraws) {
            self.scenario = scenario
            self.script = script
            self.redraws = redraws
        }
    }

    private nonisolated static let seasonRows = ["EpisodesView": 1, "EpisodeRow": 4]

    nonisolated static let showmax = [
        // One model: whoever observes it.
        Expectation(
            .showmaxOneModel, "tap:heart", ["SeriesScreen": 1, "HeaderView": 1, "HeartButton": 1, "EpisodesView": 1]),
        Expectation(
            .showmaxOneModel, "tap:season",
            ["SeriesScreen": 1, "HeaderView": 1, "HeartButton": 1, "EpisodesView": 1, "EpisodeRow": 4]),
        // All others: the view that shows it.
        Expectation(.showmaxSplitModels, "tap:heart", ["HeartButton": 1]),
        Expectation(.showmaxSplitModels, "tap:season", seasonRows),
        Expectation(.showmaxSubObjects, "tap:heart", ["HeartButton": 1]),
        Expectation(.showmaxSubObjects, "tap:season", seasonRows),
        Expectation(.showmaxSubjects, "tap:heart", ["HeartButton": 1]),
        Expectation(.showmaxSubjects, "tap:season", seasonRows),
    ]

    nonisolated static let rerender = [
        // The notes get a tick that they do not show.
        Expectation(.dashboardWasteful, "wait", ["Dashboard": 1, "TickLabel": 1, "Notes": 1]),
        Expectation(.dashboardWasteful, "tap:count", ["Dashboard": 1, "Counter": 1]),
        Expectation(.dashboardOptimised, "wait", ["TickLabel": 1]),
        Expectation(.dashboardOptimised, "tap:count", ["Counter": 1]),
        // A scope is evaluated for what it reads, its panel never.
        Expectation(.isolationObservable, "tap:skip", ["DirectPanel": 1, "ScopeView": 1]),
        Expectation(.isolationObservable, "tap:like", ["DirectPanel": 1, "ScopeView": 1]),
        // An object announces that it changes, not what.
        Expectation(.isolationObject, "tap:skip", ["DirectPanel": 1, "ScopeView": 2]),
        Expectation(.isolationObject, "tap:like", ["DirectPanel": 1, "ScopeView": 2]),
        // Three keys of one frame are one evaluation. The row that saves gets another closure each time; a row that hands
        // a binding on reads nothing.
        Expectation(.formWasteful, "type:abc", ["Form": 1, "TextField": 1, "SaveRow": 1]),
        Expectation(.formWasteful, "slide:0.7", ["Form": 1, "Slider": 1, "SaveRow": 1]),
        Expectation(.formWasteful, "tap:save", ["Form": 1, "SaveRow": 1]),
        Expectation(.formIsolated, "type:abc", ["TextField": 1, "Summary": 1]),
        Expectation(.formIsolated, "slide:0.7", ["Slider": 1, "Summary": 1]),
        Expectation(.formIsolated, "tap:save", ["SaveRow": 1]),
    ]

    nonisolated static let article = [
        Expectation(.onAppearLoading, "tap:finish", ["Article": 1]),
        // Once for the word, and once more for its size; each of four words is measured in both, and where it moved to.
        Expectation(.flowLayout, "tap:grow", ["FlowScreen": 1, "Flow": 2, "GeometryReader": 12]),
    ]

    @Test("The article's examples: an action evaluates these views", arguments: article)
    func articleRedraws(expectation: Expectation) throws { try expect(expectation) }

    @Test("The article's examples are evaluated twice before their first commit, which shows the second result")
    func articleAppears() {
        let loading = RedrawStage(.onAppearLoading)
        #expect(
            loading.run.total == ["Article": 2] && loading.commits == 1 && loading.screen.contains("status: loading"))
        let flow = RedrawStage(.flowLayout)
        #expect(flow.run.total.filter { $0.key != "GeometryReader" } == ["FlowScreen": 1, "Flow": 2])
        #expect(flow.commits == 1)
        #expect(flow.screen.contains("one three\nseven eleven"), "\(flow.screen)")
    }

    @Test("Showmax's series screen: an action evaluates these views", arguments: showmax)
    func showmaxRedraws(expectation: Expectation) throws { try expect(expectation) }

    @Test("Rerender's scenarios: an action evaluates these views", arguments: rerender)
    func rerenderRedraws(expectation: Expectation) throws { try expect(expectation) }

    /// What a tick evaluates.
    private let ticking: Set = ["Dashboard", "TickLabel", "Notes"]

    private func expect(_ expectation: Expectation) throws {
        let stage = RedrawStage(expectation.scenario)
        let before = stage.screen
        let redraws = try stage.redraws(expectation.script)
        #expect(redraws == expectation.redraws, "\(expectation)")
        #expect(stage.screen != before, "the action is seen")
        let left = try stage.redraws("wait,wait")
        #expect(left.keys.allSatisfy { ticking.contains($0) }, "nothing is left over")
    }

    /// All but those which show that what handlers change is evaluated again.
    private nonisolated static let withoutHandlers = RedrawScenario.allCases.filter {
        ![.onAppearLoading, .flowLayout].contains($0)
    }

    @Test("Every view is evaluated once when it appears", arguments: withoutHandlers)
    func appearance(scenario: RedrawScenario) {
        let stage = RedrawStage(scenario)
        let several: Set = ["EpisodeRow", "ScopeView"]
        #expect(
            stage.run.total.filter { !several.contains($0.key) }.values.allSatisfy { $0 == 1 }, "\(stage.run.total)")
        #expect(stage.run.total["EpisodeRow", default: 4] == 4)
        #expect(stage.run.total["ScopeView", default: 2] == 2)
    }

    @Test("Each control that a scenario names is on its screen", arguments: RedrawScenario.allCases)
    func controls(scenario: RedrawScenario) {
        let stage = RedrawStage(scenario)
        for control in scenario.controls { #expect(stage.run.loop.hasInput(named: control.name), "\(control)") }
        #expect(Set(scenario.controls.map(\.name)).count == scenario.controls.count)
    }

    @Test("A scenario's example operates all of it", arguments: RedrawScenario.allCases)
    func examples(scenario: RedrawScenario) throws {
        let script = try Script(parsing: scenario.exampleScript)
        try script.check(scenario.controls, of: scenario.rawValue)
        #expect(script.steps.count == scenario.controls.count + 1)
    }

    @Test("The same script gives the same events a thousand times", arguments: RedrawScenario.allCases)
    func determinism(scenario: RedrawScenario) throws {
        let script = try Script(parsing: scenario.exampleScript)
        func log() -> [LoopEvent] {
            let stage = RedrawStage(scenario)
            for step in script.steps { stage.run.perform(step, on: stage.clock) }
            return stage.events
        }
        let first = log()
        #expect(first.count > 40)
        var different = 0
        for _ in 1..<1_000 where log() != first { different += 1 }
        #expect(different == 0)
    }

    @Test("The form shows what was typed and slid")
    func formContent() throws {
        for scenario in [RedrawScenario.formWasteful, .formIsolated] {
            let stage = RedrawStage(scenario)
            #expect(stage.screen.contains("nobody at 50 %"), "the slider begins in the middle, as the keys assume")
            _ = try stage.redraws("type:ab\\,c,slide:0.7,tap:save")
            #expect(stage.screen.contains("ab,c at 70 %"), "\(stage.screen)")
            #expect(stage.screen.contains("save, 1 so far"))
        }
    }
}

#if DEBUG
    /// What the store says of the same.
    @MainActor
    @Suite struct RedrawStoreTests {
        @Test("The store counts what the loop says", arguments: RedrawScenario.allCases)
        func counts(scenario: RedrawScenario) throws {
            let store = RerenderStore(name: "scenario")
            let stage = RedrawStage(scenario, store: store)
            for step in try Script(parsing: scenario.exampleScript).steps { stage.run.perform(step, on: stage.clock) }
            // Fields, sliders and readers are views of the library, which nobody has asked to count; scopes have labels.
            var expected = stage.run.total
            expected["TextField"] = nil
            expected["Slider"] = nil
            expected["GeometryReader"] = nil
            let scopes = expected.removeValue(forKey: "ScopeView") ?? 0
            var counted = Dictionary(uniqueKeysWithValues: store.stats.map { ($0.key.rawValue, Int($0.count)) })
            let labelled = ["TrackScope", "LikesScope"].compactMap { counted.removeValue(forKey: $0) }
            #expect(counted == expected)
            #expect(labelled.reduce(0, +) == scopes)
        }

        @Test("One model: the episodes are wasted, by the name of what changed")
        func oneModelWastes() throws {
            let store = RerenderStore(name: "scenario")
            let stage = RedrawStage(.showmaxOneModel, store: store)
            _ = try stage.redraws("tap:heart")
            let episodes = try #require(store.stats.first { $0.key.rawValue == "EpisodesView" })
            #expect(episodes.count == 2)
            #expect(episodes.lastReason == "model.isMyFavourite")
            #expect(episodes.wasted.count == 1)
            let heart = try #require(store.stats.first { $0.key.rawValue == "HeartButton" })
            #expect(heart.wasted.count == 0)
        }
    }
#endif
