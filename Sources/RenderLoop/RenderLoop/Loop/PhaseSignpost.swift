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
        record(.begin, Self.ids, phase, turn)
    }

    /// Ends an interval that was begun while a session recorded.
    func end(turn: UInt64) {
        guard let (phase, id) = open else { return }
        open = nil
        record(.end, id, phase, turn)
    }

    private func record(_ kind: Provider.Kind, _ id: UInt64, _ phase: LoopPhase, _ turn: UInt64) {
        FieldValue.lend(phase.rawValue) { Self.provider.emit(kind, [.number(id), $0, .number(turn)]) }
    }
}
