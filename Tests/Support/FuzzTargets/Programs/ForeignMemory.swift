// SPDX-License-Identifier: MIT
// Memory of a program that consists of an input's bytes, for readers of interpreters.

#if DEBUG || RERENDER_FUZZ
    import CRerender
    import FuzzWire
    import Glibc

    /// Memory of these bytes alone, and how much of it was asked for.
    struct ForeignMemory {
        /// The address of the first byte.
        let base: UInt
        let bytes: UnsafeRawBufferPointer
        private(set) var reads = 0
        private(set) var asked = 0

        init(_ bytes: UnsafeRawBufferPointer, at base: UInt) { (self.bytes, self.base) = (bytes, base) }

        /// What C reads it by, for as long as the memory is where it is.
        static func reader(_ memory: UnsafeMutablePointer<ForeignMemory>) -> crerender_python_memory {
            crerender_python_memory(
                read: { context, address, to, size in
                    guard let memory = context?.assumingMemoryBound(to: ForeignMemory.self) else { return 0 }
                    memory.pointee.reads += 1
                    memory.pointee.asked += size
                    guard let offset = memory.pointee.offset(of: address),
                        let start = memory.pointee.bytes.baseAddress
                    else { return 0 }
                    let count = min(size, memory.pointee.bytes.count - offset)
                    memcpy(to, start + offset, count)
                    return count
                }, context: memory)
        }

        /// How often it is read at most while something runs.
        static func bound(
            _ memory: UnsafeMutablePointer<ForeignMemory>, _ reads: Int, _ what: String, _ run: () throws -> Void
        ) throws {
            (memory.pointee.reads, memory.pointee.asked) = (0, 0)
            try run()
            try hold(memory.pointee.reads <= reads, "\(memory.pointee.reads) reads of \(what)")
            try hold(memory.pointee.asked <= reads * 648, "\(memory.pointee.asked) bytes of \(what)")
        }

        /// The word at an address; nil where the memory has no word.
        func word(_ address: UInt) -> UInt? {
            guard let offset = offset(of: address), bytes.count - offset >= 8 else { return nil }
            return bytes.loadUnaligned(fromByteOffset: offset, as: UInt.self)
        }

        private func offset(of address: UInt) -> Int? {
            guard address >= base, address - base < bytes.count else { return nil }
            return Int(address - base)
        }
    }
#endif
