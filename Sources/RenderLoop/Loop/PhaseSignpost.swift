// SPDX-License-Identifier: MIT
// Phases as trace events: `com.rerender.RenderLoop.Phase:begin` and `:end`.

import Signpost

/// Records the phase that runs as an interval whose message is the turn.
@MainActor
final class PhaseSignpost {
    private static let signposter = Signposter(subsystem: "com.rerender", category: "RenderLoop.Phase")

    private var open: (phase: LoopPhase, state: SignpostIntervalState)?

    func begin(_ phase: LoopPhase, turn: UInt32) {
        guard Self.signposter.isEnabled else { return }
        let id = Self.signposter.makeSignpostID()
        open = (phase, Self.signposter.beginInterval(phase.signpostName, id: id, "turn=\(turn)"))
    }

    func end(turn: UInt32) {
        guard let (phase, state) = open else { return }
        open = nil
        Self.signposter.endInterval(phase.signpostName, state, "turn=\(turn)")
    }
}

extension LoopPhase {
    fileprivate var signpostName: StaticString {
        switch self {
        case .callouts: "callouts"
        case .evaluation: "evaluation"
        case .handlers: "handlers"
        case .commit: "commit"
        }
    }
}
