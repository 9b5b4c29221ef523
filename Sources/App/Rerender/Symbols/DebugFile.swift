// SPDX-License-Identifier: MIT
// Finds the debug information that lies beside a stripped file, where GDB looks for it too. Treats all files as hostile input.

import RerenderModel

/// What leads from a stripped file to the one that has its debug information, and tells whether that is of the same build.
struct DebugFile: Equatable, Sendable {
    /// The linker's mark of the build; nil where it made none.
    let buildID: [UInt8]?
    /// The name that the file says, and the checksum of what it means; nil where it says none.
    let link: Link?

    struct Link: Equatable, Sendable {
        let name: String
        let checksum: UInt32
    }

    /// Where distributions keep such files.
    private static let root = "/usr/lib/debug"
    private static let note = ".note.gnu.build-id"
    /// What `rerenderctl run` got from a server, where the user's settings allow that. Read with the first store: another thread may change
    /// the environment later.
    static let given = environmentVariable("RERENDER_DEBUG_FILE").flatMap { PathName.isAbsolute($0) ? $0 : nil }

    /// What a file says.
    init(_ file: MappedFile, _ sections: FileSections) {
        buildID = Self.buildID(file, sections.bytes(of: Self.note))
        link = Self.link(file, sections.bytes(of: ".gnu_debuglink"))
    }

    /// A note is three numbers, its owner's name and what it says.
    private static func buildID(_ file: MappedFile, _ note: Range<Int>) -> [UInt8]? {
        let start = note.lowerBound
        guard note.count > 16, file.integer(at: start, as: UInt32.self) == 4,
            let size = file.integer(at: start + 4, as: UInt32.self), (2...64).contains(size),
            Int(size) <= note.count - 16,
            file.integer(at: start + 8, as: UInt32.self) == 3, file.text(at: start + 12, before: start + 16) == "GNU"
        else { return nil }
        return (0..<Int(size)).compactMap { file.integer(at: start + 16 + $0, as: UInt8.self) }
    }

    /// A name, and the checksum at the next place for a number.
    private static func link(_ file: MappedFile, _ section: Range<Int>) -> Link? {
        guard let name = file.text(at: section.lowerBound, before: section.upperBound), !name.isEmpty,
            name.utf8.count <= 255, !name.utf8.contains(UInt8(ascii: "/")), name != "..",
            section.upperBound - section.lowerBound >= 4
        else { return nil }
        let place = section.lowerBound + (name.utf8.count + 4) / 4 * 4
        guard place <= section.upperBound - 4, let sum = file.integer(at: place, as: UInt32.self) else { return nil }
        return Link(name: name, checksum: sum)
    }

    /// Where the debug information of the file at a path may lie, most certain first.
    ///
    /// - Parameter given: Where that of some file lies.
    func places(besides path: String, given: String? = DebugFile.given) -> [String] {
        var places: [String] = []
        if let buildID {
            let digits = buildID.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
            places.append("\(Self.root)/.build-id/\(digits[0])/\(digits.dropFirst().joined()).debug")
            if let given { places.append(given) }
        }
        if let link, PathName.isAbsolute(path) {
            let folder = PathName.directory(of: path)
            places += ["\(folder)/\(link.name)", "\(folder)/.debug/\(link.name)", "\(Self.root)\(folder)/\(link.name)"]
        }
        return places.filter { $0 != path }
    }

    /// The sections that are wanted of the file that has the debug information, each at its place; nil where no such file is of this build.
    /// Milliseconds for some megabytes.
    func find(besides path: String, sections wanted: [String], given: String? = DebugFile.given) -> MappedFile? {
        for place in places(besides: path, given: given) {
            guard let file = Self.read(place, wanted + [Self.note]), let sections = FileSections(file) else { continue }
            if let buildID {
                if DebugFile(file, sections).buildID == buildID { return file }
            } else if let link, MappedFile.checksum(of: place, largest: SymbolLimits.debugFileBytes) == link.checksum {
                return file
            }
        }
        return nil
    }

    private static func read(_ path: String, _ wanted: [String]) -> MappedFile? {
        MappedFile.reading(
            path, largest: SymbolLimits.debugFileBytes,
            steps: [
                { _ in [0..<FileSections.headerBytes] },
                { FileSections.headers(of: $0).map { [$0.all] } ?? [] },
                { FileSections($0).map { [$0.names] } ?? [] },
                { file in
                    let sections = FileSections(file)
                    return wanted.compactMap { sections?.section($0) }.flatMap { [$0.bytes, $0.packed] }
                },
            ])
    }
}

extension LoadedFile {
    /// Its functions: those of its own symbols, or of the debug information beside it. Where there is neither, those that it exports; nil where
    /// it has none.
    ///
    /// - Parameter isAlone: Whether no other file is looked for.
    func symbolTable(alone isAlone: Bool) -> SymbolTable? {
        guard let own = map() else { return nil }
        guard !isAlone, let sections = FileSections(own), !SymbolTable.isWhole(sections) else {
            return SymbolTable(own)
        }
        let other = DebugFile(own, sections).find(besides: diskPath, sections: [".symtab", ".strtab"])
        return other.flatMap(SymbolTable.init) ?? SymbolTable(own)
    }

    /// The lines of its code: from its own debug information, or from that beside it. nil where neither tells any.
    ///
    /// - Parameter isAlone: Whether no other file is looked for.
    func lineTable(alone isAlone: Bool) -> LineTable? {
        guard let own = map() else { return nil }
        if let table = LineTable(own) { return table }
        guard !isAlone, let sections = FileSections(own) else { return nil }
        return DebugFile(own, sections).find(besides: diskPath, sections: DebugSections.names + [".gnu_debugaltlink"])
            .flatMap(LineTable.init)
    }
}

// The sections of an ELF file by kind and name. Treats the file as hostile input.

/// The section headers of an ELF64 file.
struct FileSections: Sendable {
    /// A part of the file: offsets from its beginning.
    struct Section: Sendable {
        let kind: UInt32
        let link: UInt32
        /// Empty if the file does not have the bytes, or has them compressed.
        let bytes: Range<Int>
        /// Empty if it does not have them compressed; with a header of their own.
        let packed: Range<Int>
        /// Where the file asks for it in memory; empty if it is not loaded with its bytes.
        let memory: Range<UInt64>
        fileprivate let name: UInt32
    }

    let all: [Section]
    private let file: MappedFile
    let names: Range<Int>

    private static let kindWithoutBytes: UInt32 = 8
    private static let compressed: UInt64 = 0x800
    private static let loaded: UInt64 = 0x2
    private static let ofThread: UInt64 = 0x400

    /// How long the header is that says where the headers of sections are.
    static let headerBytes = 64

    /// Where the headers of the sections are, and how many bytes each has; nil as for ``init(_:)``.
    static func headers(of file: MappedFile) -> (all: Range<Int>, step: Int)? {
        // "\u{7f}ELF", 64 bits, little-endian.
        guard file.integer(at: 0, as: UInt32.self) == 0x464C_457F, file.integer(at: 4, as: UInt16.self) == 0x0102,
            let headers = file.integer(at: 0x28, as: UInt64.self).flatMap(Int.init(exactly:)),
            let step = file.integer(at: 0x3A, as: UInt16.self), step >= 64,
            let count = file.integer(at: 0x3C, as: UInt16.self), headers > 0, headers < file.count,
            Int(count) * Int(step) <= file.count - headers
        else { return nil }
        return (headers..<(headers + Int(count) * Int(step)), Int(step))
    }

    /// nil if it is no ELF64 file of this machine's byte order, or is damaged.
    init?(_ file: MappedFile) {
        guard let headers = Self.headers(of: file), let names = file.integer(at: 0x3E, as: UInt16.self) else {
            return nil
        }
        var found: [Section] = []
        for header in stride(from: headers.all.lowerBound, to: headers.all.upperBound, by: headers.step) {
            guard let section = Self.section(of: file, at: header) else { return nil }
            found.append(section)
        }
        all = found
        self.file = file
        self.names = Int(names) < found.count ? found[Int(names)].bytes : 0..<0
    }

    private static func section(of file: MappedFile, at header: Int) -> Section? {
        guard let name = file.integer(at: header, as: UInt32.self),
            let kind = file.integer(at: header + 4, as: UInt32.self),
            let flags = file.integer(at: header + 8, as: UInt64.self),
            let address = file.integer(at: header + 0x10, as: UInt64.self),
            let start = file.integer(at: header + 0x18, as: UInt64.self),
            let size = file.integer(at: header + 0x20, as: UInt64.self),
            let link = file.integer(at: header + 0x28, as: UInt32.self)
        else { return nil }
        let isInside = start <= file.count && size <= UInt64(file.count) - start
        let isThere = isInside && kind != kindWithoutBytes
        let isReadable = isThere && flags & compressed == 0
        let isLoaded = isReadable && flags & (loaded | ofThread) == loaded && address <= UInt64.max - size
        return Section(
            kind: kind, link: link, bytes: isReadable ? Int(start)..<Int(start + size) : 0..<0,
            packed: isThere && !isReadable ? Int(start)..<Int(start + size) : 0..<0,
            memory: isLoaded ? address..<(address + size) : 0..<0, name: name)
    }

    /// Where the section with this name is; empty if there is none, or not as plain bytes.
    func bytes(of name: String) -> Range<Int> { section(name)?.bytes ?? 0..<0 }

    func section(_ name: String) -> Section? {
        all.first { file.text(at: names.lowerBound + Int($0.name), before: names.upperBound) == name }
    }
}
