// SPDX-License-Identifier: MIT
// The metadata of a view as a compiler writes it, in memory of a test's, which then changes it.

import CInject

/// The metadata of a view `Kit.Row`: a protocol `Kit.View` with an associated type `B` and a getter, and the view's conformance to it.
///
/// A section of conformances has one record. Texts lie at the very end: what looks for an end behind it leaves the memory.
package struct ViewMetadata {
    /// Where the section begins, and the parts that it leads to.
    package static let (section, conformance, module, viewProtocol, type, table) = (0, 64, 128, 192, 288, 352)
    /// The records where the protocol's library may add requirements, and the function of the getter.
    package static let (witnesses, function) = (80, 416)
    /// All parts but the texts lie before this place.
    package static let end = 424

    /// Where the memory begins.
    package let start: UnsafeMutableRawPointer
    /// How long it is: a multiple of eight, at least 448.
    package let bytes: Int

    /// Writes the metadata into memory, which must stay as long as it is used.
    package init(at start: UnsafeMutableRawPointer, bytes: Int) {
        precondition(bytes >= Self.end + 24 && bytes.isMultiple(of: 8), "there is no room for a view's metadata")
        (self.start, self.bytes) = (start, bytes)
        reset()
    }

    /// Writes a number at a place, which needs no alignment.
    package func store<Number: BitwiseCopyable>(_ number: Number, at place: Int) {
        start.storeBytes(of: number, toByteOffset: place, as: Number.self)
    }

    /// Writes a pointer of four bytes, which is relative to its own place.
    package func point(from place: Int, to target: Int) { store(Int32(target - place), at: place) }

    /// Writes a whole pointer to another place.
    package func pointer(at place: Int, to target: Int) { store(UInt(bitPattern: start + target), at: place) }

    private func text(_ text: String, at place: Int) {
        for (index, byte) in (Array(text.utf8) + [0]).enumerated() { store(byte, at: place + index) }
    }

    /// Writes everything anew, as a compiler would.
    package func reset() {
        start.initializeMemory(as: UInt8.self, repeating: 0, count: bytes)
        let (kit, view, associated, row) = (bytes - 16, bytes - 12, bytes - 7, bytes - 4)
        text("Kit", at: kit)
        text("View", at: view)
        text("B", at: associated)
        text("Row", at: row)
        point(from: Self.section, to: Self.conformance)
        point(from: Self.conformance, to: Self.viewProtocol)
        point(from: Self.conformance + 4, to: Self.type)
        point(from: Self.conformance + 8, to: Self.table)
        point(from: Self.module + 8, to: kit)
        writeProtocol(named: view, associated)
        store(UInt32(17), at: Self.type)
        point(from: Self.type + 4, to: Self.module)
        point(from: Self.type + 8, to: row)
        pointer(at: Self.table, to: Self.conformance)
        pointer(at: Self.table + 16, to: Self.function)
    }

    private func writeProtocol(named name: Int, _ associated: Int) {
        store(UInt32(3), at: Self.viewProtocol)
        point(from: Self.viewProtocol + 4, to: Self.module)
        point(from: Self.viewProtocol + 8, to: name)
        store(UInt32(2), at: Self.viewProtocol + 16)
        point(from: Self.viewProtocol + 20, to: associated)
        store(UInt32(7), at: Self.viewProtocol + 24)
        store(UInt32(0x13), at: Self.viewProtocol + 32)
    }

    /// Gives the conformance a record of its getter, of which tables are made.
    package func addRecord(flags: UInt32 = 1 << 16, count: UInt32 = 1) {
        store(flags, at: Self.conformance + 12)
        store(count, at: Self.witnesses)
        point(from: Self.witnesses + 4, to: Self.viewProtocol + 32)
        point(from: Self.witnesses + 8, to: Self.function)
    }

    /// The memory, and nothing else, as what a program may be read of; to be freed.
    package func memory() -> OpaquePointer? {
        var starts = [UInt(bitPattern: start)], ends = [UInt(bitPattern: start) + UInt(bytes)]
        return crerender_memory_of(&starts, &ends, 1)
    }
}
