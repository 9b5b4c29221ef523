// SPDX-License-Identifier: MIT
// Phases of a framework's turns as trace events: `com.rerender.RenderLoop.Phase:begin` and `:end`.

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
        if Self.provider.beginIsOn { record(.begin, phase, turn) }
    }

    /// Records that the phase ends, whether its beginning was recorded or not. Does nothing while no session records ends.
    public func end(_ phase: String, turn: UInt64) {
        if Self.provider.endIsOn { record(.end, phase, turn) }
    }

    private func record(_ kind: Provider.Kind, _ phase: String, _ turn: UInt64) {
        if id == 0 {
            Self.ids += 1
            id = Self.ids
        }
        FieldValue.lend(phase) { Self.provider.emit(kind, [.number(id), $0, .number(turn)]) }
    }
}
