// SPDX-License-Identifier: MIT
// Metadata of a program's is read within its memory alone, whatever it says.

import CInject
import Glibc
import TestMetadata
import Testing

/// The metadata of a view between two pages that cannot be read.
private final class Metadata {
    static let bytes = 4096
    private let pages: UnsafeMutableRawPointer
    let view: ViewMetadata

    init() {
        let all = mmap(nil, 3 * Self.bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let all = unsafe all, unsafe all != MAP_FAILED else { preconditionFailure("no memory") }
        pages = unsafe all
        let start = unsafe pages + Self.bytes
        mprotect(start, Self.bytes, PROT_READ | PROT_WRITE)
        view = ViewMetadata(at: start, bytes: Self.bytes)
    }

    deinit { munmap(pages, 3 * Self.bytes) }

    /// Gives the protocol a signature that goes on behind the memory, of requirements that classes alone fulfil, and nothing else.
    func addEndlessSignature() -> UnsafeRawPointer {
        view.store(UInt32(3 | 1 << 16), at: ViewMetadata.viewProtocol)
        view.store(UInt32(1_000), at: ViewMetadata.viewProtocol + 12)
        view.store(UInt32(0), at: ViewMetadata.viewProtocol + 16)
        for place in stride(from: ViewMetadata.viewProtocol + 24, through: Self.bytes - 12, by: 12) {
            view.store(UInt32(0), at: place)
            view.point(from: place + 8, to: ViewMetadata.viewProtocol)
        }
        return UnsafeRawPointer(view.start + ViewMetadata.viewProtocol)
    }

    /// Changes some bytes, mostly of the numbers and pointers.
    func change(_ generator: inout some RandomNumberGenerator) {
        for _ in 0..<Int.random(in: 1...6, using: &generator) {
            let place = Int.random(
                in: 0..<(Bool.random(using: &generator) ? ViewMetadata.end : Self.bytes), using: &generator)
            let edges: [UInt8] = [0, 1, 0x7F, 0xFF]
            let byte = edges.randomElement(using: &generator).flatMap { Bool.random(using: &generator) ? $0 : nil }
            view.store(byte ?? .random(in: 0...255, using: &generator), at: place)
        }
    }

    /// The views that are found, each as `MODULE.NAME` with its getters and requirements.
    func found() -> [String] {
        let memory = view.memory()
        defer { free(UnsafeMutableRawPointer(memory)) }
        var search = (memory: memory, names: [String]())
        withUnsafeMutablePointer(to: &search) { search in
            _ = crerender_find_views(
                memory, view.start.assumingMemoryBound(to: Int32.self), 4 * 4, "Kit.Screen",
                { view, context in
                    let search = context?.assumingMemoryBound(to: (memory: OpaquePointer?, names: [String]).self)
                    guard let search, let view = view?.pointee, let memory = search.pointee.memory else { return false }
                    search.pointee.names.append(Metadata.describe(view, in: memory))
                    return true
                }, search)
        }
        return search.names
    }

    private static func describe(_ view: crerender_view, in memory: OpaquePointer) -> String {
        var flags = [UInt8](repeating: 0, count: 8)
        let count = crerender_requirements_of(memory, view.protocol, &flags, UInt32(flags.count))
        let place = crerender_place_of_associated_type(memory, view.protocol, "B")
        var found = crerender_associated()
        _ = crerender_find_associated_type(memory, view.table, "Kit", "B", &found)
        var context: UnsafeRawPointer? = view.type
        for _ in 0..<8 where context != nil { context = crerender_parent_of(memory, context) }
        let module = crerender_module_of(memory, view.type).map { String(cString: $0) } ?? "?"
        let name = crerender_name_of(memory, view.type).map { String(cString: $0) } ?? "?"
        let kinds = (0..<min(view.requirements, 2)).map { requirement in
            let witness = withUnsafePointer(to: view) { crerender_witness_for(memory, $0, requirement) }
            // Read, because it must be there.
            return crerender_value_of(witness) == nil ? "none" : witness.entry == nil ? "record" : "entry"
        }
        return "\(module).\(name) \(view.getters) \(view.slot) \(count) \(flags.prefix(2)) \(place) \(kinds)"
    }
}

@Suite("Metadata of views")
struct ViewMetadataTests {
    @Test("tells the type, its module, the protocol's requirements, and where the functions for them are")
    func known() {
        let metadata = Metadata()
        #expect(metadata.found() == ["Kit.Row 1 2 2 [7, 19] 0 [\"none\", \"entry\"]"])
        metadata.view.addRecord()
        #expect(metadata.found() == ["Kit.Row 1 2 2 [7, 19] 0 [\"none\", \"record\"]"])
    }

    @Test(
        "is not followed by a protocol's signature either, which ends behind the memory and has no requirement behind it"
    )
    func signature() throws {
        let metadata = Metadata()
        let hostile = metadata.addEndlessSignature()
        let memory = try #require(metadata.view.memory())
        defer { free(UnsafeMutableRawPointer(memory)) }
        let mayBeObjects = crerender_may_be_objects(memory, hostile)
        #expect(mayBeObjects)
    }

    @Test(
        "tells of a protocol without a property that could be a body what it has instead",
        arguments: [
            (UInt32(3), CRERENDER_HAS_STATIC_PROPERTY), (0x33, CRERENDER_HAS_ASYNC_PROPERTY),
            (0x11, CRERENDER_HAS_METHOD),
            (0, CRERENDER_HAS_BASE),
        ] as [(UInt32, crerender_others)])
    func others(flags: UInt32, others: crerender_others) {
        let metadata = Metadata()
        metadata.view.store(flags, at: ViewMetadata.viewProtocol + 32)
        var found: [UInt32] = []
        let memory = metadata.view.memory()
        defer { free(UnsafeMutableRawPointer(memory)) }
        withUnsafeMutablePointer(to: &found) { found in
            _ = crerender_find_views(
                memory, metadata.view.start.assumingMemoryBound(to: Int32.self), 4, nil,
                { view, context in
                    guard let view = view?.pointee else { return false }
                    context?.assumingMemoryBound(to: [UInt32].self).pointee += [view.getters, view.others]
                    return true
                }, found)
        }
        #expect(found == [0, others.rawValue])
    }

    @Test("leads from a table to an associated type of its protocol by name and module, and from no table to any")
    func associatedTypes() throws {
        let metadata = Metadata()
        let memory = try #require(metadata.view.memory())
        defer { free(UnsafeMutableRawPointer(memory)) }
        let table = UnsafeRawPointer(metadata.view.start + ViewMetadata.table)
        var found = crerender_associated()
        #expect(crerender_find_associated_type(memory, table, "Kit", "B", &found))
        #expect(found.table == table && found.place == 0)
        #expect(found.owner == UnsafeRawPointer(metadata.view.start + ViewMetadata.viewProtocol))
        #expect(!crerender_find_associated_type(memory, table, "Kit", "C", &found))
        #expect(!crerender_find_associated_type(memory, table, "Other", "B", &found))
        #expect(!crerender_find_associated_type(memory, table + 8, "Kit", "B", &found))
        #expect(!crerender_find_associated_type(memory, nil, "Kit", "B", &found))
    }

    @Test("is not followed out of the program's memory, whatever it says")
    func hostile() {
        let metadata = Metadata()
        var generator = SystemRandomNumberGenerator()
        var views = 0
        for round in 0..<200_000 {
            if round.isMultiple(of: 2) { metadata.view.addRecord() }
            metadata.change(&generator)
            views += metadata.found().count
            metadata.view.reset()
        }
        // A change that leaves no view in most rounds would show nothing.
        #expect(views > 20_000)
    }
}
