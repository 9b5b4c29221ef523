// SPDX-License-Identifier: MIT
// Turns of the main loop as trace events: `com.rerender.RenderLoop:begin` and `:end`.

import CRerender
import CShared
import Signpost

/// The provider `com.rerender.RenderLoop` of this process. A turn's number is its id, too, so that a reader needs no
/// state to pair its two events.
enum TurnSignpost {
    private static let provider = Provider.reserved(.turn)

    /// Makes the provider, so that a session can record the first turn; before `BodyEvalSignpost` waits for the tracer.
    static func prepare() { _ = provider }

    /// Records that a turn began, on the thread of its loop, and whether a body runs on this thread around it. Does nothing
    /// while no session records.
    static func begin(_ turn: UInt64) {
        guard provider.beginIsOn else { return }
        let isInBody = unsafe crerender_frame() != nil
        let name = FieldText.constant("turn")
        csignpost_turn_begin(signpost_id: turn, name: name, turn: turn, in_body: isInBody ? 1 : 0).emitBegin()
    }

    /// Records that a turn ended, with the evaluations that it had. Does nothing while no session records.
    static func end(_ turn: UInt64, evaluations: UInt64) {
        guard provider.endIsOn else { return }
        let name = FieldText.constant("turn")
        csignpost_turn_end(signpost_id: turn, name: name, turn: turn, evaluations: evaluations).emitEnd()
    }
}
