// SPDX-License-Identifier: MIT
// Turns of the main loop as trace events: `com.rerender.RenderLoop:begin` and `:end`. The fence around their C calls.

import CSignpost

/// The provider `com.rerender.RenderLoop` of this process.
///
/// Proof of the unsafe parts: a provider lives for ever, and its states are read atomically.
enum TurnSignpost {
    /// The pointers are to memory that lives for ever and is read atomically, so any thread may have them.
    @safe private struct Provider: @unchecked Sendable {
        let pointer: OpaquePointer
        let beginState: UnsafePointer<CInt>
        let endState: UnsafePointer<CInt>
    }

    private static let provider: Provider? = unsafe csignpost_provider_make(
        "com.rerender.RenderLoop", CInt(CSIGNPOST_TURN), nil
    ).map {
        unsafe Provider(
            pointer: $0, beginState: csignpost_state($0, CInt(CSIGNPOST_BEGIN)),
            endState: csignpost_state($0, CInt(CSIGNPOST_END)))
    }

    /// Makes the provider, so that a session can record the first turn; before `BodyEvalSignpost` waits for the tracer.
    static func prepare() { _ = provider }

    /// Records that a turn began. Nothing where nobody records.
    static func begin(_ turn: UInt64) {
        guard let provider, unsafe csignpost_is_on(provider.beginState) != 0 else { return }
        unsafe csignpost_emit_turn_begin(provider.pointer, turn)
    }

    /// Records that a turn ended, with the evaluations that it had. Nothing where nobody records.
    static func end(_ turn: UInt64, evaluations: UInt64) {
        guard let provider, unsafe csignpost_is_on(provider.endState) != 0 else { return }
        unsafe csignpost_emit_turn_end(provider.pointer, turn, evaluations)
    }
}
