// SPDX-License-Identifier: MIT
// The memory of closures of gjs and of functions of its engine, which may be anything.

#if DEBUG || RERENDER_FUZZ
    import CRerender
    import FuzzWire
    import Glibc

    extension FuzzTarget {
        /// The bytes are the memory; a closure or a function is at each word. The engine's address is the byte in front, times 8.
        static let javascript = FuzzTarget("javascript", longest: 1_024) { bytes in
            guard let first = bytes.first else { return }
            try bytes.dropFirst().withUnsafeBytes { buffer in
                var memory = JavaScriptMemory(bytes: buffer)
                try withUnsafeMutablePointer(to: &memory) { try JavaScriptChecks.run($0, engine: UInt(first) * 8) }
            }
        }
    }

    /// Memory of these bytes alone, and how often it was asked for.
    private struct JavaScriptMemory {
        static let base: UInt = 0x1_000
        let bytes: UnsafeRawBufferPointer
        var reads = 0

        static func reader(_ memory: UnsafeMutablePointer<JavaScriptMemory>) -> crerender_python_memory {
            crerender_python_memory(
                read: { context, address, to, size in
                    guard let memory = context?.assumingMemoryBound(to: JavaScriptMemory.self) else { return 0 }
                    memory.pointee.reads += 1
                    guard address >= JavaScriptMemory.base,
                        address - JavaScriptMemory.base < memory.pointee.bytes.count,
                        let start = memory.pointee.bytes.baseAddress
                    else { return 0 }
                    let offset = Int(address - JavaScriptMemory.base),
                        count = min(size, memory.pointee.bytes.count - offset)
                    memcpy(to, start + offset, count)
                    return count
                }, context: memory)
        }

        func word(_ address: UInt) -> UInt? {
            guard address >= Self.base, address - Self.base < bytes.count, bytes.count - Int(address - Self.base) >= 8
            else { return nil }
            return bytes.loadUnaligned(fromByteOffset: Int(address - Self.base), as: UInt.self)
        }
    }

    private enum JavaScriptChecks {
        static func run(_ memory: UnsafeMutablePointer<JavaScriptMemory>, engine: UInt) throws {
            var reader = JavaScriptMemory.reader(memory)
            var owner = javascript_owner(engine: engine, low: 0x1_000, high: 0x2_000)
            let end = JavaScriptMemory.base + UInt(memory.pointee.bytes.count) + 64
            for address in stride(from: JavaScriptMemory.base - 64, to: end, by: 8) {
                memory.pointee.reads = 0
                let object = javascript_object(&reader, address, &owner)
                let script = javascript_script(&reader, address)
                try hold(memory.pointee.reads <= 4, "\(memory.pointee.reads) reads")
                let word = { (place: UInt) in memory.pointee.word(address + place * 8) }
                if object != 0 {
                    try hold(word(4) == engine, "an object of another engine")
                    let notifier = word(3).flatMap { memory.pointee.word($0 &+ 8) }
                    try hold(notifier.map { owner.low..<owner.high ~= $0 } == true, "an object of no closure of gjs")
                }
                if script != 0 { try hold(word(5) == script && (word(3) ?? 0) & 0x30 == 0x20, "another script") }
            }
        }
    }
#endif
