// SPDX-License-Identifier: MIT
// The stack of a write as a number. Taken in nanoseconds on the writer's thread, and named later.

import CRerender

/// A stack on which an observed value was written.
package struct StackID: Hashable, Sendable {
    package let rawValue: UInt32

    /// The stack is not known.
    package static let none = StackID(rawValue: UInt32(CRERENDER_NO_STACK))
    /// Stands for all stacks that there was no room for.
    package static let other = StackID(rawValue: UInt32(CRERENDER_OTHER_STACK))

    /// Whether stacks begin at Observation's caller; in a static program they begin at our own code.
    static let beginAtObservation = crerender_find_observation()

    /// Asks once where Observation's code is, so that no capture pays for it.
    package static func prepare() { _ = beginAtObservation }

    /// The stack of the code that runs now. For the closure that Observation calls before a value changes.
    ///
    /// Any thread; takes no lock. The first on a thread asks for the thread's stack, which allocates; a stack that was
    /// met before costs some tens of nanoseconds, as does a new one.
    package static func capture() -> StackID { StackID(rawValue: crerender_capture_writer()) }

    /// The stack of the code that runs now, from the innermost function on. Any thread; otherwise as ``capture()``.
    static func captureCallers() -> StackID { StackID(rawValue: crerender_capture_callers()) }

    /// A stack of one function, by the address that its call returns to.
    static func ofCaller(_ address: UInt) -> StackID {
        var address = address
        // Proof: it reads the local value alone.
        return unsafe StackID(rawValue: crerender_intern_stack(&address, 1))
    }

    /// The return addresses, innermost first; empty for ``none`` and ``other``.
    var addresses: [UInt] {
        unsafe Array(unsafeUninitializedCapacity: Int(CRERENDER_STACK_FRAMES)) { buffer, count in
            guard let start = buffer.baseAddress else { return }
            count = unsafe Int(crerender_stack(rawValue, start))
        }
    }
}
