// SPDX-License-Identifier: MIT
// The metadata and the witness tables of a program that is injected.

import CInject
import FuzzWire
import Glibc

extension FuzzTarget {
    /// The bytes are changes of the metadata of a view `Kit.Row`: its place, and a number or a pointer to another place.
    static let metadata = FuzzTarget("metadata", longest: 256) { bytes in
        let metadata = MetadataUnderTest()
        metadata.change(FuzzBytes(bytes))
        try metadata.check()
    }
}

/// The metadata of a view, in memory of which Address Sanitizer knows both ends.
private final class MetadataUnderTest {
    private static let bytes = 512
    /// The section of conformances has one record.
    private static let (section, conformance, module, viewProtocol, type, table) = (0, 64, 128, 192, 288, 352)
    private static let (witnesses, function) = (80, 416)
    /// Texts lie at the very end.
    private static let (kit, view, associated, row) = (496, 500, 505, 508)

    private let start = UnsafeMutableRawPointer.allocate(byteCount: MetadataUnderTest.bytes, alignment: 16)

    init() {
        memset(start, 0, Self.bytes)
        text("Kit", at: Self.kit)
        text("View", at: Self.view)
        text("B", at: Self.associated)
        text("Row", at: Self.row)
        point(from: Self.section, to: Self.conformance)
        point(from: Self.conformance, to: Self.viewProtocol)
        point(from: Self.conformance + 4, to: Self.type)
        point(from: Self.conformance + 8, to: Self.table)
        point(from: Self.module + 8, to: Self.kit)
        store(UInt32(3), at: Self.viewProtocol)
        point(from: Self.viewProtocol + 4, to: Self.module)
        point(from: Self.viewProtocol + 8, to: Self.view)
        store(UInt32(2), at: Self.viewProtocol + 16)
        point(from: Self.viewProtocol + 20, to: Self.associated)
        store(UInt32(7), at: Self.viewProtocol + 24)
        store(UInt32(0x13), at: Self.viewProtocol + 32)
        store(UInt32(17), at: Self.type)
        point(from: Self.type + 4, to: Self.module)
        point(from: Self.type + 8, to: Self.row)
        store(UInt(bitPattern: start + Self.conformance), at: Self.table)
        store(UInt(bitPattern: start + Self.function), at: Self.table + 16)
    }

    deinit { start.deallocate() }

    private func store<Number>(_ number: Number, at place: Int) {
        withUnsafeBytes(of: number) {
            (start + place).copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(start), byteCount: $0.count)
        }
    }

    private func point(from place: Int, to target: Int) { store(Int32(target - place), at: place) }

    private func text(_ text: String, at place: Int) {
        for (index, byte) in (Array(text.utf8) + [0]).enumerated() { store(byte, at: place + index) }
    }

    func change(_ input: FuzzBytes) {
        var input = input
        while !input.isEmpty {
            let (form, place, target) = (input.byte(), input.short() % (Self.bytes - 8), input.short())
            switch form & 7 {
            case 0: store(UInt8(truncatingIfNeeded: target), at: place)
            case 1: store(Int32(truncatingIfNeeded: target), at: place)
            // Of four bytes, to a place inside or a little outside; the lowest bit may say that there is a pointer.
            case 2: point(from: place & ~3, to: target % (Self.bytes + 32) - 16)
            case 3: point(from: place & ~3, to: (target % Self.bytes) | 1)
            case 4: store(UInt(bitPattern: start + target % (Self.bytes + 1)), at: place & ~7)
            case 5: store(Int32(bitPattern: UInt32(target) << 16 | UInt32(form) << 8), at: place)
            // A record of the body, of which tables are made.
            case 6:
                store(UInt32(1 << 16 | target & 0xFFFF), at: Self.conformance + 12)
                store(UInt32(target & 3), at: Self.witnesses)
                point(from: Self.witnesses + 4, to: Self.viewProtocol + 32)
                point(from: Self.witnesses + 8, to: Self.function)
            default: store(UInt64(bitPattern: Int64(target)) << UInt64(form >> 3), at: place)
            }
        }
    }

    func check() throws {
        var starts = [UInt(bitPattern: start)], ends = [UInt(bitPattern: start) + UInt(Self.bytes)]
        guard let memory = crerender_memory_of(&starts, &ends, 1) else { return }
        defer { free(UnsafeMutableRawPointer(memory)) }
        var search = Search(memory: memory, fault: nil)
        let section = start.assumingMemoryBound(to: Int32.self)
        withUnsafeMutablePointer(to: &search) { search in
            _ = crerender_find_views(
                memory, section, 16 * 4, "Kit.Screen,Kit.Row",
                { view, context in
                    guard let view, let search = context?.assumingMemoryBound(to: Search.self) else { return false }
                    search.pointee.look(at: view)
                    return search.pointee.fault == nil
                }, search)
        }
        var types = 0
        _ = crerender_find_types(
            memory, section, 16 * 4, "Kit",
            { _, context in
                context?.assumingMemoryBound(to: Int.self).pointee += 1
                return true
            }, &types)
        try hold(types <= 16, "\(types) types of 16 records")
        if let fault = search.fault { throw FuzzFinding(fault) }
        // Of anything that may be a protocol, also where no view was found.
        for place in [Self.viewProtocol, Self.type, Self.table] {
            _ = crerender_may_be_objects(memory, start + place)
            _ = crerender_place_of_associated_type(memory, start + place, "B")
        }
    }

    /// Asks everything of what was found.
    private struct Search {
        let memory: OpaquePointer
        var fault: String?

        mutating func look(at view: UnsafePointer<crerender_view>) {
            let found = view.pointee
            if found.getters == 0 || found.slot == 0 || found.slot > found.requirements { fault = "no view: \(found)" }
            var flags = [UInt8](repeating: 0, count: 8)
            let count = crerender_requirements_of(memory, found.protocol, &flags, UInt32(flags.count))
            if count != found.requirements { fault = "\(count) requirements of \(found.requirements)" }
            let place = crerender_place_of_associated_type(memory, found.protocol, "B")
            if place >= Int64(found.requirements) { fault = "an associated type at \(place)" }
            _ = crerender_may_be_objects(memory, found.protocol)
            names(found.type)
            for requirement in 0..<min(found.requirements, 4) {
                let witness = crerender_witness_for(memory, view, requirement)
                if let value = crerender_value_of(witness) { _ = crerender_is_never(memory, value) }
            }
        }

        private func names(_ type: UnsafeRawPointer?) {
            var context = type
            for _ in 0..<8 {
                guard let descriptor = context else { return }
                for text in [
                    crerender_module_of(memory, descriptor), crerender_name_of(memory, descriptor),
                    crerender_extended_name_of(memory, descriptor),
                ] {
                    if let text { _ = strlen(text) }
                }
                _ = crerender_kind_of(memory, descriptor)
                context = crerender_parent_of(memory, descriptor)
            }
        }
    }
}
