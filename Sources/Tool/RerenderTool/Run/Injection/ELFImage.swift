// SPDX-License-Identifier: MIT
// What an ELF file says of how it is started: its processor, its loader, its libraries. Treats the file as hostile input.

/// What matters of a program's file for injecting a library.
enum ProgramImage: Hashable, Sendable {
    /// Begins with `#!`.
    case script
    /// An ELF file that our libraries cannot be loaded into, and what it is: "a 32-bit program".
    case foreign(String)
    case program(ELFImage)
    /// Neither of them, or damaged: the system says what it thinks of it.
    case other

    /// Reads a file, a few kilobytes of it in most cases and never more than ``ELFReader`` allows.
    ///
    /// - Parameter read: The bytes at an offset, at most as many as asked for; fewer at the end and where it cannot be read.
    init(_ read: (_ offset: UInt64, _ count: Int) -> [UInt8]) {
        let header = read(0, ELFReader.headerBytes)
        if header.starts(with: [UInt8(ascii: "#"), UInt8(ascii: "!")]) {
            self = .script
        } else if let fault = ELFReader.foreignKind(header) {
            self = .foreign(fault)
        } else {
            self = withoutActuallyEscaping(read) { read in
                ELFReader(header: header, read: read)?.image.map { .program($0) } ?? .other
            }
        }
    }
}

/// What an ELF file of this machine says of itself.
struct ELFImage: Hashable, Sendable {
    /// Whether a loader starts it; without one nothing can be preloaded.
    var hasLoader = false
    /// Whether it asks for libswiftCore.so.
    var needsSwiftRuntime = false
    /// Whether it has sections of Swift's metadata.
    var hasSwiftCode = false
    /// Whether it has a table of symbols: a stripped file has none.
    var hasSymbols = false
    /// The major version of the GTK that it asks for, itself or by a library of widgets; nil where it asks for none.
    var gtk: Int?
    /// Whether it asks for GLib, or for one of the libraries that GLib comes with.
    var needsGLib = false
    /// Whether it asks for librerender-gtk.so, and counts its widgets itself.
    var needsRerender = false
    /// Whether it has the note of a build with probes, which counts its views itself.
    var hasProbes = false
    /// Whether it is built with Thread Sanitizer.
    var hasThreadSanitizer = false
    /// The linker's mark of this build, in hexadecimal digits; nil where it made none.
    var buildID: String?
    /// The libraries that it asks for, in its order, without those beyond a limit.
    var libraries: [String] = []
    /// Where it has the loader look for them before the system's directories, with a colon between two: `$ORIGIN/../lib`.
    var directories = ""

    /// Whether it counts what it does itself.
    var countsItself: Bool { needsRerender || hasProbes }

    /// Takes what a library of its asks for, and whether that counts itself, for its own.
    mutating func add(_ library: ELFImage) {
        gtk = [gtk, library.gtk].compactMap(\.self).max()
        needsGLib = needsGLib || library.needsGLib
        (needsRerender, hasProbes) = (needsRerender || library.needsRerender, hasProbes || library.hasProbes)
    }
}

/// Reads ELF64 files. No offset is trusted, and each table has a limit.
struct ELFReader {
    static let headerBytes = 64
    static let mostProgramHeaders = 512
    static let mostSections = 8_192
    static let longestNames = 1 << 20
    static let longestDynamic = 1 << 16
    static let mostLibraries = 32

    private static let runtime = "libswiftCore.so"
    private static let rerender = "librerender-gtk.so"
    /// Libraries that stand for a version of GTK, by how their names begin.
    private static let toolkits = [
        ("libgtk-4.so.", 4), ("libadwaita-1.so.", 4), ("libgtksourceview-5.so.", 4), ("libgtk-3.so.", 3),
        ("libhandy-1.so.", 3), ("libgtk-x11-2.0.so.", 2),
    ]
    private static let ofGLib = ["libglib-2.0.so.", "libgobject-2.0.so.", "libgio-2.0.so."]
    private static let longestText = 1_024
    /// Thread Sanitizer's library of gcc, and that of clang where it is shared.
    private static let threadSanitizers = ["libtsan.so.", "libclang_rt.tsan"]
    /// What a program exports that has clang's inside.
    private static let threadSanitizerBegin = "__tsan_init"
    private static let swiftSection = "swift5_"
    #if arch(arm64)
        static let machine: UInt16 = 183
    #else
        static let machine: UInt16 = 62
    #endif

    private enum Segment {
        static let load: UInt32 = 1, dynamic: UInt32 = 2, loader: UInt32 = 3, notes: UInt32 = 4
        static let bytes = 56
    }

    private enum Dynamic {
        static let end: UInt64 = 0, needed: UInt64 = 1, names: UInt64 = 5, symbols: UInt64 = 6
        static let directories: UInt64 = 29, olderDirectories: UInt64 = 15, hashes: UInt64 = 0x6FFF_FEF5
        static let bytes = 16
    }

    private let header: Bytes
    private let read: (UInt64, Int) -> [UInt8]

    init?(header: [UInt8], read: @escaping (UInt64, Int) -> [UInt8]) {
        guard header.count == Self.headerBytes, header.starts(with: Self.magic) else { return nil }
        (self.header, self.read) = (Bytes(header), read)
    }

    private static let magic: [UInt8] = [0x7F, UInt8(ascii: "E"), UInt8(ascii: "L"), UInt8(ascii: "F")]

    /// What kind of ELF file it is where it is not one of ours; nil otherwise.
    static func foreignKind(_ header: [UInt8]) -> String? {
        guard header.starts(with: magic), header.count > 20 else { return nil }
        if header[4] == 1 { return "a 32-bit program" }
        let isOurs = header[4] == 2 && header[5] == 1 && Bytes(header).integer(at: 0x12, as: UInt16.self) == machine
        return isOurs ? nil : "a program for another processor"
    }

    /// nil where its tables are damaged.
    var image: ELFImage? {
        guard let segments else { return nil }
        let linking = dynamicSection(segments), sections = sections, notes = notes(segments)
        let needed = linking.needed.compactMap { text($0, linking) }
        func needs(_ starts: [String]) -> Bool { needed.contains { name in starts.contains { name.hasPrefix($0) } } }
        return ELFImage(
            hasLoader: segments.contains { $0.kind == Segment.loader },
            needsSwiftRuntime: needed.contains(Self.runtime),
            // Also a stripped program keeps them.
            hasSwiftCode: sections.contains(where: \.isSwift),
            hasSymbols: sections.contains { $0.kind == Self.symbolTable },
            gtk: Self.toolkits.first { needs([$0.0]) }?.1, needsGLib: needs(Self.ofGLib),
            needsRerender: needed.contains(Self.rerender), hasProbes: notes.contains(where: \.isOfProbes),
            hasThreadSanitizer: needs(Self.threadSanitizers) || exports(Self.threadSanitizerBegin, linking),
            buildID: notes.first(where: \.isBuildID)?.content.hexadecimal,
            libraries: Array(needed.prefix(Self.mostLibraries)),
            directories: (linking.directories ?? linking.olderDirectories).flatMap { text($0, linking) } ?? "")
    }

    // MARK: Segments

    private struct Part {
        var kind: UInt32
        var offset, address, size: UInt64
    }

    private var segments: [Part]? {
        guard let start = header.integer(at: 0x20, as: UInt64.self),
            let step = header.integer(at: 0x36, as: UInt16.self), step == Segment.bytes,
            let count = header.integer(at: 0x38, as: UInt16.self), (1...Self.mostProgramHeaders).contains(Int(count))
        else { return nil }
        let table = Bytes(read(start, Int(count) * Segment.bytes))
        guard table.count == Int(count) * Segment.bytes else { return nil }
        return (0..<Int(count)).compactMap { number in
            let at = number * Segment.bytes
            guard let kind = table.integer(at: at, as: UInt32.self),
                let offset = table.integer(at: at + 8, as: UInt64.self),
                let address = table.integer(at: at + 16, as: UInt64.self),
                let size = table.integer(at: at + 32, as: UInt64.self)
            else { return nil }
            return Part(kind: kind, offset: offset, address: address, size: size)
        }
    }

    /// What the dynamic section says: which names are asked for, and where in the file its tables are.
    private struct DynamicSection {
        var needed: [UInt64] = []
        var names, symbols, hashes, directories, olderDirectories: UInt64?
    }

    private func dynamicSection(_ segments: [Part]) -> DynamicSection {
        var section = DynamicSection()
        guard let part = segments.first(where: { $0.kind == Segment.dynamic }) else { return section }
        let table = Bytes(read(part.offset, Int(min(part.size, UInt64(Self.longestDynamic)))))
        for at in stride(from: 0, to: table.count, by: Dynamic.bytes) {
            guard let tag = table.integer(at: at, as: UInt64.self), tag != Dynamic.end,
                let value = table.integer(at: at + 8, as: UInt64.self)
            else { break }
            switch tag {
            case Dynamic.needed: section.needed.append(value)
            case Dynamic.directories: section.directories = value
            case Dynamic.olderDirectories: section.olderDirectories = value
            case Dynamic.names: section.names = offset(of: value, in: segments)
            case Dynamic.symbols: section.symbols = offset(of: value, in: segments)
            case Dynamic.hashes: section.hashes = offset(of: value, in: segments)
            default: break
            }
        }
        return section
    }

    /// A text that the dynamic section names by its place; nil where it has no end, or is too long.
    private func text(_ place: UInt64, _ section: DynamicSection) -> String? {
        guard case (let at, false)? = section.names?.addingReportingOverflow(place) else { return nil }
        let bytes = read(at, Self.longestText)
        return bytes.firstIndex(of: 0).map { String(decoding: bytes[..<$0], as: UTF8.self) }
    }

    /// The most symbols of one hash that are looked at.
    private static let longestChain: UInt64 = 256
    private static let symbolBytes: UInt64 = 24

    /// Whether it has a symbol that libraries see. GNU's table of hashes tells it by a few bytes; the names may be megabytes.
    private func exports(_ name: String, _ section: DynamicSection) -> Bool {
        guard let hashes = section.hashes, let symbols = section.symbols,
            let buckets = number(hashes, 0), buckets > 0, let first = number(hashes, 4), let words = number(hashes, 8)
        else { return false }
        let hash = UInt64(name.utf8.reduce(5_381 as UInt32) { $0 &* 33 &+ UInt32($1) })
        let ofBuckets = 16 + 8 * words, ofChains = ofBuckets + 4 * buckets
        guard let start = number(hashes, ofBuckets + 4 * (hash % buckets)), start >= first else { return false }
        for index in start..<(start + Self.longestChain) {
            guard let other = number(hashes, ofChains + 4 * (index - first)) else { return false }
            // The lowest bit marks the last one.
            let place = other | 1 == hash | 1 ? number(symbols, Self.symbolBytes * index) : nil
            if let place, text(place, section) == name { return true }
            if other & 1 == 1 { return false }
        }
        return false
    }

    /// Four bytes behind a place of the file.
    private func number(_ place: UInt64, _ offset: UInt64) -> UInt64? {
        let (at, isTooFar) = place.addingReportingOverflow(offset)
        return isTooFar ? nil : Bytes(read(at, 4)).integer(at: 0, as: UInt32.self).map { UInt64($0) }
    }

    /// Where in the file an address of its memory is.
    private func offset(of address: UInt64, in segments: [Part]) -> UInt64? {
        segments.lazy.compactMap { part in
            guard part.kind == Segment.load, address >= part.address, address - part.address < part.size else {
                return nil
            }
            let (place, isTooFar) = part.offset.addingReportingOverflow(address - part.address)
            return isTooFar ? nil : place
        }.first
    }

    // MARK: Notes

    /// What a linker writes, and no more.
    private static let longestNotes = 4_096
    private static let longestBuildID = 64

    /// A note, of a kind that its owner chooses.
    private struct Note {
        let owner: [UInt8]
        let kind: UInt32
        let content: [UInt8]

        var isBuildID: Bool { kind == 3 && isOf("GNU") && (1...ELFReader.longestBuildID).contains(content.count) }
        /// As `process.c` writes it, whatever its layout.
        var isOfProbes: Bool { isOf("Rerender") }

        private func isOf(_ name: String) -> Bool { owner == Array(name.utf8) + [0] }
    }

    private func notes(_ segments: [Part]) -> [Note] {
        segments.filter { $0.kind == Segment.notes }.flatMap { part in
            notes(in: Bytes(read(part.offset, Int(min(part.size, UInt64(Self.longestNotes))))))
        }
    }

    /// Notes are three numbers, a name and a description, each filled up to four bytes.
    private func notes(in bytes: Bytes) -> [Note] {
        var notes: [Note] = [], at = 0
        while let name = bytes.integer(at: at, as: UInt32.self), let size = bytes.integer(at: at + 4, as: UInt32.self),
            let kind = bytes.integer(at: at + 8, as: UInt32.self), name <= Self.longestNotes, size <= Self.longestNotes
        {
            let description = at + 12 + (Int(name) + 3) / 4 * 4
            guard let owner = bytes.part(at: at + 12, count: Int(name)),
                let content = bytes.part(at: description, count: Int(size))
            else { break }
            notes.append(Note(owner: owner, kind: kind, content: content))
            at = description + (Int(size) + 3) / 4 * 4
        }
        return notes
    }

    // MARK: Sections

    private static let symbolTable: UInt32 = 2

    private struct Section {
        var kind: UInt32
        /// Whether it has a name of Swift's metadata.
        var isSwift: Bool
    }

    private var sections: [Section] {
        guard let start = header.integer(at: 0x28, as: UInt64.self), start > 0,
            let step = header.integer(at: 0x3A, as: UInt16.self), step == 64,
            let count = header.integer(at: 0x3C, as: UInt16.self), Int(count) <= Self.mostSections,
            let ofNames = header.integer(at: 0x3E, as: UInt16.self), ofNames < count
        else { return [] }
        let table = Bytes(read(start, Int(count) * 64))
        guard let place = table.integer(at: Int(ofNames) * 64 + 24, as: UInt64.self),
            let size = table.integer(at: Int(ofNames) * 64 + 32, as: UInt64.self)
        else { return [] }
        let names = Bytes(read(place, Int(min(size, UInt64(Self.longestNames)))))
        return (0..<Int(count)).compactMap { number in
            guard let name = table.integer(at: number * 64, as: UInt32.self),
                let kind = table.integer(at: number * 64 + 4, as: UInt32.self)
            else { return nil }
            return Section(kind: kind, isSwift: names.hasText(Self.swiftSection, at: Int(name)))
        }
    }

    /// Bytes of the file, little-endian.
    private struct Bytes {
        private let all: [UInt8]
        var count: Int { all.count }

        init(_ bytes: [UInt8]) { all = bytes }

        func integer<Value: FixedWidthInteger>(at offset: Int, as: Value.Type) -> Value? {
            let size = Value.bitWidth / 8
            guard offset >= 0, offset <= all.count - size else { return nil }
            return all[offset..<(offset + size)].reversed().reduce(0) { $0 << 8 | Value($1) }
        }

        /// So many bytes; nil where there are fewer.
        func part(at offset: Int, count: Int) -> [UInt8]? {
            guard offset >= 0, count >= 0, offset <= all.count - count else { return nil }
            return Array(all[offset..<(offset + count)])
        }

        func hasText(_ text: String, at offset: Int) -> Bool {
            offset >= 0 && offset < all.count && all[offset...].starts(with: text.utf8)
        }
    }
}

extension [UInt8] {
    /// Two digits for each byte.
    fileprivate var hexadecimal: String { map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
}
