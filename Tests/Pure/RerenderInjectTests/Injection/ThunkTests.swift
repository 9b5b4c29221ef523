// SPDX-License-Identifier: MIT
// A hooked function gets the arguments of its call, in whatever registers and on the stack, and its caller gets its results.

import CInject
import Foundation
import TestSupport
import Testing

/// As many arguments as a view's requirement has: in registers, in vectors, and on the stack.
private typealias Many =
    @convention(c) (
        Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Double, Double, Double, Double, Double, Double, Double,
        Double, Double, Double
    ) -> Double

/// A digit for each argument: none may be another one's.
private let many: Many = { a, b, c, d, e, f, g, h, i, j, k, m, n, o, p, q, r, s, t, u, v in
    let words = [a, b, c, d, e, f, g, h, i, j, k].reduce(0) { $0 * 10 + $1 }
    let vectors = [m, n, o, p, q, r, s, t, u, v].reduce(0) { $0 * 10 + $1 }
    return Double(words) + vectors / 1e10
}

nonisolated(unsafe) private var slot: UnsafeMutableRawPointer?

nonisolated(unsafe) private var record: Int32 = 0

nonisolated(unsafe) private var calls = 0

nonisolated(unsafe) private var firstArgument: UInt64 = 0

nonisolated(unsafe) private var context = 0

nonisolated(unsafe) private var getterSlot: UnsafeMutableRawPointer?

/// What a getter of a view has: addresses.
private let getter: @convention(c) (Int, Int) -> Int = { $0 * 10 + $1 }

/// A protocol with one witness, in a table that the loader makes read-only.
private protocol Witnessed {
    func number() -> Int
}

private struct OneWitness: Witnessed {
    func number() -> Int { 1 }
}

/// What may be done with the page of an address, as `/proc/self/maps` has it; nil where nothing is mapped.
private func rights(of address: UnsafeRawPointer) -> String? {
    guard let maps = fopen("/proc/self/maps", "r") else { return nil }
    defer { fclose(maps) }
    var line = [CChar](repeating: 0, count: 4096)
    while fgets(&line, CInt(line.count), maps) != nil {
        let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        let words = text.split(separator: " ")
        guard words.count > 1 else { continue }
        let ends = words[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
        if ends.count == 2, ends[0] <= UInt(bitPattern: address), UInt(bitPattern: address) < ends[1] {
            return String(words[1])
        }
    }
    return nil
}

private func hook(_ context: UnsafeMutableRawPointer, hasVectors: Bool = true) -> crerender_hook {
    crerender_hook(original: nil, context: context, has_vectors: hasVectors, only_counts: true, unused: 0)
}

@Suite("A thunk", .serialized)
struct ThunkTests {
    @Test("passes on all arguments and the result, and its handler sees the call; a function is hooked once")
    func arguments() throws {
        slot = unsafe unsafeBitCast(many, to: UnsafeMutableRawPointer.self)
        crerender_hook_set_handler { call in
            guard let call else { return }
            calls += 1
            firstArgument = call.pointee.arguments.0
            // What the handler leaves in registers is not what the function gets.
            _ = [1.5, 2.5, 3.5].map { sin($0) }
            crerender_call_program(call, 32)
            _ = [1.5, 2.5, 3.5].map { cos($0) }
            crerender_leave(call)
        }
        let before = crerender_hook_count()
        let witness = withUnsafeMutablePointer(to: &slot) { crerender_witness(entry: $0, record: nil) }
        #expect(crerender_hook_install(witness, hook(&context)))
        #expect(!crerender_hook_install(witness, hook(&context)))
        #expect(crerender_hook_count() == before + 1)
        let hooked = unsafe unsafeBitCast(slot, to: Many.self)
        for round in 1...3 {
            let direct = many(1, 2, 3, 4, 5, 6, 7, 8, 9, 0, round, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0)
            #expect(hooked(1, 2, 3, 4, 5, 6, 7, 8, 9, 0, round, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0) == direct)
            #expect(calls == round && firstArgument == 1)
        }
        // What only counts is left out where nothing counts, and the function gets all the same.
        crerender_hook_set_counting(false)
        let direct = many(1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 4, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0)
        #expect(hooked(1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 4, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0) == direct && calls == 3)
        crerender_hook_set_counting(true)
        #expect(hooked(1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 4, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0) == direct && calls == 4)
    }

    @Test("leaves vectors alone where a call has nothing in them, and passes all else on")
    func getters() throws {
        getterSlot = unsafe unsafeBitCast(getter, to: UnsafeMutableRawPointer.self)
        var seen: [UInt64] = []
        try withUnsafeMutablePointer(to: &seen) { seen in
            crerender_hook_set_handler { call in
                guard let call else { return }
                let seen = call.pointee.hook.pointee.context.assumingMemoryBound(to: [UInt64].self)
                crerender_call_program(call, 0)
                seen.pointee += [call.pointee.arguments.0, call.pointee.arguments.1, call.pointee.returned.0]
                crerender_leave(call)
            }
            let witness = withUnsafeMutablePointer(to: &getterSlot) { crerender_witness(entry: $0, record: nil) }
            #expect(crerender_hook_install(witness, hook(seen, hasVectors: false)))
            let hooked = unsafe unsafeBitCast(try #require(getterSlot), to: (@convention(c) (Int, Int) -> Int).self)
            #expect(hooked(4, 2) == 42 && seen.pointee == [4, 2, 42])
            crerender_hook_set_counting(false)
            #expect(hooked(5, 3) == 53 && seen.pointee.count == 3)
            crerender_hook_set_counting(true)
        }
    }

    @Test("comes into a record, whose distance leads to it or near it, and once")
    func records() throws {
        let function = unsafe unsafeBitCast(many, to: Int.self)
        let witness = withUnsafeMutablePointer(to: &record) { record in
            record.pointee = Int32(function - Int(bitPattern: record))
            return crerender_witness(entry: nil, record: record)
        }
        #expect(Int(bitPattern: crerender_value_of(witness)) == function)
        var count = 0
        try withUnsafeMutablePointer(to: &count) { count in
            crerender_hook_set_handler { call in
                guard let call else { return }
                call.pointee.hook.pointee.context.assumingMemoryBound(to: Int.self).pointee += 1
                crerender_call_program(call, 32)
                crerender_leave(call)
            }
            #expect(crerender_hook_install(witness, hook(count)))
            #expect(!crerender_hook_install(witness, hook(count)))
            let hooked = try #require(crerender_value_of(witness))
            #expect(Int(bitPattern: hooked) != function)
            let direct = many(1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 5, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0)
            let result = unsafe unsafeBitCast(hooked, to: Many.self)(
                1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 5, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0)
            #expect(result == direct && count.pointee == 1)
        }
    }

    @Test("leaves the page of a table read-only, as the loader has made it")
    func protection() {
        let values: [any Witnessed] = [OneWitness()]
        // Behind a value of three words and its type, an element has its table. That begins with the conformance.
        let table = values.withUnsafeBytes {
            $0.load(fromByteOffset: 32, as: UnsafeMutablePointer<UnsafeMutableRawPointer?>.self)
        }
        let entry = table + 1
        let (before, original) = (rights(of: entry), entry.pointee)
        #expect(before == "r--p", "it is not read-only without a hook")
        #expect(crerender_hook_install(crerender_witness(entry: entry, record: nil), hook(&context)))
        let (after, hooked) = (rights(of: entry), entry.pointee)
        #expect(after == before && hooked != original)
    }

    @Test("has no place for a function that is in no loaded file, and for none at all")
    func places() {
        var elsewhere: [UnsafeMutableRawPointer?] = [unsafe unsafeBitCast(many, to: UnsafeMutableRawPointer.self), nil]
        let before = crerender_hook_count()
        elsewhere.withUnsafeMutableBufferPointer { slots in
            guard let first = slots.baseAddress else { return }
            #expect(!crerender_hook_install(crerender_witness(entry: first, record: nil), hook(&context)))
            #expect(!crerender_hook_install(crerender_witness(entry: first + 1, record: nil), hook(&context)))
            #expect(!crerender_hook_install(crerender_witness(), hook(&context)))
        }
        #expect(crerender_hook_count() == before)
    }
}
