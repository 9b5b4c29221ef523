// SPDX-License-Identifier: MIT
// The functions of one ELF file by address, from its own tables; the file is read as hostile input.

import CRerender

/// The function symbols of an ELF64 file, in order of address.
struct SymbolTable: Sendable {
    private let file: MappedFile
    private let symbols: Section
    private let strings: Section
    /// Address and index in the table, in one word so that sorting moves little.
    private let order: [UInt64]

    /// A part of the file: offsets from its beginning.
    private struct Section {
        var start = 0
        var end = 0
        var link: UInt32 = 0
    }

    private static let indexBits = UInt64(CRERENDER_INDEX_BITS)
    private static let entrySize = 24
    private static let symbolTableKind: UInt32 = 2
    private static let dynamicSymbolsKind: UInt32 = 11

    /// nil if it is no ELF64 file of this machine's byte order, or has no functions, or is damaged.
    init?(_ file: MappedFile) {
        // "\u{7f}ELF", 64 bits, little-endian.
        guard file.integer(at: 0, as: UInt32.self) == 0x464C_457F, file.integer(at: 4, as: UInt16.self) == 0x0102,
            let sections = Self.sections(file),
            // A stripped library still has the names that it exports.
            let table = sections.first(where: { $0.kind == Self.symbolTableKind })
                ?? sections.first(where: { $0.kind == Self.dynamicSymbolsKind }),
            Int(table.section.link) < sections.count
        else { return nil }
        self.file = file
        symbols = table.section
        strings = sections[Int(table.section.link)].section
        order = file.functions(from: table.section.start, to: table.section.end)
        if order.isEmpty { return nil }
    }

    private static func sections(_ file: MappedFile) -> [(kind: UInt32, section: Section)]? {
        guard let headers = file.integer(at: 0x28, as: UInt64.self).flatMap(Int.init(exactly:)),
            let step = file.integer(at: 0x3A, as: UInt16.self), step >= 64,
            let count = file.integer(at: 0x3C, as: UInt16.self), headers > 0, headers < file.count,
            Int(count) * Int(step) <= file.count - headers
        else { return nil }
        var found: [(kind: UInt32, section: Section)] = []
        for number in 0..<Int(count) {
            let at = headers + number * Int(step)
            guard let kind = file.integer(at: at + 4, as: UInt32.self),
                let start = file.integer(at: at + 0x18, as: UInt64.self),
                let size = file.integer(at: at + 0x20, as: UInt64.self),
                let link = file.integer(at: at + 0x28, as: UInt32.self)
            else { return nil }
            let isInside = start <= file.count && size <= UInt64(file.count) - start
            found.append((kind, isInside ? Section(start: Int(start), end: Int(start + size), link: link) : Section()))
        }
        return found
    }

    /// A function of the file.
    struct Function: Sendable {
        let name: String
        let start: UInt64
        let size: UInt64
    }

    /// The mangled name of the function at an address of the file's own; nil between functions.
    func name(at address: UInt64) -> String? { function(at: address)?.name }

    /// The function at an address of the file's own; nil between functions.
    func function(at address: UInt64) -> Function? {
        guard address >> (64 - Self.indexBits) == 0 else { return nil }
        var low = 0, high = order.count
        while low < high {
            let middle = (low + high) / 2
            if order[middle] >> Self.indexBits <= address { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return nil }
        let index = Int(order[low - 1] & (1 << Self.indexBits - 1))
        let at = symbols.start + index * Self.entrySize
        guard let start = file.integer(at: at + 8, as: UInt64.self),
            let size = file.integer(at: at + 16, as: UInt64.self), address - start < max(size, 1),
            let name = file.integer(at: at, as: UInt32.self),
            let text = file.text(at: strings.start + Int(name), before: strings.end)
        else { return nil }
        return Function(name: text, start: start, size: size)
    }
}
