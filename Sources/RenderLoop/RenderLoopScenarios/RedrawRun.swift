// SPDX-License-Identifier: MIT
// A scenario in a loop, the evaluations of its steps, and its script in virtual time.

package import RenderLoop
package import Rerender

/// Which views were evaluated, how often, by their names.
package typealias Redraws = [String: Int]

/// A scenario in a loop of its own: performs steps and counts, from the loop's events, what they evaluate.
@MainActor
package final class RedrawRun {
    package let loop: RenderLoop
    /// What was evaluated since the last call of ``takeRedraws()``.
    package private(set) var redraws: Redraws = [:]
    /// What was evaluated in all.
    package private(set) var total: Redraws = [:]
    private let screen: RedrawScreen
    private let controls: [ScreenControl]

    /// Puts a scenario into a loop; its views appear in the first turn.
    ///
    /// - Parameters:
    ///   - scenario: What is shown.
    ///   - driver: What drives the loop.
    ///   - store: Counts the views, too; nil for none.
    ///   - size: The size of the screen, in character cells.
    package init(
        _ scenario: RedrawScenario, driver: any LoopDriver, store: RerenderStore? = nil,
        size: CellSize = CellSize(width: 60, height: 12)
    ) {
        screen = scenario.makeScreen()
        controls = scenario.controls
        loop = RenderLoop(screen.root.environment(\.rerenderStore, store), driver: driver, size: size)
        loop.observe { [weak self] event in
            // What a `ForEach` evaluates for each element is a view of its own, which no reader of the program knows.
            guard case .evaluated(let node, _) = event, node.name != "ForEachElement" else { return }
            self?.redraws[node.name, default: 0] += 1
            self?.total[node.name, default: 0] += 1
        }
    }

    /// What was evaluated since the last call.
    package func takeRedraws() -> Redraws {
        defer { redraws = [:] }
        return redraws
    }

    /// Sends a step's input, all of it for the next frame. ``ScriptStep/wait`` has none.
    package func send(_ step: ScriptStep) {
        for event in events(of: step) { loop.send(event) }
    }

    /// Whether the scenario has a clock of its own.
    package var hasBeat: Bool { screen.beat != nil }

    /// Lets the scenario's clock beat; to be called inside of a turn.
    package func beat() { screen.beat?() }

    /// Lets the clock beat as a timer of the main run loop does.
    package func beatInTurn() { loop.callOut(.timer, Self.beatLabel) { beat() } }

    private static let beatLabel = "beat"

    /// Calls `ended` at the end of each turn that had a step's input, a beat or a commit that counts, with what was
    /// evaluated since the last call.
    package func observeSteps(
        commitCounts: @escaping @MainActor () -> Bool, ended: @escaping @MainActor (Redraws) -> Void
    ) {
        var isReached = false
        loop.observe { [weak self] event in
            switch event {
            case .input, .callout(.timer, Self.beatLabel): isReached = true
            case .committed where commitCounts(): isReached = true
            case .waiting where isReached:
                isReached = false
                if let self { ended(takeRedraws()) }
            default: break
            }
        }
    }

    private func events(of step: ScriptStep) -> [InputEvent] {
        switch step {
        case .tap(let name): [InputEvent(.tap, target: name)]
        case .type(let text): text.map { InputEvent(.key($0), target: name(of: .field)) }
        case .slide(let value): [InputEvent(.value(value), target: name(of: .slider))]
        case .wait: []
        }
    }

    private func name(of kind: ScreenControl.Kind) -> String? { controls.first { $0.kind == kind }?.name }
}

extension RedrawRun {
    /// How long ``ScriptStep/wait`` waits, in nanoseconds: a frame.
    package static let beatInterval: UInt64 = 16_666_667

    /// Runs the turn of one step, and those that follow where handlers were cut off.
    package func perform(_ step: ScriptStep, on clock: VirtualClock) {
        if case .wait = step {
            clock.timer(after: Self.beatInterval, "beat") { self.beat() }
            clock.advance(by: Self.beatInterval)
        } else {
            send(step)
            clock.nextFrame()
        }
        clock.settle()
    }
}
