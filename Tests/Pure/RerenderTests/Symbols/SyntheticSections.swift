// SPDX-License-Identifier: MIT
// The smallest ELF file with named sections, and a unit of lines in either format, written byte by byte.

import Foundation

@testable import Rerender

/// A file with sections of these names, kinds and bytes.
struct SyntheticSections {
    var bytes: [UInt8]

    init(_ sections: [(name: String, bytes: [UInt8])], flags: UInt64 = 0) {
        var names: [UInt8] = [0], headers = [UInt8](repeating: 0, count: 64)
        bytes = [0x7F, 0x45, 0x4C, 0x46, 2, 1, 1] + Array(repeating: 0, count: 57)
        for section in sections {
            headers += Self.header(names.count, kind: 1, flags: flags, bytes.count, section.bytes.count)
            names += Array(section.name.utf8) + [0]
            bytes += section.bytes
        }
        headers += Self.header(0, kind: 3, flags: 0, bytes.count, names.count)
        bytes += names
        bytes.replaceSubrange(0x28..<0x30, with: Self.word(UInt64(bytes.count)))
        bytes[0x3A] = 64
        bytes[0x3C] = UInt8(sections.count + 2)
        bytes[0x3E] = UInt8(sections.count + 1)
        bytes += headers
    }

    private static func header(_ name: Int, kind: UInt64, flags: UInt64, _ start: Int, _ size: Int) -> [UInt8] {
        word(UInt64(name) | kind << 32) + word(flags) + word(0) + word(UInt64(start)) + word(UInt64(size)) + word(0)
            + word(8) + word(0)
    }

    static func word(_ value: UInt64) -> [UInt8] { withUnsafeBytes(of: value.littleEndian) { Array($0) } }
    static func half(_ value: Int) -> [UInt8] { Array(word(UInt64(value)).prefix(4)) }

    /// The bytes as a file that is mapped and has no name any more.
    static func map(_ bytes: [UInt8]) -> MappedFile? {
        let path = NSTemporaryDirectory() + "rerender-lines-\(getpid())-\(UInt64.random(in: 0 ... .max))"
        defer { unlink(path) }
        guard FileManager.default.createFile(atPath: path, contents: Data(bytes)) else { return nil }
        return MappedFile(path: path)
    }
}

/// A unit with two sequences: 0x1000..<0x1010 of `Shop.swift`, lines 7, 0 and 9, and 0x2000..<0x2004 of `Till.swift`,
/// which lies in another directory than the compiler's.
enum SyntheticLines {
    static let strings = Array("src\0Shop.swift\0Till.swift\0".utf8)

    static func unit(version: UInt8, start: UInt64 = 0x1000) -> [UInt8] {
        let files: [UInt8] =
            version == 5
            ? [1, 1, 0x1F, 2] + SyntheticSections.half(0) + SyntheticSections.half(0) + [2, 1, 0x1F, 2, 0x0B, 3]
                + [0, 0, 0, 0, 0] + SyntheticSections.half(4) + [0] + SyntheticSections.half(15) + [1]
            : Array("src\0\0Shop.swift\0".utf8) + [0, 0, 0] + Array("Till.swift\0".utf8) + [1, 0, 0, 0]
        let parameters: [UInt8] = [1, 1, 1, 0xFB, 14, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1]
        let behind = parameters + files
        var unit: [UInt8] = [version, 0] + (version == 5 ? [8, 0] : [])
        unit += SyntheticSections.half(behind.count) + behind
        // set address, advance line 6, copy; 4 bytes on to line 0; 8 bytes on to line 9; the end 4 bytes later.
        unit += [0, 9, 2] + SyntheticSections.word(start) + [3, 6, 1]
        unit += [2, 4, 3, 0x79, 1] + [2, 8, 3, 9, 1] + [2, 4, 0, 1, 1]
        unit += [0, 9, 2] + SyntheticSections.word(start + 0x1000) + [4, 2, 3, 4, 1] + [9, 4, 0] + [0, 1, 1]
        return SyntheticSections.half(unit.count) + unit
    }

    static func file(_ unit: [UInt8], flags: UInt64 = 0) -> [UInt8] {
        SyntheticSections([(".debug_line", unit), (".debug_line_str", strings)], flags: flags).bytes
    }

    static func table(_ bytes: [UInt8]) -> LineTable? { SyntheticSections.map(bytes).flatMap(LineTable.init) }
}
