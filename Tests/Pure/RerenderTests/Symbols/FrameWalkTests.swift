// SPDX-License-Identifier: MIT
// Callers in a copy of a stack by frame pointers, as on arm64, also where the processor signs the addresses to return to.

import CRerender
import Testing

@Suite("A walk by frame pointers")
struct FrameWalkTests {
    private static let stack: UInt = 0x7FC4_F4CF_0000
    private static let instruction: UInt = 0xAAAA_0000_1000

    /// The addresses that are found in a copy of a stack, whose innermost frame is its first words.
    private static func walk(_ words: [UInt], hasRegisters: Bool = true) -> [UInt] {
        words.withUnsafeBytes { bytes in
            guard let start = bytes.bindMemory(to: UInt8.self).baseAddress else { return [] }
            var copy = csymbols_stack_copy(
                instruction: instruction, stack: stack, has_registers: hasRegisters, frame: stack,
                registers: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0), bytes: start, size: bytes.count)
            var (found, ends) = ([UInt](repeating: 0, count: 8), [UInt](repeating: 0, count: 8))
            let count = csymbols_unwind_frames(&copy, &found, &ends, 8)
            return Array(found.prefix(Int(count)))
        }
    }

    @Test(
        "addresses that the processor has signed are those of the functions",
        arguments: [0, 0x0066, 0x7FBF, 0xFFFF] as [UInt])
    func signed(signature: UInt) {
        let (callers, sign) = ([0xAAAA_0000_2004, 0x7FC4_F4CF_0998] as [UInt], signature << 48)
        // A frame, two words of the caller's, and its frame, the outermost.
        let words = [Self.stack + 32, callers[0] | sign, 1, 2, 0, callers[1] | sign]
        #expect(Self.walk(words) == [Self.instruction] + callers)
        #expect(Self.walk(words, hasRegisters: false) == [Self.instruction], "no frame is known")
    }

    @Test("a frame that is not above the one before ends the walk, and so does one outside of the copy")
    func bounds() {
        let caller: UInt = 0xAAAA_0000_2004
        for next in [Self.stack, Self.stack - 16, Self.stack + 20, Self.stack + 32, .max] {
            #expect(Self.walk([next, caller, 1, 2]) == [Self.instruction, caller], "\(next)")
        }
        #expect(Self.walk([Self.stack + 16, 0xFFFF << 48]) == [Self.instruction], "a signature alone is no address")
    }
}
