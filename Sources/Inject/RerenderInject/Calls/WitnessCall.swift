// SPDX-License-Identifier: MIT
// A call of a function that was replaced in a witness table.

import CInject

/// A call that stands in a thunk.
///
/// Proof of the unsafe parts: the thunk keeps the registers of the call until its handler has returned, and a handler has no
/// way to keep this longer.
@safe
struct WitnessCall: ~Copyable {
    private let registers: UnsafeMutablePointer<crerender_call>

    init(_ registers: UnsafeMutablePointer<crerender_call>) {
        unsafe self.registers = unsafe registers
    }

    /// Calls the function that was replaced, once.
    @inline(__always)
    func goOn() { unsafe crerender_call_original(registers) }

    /// The arguments that a register has; the last two of all are the type and its table.
    var arguments: (UInt, UInt, UInt, UInt) {
        let words = unsafe registers.pointee.arguments
        return (UInt(words.0), UInt(words.1), UInt(words.2), UInt(words.3))
    }

    /// Where the result was put, once the function has returned it; of a function that threw an error, nothing is there.
    var result: UInt { unsafe UInt(bitPattern: registers.pointee.result) }
}
