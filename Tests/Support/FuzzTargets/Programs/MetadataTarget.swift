// SPDX-License-Identifier: MIT
// The metadata and the witness tables of a program that is injected.

import CInject
import FuzzWire
import Glibc
import TestMetadata

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

    private let view: ViewMetadata

    init() { view = ViewMetadata(at: .allocate(byteCount: Self.bytes, alignment: 16), bytes: Self.bytes) }

    deinit { view.start.deallocate() }

    func change(_ input: FuzzBytes) {
        var input = input
        while !input.isEmpty {
            let (form, place, target) = (input.byte(), input.short() % (Self.bytes - 8), input.short())
            switch form & 7 {
            case 0: view.store(UInt8(truncatingIfNeeded: target), at: place)
            case 1: view.store(Int32(truncatingIfNeeded: target), at: place)
            // Of four bytes, to a place inside or a little outside; the lowest bit may say that there is a pointer.
            case 2: view.point(from: place & ~3, to: target % (Self.bytes + 32) - 16)
            case 3: view.point(from: place & ~3, to: (target % Self.bytes) | 1)
            case 4: view.pointer(at: place & ~7, to: target % (Self.bytes + 1))
            case 5: view.store(Int32(bitPattern: UInt32(target) << 16 | UInt32(form) << 8), at: place)
            case 6: view.addRecord(flags: UInt32(1 << 16 | target & 0xFFFF), count: UInt32(target & 3))
            default: view.store(UInt64(bitPattern: Int64(target)) << UInt64(form >> 3), at: place)
            }
        }
    }

    func check() throws {
        guard let memory = view.memory() else { return }
        defer { free(UnsafeMutableRawPointer(memory)) }
        var search = Search(memory: memory, fault: nil)
        let section = view.start.assumingMemoryBound(to: Int32.self)
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
        for place in [ViewMetadata.viewProtocol, ViewMetadata.type, ViewMetadata.table] {
            _ = crerender_may_be_objects(memory, view.start + place)
            _ = crerender_place_of_associated_type(memory, view.start + place, "B")
        }
    }

    /// Asks everything of what was found.
    private struct Search {
        let memory: OpaquePointer
        var fault: String?

        mutating func look(at view: UnsafePointer<crerender_view>) {
            let found = view.pointee
            let hasPlace = found.slot > 0 && found.slot <= found.requirements
            if hasPlace != (found.getters > 0) { fault = "no view: \(found)" }
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
