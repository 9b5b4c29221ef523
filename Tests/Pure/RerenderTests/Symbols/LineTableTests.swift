// SPDX-License-Identifier: MIT
// Lines by address: of files written byte by byte, and of files that are not what they seem.

import TestSupport
import Testing

@testable import Rerender

@Suite struct LineTableTests {
    typealias Place = LineTable.CodePlace

    @Test(arguments: [4, 5] as [UInt8])
    func `each byte of a function has its row's line, and code between functions none`(version: UInt8) throws {
        let table = try #require(SyntheticLines.table(SyntheticLines.file(SyntheticLines.unit(version: version))))
        for address: UInt64 in [0x1000, 0x1003] {
            #expect(table.place(at: address) == Place(file: "Shop.swift", line: 7))
        }
        #expect(table.place(at: 0x1004) == Place(file: "Shop.swift", line: nil))
        for address: UInt64 in [0x100C, 0x100F] {
            #expect(table.place(at: address) == Place(file: "Shop.swift", line: 9))
        }
        #expect(table.place(at: 0x2000) == Place(file: "src/Till.swift", line: 5))
        for address: UInt64 in [0, 0xFFF, 0x1010, 0x1FFF, 0x2004, .max] { #expect(table.place(at: address) == nil) }
    }

    @Test func `code that a linker dropped, or that two units claim, has no line`() throws {
        let unit = SyntheticLines.unit(version: 4)
        #expect(
            SyntheticLines.table(SyntheticLines.file(SyntheticLines.unit(version: 4, start: 0)))?.place(at: 1) == nil)
        let twice = try #require(SyntheticLines.table(SyntheticLines.file(unit + unit)))
        #expect(twice.place(at: 0x1000) == nil)
        let beside = SyntheticLines.unit(version: 5, start: 0x8000)
        let both = try #require(SyntheticLines.table(SyntheticLines.file(unit + beside)))
        #expect(both.place(at: 0x1000)?.line == 7)
        #expect(both.place(at: 0x8000)?.line == 7)
    }

    @Test("a file with more functions than are worth their memory has no lines", arguments: around(4))
    func manySequences(limit: Int) throws {
        // Two units of two functions each.
        let units = SyntheticLines.unit(version: 5) + SyntheticLines.unit(version: 5, start: 0x8000)
        let mapped = try #require(SyntheticSections.map(SyntheticLines.file(units)))
        let (sections, file) = DebugSections.readable(try #require(FileSections(mapped)), of: mapped)
        #expect(file.sequences(of: sections, limit: limit).count == (limit >= 4 ? 4 : 0))
    }

    @Test func `compressed lines and a file without any are no table`() throws {
        let unit = SyntheticLines.unit(version: 4)
        #expect(SyntheticLines.table(SyntheticLines.file(unit)) != nil)
        #expect(SyntheticLines.table(SyntheticLines.file(unit, flags: 0x800)) == nil)
        #expect(SyntheticLines.table(SyntheticSections([(".text", unit)]).bytes) == nil)
    }

    @Test(arguments: [4, 5] as [UInt8])
    func `a file cut at any byte gives no table, and no byte's value does harm`(version: UInt8) {
        let whole = SyntheticLines.file(SyntheticLines.unit(version: version))
        for length in 0..<whole.count { #expect(SyntheticLines.table(Array(whole[..<length])) == nil) }
        for position in whole.indices {
            for value: UInt8 in [0, 1, 0x7F, 0x80, 0xFF] {
                var bytes = whole
                bytes[position] = value
                let table = SyntheticLines.table(bytes)
                for address: UInt64 in [0, 0x1000, 0x1008, 0x2000, .max] { _ = table?.place(at: address) }
            }
        }
    }

    @Test func `a file table of endless entries without bytes ends`() {
        var unit = SyntheticLines.unit(version: 5)
        // One format becomes none; the number of entries the largest there is.
        let formats = 4 + 2 + 2 + 4 + 18
        unit[formats] = 0
        unit.replaceSubrange(formats + 1..<formats + 8, with: [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F])
        #expect(SyntheticLines.table(SyntheticLines.file(unit))?.place(at: 0x1000) == nil)
    }
}
