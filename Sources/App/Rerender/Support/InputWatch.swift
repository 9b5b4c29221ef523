// SPDX-License-Identifier: MIT
// When input came last, in a process in which somebody tells of all of it.

import Synchronization

/// The latest input of a process. Any thread.
final class InputWatch: Sendable {
    /// Nanoseconds of the clock; 0 while nobody tells of input.
    private let latest = Atomic<UInt64>(0)

    /// From now on somebody tells of all input. What a process does when it begins is no work without input.
    func begin(at now: UInt64) {
        _ = latest.compareExchange(expected: 0, desired: max(now, 1), ordering: .relaxed)
    }

    /// Input came, or what it leads to at once has ended.
    func note(at now: UInt64) {
        if latest.load(ordering: .relaxed) != 0 { latest.store(max(now, 1), ordering: .relaxed) }
    }

    /// Whether somebody tells of input.
    @inline(__always)
    var isTold: Bool { latest.load(ordering: .relaxed) != 0 }

    /// When input came last, if it is known that none came for a while; nil otherwise.
    @inline(__always)
    func quietSince(at now: UInt64) -> UInt64? {
        let latest = latest.load(ordering: .relaxed)
        return latest != 0 && now > latest &+ StoreLimits.quietNanoseconds ? latest : nil
    }
}
