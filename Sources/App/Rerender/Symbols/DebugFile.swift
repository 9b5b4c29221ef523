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
