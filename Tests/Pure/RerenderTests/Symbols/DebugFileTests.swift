// SPDX-License-Identifier: MIT
// Debug information beside a stripped file: how it is found, that it is of the same build, and how it is compressed.

import CRerender
import Foundation
import TestSupport
import Testing

@testable import Rerender

@Suite struct DebugFileTests {
    private static let identifier: [UInt8] = [0x4A, 0x77, 0x19, 0x06]

    private static func note(_ id: [UInt8]) -> [UInt8] {
        SyntheticSections.half(4) + SyntheticSections.half(id.count) + SyntheticSections.half(3) + Array("GNU\0".utf8)
            + id
    }

    private static func link(_ name: String, _ sum: UInt32) -> [UInt8] {
        let text = Array(name.utf8) + [0]
        return text + Array(repeating: 0, count: (4 - text.count % 4) % 4) + SyntheticSections.half(Int(sum))
    }

    private static func debugFile(_ bytes: [UInt8]) throws -> DebugFile {
        let file = try #require(MappedFile(copying: bytes))
        return DebugFile(file, try #require(FileSections(file)))
    }

    private static func sum(_ bytes: [UInt8]) -> UInt32 { csymbols_crc(0, bytes, bytes.count) }

    @Test func `a stripped file says which build it is, and what the file with its debug information is called`() throws
    {
        let both = SyntheticSections([
            (".note.gnu.build-id", Self.note(Self.identifier)),
            (".gnu_debuglink", Self.link("shop.debug", 0x1234_5678)),
        ])
        let debug = try Self.debugFile(both.bytes)
        #expect(debug.buildID == Self.identifier)
        #expect(debug.link == DebugFile.Link(name: "shop.debug", checksum: 0x1234_5678))
        #expect(
            debug.places(besides: "/usr/bin/shop") == [
                "/usr/lib/debug/.build-id/4a/771906.debug", "/usr/bin/shop.debug", "/usr/bin/.debug/shop.debug",
                "/usr/lib/debug/usr/bin/shop.debug",
            ])
        #expect(debug.places(besides: "shop") == ["/usr/lib/debug/.build-id/4a/771906.debug"])
        // It is not its own.
        #expect(!debug.places(besides: "/usr/bin/shop.debug").contains("/usr/bin/shop.debug"))
        let none = try Self.debugFile(SyntheticSections([(".text", [1])]).bytes)
        #expect(none.buildID == nil && none.link == nil && none.places(besides: "/usr/bin/shop").isEmpty)
    }

    @Test func `a name that leads elsewhere is none, and neither is a mark that is cut off`() throws {
        for name in ["../shop", "/etc/passwd", "a/b", "..", "", String(repeating: "a", count: 256)] {
            let file = SyntheticSections([(".gnu_debuglink", Self.link(name, 1))])
            #expect(try Self.debugFile(file.bytes).link == nil, "\(name)")
        }
        let (note, link) = (Self.note(Self.identifier), Self.link("shop.debug", 1))
        for length in 0..<note.count {
            #expect(
                try Self.debugFile(SyntheticSections([(".note.gnu.build-id", Array(note[..<length]))]).bytes).buildID
                    == nil)
        }
        for length in 0..<link.count {
            #expect(
                try Self.debugFile(SyntheticSections([(".gnu_debuglink", Array(link[..<length]))]).bytes).link == nil)
        }
        let large = SyntheticSections([(".note.gnu.build-id", Self.note(Array(repeating: 1, count: 65)))])
        #expect(try Self.debugFile(large.bytes).buildID == nil)
    }

    @Test func `the file beside is used if its checksum is the one that is told`() throws {
        let folder = try TemporaryDirectory()
        let lines = SyntheticLines.file(SyntheticLines.unit(version: 5))
        let program = SyntheticSections([(".gnu_debuglink", Self.link("shop.debug", Self.sum(lines)))])
        let debug = try Self.debugFile(program.bytes)
        func line() -> Int? {
            let file = debug.find(besides: "\(folder.path)/shop", sections: DebugSections.names)
            return file.flatMap(LineTable.init)?.place(at: 0x1000)?.line
        }
        #expect(line() == nil)
        try FileManager.default.createDirectory(atPath: "\(folder.path)/.debug", withIntermediateDirectories: false)
        try Data(lines).write(to: URL(fileURLWithPath: "\(folder.path)/.debug/shop.debug"))
        #expect(line() == 7)
        // The one in the same folder comes first, and is of another build.
        try Data(lines + [0]).write(to: URL(fileURLWithPath: "\(folder.path)/shop.debug"))
        #expect(line() == 7)
        try Data(lines + [0]).write(to: URL(fileURLWithPath: "\(folder.path)/.debug/shop.debug"))
        #expect(line() == nil)
    }

    @Test func `a file of another build is not used, whatever its checksum is`() throws {
        let folder = try TemporaryDirectory()
        let unit = SyntheticLines.unit(version: 4)
        for id in [Self.identifier, Self.identifier + [0], Array(Self.identifier.reversed())] {
            let lines = SyntheticSections([(".debug_line", unit), (".note.gnu.build-id", Self.note(id))]).bytes
            let program = SyntheticSections([
                (".note.gnu.build-id", Self.note(Self.identifier)), (".gnu_debuglink", Self.link("a", Self.sum(lines))),
            ])
            try Data(lines).write(to: URL(fileURLWithPath: "\(folder.path)/a"))
            let found = try Self.debugFile(program.bytes).find(
                besides: "\(folder.path)/shop", sections: [".debug_line"])
            #expect((found != nil) == (id == Self.identifier))
        }
    }

    @Test func `a file from a server is used if it is of the same build`() throws {
        let folder = try TemporaryDirectory()
        let given = "\(folder.path)/debuginfo"
        let program = try Self.debugFile(SyntheticSections([(".note.gnu.build-id", Self.note(Self.identifier))]).bytes)
        #expect(
            program.places(besides: "/usr/bin/shop", given: given) == [
                "/usr/lib/debug/.build-id/4a/771906.debug", given,
            ])
        for id in [Self.identifier, Array(Self.identifier.reversed())] {
            let unit = SyntheticLines.unit(version: 4)
            let lines = SyntheticSections([(".debug_line", unit), (".note.gnu.build-id", Self.note(id))]).bytes
            try Data(lines).write(to: URL(fileURLWithPath: given))
            let found = program.find(besides: "/usr/bin/shop", sections: [".debug_line"], given: given)
            #expect((found != nil) == (id == Self.identifier))
        }
        // What has no mark of its build may be anything.
        let unmarked = try Self.debugFile(SyntheticSections([(".text", [1])]).bytes)
        #expect(unmarked.places(besides: "/usr/bin/shop", given: given).isEmpty)
    }

    @Test func `a copy has what was asked for, and zeros elsewhere`() throws {
        let folder = try TemporaryDirectory()
        let path = "\(folder.path)/file"
        try Data(Array(repeating: 7, count: 10_000)).write(to: URL(fileURLWithPath: path))
        let file = try #require(MappedFile.reading(path, largest: 10_000, steps: [{ _ in [8..<16, 9_990..<20_000] }]))
        #expect(file.isCopy && file.count == 10_000)
        #expect(file.integer(at: 8, as: UInt64.self) == 0x0707_0707_0707_0707)
        #expect(file.integer(at: 0, as: UInt64.self) == 0 && file.integer(at: 16, as: UInt64.self) == 0)
        #expect(file.integer(at: 9_999, as: UInt8.self) == 7)
        #expect(MappedFile.reading(path, largest: 9_999, steps: []) == nil)
        #expect(MappedFile.reading("/", largest: 9_999, steps: []) == nil)
        #expect(MappedFile.checksum(of: path, largest: 10_000) == Self.sum(Array(repeating: 7, count: 10_000)))
        #expect(MappedFile.checksum(of: path, largest: 9_999) == nil)
        #expect(Self.sum(Array("123456789".utf8)) == 0xCBF4_3926)
    }

    // MARK: Compressed sections

    /// What zlib made of the same text with codes of its own.
    private static let packed = """
        eNqVmLFqA0EMRPt8xeLKhhS70mrvDtf5gZDUxg6HMTZ2sDcQCPn3BNcu5pXbDEI3TxrdrW/74SPtd5fLad6e0//juMnL/eflcO7zNZ22u/m0Sj\
        9p34+b+2Nzm/umz999eX8+p0VerNbpOvev6zm9vb6/rNPv0+2RbmG6RdWtTNdU3YnputyHxoSrKmzBhEMVdlhxkz8d7PGgCjdoilEVHqGLJ9kV\
        GXJXdPCMoiezVypsdDEdE2iOohM4QUMXnUEKYQkdb1q1zKGNtNcyiW7UIaM+lqivZRorpdFkGmuFVZu+CUe6C2Uaw6BDTKYxBuhrk2lslEaTaW\
        y4apnGAfdapnHADtE3I/a1TONEaXSZxonOENd3Y6ajz/XlmOnEdn07FrpovOpRhBLpoWvTte4yksVpGvEBZCjqExnKEjT7uZ5YG8Wy6pG10aBd\
        dS4Heh1UncuRnjQVpFZ6h1U9tmbKZdVza8EXrx5cLdN+y1yaZ+oTmUurmfp70u8EymXIXFqjdYfMpQ2032H6gUN9EjKXNlF/h8ylYy5D/6tT6D\
        yJBq4+2m/9onQ6v0M/KSvdO/GIyz9GPlSj
        """
    private static let text = (0..<60).map {
        "static gboolean tick_\($0 * $0)(gpointer label) { gtk_label_set_text(label, \"\($0)\"); return TRUE; }\n"
    }.joined()
    /// `tick tick tick clock.c:4` with the codes that are always the same.
    private static let fixed: [UInt8] = [
        120, 1, 43, 201, 76, 206, 86, 40, 129, 19, 201, 57, 249, 201, 217, 122, 201, 86, 38, 0, 110, 81, 8, 109,
    ]

    private static func expanded(_ bytes: [UInt8], _ count: Int) -> [UInt8]? {
        var isSound = false
        let expanded = [UInt8](unsafeUninitializedCapacity: count) { room, found in
            guard let start = room.baseAddress else { return }
            isSound = csymbols_inflate(bytes, bytes.count, start, count)
            found = isSound ? count : 0
        }
        return isSound ? expanded : nil
    }

    /// A block as it is.
    private static func stored(_ bytes: [UInt8]) -> [UInt8] {
        let count = [UInt8(bytes.count & 0xFF), UInt8(bytes.count >> 8)]
        return [0x78, 1, 1] + count + count.map { ~$0 } + bytes + [0, 0, 0, 0]
    }

    @Test func `what zlib compressed is expanded to what it was, and to no other size`() throws {
        let packed = Array(try #require(Data(base64Encoded: Self.packed)))
        let text = Array(Self.text.utf8)
        #expect(Self.expanded(packed, text.count) == text)
        #expect(Self.expanded(packed, text.count - 1) == nil && Self.expanded(packed, text.count + 1) == nil)
        let ticks = Array("tick tick tick clock.c:4".utf8)
        #expect(Self.expanded(Self.fixed, ticks.count) == ticks)
        #expect(Self.expanded(Self.stored(ticks), ticks.count) == ticks)
    }

    @Test func `what is cut off or damaged does no harm`() throws {
        let packed = Array(try #require(Data(base64Encoded: Self.packed)))
        let count = Self.text.utf8.count
        // The last four bytes are a checksum, which is not looked at.
        for length in 0..<(packed.count - 4) { #expect(Self.expanded(Array(packed[..<length]), count) == nil) }
        for position in packed.indices {
            for value: UInt8 in [0, 1, 0x7F, 0x80, 0xFF] {
                var bytes = packed
                bytes[position] = value
                _ = Self.expanded(bytes, count)
            }
        }
        // Empty blocks without end.
        let empty = repeatElement([0, 0, 0, 0xFF, 0xFF] as [UInt8], count: 100_000).joined()
        #expect(Self.expanded([0x78, 1] + empty, 1) == nil)
    }

    @Test func `lines that are compressed are read, beside sections that are not`() throws {
        let unit = SyntheticLines.unit(version: 5)
        func file(size: Int, kind: Int = 1, _ body: [UInt8]) -> [UInt8] {
            let header = SyntheticSections.half(kind) + SyntheticSections.half(0) + SyntheticSections.word(UInt64(size))
            var sections = SyntheticSections([
                (".debug_line", header + SyntheticSections.word(1) + body), (".debug_line_str", SyntheticLines.strings),
            ])
            // The first section's flag: its header is behind an empty one, in front of two others.
            sections.bytes[sections.bytes.count - 3 * 64 + 9] = 8
            return sections.bytes
        }
        let table = try #require(SyntheticLines.table(file(size: unit.count, Self.stored(unit))))
        #expect(table.place(at: 0x1000) == LineTable.CodePlace(file: "Shop.swift", line: 7))
        #expect(table.copiedBytes == unit.count + SyntheticLines.strings.count)
        #expect(SyntheticLines.table(file(size: unit.count + 1, Self.stored(unit))) == nil)
        #expect(SyntheticLines.table(file(size: unit.count, kind: 2, Self.stored(unit))) == nil)
        #expect(SyntheticLines.table(file(size: SymbolLimits.expandedBytes + 1, Self.stored(unit))) == nil)
        #expect(SyntheticLines.table(file(size: .max, Self.stored(unit))) == nil)
        #expect(SyntheticLines.table(file(size: unit.count, [])) == nil)
    }
}
