// SPDX-License-Identifier: MIT
// Metadata of a program's is read within its memory alone, whatever it says.

import CInject
import Glibc
import Testing

/// The metadata of `Kit.Row`, a view, between two pages that cannot be read.
private final class Metadata {
    static let bytes = 4096
    private let pages: UnsafeMutableRawPointer
    let start: UnsafeMutableRawPointer
    /// The section of conformances has one record.
    static let (section, conformance, module, viewProtocol, type, table) = (0, 64, 128, 192, 320, 384)
    /// The body, and its record where the protocol's library may add requirements.
    static let (witnesses, function) = (80, 448)
    /// Texts lie at the very end: what looks for an end behind it ends the process.
    static let (kit, view, body, row) = (4080, 4084, 4089, 4092)

    init() {
        let all = mmap(nil, 3 * Self.bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let all = unsafe all, unsafe all != MAP_FAILED else { preconditionFailure("no memory") }
        pages = unsafe all
        start = unsafe pages + Self.bytes
        mprotect(start, Self.bytes, PROT_READ | PROT_WRITE)
        reset()
    }

    deinit { munmap(pages, 3 * Self.bytes) }

    private func store<Number>(_ number: Number, at place: Int) {
        unsafe start.storeBytes(of: number, toByteOffset: place, as: Number.self)
    }

    private func point(from place: Int, to target: Int) { store(Int32(target - place), at: place) }

    private func text(_ text: String, at place: Int) {
        for (index, byte) in (Array(text.utf8) + [0]).enumerated() { store(byte, at: place + index) }
    }

    func reset() {
        memset(start, 0, Self.bytes)
        text("Kit", at: Self.kit)
        text("View", at: Self.view)
        text("B", at: Self.body)
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
        point(from: Self.viewProtocol + 20, to: Self.body)
        store(UInt32(7), at: Self.viewProtocol + 24)
        store(UInt32(0x13), at: Self.viewProtocol + 32)
        store(UInt32(17), at: Self.type)
        point(from: Self.type + 4, to: Self.module)
        point(from: Self.type + 8, to: Self.row)
        store(UInt(bitPattern: start + Self.conformance), at: Self.table)
        store(UInt(bitPattern: start + Self.function), at: Self.table + 16)
    }

    /// Gives the protocol a signature that goes on behind the memory, of requirements that classes alone fulfil, and nothing else.
    func addEndlessSignature() -> UnsafeRawPointer {
        store(UInt32(3 | 1 << 16), at: Self.viewProtocol)
        store(UInt32(1_000), at: Self.viewProtocol + 12)
        store(UInt32(0), at: Self.viewProtocol + 16)
        for place in stride(from: Self.viewProtocol + 24, through: Self.bytes - 12, by: 12) {
            store(UInt32(0), at: place)
            point(from: place + 8, to: Self.viewProtocol)
        }
        return UnsafeRawPointer(start + Self.viewProtocol)
    }

    /// The memory that may be read; to be freed.
    func memory() -> OpaquePointer? {
        var starts = [UInt(bitPattern: start)], ends = [UInt(bitPattern: start) + UInt(Self.bytes)]
        return crerender_memory_of(&starts, &ends, 1)
    }

    /// Gives the conformance a record of its body, of which tables are made.
    func addRecord() {
        store(UInt32(1 << 16), at: Self.conformance + 12)
        store(UInt32(1), at: Self.witnesses)
        point(from: Self.witnesses + 4, to: Self.viewProtocol + 32)
        point(from: Self.witnesses + 8, to: Self.function)
    }

    /// Changes some bytes, mostly of the numbers and pointers.
    func change(_ generator: inout some RandomNumberGenerator) {
        for _ in 0..<Int.random(in: 1...6, using: &generator) {
            let place = Int.random(in: 0..<(Bool.random(using: &generator) ? 440 : Self.bytes), using: &generator)
            let edges: [UInt8] = [0, 1, 0x7F, 0xFF]
            let byte = edges.randomElement(using: &generator).flatMap { Bool.random(using: &generator) ? $0 : nil }
            store(byte ?? .random(in: 0...255, using: &generator), at: place)
        }
    }

    /// The views that are found, each as `MODULE.NAME` with its getters and requirements.
    func found() -> [String] {
        let memory = memory()
        defer { free(UnsafeMutableRawPointer(memory)) }
        var search = (memory: memory, names: [String]())
        withUnsafeMutablePointer(to: &search) { search in
            _ = crerender_find_views(
                memory, start.assumingMemoryBound(to: Int32.self), 4 * 4, "Kit.Screen",
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
        metadata.addRecord()
        #expect(metadata.found() == ["Kit.Row 1 2 2 [7, 19] 0 [\"none\", \"record\"]"])
    }

    @Test(
        "is not followed by a protocol's signature either, which ends behind the memory and has no requirement behind it"
    )
    func signature() throws {
        let metadata = Metadata()
        let hostile = metadata.addEndlessSignature()
        let memory = try #require(metadata.memory())
        defer { free(UnsafeMutableRawPointer(memory)) }
        let mayBeObjects = crerender_may_be_objects(memory, hostile)
        #expect(mayBeObjects)
    }

    @Test("is not followed out of the program's memory, whatever it says")
    func hostile() {
        let metadata = Metadata()
        var generator = SystemRandomNumberGenerator()
        var views = 0
        for round in 0..<200_000 {
            if round.isMultiple(of: 2) { metadata.addRecord() }
            metadata.change(&generator)
            views += metadata.found().count
            metadata.reset()
        }
        // A change that leaves no view in most rounds would show nothing.
        #expect(views > 20_000)
    }
}
