// SPDX-License-Identifier: MIT
// The turn of a loop that an evaluation belongs to.

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
