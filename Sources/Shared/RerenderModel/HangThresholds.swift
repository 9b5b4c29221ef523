// SPDX-License-Identifier: MIT
// How long a turn of a main loop may take, and what it counts as: the one rule of app, daemon and reports.
//
// The app keeps a turn in the flight page by the shortest thresholds of its stores. The watchdog opens a hang by the same
// ones, which it reads from the page. The daemon counts a hang in each store by the store's own, and `report` counts the
// turns of a recording without a daemon by the defaults. All of them ask `HangThresholds`. Another rule is a change of
// `length(of:lasting:)`, which has the hang with its views and what the thread did, of `LoopReading.length(lasting:)` for the
// turn that runs, and of `shortest` where a store may count what no store counted before. Tests compare both with the first.
// Another `TurnLength` is a case that the compiler asks for in `HangDetector`, `Registry.count` and `HangTally`.
//
// No value says at run time whether a build is a debug build: `RERENDER_PROBES` (Package.swift) is also set in release
// builds with `AlwaysOn`. A trace has no thresholds, so a rule by store needs a field of the trace.

/// What a turn of the main loop counts as.
package enum TurnLength: CaseIterable, Sendable {
    case short, microHang, hang
}

/// The thresholds of a store, or the shortest ones of several stores.
package struct HangThresholds: Hashable, Sendable {
    package var hangMilliseconds: UInt32
    package var microHangMilliseconds: UInt32

    /// Thresholds; the defaults where nothing else is given.
    package init(
        hangMilliseconds: UInt32 = HangThreshold.hangMilliseconds,
        microHangMilliseconds: UInt32 = HangThreshold.microHangMilliseconds
    ) {
        (self.hangMilliseconds, self.microHangMilliseconds) = (hangMilliseconds, microHangMilliseconds)
    }

    package var hangNanoseconds: UInt64 { UInt64(max(1, hangMilliseconds)) &* 1_000_000 }
    package var microHangNanoseconds: UInt64 { UInt64(max(1, microHangMilliseconds)) &* 1_000_000 }

    /// What a turn of so many nanoseconds is. A hang is one also where its threshold is the shorter of the two.
    package func length(nanoseconds: UInt64) -> TurnLength {
        if nanoseconds >= hangNanoseconds { return .hang }
        return nanoseconds >= microHangNanoseconds ? .microHang : .short
    }

    /// What a hang is, or what a part of it would be.
    package func length(of hang: Hang, lasting nanoseconds: UInt64? = nil) -> TurnLength {
        length(nanoseconds: nanoseconds ?? hang.longestNanoseconds)
    }

    /// By which a turn is kept that any of these stores may count; nil without a store.
    ///
    /// The app keeps no turn that is shorter than both, and the watchdog opens no hang that is shorter than the first.
    package static func shortest(of stores: [HangThresholds]) -> HangThresholds? {
        let (hang, microHang) = (stores.map(\.hangMilliseconds).min(), stores.map(\.microHangMilliseconds).min())
        guard let hang, let microHang else { return nil }
        // A hang must not be missed because its micro-hangs begin later.
        return HangThresholds(hangMilliseconds: hang, microHangMilliseconds: min(hang, microHang))
    }
}

/// How long a turn of the main loop may take.
///
/// Apple's tools report from 250 ms, and a reaction under 100 ms feels instant (WWDC 2023, session 10248).
public enum HangThreshold: Sendable {
    /// The default threshold of a hang.
    public static let hangMilliseconds: UInt32 = 250
    /// The default threshold of a micro-hang.
    public static let microHangMilliseconds: UInt32 = 100
    /// What may be set: from one millisecond to one hour.
    public static let allowedMilliseconds: ClosedRange<UInt32> = 1...3_600_000

    /// A threshold as people write it: `500`, `500ms` or `2s`; nil for a text or a number that cannot be one.
    package static func milliseconds(_ text: String) -> UInt32? {
        let isInSeconds = text.hasSuffix("s") && !text.hasSuffix("ms")
        let digits = text.hasSuffix("ms") ? text.dropLast(2) : isInSeconds ? text.dropLast() : text[...]
        let (number, isOver) = (UInt32(digits) ?? 0).multipliedReportingOverflow(by: isInSeconds ? 1_000 : 1)
        return isOver || !allowedMilliseconds.contains(number) ? nil : number
    }
}
