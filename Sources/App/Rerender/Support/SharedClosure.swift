// SPDX-License-Identifier: MIT
// A closure that several threads set and call.

import Synchronization

/// A closure that any thread sets and calls, if there is one.
///
/// A `Mutex` of the closure itself would be a trap: generic code keeps a closure in another form, so that each look at it would wrap it
/// twice and write it back. Every call would go deeper than the one before, until the stack of the host ends. What is in a structure is
/// not wrapped.
final class SharedClosure<Input>: Sendable {
    private struct Box: Sendable {
        let closure: @Sendable (Input) -> Void
    }

    private let box = Mutex<Box?>(nil)

    /// What was set last. A lock.
    var closure: (@Sendable (Input) -> Void)? { box.withLock { $0 }?.closure }

    func set(_ closure: (@Sendable (Input) -> Void)?) {
        let new = closure.map { Box(closure: $0) }
        // Let go of after the lock: what it captured may set another one.
        let old = box.withLock { exchange(&$0, with: new) }
        withExtendedLifetime(old) {}
    }

    /// Calls it under the lock, so that of two threads the later one is heard last; `input` is asked under it, too.
    func callLocked(_ input: () -> Input) { box.withLock { $0?.closure(input()) } }
}
