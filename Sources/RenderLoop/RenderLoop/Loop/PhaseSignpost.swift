// SPDX-License-Identifier: MIT
// Phases as trace events: `com.rerender.RenderLoop.Phase:begin` and `:end`. The fence around their C calls.

import CSignpost

/// Records the phases of a loop, each as an interval.
///
/// Proof of the unsafe parts: a provider lives for ever, its states are read atomically, and a static string's bytes are
/// there for ever, too.
@MainActor
final class PhaseSignpost {
    /// The pointers are to memory that lives for ever and is read atomically, so any thread may have them.
    @safe private struct Provider: @unchecked Sendable {
        let pointer: OpaquePointer
        let beginState: UnsafePointer<CInt>
        let endState: UnsafePointer<CInt>
    }

    private static let provider: Provider? = unsafe csignpost_provider_make(
        "com.rerender.RenderLoop.Phase", CInt(CSIGNPOST_PHASE), nil
    ).map {
        unsafe Provider(
            pointer: $0, beginState: csignpost_state($0, CInt(CSIGNPOST_BEGIN)),
            endState: csignpost_state($0, CInt(CSIGNPOST_END)))
    }

    /// Unique in the process, whichever loop.
    private static var ids: UInt64 = 0
    private var open: (phase: LoopPhase, id: UInt64)?

    /// Makes the provider, so that a session can record the first phase.
    static func prepare() { _ = provider }

    func begin(_ phase: LoopPhase, turn: UInt64) {
        guard let provider = Self.provider, unsafe csignpost_is_on(provider.beginState) != 0 else { return }
        Self.ids += 1
        open = (phase, Self.ids)
        unsafe Self.emit(provider.pointer, CInt(CSIGNPOST_BEGIN), Self.ids, phase, turn)
    }

    /// Ends what was begun while somebody recorded.
    func end(turn: UInt64) {
        guard let (phase, id) = open else { return }
        open = nil
        guard let provider = Self.provider, unsafe csignpost_is_on(provider.endState) != 0 else { return }
        unsafe Self.emit(provider.pointer, CInt(CSIGNPOST_END), id, phase, turn)
    }

    private static func emit(_ provider: OpaquePointer, _ kind: CInt, _ id: UInt64, _ phase: LoopPhase, _ turn: UInt64)
    {
        let name = phase.signpostName
        unsafe name.utf8Start.withMemoryRebound(to: CChar.self, capacity: name.utf8CodeUnitCount) { text in
            unsafe csignpost_emit_phase(provider, kind, id, text, name.utf8CodeUnitCount, turn)
        }
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
