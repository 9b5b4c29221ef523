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

        /// The variables of a function, where shapes have their number of slots from bit 5 on; nil for a function that has others.
        var variables: [UInt]? {
            var objects = [UInt](repeating: 0, count: Int(JAVASCRIPT_VARIABLES))
            var isKnown = false
            _ = ask {
                isKnown = javascript_variables($0, JavaScriptClosureTests.base, 5, &objects)
                return 0
            }
            return isKnown ? objects : nil
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

    /// A value of the engine with an object.
    private static func value(_ object: UInt) -> UInt { 0x1FFFC << 47 | object }

    /// A function, its scope, the scope's shape and class, and the class's name.
    private func timer(
        slots: UInt = 4, used: UInt = 4, name: String = "LexicalEnvironment", first: UInt = Self.value(0x8000)
    ) -> Words {
        let scope = Self.base + 6 * 8, shape = scope + 7 * 8, base = shape + 2 * 8
        var text = Array(name.utf8) + [0]
        text += [UInt8](repeating: 0, count: 24 - text.count)
        let words = text.withUnsafeBytes { Array($0.bindMemory(to: UInt.self)) }
        return Words(
            words: [
                1, 2, 3, 0x20, Self.value(scope), 0x9000, shape, 0, 0, Self.value(0x7000), 0, first, Self.value(0x8800),
                base, slots << 5 | used << 10 | 2, base + 8, base + 16,
            ] + words)
    }

    @Test("A timer's variables have objects, where there are two of them in a scope of a function")
    func variables() {
        #expect(timer().variables == [0x8000, 0x8800])
        // A number, and what is not an object any more.
        #expect(timer(first: 0xFFF8_8000_0000_0001).variables == [0, 0x8800])
        #expect(timer(slots: 8).variables == nil && timer(used: 3).variables == nil && timer(used: 5).variables == nil)
        #expect(timer(name: "Call").variables == nil && timer(name: "LexicalEnvironments").variables == nil)
    }

    @Test("A timer's memory that ends too early, or without a scope, has no variables")
    func timerEnds() {
        let whole = timer().words
        // The name needs its first 19 bytes: all of its three words.
        for count in 0..<whole.count { #expect(Words(words: Array(whole.prefix(count))).variables == nil, "\(count)") }
        var words = whole
        words[4] = 5
        #expect(Words(words: words).variables == nil)
    }
}
