// SPDX-License-Identifier: MIT
// When an evaluation happens: in which turn of a loop, and how long after input.

import CRerender
import Synchronization

/// One turn of one loop. Evaluations on a thread without a known loop are in none.
struct LoopTurn: Equatable {
    static let none = LoopTurn(number: 0, isHosts: false)

    /// The loop's own number; 0 for none.
    let number: UInt64
    /// Whether the host told of it. Its loop and a monitored one number their turns apart.
    let isHosts: Bool
}

/// The turn that a store's host told of last, and on which thread. Any thread.
final class HostTurn: Sendable {
    /// The thread in the upper half, the number in the lower; 0 before the first.
    private let latest = Atomic<UInt64>(0)

    /// A turn begins on the calling thread.
    ///
    /// - Parameter number: Told of no turn before.
    func begin(_ number: UInt32) {
        latest.store(UInt64(UInt32(bitPattern: crerender_this_thread())) << 32 | UInt64(number), ordering: .relaxed)
    }

    /// The turn under way on the calling thread; 0 if the latest is another thread's.
    var ofThisThread: UInt64 {
        let latest = latest.load(ordering: .relaxed)
        guard latest != 0, latest >> 32 == UInt64(UInt32(bitPattern: crerender_this_thread())) else { return 0 }
        return UInt64(UInt32(truncatingIfNeeded: latest))
    }
}

/// The latest input of a process. Any thread.
final class InputWatch: Sendable {
    /// Nanoseconds of the clock; 0 until ``begin(at:)``, as long as no code tells of input.
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
        guard latest != 0, now > latest &+ StoreLimits.quietNanoseconds else { return nil }
        // Data that a descriptor brought, and that was read, is input, too.
        let data = crerender_latest_data()
        return now > data &+ StoreLimits.quietNanoseconds ? max(latest, data) : nil
    }
}
