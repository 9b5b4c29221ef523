// SPDX-License-Identifier: MIT
// Phases as trace events: `com.rerender.RenderLoop.Phase:begin` and `:end`.

import Signpost

/// Records the phases of a loop, each as an interval.
@MainActor
final class PhaseSignpost {
    private static let provider = Provider.reserved(.phase)

    /// Unique in the process, whichever loop.
    private static var ids: UInt64 = 0
    private var open: (phase: LoopPhase, id: UInt64)?

    /// Makes the provider, so that a session can record the first phase.
    static func prepare() { _ = provider }

    func begin(_ phase: LoopPhase, turn: UInt64) {
        guard Self.provider.beginIsOn else { return }
        Self.ids += 1
        open = (phase, Self.ids)
        Self.provider.emit(.begin, [.number(Self.ids), .text(phase.signpostName), .number(turn)])
    }

    /// Ends what was begun while somebody recorded.
    func end(turn: UInt64) {
        guard let (phase, id) = open else { return }
        open = nil
        Self.provider.emit(.end, [.number(id), .text(phase.signpostName), .number(turn)])
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
