// SPDX-License-Identifier: MIT
// A unit of functions in either format, written byte by byte: two functions, one with calls that were inlined.

@testable import Rerender

/// The entries to the lines of `SyntheticLines`: `outer` at 0x1000..<0x1010, into which `middle` was inlined, and into that
/// `inner`; `other` at 0x2000..<0x2004.
///
///     outer:  0123456789ABCDEF
///     middle:     ########         called at Till.swift:20
///     inner:        ####           called at Shop.swift:30
///
/// `outer` is declared at Till.swift:15, `other` at 40; `middle` at Shop.swift:25, `inner` at 31.
struct SyntheticFunctions {
    /// Whether `inner` also stands beside `middle`, where it cannot be.
    var hasTwoClaims = false
    /// How `middle` says where its code is.
    var middle = Code.high
    /// Whether what was inlined is described in a file that several files of debug information share.
    var isShared = false
    /// Whether the file says that there is one.
    var namesShared = true
    /// Whether the unit says that it was optimised.
    var isOptimised = false
    /// Whether `middle` is the getter of a view's body.
    var hasBody = false
    /// How often `middle` was inlined into itself.
    var repetitions = 0

    enum Code: CaseIterable { case high, ranges }

    static let body = "$s4Shop3RowV4bodyQrvg"
    private static let names = Array("outer\0middle\0inner\0other\0\(body)\0".utf8)
    private static let outer = 0, middleName = 6, inner = 13, other = 19, bodyName = 25

    func file(version: UInt8) -> [UInt8] {
        let lines = SyntheticLines.unit(version: version)
        return SyntheticSections([
            (".debug_line", lines), (".debug_line_str", SyntheticLines.strings), (".debug_str", Self.names),
            (".debug_info", unit(version: version)), (".debug_abbrev", abbreviations(version: version)),
            (".debug_str_offsets", Array(repeating: 0, count: 8) + SyntheticSections.half(Self.outer)),
            (".debug_addr", Array(repeating: 0, count: 8) + SyntheticSections.word(0x1000)),
            (".debug_ranges", oldRanges), (".debug_rnglists", newRanges),
            (isShared && namesShared ? ".gnu_debugaltlink" : ".comment", [1]),
        ]).bytes
    }

    /// 1: unit; 2: abstract function; 3: function with children; 4: inlined with children; 5: inlined without; 6: function.
    private func abbreviations(version: UInt8) -> [UInt8] {
        let isNew = version == 5
        // The forms of a place: address or index of one; the length after it.
        let at: [UInt8] = isNew ? [0x11, 0x1B, 0x12, 0x06] : [0x11, 0x01, 0x12, 0x06]
        let plain: [UInt8] = [0x11, 0x01, 0x12, 0x06]
        let spread: [UInt8] = [0x55, isNew ? 0x23 : 0x17]
        let origin: [UInt8] = isShared ? [0xA0, 0x3E] : [0x13]
        let call: [UInt8] = [0x31] + origin + [0x58, 0x0B, 0x59, 0x0B]
        var all: [UInt8] = [1, 0x11, 1, 0x10, 0x17, 0x11, 0x01]
        if isNew { all += [0x72, 0x17, 0x73, 0x17, 0x74, 0x17] }
        if isOptimised { all += [0xE1, 0x7F, 0x19] }
        let declared: [UInt8] = [0x3A, 0x0B, 0x3B, 0x0B]
        all += [0, 0] + [2, 0x2E, 0, 0x6E, 0x0E] + declared + [0, 0]
        all += [3, 0x2E, 1, 0x6E, isNew ? 0x25 : 0x0E] + at + declared + [0, 0]
        all += [4, 0x1D, 1] + (middle == .high ? plain : spread) + call + [0, 0]
        all += [5, 0x1D, 0] + plain + call + [0, 0]
        return all + [6, 0x2E, 0, 0x6E, 0x0E] + plain + declared + [0, 0] + [0]
    }

    private func unit(version: UInt8) -> [UInt8] {
        let isNew = version == 5
        let half = SyntheticSections.half, word = SyntheticSections.word
        var unit: [UInt8] = [version, 0] + (isNew ? [1, 8] : []) + half(0) + (isNew ? [] : [8])
        unit += [1] + half(0) + word(0x1000)
        if isNew { unit += half(8) + half(8) + half(12) }
        let middleEntry = unit.count + 4
        unit += [2] + half(hasBody ? Self.bodyName : Self.middleName) + [1, 25]
        let innerEntry = unit.count + 4
        unit += [2] + half(Self.inner) + [1, 31]
        unit += [3] + (isNew ? [0, 0] : half(Self.outer) + word(0x1000)) + half(0x10) + [2, 15]
        let code: [UInt8] = middle == .high ? word(0x1004) + half(8) : isNew ? [0] : half(0)
        for _ in 0...repetitions { unit += [4] + code + half(middleEntry) + [2, 20] }
        let call = [5] + word(0x1006) + half(4) + half(innerEntry) + [1, 30]
        unit += call + Array(repeating: 0, count: repetitions + 1)
        if hasTwoClaims { unit += call }
        unit += [0] + [6] + half(Self.other) + word(0x2000) + half(4) + [2, 40] + [0]
        return half(unit.count) + unit
    }

    private var oldRanges: [UInt8] {
        let word = SyntheticSections.word
        // Counted from the unit, in two pieces; then an end.
        return word(4) + word(8) + word(8) + word(12) + word(0) + word(0)
    }

    private var newRanges: [UInt8] {
        // The header, one list at 4 bytes behind it: from an indexed address, and from the unit.
        Array(repeating: 0, count: 12) + SyntheticSections.half(4) + [1, 0, 4, 4, 8, 4, 8, 12, 0]
    }
}
