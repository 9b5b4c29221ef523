// SPDX-License-Identifier: MIT
// Inlined functions by address: of files written byte by byte, and of files that are not what they seem.

import TestSupport
import Testing

@testable import RerenderSymbols

@Suite struct InlinedTests {
    typealias Place = LineTable.Place
    static let middle = LineTable.Inlined(function: "middle", caller: Place(file: "Till.swift", line: 20))
    static let inner = LineTable.Inlined(function: "inner", caller: Place(file: "Shop.swift", line: 30))

    @Test(arguments: [4, 5] as [UInt8], SyntheticFunctions.Code.allCases)
    func `each byte of a function has the functions inlined there, innermost first`(
        version: UInt8, code: SyntheticFunctions.Code
    ) throws {
        let table = try #require(SyntheticLines.table(SyntheticFunctions(middle: code).file(version: version)))
        for address: UInt64 in [0x1000, 0x1003, 0x100C, 0x100F] { #expect(inlined(table, address) == []) }
        for address: UInt64 in [0x1004, 0x1005, 0x100A, 0x100B] { #expect(inlined(table, address) == [Self.middle]) }
        for address: UInt64 in [0x1006, 0x1009] { #expect(inlined(table, address) == [Self.inner, Self.middle]) }
        #expect(inlined(table, 0x2000) == [])
        for address: UInt64 in [0, 0xFFF, 0x1010, .max] { #expect(inlined(table, address) == nil) }
    }

    @Test(arguments: [4, 5] as [UInt8])
    func `what an address before is known to be in changes no answer`(version: UInt8) throws {
        let table = try #require(SyntheticLines.table(SyntheticFunctions().file(version: version)))
        for first: UInt64 in [0x1000, 0x1006, 0x2000, 0x3000] {
            var hint: UInt64 = 0
            _ = table.inlined(at: first, near: &hint)
            #expect((hint != 0) == (first < 0x3000))
            for address: UInt64 in [0x1000, 0x1004, 0x1006, 0x2000, 0x2004] {
                #expect(table.inlined(at: address, near: &hint) == inlined(table, address))
            }
        }
        var wrong: UInt64 = 3
        #expect(table.inlined(at: 0x1006, near: &wrong) == [Self.inner, Self.middle])
    }

    @Test func `where two functions claim an address beside each other, none is named`() throws {
        let file = SyntheticFunctions(hasTwoClaims: true).file(version: 4)
        let table = try #require(SyntheticLines.table(file))
        #expect(inlined(table, 0x1006) == nil)
        #expect(inlined(table, 0x1004) == [Self.middle])
    }

    @Test(arguments: [4, 5] as [UInt8])
    func `no byte's value does harm, and lines without functions are no function's`(version: UInt8) throws {
        let whole = SyntheticFunctions(middle: .ranges).file(version: version)
        for position in whole.indices {
            for value: UInt8 in [0, 1, 0x7F, 0x80, 0xFF] {
                var bytes = whole
                bytes[position] = value
                let table = SyntheticLines.table(bytes)
                for address: UInt64 in [0, 0x1000, 0x1008, 0x2000, .max] { _ = table.map { inlined($0, address) } }
            }
        }
        let lines = try #require(SyntheticLines.table(SyntheticLines.file(SyntheticLines.unit(version: version))))
        #expect(inlined(lines, 0x1000) == nil)
    }

    private func inlined(_ table: LineTable, _ address: UInt64) -> [LineTable.Inlined]? {
        var hint: UInt64 = 0
        return table.inlined(at: address, near: &hint)
    }
}
