// SPDX-License-Identifier: MIT
// Where a function's code goes: the targets of what may be its direct calls.

/// The code of a function that this process has loaded.
///
/// Proof of the unsafe part: the range is one function's of a table that was checked against the loaded file, and code is
/// mapped readable on Linux unless a linker is told otherwise, which Swift's is not.
@safe
struct CodeBytes {
    private let bytes: UnsafeRawBufferPointer

    /// Empty if there is no such address.
    init(start: UInt, count: Int) {
        unsafe bytes = unsafe UnsafeRawBufferPointer(start: UnsafeRawPointer(bitPattern: start), count: count)
    }

    /// Where each byte sequence leads that is a direct call or jump, if it is an instruction.
    var targets: [UInt] {
        #if arch(x86_64)
            return unsafe bytes.indices.dropLast(4).compactMap { at in
                // call rel32, jmp rel32: counted from the next instruction.
                guard unsafe bytes[at] == 0xE8 || bytes[at] == 0xE9 else { return nil }
                return unsafe address(at + 5, Int(bytes.loadUnaligned(fromByteOffset: at + 1, as: Int32.self)))
            }
        #elseif arch(arm64)
            return unsafe stride(from: 0, to: bytes.count - 3, by: 4).compactMap { at in
                // b, bl: 26 bits, in instructions.
                let word = unsafe bytes.loadUnaligned(fromByteOffset: at, as: UInt32.self)
                guard word & 0x7C00_0000 == 0x1400_0000 else { return nil }
                return unsafe address(at, Int(Int32(bitPattern: word << 6) >> 4))
            }
        #else
            return []
        #endif
    }

    private func address(_ at: Int, _ distance: Int) -> UInt? {
        unsafe bytes.baseAddress.map { UInt(bitPattern: $0) &+ UInt(bitPattern: at &+ distance) }
    }
}

@available(*, unavailable)
extension CodeBytes: Sendable {}
