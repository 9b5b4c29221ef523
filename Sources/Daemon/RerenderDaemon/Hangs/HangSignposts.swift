// SPDX-License-Identifier: MIT
// Hangs in the trace: `com.rerender.Hang:begin` and `:end`.

import CShared
import RerenderModel
import Signpost

/// The provider `com.rerender.Hang`: one of the process, even if several daemons run in it.
enum HangSignposts {
    private static let provider = Provider.reserved(.hang)

    /// Makes the provider, and has the tracer loaded, which waits for a session daemon. Both wait for nothing here.
    static func load() {
        _ = provider
        SignpostTracing.load()
    }

    /// Emits that a hang was opened: its view is a guess. `startedAt` is by the monotonic clock.
    static func began(_ hang: Hang, startedAt: UInt64) {
        if provider.beginIsOn { emit(hang, startedAt) { $0.emitBegin() } }
    }

    /// Emits the end of what turned out not to be a hang, with a duration of 0, which no hang has.
    static func dropped(_ hang: Hang) {
        var hang = hang
        hang.durationNanoseconds = 0
        ended(hang, startedAt: Clocks.monotonic)
    }

    /// Emits that a hang ended. `startedAt` is by the monotonic clock.
    static func ended(_ hang: Hang, startedAt: UInt64) {
        if provider.endIsOn { emit(hang, startedAt) { $0.emitEnd() } }
    }

    private static func emit(_ hang: Hang, _ startedAt: UInt64, _ emit: (csignpost_hang) -> Void) {
        let age = Clocks.monotonic.saturatingDifference(startedAt)
        let handlerTime: UInt64 = hang.handler == nil ? 0 : hang.share ?? 0
        let shareText = HangShareText.text(of: hang)
        FieldText.lend(hang.handler ?? "", hang.source ?? "", hang.call ?? "", shareText) {
            handler, source, call, shares, _ in
            FieldText.lend(
                hang.view?.rawValue ?? "", hang.lastRendered?.rawValue ?? "", hang.viewAtThreshold?.rawValue ?? ""
            ) { name, lastRendered, atThreshold, _, _ in
                emit(
                    csignpost_hang(
                        signpost_id: hang.id, name: name, last_rendered: lastRendered,
                        pid: UInt32(bitPattern: hang.pid),
                        attribution: TraceCode.code(hang.attribution, none: .none),
                        verdict: TraceCode.code(hang.verdict, none: .unknown),
                        duration_ns: hang.durationNanoseconds, at_threshold: atThreshold, turn: hang.turn,
                        age_ns: age, starved_ns: hang.starvedNanoseconds, guess: hang.guess ? 1 : 0,
                        store_id: number(hang.viewStore), at_threshold_store_id: number(hang.viewAtThresholdStore),
                        last_rendered_store_id: number(hang.lastRenderedStore), stopped_ns: hang.stoppedNanoseconds,
                        counts: hang.counts ? 1 : 0, handler: handler, handler_ns: handlerTime,
                        source: source, call: call, excused: Self.excuse(of: hang), own_ns: hang.share ?? 0,
                        shares: shares))
            }
        }
    }

    private static func excuse(of hang: Hang) -> UInt8 {
        if hang.ended == .exited { return 1 }
        // What it waited for is in the trace by itself.
        return hang.isFirstDrawing ? 2 : 0
    }

    /// The number of a store; no store has the largest, which stands for none.
    private static func number(_ store: Hang.Store?) -> UInt32 { store?.number ?? .max }
}
