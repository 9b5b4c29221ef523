// SPDX-License-Identifier: MIT
// Hangs in the trace: `com.rerender.Hang:begin` and `:end`.

import RerenderModel
import Signpost

/// The provider `com.rerender.Hang`: one of the process, even if several daemons run in it.
struct HangSignposts {
    private static let provider = Provider.reserved(.hang)

    /// Makes the provider. Waits for nothing: the tracer is loaded on a thread of its own.
    func load() {
        _ = Self.provider
    }

    /// Emits that a hang was opened: what it says is a guess. `startedAt` is by the monotonic clock.
    func began(_ hang: Hang, startedAt: UInt64) {
        let age = Clocks.monotonic.saturatingDifference(startedAt)
        Self.lendTexts(of: hang) { name, last, attribution, verdict, atThreshold, handler in
            Self.provider.emit(
                .begin,
                [
                    .number(hang.id), name, last, Self.number(hang.pid), attribution, verdict, atThreshold,
                    .number(hang.turn), .number(age), .number(hang.starvedNanoseconds), .number(hang.guess ? 1 : 0),
                    Self.number(hang.viewStore), Self.number(hang.viewAtThresholdStore),
                    Self.number(hang.lastRenderedStore), .number(hang.stoppedNanoseconds), .number(hang.counts ? 1 : 0),
                    handler, .number(hang.handler == nil ? 0 : hang.share ?? 0),
                ])
        }
    }

    /// Emits that a hang turned out to be none: its end, with a duration of 0, which no hang has.
    func dropped(_ hang: Hang) {
        var hang = hang
        hang.durationNanoseconds = 0
        ended(hang, startedAt: Clocks.monotonic)
    }

    /// Emits that a hang ended. `startedAt` is by the monotonic clock.
    func ended(_ hang: Hang, startedAt: UInt64) {
        let age = Clocks.monotonic.saturatingDifference(startedAt)
        Self.lendTexts(of: hang) { name, last, attribution, verdict, atThreshold, handler in
            Self.provider.emit(
                .end,
                [
                    .number(hang.id), name, last, Self.number(hang.pid), attribution, verdict,
                    .number(hang.durationNanoseconds), atThreshold, .number(hang.turn), .number(age),
                    .number(hang.starvedNanoseconds), .number(hang.guess ? 1 : 0),
                    Self.number(hang.viewStore), Self.number(hang.viewAtThresholdStore),
                    Self.number(hang.lastRenderedStore), .number(hang.stoppedNanoseconds), .number(hang.counts ? 1 : 0),
                    handler, .number(hang.handler == nil ? 0 : hang.share ?? 0),
                ])
        }
    }

    private static func number(_ pid: Int32) -> FieldValue { .number(UInt64(UInt32(bitPattern: pid))) }

    /// The number of a store; no store has the largest, which stands for none.
    private static func number(_ store: Hang.Store?) -> FieldValue { .number(UInt64(store?.number ?? .max)) }

    private static func lendTexts(
        of hang: Hang, to body: (FieldValue, FieldValue, FieldValue, FieldValue, FieldValue, FieldValue) -> Void
    ) {
        FieldValue.lend(hang.handler ?? "") { handler in
            FieldValue.lend(
                hang.view?.rawValue ?? "", hang.lastRendered?.rawValue ?? "", hang.attribution.rawValue,
                hang.verdict.rawValue, hang.viewAtThreshold?.rawValue ?? ""
            ) { body($0, $1, $2, $3, $4, handler) }
        }
    }
}
