// SPDX-License-Identifier: MIT
// A user at the terminal: keys in, commits out, on the real main run loop.

import CShared
import CoreFoundation
import Dispatch
import Foundation
import RenderLoop
import RenderLoopScenarios
import Rerender

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
