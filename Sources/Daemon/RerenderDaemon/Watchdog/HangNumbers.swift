// SPDX-License-Identifier: MIT
// The numbers of hangs: one sequence for the watchdog and for post-mortems.

import Synchronization

/// Gives each hang of a daemon a number of its own, larger than all before. For any thread.
final class HangNumbers: Sendable {
    private let latest = Atomic<UInt64>(0)

    /// The next number; 1 is the first.
    func next() -> UInt64 { latest.add(1, ordering: .relaxed).newValue }

    /// Goes on behind numbers that were given before.
    func pass(_ number: UInt64) { latest.max(number, ordering: .relaxed) }
}
