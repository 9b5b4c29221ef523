// SPDX-License-Identifier: MIT
// Lines of Python's instructions, from location tables.

import CRerender
import Testing

@Suite("Lines of Python")
struct PythonLineTests {
    private func line(_ table: [UInt8], first: UInt32 = 1, unit: UInt32, size: Int? = nil) -> UInt32 {
        SyntheticMemory.with(table, at: 0x1000) {
            crerender_python_line($0, 0x1000, size ?? table.count, first, unit)
        }
    }

    // Of a function with a loop, an exception, a comprehension, and a hundred empty lines, as CPython 3.11 compiles it.
    private static let table: [UInt8] = [
        128, 0, 216, 16, 21, 240, 0, 8, 5, 35, 240, 0, 8, 5, 35, 136, 4, 216, 11, 15, 144, 33, 138, 56, 136, 56, 216,
        12, 17, 144, 100, 216, 24, 25, 241, 3, 1, 23, 26, 241, 0, 1, 13, 27, 136, 69, 136, 69, 240, 6, 3, 13, 35, 216,
        16, 21, 152, 20, 145, 13, 144, 5, 229, 24, 27, 152, 69, 153, 10, 156, 10, 144, 5, 144, 5, 248, 157, 3, 152, 69,
        153, 10, 156, 10, 144, 5, 208, 16, 34, 208, 16, 34, 208, 16, 34, 208, 16, 34, 245, 124, 2, 0, 10, 14, 136, 99,
        137, 25, 140, 25, 240, 0, 1, 5, 34, 144, 100, 216, 8, 13, 149, 19, 144, 84, 151, 89, 146, 89, 145, 91, 148, 91,
        209, 17, 33, 212, 17, 33, 209, 8, 33, 136, 5, 240, 3, 1, 5, 34, 240, 0, 1, 5, 34, 240, 0, 1, 5, 34, 241, 0, 1,
        5, 34, 244, 0, 1, 5, 34, 240, 0, 1, 5, 34, 240, 0, 1, 5, 34, 240, 0, 1, 5, 34, 240, 0, 1, 5, 34, 240, 0, 1, 5,
        34, 240, 0, 1, 5, 34, 248, 248, 248, 240, 0, 1, 5, 34, 240, 0, 1, 5, 34, 240, 0, 1, 5, 34, 240, 0, 1, 5, 34,
        240, 4, 1, 12, 40, 240, 0, 1, 12, 40, 160, 5, 216, 32, 37, 240, 3, 1, 32, 39, 240, 0, 1, 12, 40, 241, 0, 1, 12,
        40, 244, 0, 1, 12, 40, 240, 0, 1, 5, 40,
    ]
    private static let ranges: [(UInt32, UInt32, UInt32)] = [
        (0, 1, 1), (1, 5, 2), (5, 11, 3), (11, 13, 4), (13, 14, 5), (14, 20, 4), (20, 21, 7), (21, 26, 8), (26, 42, 10),
        (42, 43, 0), (43, 62, 10), (62, 78, 104), (78, 114, 105), (114, 130, 104), (130, 133, 0), (133, 137, 104),
        (137, 140, 106), (140, 141, 107), (141, 151, 106),
    ]

    @Test("are those that Python itself tells, for each instruction of a function")
    func real() {
        for (start, end, line) in Self.ranges {
            for unit in start..<end { #expect(self.line(Self.table, unit: unit) == line, "unit \(unit)") }
        }
        #expect(line(Self.table, unit: 151) == 0 && line(Self.table, unit: .max) == 0)
        #expect(line(Self.table, first: 1_001, unit: 62) == 1_104)
    }

    @Test("go back and far, and are none where an entry has none")
    func kinds() {
        // No columns and 200 lines on; long and 200 lines back, none; one line on, none at all; then the line before that.
        let table: [UInt8] = [0xE8, 0x50, 0x06, 0xF0, 0x51, 0x06, 0x00, 0x00, 0x00, 0xD9, 0, 0, 0xF8, 0x87, 0x00]
        #expect(
            (0..<14).map { line(table, first: 10, unit: $0) } == [210, 10, 11, 11, 0] + [
                11, 11, 11, 11, 11, 11, 11, 11,
            ] + [0])
    }

    @Test("are none in a table that is damaged or cut off, or that cannot be read")
    func damaged() {
        #expect(line([], unit: 0) == 0 && line([0x00, 0x80], unit: 0) == 0 && line([0xE8], unit: 0) == 1)
        #expect(line([0x80, 0], unit: 0, size: 1 << 40) == 1 && line([0x80, 0], unit: 1, size: 1 << 40) == 0)
        // A number without an end, and lines below the first and above all.
        #expect(line([0xE8] + [UInt8](repeating: 0x7F, count: 200), unit: 3) == 0)
        #expect(line([0xE8, 0x05], first: 1, unit: 0) == 0)
        #expect(line([0xE8, 0x7E, 0x7F, 0x7F, 0x7F, 0x3F], first: .max, unit: 0) == 0)
        for count in 0..<Self.table.count { _ = line(Array(Self.table[..<count]), unit: 150) }
    }
}
