// SPDX-License-Identifier: MIT
// One run of a screen, by a user or by a script on the main run loop, and the report of the evaluations of each step.

import CShared
import CoreFoundation
import Dispatch
import Foundation
import RenderLoop
import RenderLoopScenarios
import Rerender

/// A screen in a loop until its script or its user ends it.
@MainActor
struct ScreenDemo {
    private let output: DemoOutput
    private let usesVirtualClock: Bool
    private let scenario: RedrawScenario
    private let script: Script?
    private let store: RerenderStore
    /// The terminal has another size.
    private let resizes: AwaitedSignals?

    /// Without a script, the user operates the screen in the terminal.
    init(_ scenario: RedrawScenario, _ script: Script?, usesVirtualClock: Bool, output: DemoOutput) {
        resizes = script == nil ? AwaitedSignals([SIGWINCH]) : nil
        EndSignals.endMainLoop(terminalToo: script == nil)
        self.scenario = scenario
        self.script = script
        self.usesVirtualClock = usesVirtualClock
        self.output = output
        store = RerenderStore(name: "main")
    }

    func run() throws {
        var report = ScreenReport(scenario: scenario)
        if let script {
            Console.print(opening)
            let screen =
                usesVirtualClock
                ? runVirtually(script, into: &report) : runOnMainLoop(script, into: &report)
            Console.print(report.text + "\n\n" + screen)
        } else {
            let interaction = Interaction(scenario, store: store, resizes: resizes)
            // What the terminal calls holds it weakly.
            try withExtendedLifetime(interaction) { try interaction.run(into: &report) }
            Console.print(report.text)
        }
        try output.finish(store, counts: report)
    }

    private func runVirtually(_ script: Script, into report: inout ScreenReport) -> String {
        let clock = VirtualClock()
        let run = RedrawRun(scenario, driver: clock, store: store)
        clock.settle()
        report.add("appears", run.takeRedraws())
        for step in script.steps {
            run.perform(step, on: clock)
            report.add(step.description, run.takeRedraws())
        }
        return TextRenderer.text(of: run.loop.committedRoot)
    }

    private func runOnMainLoop(_ script: Script, into report: inout ScreenReport) -> String {
        let run = RedrawRun(scenario, driver: MainRunLoop(), store: store)
        let scripted = ScriptedLoop(run, script)
        CFRunLoopRun()
        for (step, redraws) in scripted.finished { report.add(step?.description ?? "appears", redraws) }
        return TextRenderer.text(of: run.loop.committedRoot)
    }

    private var opening: String {
        "rerender-demo (pid \(getpid())): \(scenario.rawValue), \(scenario.summary)"
    }
}

/// Follows the loop's events: what a turn with a step's input evaluates is that step's.
@MainActor
final class ScriptedLoop {
    /// The steps that are over, with what they evaluated; nil stands for the views' appearance.
    private(set) var finished: [(step: ScriptStep?, redraws: Redraws)] = []
    private let run: RedrawRun
    private var remaining: ArraySlice<ScriptStep>
    private var step: ScriptStep?

    /// Begins with the loop's first turn; stops the main run loop at the end of the script.
    init(_ run: RedrawRun, _ script: Script) {
        self.run = run
        remaining = script.steps[...]
        run.observeSteps(
            commitCounts: { [weak self] in self?.step == nil }, ended: { [weak self] in self?.next(after: $0) })
    }

    private func next(after redraws: Redraws) {
        finished.append((step, redraws))
        guard let next = remaining.popFirst() else { return CFRunLoopStop(CFRunLoopGetMain()) }
        step = next
        if case .wait = next { scheduleBeat() } else { run.send(next) }
    }

    private func scheduleBeat() {
        _ = Timer.scheduledTimer(withTimeInterval: Double(RedrawRun.beatInterval) / 1e9, repeats: false) {
            [run] _ in
            MainActor.assumeIsolated { run.beatInTurn() }
        }
    }
}

/// Steps and what they evaluated, as the loop told it.
struct ScreenReport: Encodable {
    struct Step: Encodable {
        let step: String
        let evaluations: Redraws
    }

    let scenario: String
    private(set) var steps: [Step] = []
    private(set) var evaluations: Redraws = [:]

    init(scenario: RedrawScenario) { self.scenario = scenario.rawValue }

    mutating func add(_ step: String, _ redraws: Redraws) {
        steps.append(Step(step: step, evaluations: redraws))
        count(redraws)
    }

    /// Adds to the sums alone: a user's steps have no end.
    mutating func count(_ redraws: Redraws) { evaluations.merge(redraws, uniquingKeysWith: +) }

    /// A line for each step, and one for all.
    var text: String {
        let width = min(steps.map(\.step.count).max() ?? 0, 24)
        let lines = steps.map { Self.line($0.step, $0.evaluations, width: width) }
        return (lines + [Self.line("in all", evaluations, width: width)]).map { "  " + $0 }.joined(separator: "\n")
    }

    /// A step and the views that it evaluated.
    private static func line(_ step: String, _ redraws: Redraws, width: Int) -> String {
        step + String(repeating: " ", count: max(1, width + 2 - step.count)) + views(redraws)
    }

    /// The render loop's own, which no reader of the program knows and Rerender does not count.
    private static let ownViews: Set = ["Slider", "TextField"]

    /// The views, by name; how often where that is more than once.
    static func views(_ redraws: Redraws) -> String {
        let views = redraws.filter { !ownViews.contains($0.key) }.sorted { $0.key < $1.key }.map {
            $1 == 1 ? $0 : "\($0) \($1)×"
        }
        return views.isEmpty ? "nothing is evaluated" : views.joined(separator: ", ")
    }
}

// A user at the terminal: keys in, commits out, on the real main run loop.

/// Draws a screen in the terminal and gives it the keys, until a q that no field takes, Ctrl-C, the end of the
/// input or a signal.
@MainActor
final class Interaction {
    private let scenario: RedrawScenario
    private let run: RedrawRun
    private let resizes: AwaitedSignals?
    private var keys = KeyParser()
    private var focus: Focus
    /// What was done and waits for its turn.
    private var steps = DoneSteps("appears")
    private var report: ScreenReport
    private var note = StepNote()

    init(_ scenario: RedrawScenario, store: RerenderStore, resizes: AwaitedSignals?) {
        self.resizes = resizes
        self.scenario = scenario
        focus = Focus(scenario.controls)
        report = ScreenReport(scenario: scenario)
        run = RedrawRun(scenario, driver: MainRunLoop(), store: store)
    }

    /// Takes the terminal, and gives it back on every way out.
    func run(into result: inout ScreenReport) throws {
        try Terminal.take()
        run.observeSteps(commitCounts: { true }, ended: { [weak self] in self?.show($0) })
        run.loop.onWarning = { [weak self] in self?.note = StepNote($0.description) }
        let source = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: .main)
        source.setEventHandler { [weak self] in MainActor.assumeIsolated { self?.read() } }
        source.activate()
        resizes?.follow { [weak self] in self?.draw() }
        let beats = Timer.scheduledTimer(withTimeInterval: 1, repeats: true) { [weak self] _ in
            MainActor.assumeIsolated { self?.beat() }
        }
        CFRunLoopRun()
        beats.invalidate()
        source.cancel()
        cterminal_restore_now()
        result = report
    }

    private func beat() {
        guard run.hasBeat else { return }
        steps.add(.wait)
        run.beatInTurn()
    }

    private func read() {
        let actions = keys.keys(in: Terminal.read()).compactMap { focus.press($0) }
        for action in actions { act(action) }
    }

    private func act(_ action: KeyAction) {
        switch action {
        case .quit: CFRunLoopStop(CFRunLoopGetMain())
        case .focus: draw()
        case .step(let step):
            steps.add(step)
            run.send(step)
        }
    }

    private func show(_ redraws: Redraws) {
        report.count(redraws)
        note = StepNote(steps.text, ScreenReport.views(redraws))
        steps = DoneSteps()
        draw()
    }

    private func draw() {
        let size = Terminal.size()
        let text = TerminalPage.text(
            title: "\(scenario.rawValue): \(scenario.summary)",
            screen: TextRenderer.text(of: run.loop.committedRoot),
            focus: focus, note: note, columns: size.columns, lines: size.lines)
        Console.write(text)
    }
}
