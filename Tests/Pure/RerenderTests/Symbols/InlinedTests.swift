// SPDX-License-Identifier: MIT
// Inlined functions by address: of files written byte by byte, and of files that are not what they seem.

import CRerender
import TestSupport
import Testing

@testable import Rerender

@Suite struct InlinedTests {
    typealias Place = LineTable.CodePlace
    typealias Extent = LineTable.Extent
    static let middle = LineTable.Inlined(
        function: "middle", caller: Place(file: "src/Till.swift", line: 20),
        extent: Extent(file: "Shop.swift", first: 25))
    static let inner = LineTable.Inlined(
        function: "inner", caller: Place(file: "Shop.swift", line: 30), extent: Extent(file: "Shop.swift", first: 31))

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

    @Test(arguments: [4, 5] as [UInt8])
    func `a function's lines begin at its declaration, and around a key path's use end before the next function`(
        version: UInt8
    ) throws {
        let table = try #require(SyntheticLines.table(SyntheticFunctions().file(version: version)))
        let use = [LineTable.Inlined(function: "$s4Shop4TillC3sumSivpACTk", caller: nil)]
        var outer: UInt64 = 0, other: UInt64 = 0
        _ = table.inlined(at: 0x1000, near: &outer)
        _ = table.inlined(at: 0x2000, near: &other)
        #expect(table.extent(at: outer, around: []) == Extent(file: "src/Till.swift", first: 15))
        #expect(table.extent(at: outer, around: use) == Extent(file: "src/Till.swift", first: 15, end: 40))
        #expect(table.extent(at: other, around: use) == Extent(file: "src/Till.swift", first: 40))
        #expect(table.extent(at: 0, around: use) == nil)
    }

    @Test func `a place before a function, behind it or in another file is not in it, and one without a line may be`() {
        let extent = Extent(file: "Till.swift", first: 15, end: 40)
        for line in [15, 39] { #expect(!extent.excludes(Place(file: "Till.swift", line: line))) }
        for line in [1, 14, 40, 900] { #expect(extent.excludes(Place(file: "Till.swift", line: line))) }
        #expect(extent.excludes(Place(file: "Shop.swift", line: 20)))
        #expect(!extent.excludes(Place(file: "Till.swift", line: nil)))
        #expect(!extent.excludes(Place(file: "<compiler-generated>", line: 1)))
        #expect(!Extent(file: "/<compiler-generated>", first: 1).excludes(Place(file: "Till.swift", line: 1)))
        #expect(!Extent(file: "Till.swift", first: 15).excludes(Place(file: "Till.swift", line: 900)))
    }

    @Test(arguments: [4, 5] as [UInt8])
    func `what was inlined may be described in another file, and is called at its place all the same`(
        version: UInt8
    ) throws {
        let shared = SyntheticFunctions(isShared: true)
        let table = try #require(SyntheticLines.table(shared.file(version: version)))
        let middle = LineTable.Inlined(function: "", caller: Self.middle.caller)
        #expect(inlined(table, 0x1004) == [middle])
        #expect(inlined(table, 0x1006) == [LineTable.Inlined(function: "", caller: Self.inner.caller), middle])
        #expect(inlined(table, 0x1000) == [])
        let unsaid = SyntheticFunctions(isShared: true, namesShared: false)
        #expect(try inlined(#require(SyntheticLines.table(unsaid.file(version: version))), 0x1004) == nil)
    }

    @Test(arguments: [4, 5] as [UInt8], SyntheticFunctions.Code.allCases)
    func `a body that was put into a function is found there, and none in a unit that was not optimised`(
        version: UInt8, code: SyntheticFunctions.Code
    ) throws {
        var functions = SyntheticFunctions(middle: code, isOptimised: true, hasBody: true)
        let table = try #require(SyntheticLines.table(functions.file(version: version)))
        let found = table.inlinedGetters(of: "body", inUnitAt: 0)
        #expect(found.map(\.name) == [SyntheticFunctions.body] && found.map(\.function) == ["outer"])
        #expect(found.map(\.extent) == [Extent(file: "Shop.swift", first: 25)])
        #expect(table.inlinedGetters(of: "title", inUnitAt: 0).isEmpty)
        functions.isOptimised = false
        let debug = try #require(SyntheticLines.table(functions.file(version: version)))
        #expect(debug.inlinedGetters(of: "body", inUnitAt: 0).isEmpty)
    }

    @Test func `calls and jumps are found in code, and no others than those to the functions that are meant`() throws {
        func distance(_ bytes: Int64) -> [UInt8] { Array(SyntheticSections.word(UInt64(bitPattern: bytes)).prefix(4)) }
        var code = [UInt8](repeating: 0x90, count: 32)
        code.replaceSubrange(1..<6, with: [0xE8] + distance(10))
        code.replaceSubrange(20..<25, with: [0xE9] + distance(-9))
        code[31] = 0xE8
        let file = try #require(SyntheticSections.map(SyntheticSections([(".text", code)], flags: 2).bytes))
        let text = try #require(FileSections(file)?.section(".text"))
        func calls(_ functions: [UInt64], _ limit: Int = 8) -> [csymbols_direct_call] {
            file.directCalls(in: text.bytes, at: text.memory.lowerBound, to: functions, limit: limit)
        }
        #expect(calls([8, 16]).map(\.from) == [1, 20] && calls([8, 16]).map(\.to) == [16, 16])
        #expect(calls([8, 16], 1).map(\.from) == [1], "of more than the limit, the first")
        for functions in [[], [8, 24]] as [[UInt64]] { #expect(calls(functions).isEmpty) }
    }

    @Test("of so many calls the first are found", arguments: around(2))
    func manyCalls(limit: Int) throws {
        func distance(_ bytes: Int64) -> [UInt8] { Array(SyntheticSections.word(UInt64(bitPattern: bytes)).prefix(4)) }
        // Two calls of the function at 16.
        var code = [UInt8](repeating: 0x90, count: 32)
        code.replaceSubrange(0..<5, with: [0xE8] + distance(11))
        code.replaceSubrange(5..<10, with: [0xE8] + distance(6))
        let file = try #require(SyntheticSections.map(SyntheticSections([(".text", code)], flags: 2).bytes))
        let text = try #require(FileSections(file)?.section(".text"))
        let calls = file.directCalls(in: text.bytes, at: text.memory.lowerBound, to: [16], limit: limit)
        #expect(calls.map(\.from) == Array(([0, 5] as [UInt64]).prefix(limit)))
    }

    @Test func `witnesses of bodies and other bodies are callers that are known`() {
        typealias Symbols = DeclarationSymbols
        let row = "$s4Shop3RowV", witness = "\(row)3Kit4ViewAadEP"
        for known in ["4body4BodyQzvgTW", "4body4BodyQzvgTWTm", "4body2of4BodyQzx_tFZTW"] {
            #expect(Symbols.isKnownCaller(witness + known))
        }
        #expect(Symbols.isKnownCaller("$s4Shop7SpecialC4bodySSvg") && Symbols.isKnownCaller("\(row)4bodyQrvgTm"))
        // Another requirement asks for the body itself, past the table.
        for other in ["\(witness)4drawSSyFTW", "$s4Shop5shownySSAA3RowVF", "main", "\(row)14bodyOfModifierSSvg"] {
            #expect(!Symbols.isKnownCaller(other))
        }
        #expect(Symbols.isGetter(SyntheticFunctions.body, "body", of: row))
        #expect(!Symbols.isGetter("\(row)14bodyOfModifierSSvg", "body", of: row))
    }

    @Test func `where two functions claim an address beside each other, none is named`() throws {
        let file = SyntheticFunctions(hasTwoClaims: true).file(version: 4)
        let table = try #require(SyntheticLines.table(file))
        #expect(inlined(table, 0x1006) == nil)
        #expect(inlined(table, 0x1004) == [Self.middle])
    }

    @Test(arguments: [4, 5] as [UInt8])
    func `no byte's value does harm, and lines without functions are no function's`(version: UInt8) throws {
        let whole = SyntheticFunctions(middle: .ranges, isOptimised: true, hasBody: true).file(version: version)
        let use = [LineTable.Inlined(function: "$s4Shop4TillC3sumSivpACTk", caller: nil)]
        for position in whole.indices {
            for value: UInt8 in [0, 1, 0x7F, 0x80, 0xFF] {
                var bytes = whole
                bytes[position] = value
                let table = SyntheticLines.table(bytes)
                for address: UInt64 in [0, 0x1000, 0x1008, 0x2000, .max] {
                    _ = table.map { inlined($0, address) }
                }
                for entry: UInt64 in 0..<128 { _ = table?.extent(at: entry, around: use) }
                _ = table?.inlinedGetters(of: "body", inUnitAt: 0)
            }
        }
        let lines = try #require(SyntheticLines.table(SyntheticLines.file(SyntheticLines.unit(version: version))))
        #expect(inlined(lines, 0x1000) == nil)
    }

    @Test(
        "of so many functions in each other at an address all are known, of more none",
        arguments: around(SymbolLimits.inlinedFunctions))
    func manyInlined(count: Int) throws {
        let file = SyntheticFunctions(repetitions: count - 1).file(version: 5)
        let table = try #require(SyntheticLines.table(file))
        let isKnown = count <= SymbolLimits.inlinedFunctions
        #expect(inlined(table, 0x1004) == (isKnown ? Array(repeating: Self.middle, count: count) : nil))
        #expect(inlined(table, 0x1000) == [])
    }

    private func inlined(_ table: LineTable, _ address: UInt64) -> [LineTable.Inlined]? {
        var hint: UInt64 = 0
        return table.inlined(at: address, near: &hint)
    }
}
