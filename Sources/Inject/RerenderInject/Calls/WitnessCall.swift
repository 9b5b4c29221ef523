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
    private let errorBefore: UInt64

    init(_ registers: UnsafeMutablePointer<crerender_call>) {
        unsafe self.registers = unsafe registers
        errorBefore = unsafe registers.pointee.error
    }

    /// Where the call is on the stack: one in it has a lower place.
    var place: UInt { unsafe UInt(bitPattern: registers) }

    /// More words of arguments than a requirement of a view has on the stack.
    private static let stackWords = 32

    /// Calls the function that was replaced, once: one whose arguments are all in registers.
    @inline(__always)
    func goOn() { unsafe crerender_call_program(registers, 0) }

    /// Calls a function that may have arguments on the stack.
    @inline(__always)
    func goOnWithStack() { unsafe crerender_call_program(registers, Self.stackWords) }

    /// An argument that is in a register, by its place; there are six on x86-64. The type and its table are the last of all.
    @inline(__always)
    func argument(_ place: Int) -> UInt {
        unsafe withUnsafeBytes(of: &registers.pointee.arguments) {
            unsafe $0.load(fromByteOffset: place * MemoryLayout<UInt>.stride, as: UInt.self)
        }
    }

    /// Where the value is whose requirement this is.
    var value: UInt { unsafe UInt(bitPattern: registers.pointee.`self`) }

    /// Whether the function threw an error: then there is no result. One that cannot throw leaves the register as it was.
    var hasThrown: Bool { unsafe registers.pointee.error != errorBefore }

    /// Where the result was put, once the function has returned it; of a function that threw an error, nothing is there.
    var result: UInt { unsafe UInt(bitPattern: registers.pointee.result) }
}
