// SPDX-License-Identifier: MIT
// ELF files made byte by byte.

@testable import RerenderTool

/// A file with what a program's reader looks at, and nothing else.
struct MadeELF {
    var machine: UInt16 = ELFReader.machine
    /// 1 for 32 bits, 2 for 64.
    var width: UInt8 = 2
    var loader: String? = "/lib64/ld-linux-x86-64.so.2"
    var needed: [String] = ["libc.so.6"]
    /// Where libraries are looked for first: `DT_RUNPATH`, and `DT_RPATH`, which is older.
    var runPath, olderRunPath: String?
    var sections: [String] = [".text", ".data"]
    var hasSections = true
    /// Whether it has the note of a build with probes.
    var hasProbes = false
    /// The one symbol that it exports.
    var exported: String?

    /// Where memory begins; not where the file does, so that an address is no offset.
    static let base: UInt64 = 0x40_0000

    var bytes: [UInt8] {
        var names: [UInt8] = [0]
        let offsets = needed.map { name -> UInt64 in
            defer { names += Array(name.utf8) + [0] }
            return UInt64(names.count)
        }
        var linking: [(Int, UInt64)] = offsets.map { (1, $0) }
        for (tag, path) in [(29, runPath), (15, olderRunPath)] {
            guard let path else { continue }
            linking.append((tag, UInt64(names.count)))
            names += Array(path.utf8) + [0]
        }
        let symbol = UInt64(names.count)
        if let exported { names += Array(exported.utf8) + [0] }
        let exports: [(Int, UInt64)] =
            exported == nil ? [] : [(0x6FFF_FEF5, Self.base + Self.hashOffset), (6, Self.base + Self.symbolsOffset)]
        let dynamic: [(Int, UInt64)] =
            linking + [(5, Self.base + namesOffset)] + exports + [(0, 0)]
        let table = dynamic.flatMap { Self.word(UInt64($0)) + Self.word($1) }
        var file = header(sectionsAt: 0)
        file += segments(dynamicBytes: table.count)
        if hasProbes {
            file += [UInt8](repeating: 0, count: Int(Self.noteOffset) - file.count) + Self.note
        }
        file += [UInt8](repeating: 0, count: Int(Self.dynamicOffset) - file.count)
        file += table
        if let exported {
            file += [UInt8](repeating: 0, count: Int(Self.hashOffset) - file.count)
            file += Self.hashes(exported)
            file += [UInt8](repeating: 0, count: Int(Self.symbolsOffset) - file.count)
            // The first symbol has no name.
            file += [UInt8](repeating: 0, count: 24) + Self.single(UInt32(symbol)) + [UInt8](repeating: 0, count: 20)
        }
        file += [UInt8](repeating: 0, count: Int(namesOffset) - file.count)
        file += names
        guard hasSections else { return file }
        let headers = UInt64(file.count)
        file.replaceSubrange(0x28..<0x30, with: Self.word(headers))
        return file + sectionTable(at: headers)
    }

    private static let noteOffset: UInt64 = 0x180
    private static let dynamicOffset: UInt64 = 0x200
    private static let hashOffset: UInt64 = 0x340
    private static let symbolsOffset: UInt64 = 0x380

    /// GNU's table of hashes: one bucket, symbols from number 1 on, one word of a filter, the bucket, and the chain with its last bit.
    private static func hashes(_ name: String) -> [UInt8] {
        let hash = name.utf8.reduce(5_381 as UInt32) { $0 &* 33 &+ UInt32($1) }
        return single(1) + single(1) + single(1) + single(6) + word(.max) + single(1) + single(hash | 1)
    }
    /// As `process.c` has it.
    private static let note =
        single(9) + single(8) + single(1) + Array("Rerender\0\0\0\0".utf8) + [UInt8](repeating: 7, count: 8)
    private let namesOffset: UInt64 = 0x600

    private func header(sectionsAt: UInt64) -> [UInt8] {
        var header: [UInt8] = [0x7F] + Array("ELF".utf8) + [width, 1, 1] + [UInt8](repeating: 0, count: 9)
        header += Self.half(3) + Self.half(machine) + Self.single(1) + Self.word(Self.base) + Self.word(64)
        header += Self.word(sectionsAt) + Self.single(0) + Self.half(64) + Self.half(56)
        header += Self.half(UInt16((loader == nil ? 2 : 3) + (hasProbes ? 1 : 0))) + Self.half(64)
        return header + Self.half(hasSections ? UInt16(sections.count + 1) : 0) + Self.half(UInt16(sections.count))
    }

    private func segments(dynamicBytes: Int) -> [UInt8] {
        func segment(_ kind: UInt32, _ offset: UInt64, _ size: UInt64) -> [UInt8] {
            Self.single(kind) + Self.single(4) + Self.word(offset) + Self.word(Self.base + offset)
                + Self.word(Self.base + offset) + Self.word(size) + Self.word(size) + Self.word(1)
        }
        let note = hasProbes ? segment(4, Self.noteOffset, UInt64(Self.note.count)) : []
        return (loader == nil ? [] : segment(3, 0x100, 28)) + segment(1, 0, 0x10000)
            + segment(2, Self.dynamicOffset, UInt64(dynamicBytes)) + note
    }

    /// The sections, and one with their names, which lies behind the table.
    private func sectionTable(at start: UInt64) -> [UInt8] {
        var names: [UInt8] = [0], table: [UInt8] = []
        func add(_ name: String, _ place: UInt64, _ size: UInt64) {
            let kind: UInt32 = name == ".symtab" ? 2 : 1
            table += Self.single(UInt32(names.count)) + Self.single(kind) + Self.word(0) + Self.word(0)
            table += Self.word(place) + Self.word(size) + [UInt8](repeating: 0, count: 24)
            names += Array(name.utf8) + [0]
        }
        for name in sections { add(name, 0, 0) }
        let place = start + UInt64(64 * (sections.count + 1))
        add(".shstrtab", place, UInt64(names.count + ".shstrtab".utf8.count + 1))
        return table + names
    }

    private static func half(_ value: UInt16) -> [UInt8] { [UInt8(value & 0xFF), UInt8(value >> 8)] }
    private static func single(_ value: UInt32) -> [UInt8] { half(UInt16(value & 0xFFFF)) + half(UInt16(value >> 16)) }
    private static func word(_ value: UInt64) -> [UInt8] {
        single(UInt32(value & 0xFFFF_FFFF)) + single(UInt32(value >> 32))
    }
}

extension ProgramImage {
    /// What is read of a file with these bytes; tells the most that was asked for at once.
    init(_ bytes: [UInt8], longest: ((Int) -> Void)? = nil) {
        self.init { offset, count in
            longest?(count)
            guard offset < bytes.count else { return [] }
            return Array(bytes[Int(offset)...].prefix(count))
        }
    }
}
