// SPDX-License-Identifier: MIT
// Phases of a framework's turns as trace events: `com.rerender.RenderLoop.Phase:begin` and `:end`.

import CShared
import Signpost

/// Records the phases of one loop, each as an interval.
@_spi(Bridge)
@MainActor
public final class PhaseSignpost {
    private static let provider = Provider.reserved(.phase)

    /// Unique in the process, whichever loop.
    private static var ids: UInt64 = 0
    /// The number of the events of the phase that runs; 0 until it has one.
    private var id: UInt64 = 0

    /// Records nothing yet.
    public init() {}

    /// Makes the provider, so that a session can record the first phase.
    public static func prepare() { _ = provider }

    /// Records that a phase begins. Does nothing while no session records beginnings.
    public func begin(_ phase: String, turn: UInt64) {
        id = 0
        if Self.provider.beginIsOn { record(phase, turn) { $0.emitBegin() } }
    }

    /// Records that the phase ends, whether its beginning was recorded or not. Does nothing while no session records ends.
    public func end(_ phase: String, turn: UInt64) {
        if Self.provider.endIsOn { record(phase, turn) { $0.emitEnd() } }
    }

    private func record(_ phase: String, _ turn: UInt64, _ emit: (csignpost_phase) -> Void) {
        if id == 0 {
            Self.ids += 1
            id = Self.ids
        }
        FieldText.lend(phase) { emit(csignpost_phase(signpost_id: id, name: $0, turn: turn)) }
    }
}
