// SPDX-License-Identifier: MIT
// Which object a closure of gjs calls, and which script a function has, from memory that may be anything.

import CRerender
import Foundation
import Testing

@Suite("Closures of JavaScript")
struct JavaScriptClosureTests {
    private static let base: UInt = 0x10_000
    private static var owner: javascript_owner { javascript_owner(engine: 0x7000, low: 0x50_000, high: 0x51_000) }

    /// Memory of these words, from the base on.
    private struct Words {
        var words: [UInt]

        func ask(_ body: (UnsafePointer<crerender_python_memory>) -> UInt) -> UInt {
            words.withUnsafeBytes { bytes in
                var bytes = bytes
                return withUnsafeMutablePointer(to: &bytes) { context in
                    var memory = crerender_python_memory(
                        read: { context, address, to, size in
                            guard let bytes = context?.assumingMemoryBound(to: UnsafeRawBufferPointer.self).pointee,
                                let start = bytes.baseAddress, address >= JavaScriptClosureTests.base,
                                address - JavaScriptClosureTests.base < bytes.count
                            else { return 0 }
                            let offset = Int(address - JavaScriptClosureTests.base),
                                count = min(size, bytes.count - offset)
                            memcpy(to, start + offset, count)
                            return count
                        }, context: context)
                    return body(&memory)
                }
            }
        }

        var object: UInt {
            var owner = JavaScriptClosureTests.owner
            return ask { javascript_object($0, JavaScriptClosureTests.base, &owner) }
        }

        var script: UInt { ask { javascript_script($0, JavaScriptClosureTests.base) } }
    }

    /// A closure: its head, its notifiers, the engine, the object, the root; then the notifiers, and the root.
    private func closure(engine: UInt = 0x7000, object: UInt, isRooted: Bool = false, notifier: UInt = 0x50_010)
        -> Words
    {
        let notifiers = Self.base + 7 * 8, root = isRooted ? Self.base + 9 * 8 : 0
        return Words(
            words: [
                1, 0, 0, notifiers, engine, isRooted ? 0 : object, root, 0, notifier, 0, 0, 0, isRooted ? object : 0,
            ])
    }

    @Test("A closure calls its object, or that of its root")
    func objects() {
        #expect(closure(object: 0x8000).object == 0x8000)
        #expect(closure(object: 0x8000, isRooted: true).object == 0x8000)
        #expect(closure(object: 0).object == 0 && closure(object: 0, isRooted: true).object == 0)
    }

    @Test("A closure of another engine, or without a function of gjs, is none")
    func others() {
        #expect(closure(engine: 0x7008, object: 0x8000).object == 0)
        for notifier in [0, 0x4FFFF, 0x51_000] as [UInt] {
            #expect(closure(object: 0x8000, notifier: notifier).object == 0)
        }
    }

    @Test("Memory that ends too early has no object, and none is asked for at 0")
    func ends() {
        let whole = closure(object: 0x8000, isRooted: true).words
        for count in 0..<whole.count { #expect(Words(words: Array(whole.prefix(count))).object == 0, "\(count)") }
        var owner = Self.owner
        #expect(Words(words: whole).ask { javascript_object($0, 0, &owner) } == 0)
        #expect(Words(words: whole).ask { javascript_script($0, .max - 7) } == 0)
    }

    @Test("A function has its script where it says that it has one, and is not the engine's own")
    func scripts() {
        func function(flags: UInt) -> Words { Words(words: [1, 2, 3, 0xFFF8_8000_0001_0000 | flags, 5, 0x9000]) }
        #expect(function(flags: 0x20).script == 0x9000 && function(flags: 0x2A1).script == 0x9000)
        #expect(function(flags: 0).script == 0 && function(flags: 0x40).script == 0)
        #expect(function(flags: 0x30).script == 0)
        #expect(Words(words: [1, 2, 3, 0x20, 5]).script == 0)
    }
}
