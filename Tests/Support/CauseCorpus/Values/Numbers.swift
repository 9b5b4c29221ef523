// SPDX-License-Identifier: MIT
// Numbers, and what is kept like one.

import Rerender

private struct Padded: Equatable {
    var flag: Bool
    var wide: Int64
    var half: Int16
    var last: UInt8
}

/// A value made on a stack that holds other bytes each time, so that its padding differs.
@inline(never)
private func onStack<Value>(filledWith byte: UInt8, _ make: () -> Value) -> Value {
    withUnsafeTemporaryAllocation(byteCount: 512, alignment: 16) { buffer in
        buffer.initializeMemory(as: UInt8.self, repeating: byte)
        return buffer.count == 512 ? make() : make()
    }
}

/// A value whose bytes that mean nothing are all `byte`.
private func padded<Value>(with byte: UInt8, _ assign: (UnsafeMutablePointer<Value>) -> Void) -> Value {
    let memory = UnsafeMutableRawPointer.allocate(
        byteCount: MemoryLayout<Value>.stride, alignment: MemoryLayout<Value>.alignment)
    memory.initializeMemory(as: UInt8.self, repeating: byte, count: MemoryLayout<Value>.stride)
    let value = memory.assumingMemoryBound(to: Value.self)
    assign(value)
    defer { memory.deallocate() }
    return value.pointee
}

private func paddedStruct(_ byte: UInt8, last: UInt8) -> Padded {
    padded(with: byte) { pointer in
        pointer.pointee.flag = true
        pointer.pointee.wide = 7
        pointer.pointee.half = 3
        pointer.pointee.last = last
    }
}

extension Case {
    static let numbers = CaseList.make("numbers") { list in
        list.kind("Int8", Int8(-1), Int8(1))
        list.kind("UInt64 in its highest bit", UInt64.max, UInt64.max >> 1)
        list.kind("Int128", Int128(1) << 100, Int128(1) << 101)
        list.kind("Float16", Float16(1), Float16(1.5))
        list.kind("Float80", Float80(1), Float80(1.5))
        list.kind("Double in its last bit", 1.0, 1.0.nextUp)
        list.kind("a subnormal Double", 0.0, Double.leastNonzeroMagnitude)
        list.kind("infinity", Double.infinity, -Double.infinity)
        list.kind("Bool", true, false)
        list.kind("Character", Character("a"), Character("b"))
        list.kind("a long Character", Character("👨‍👩‍👧‍👦"), Character("👨‍👩‍👧"))
        list.kind("Unicode.Scalar", "a" as Unicode.Scalar, "b" as Unicode.Scalar)
        list.kind("Duration", Duration.seconds(1), Duration.seconds(1) + .nanoseconds(1))
        list.kind("SIMD2<Double>", SIMD2(1.0, 2), SIMD2(1.0, 3))
        list.kind("SIMD4<Int32>", SIMD4<Int32>(1, 2, 3, 4), SIMD4<Int32>(1, 2, 3, 5))
        list.kind("SIMD16<UInt8>", SIMD16<UInt8>(repeating: 1), SIMD16<UInt8>(repeating: 2))
        list.kind("SIMD3<Float>, which has an unused lane", SIMD3<Float>(1, 2, 3), SIMD3<Float>(1, 2, 4))
        list.equal(
            "Float80 over other bytes", onStack(filledWith: 0) { Float80(2) }, onStack(filledWith: 255) { Float80(2) })
        list.equal(
            "SIMD3 with another unused lane", unsafeBitCast(SIMD4<Float>(1, 2, 3, 4), to: SIMD3<Float>.self),
            unsafeBitCast(SIMD4<Float>(1, 2, 3, 5), to: SIMD3<Float>.self))
        list.equal("a struct with other padding", paddedStruct(0, last: 1), paddedStruct(255, last: 1))
        list.kind("a struct with padding", paddedStruct(0, last: 1), paddedStruct(255, last: 2), path: "value.last")
        list.equal("an array of structs with other padding", [paddedStruct(0, last: 1)], [paddedStruct(255, last: 1)])
        list.equal(
            "an optional struct with other padding", Optional(paddedStruct(0, last: 1)),
            Optional(paddedStruct(255, last: 1)))
        list.equal("NaN", Double.nan, Double.nan)
        // The guide says that floats are compared by their bits.
        list.kind("a NaN's payload", Double(nan: 1, signaling: false), Double(nan: 2, signaling: false))
        list.kind("-0.0", 0.0, -0.0)
        list.kind("a range", 0..<3, 0..<4)
        list.kind("a closed range", 0...3, 1...3)
        list.kind("a half-open range of one end", 1..., 2...)
        list.kind(
            "a type of its own for an enum's raw value", One(value: Mode.b), One(value: Mode.c), path: "value.value")
        list.kind("an option set", Options([.a]), Options([.a, .b]), path: "value.rawValue")
        list.kind("an opaque pointer's address", OpaquePointer(bitPattern: 64), OpaquePointer(bitPattern: 128))
        list.kind("ObjectIdentifier", ObjectIdentifier(Int.self), ObjectIdentifier(String.self))
    }
}

private enum Mode: Int {
    case a, b, c
}

private struct Options: OptionSet {
    let rawValue: Int
    static let a = Options(rawValue: 1)
    static let b = Options(rawValue: 2)
}
