// SPDX-License-Identifier: MIT
// The functions of an ELF file by address, from its symbol table. Treats the file as hostile input.

import CSymbols

/// The function symbols of an ELF64 file, in order of address.
struct SymbolTable: Sendable {
    private let file: MappedFile
    private let symbols: Range<Int>
    private let strings: Range<Int>
    /// Address and index in the table, in one word so that sorting moves little.
    private let order: [UInt64]

    private static let indexBits = UInt64(CSYMBOLS_INDEX_BITS)
    private static let entrySize = 24
    private static let symbolTableKind: UInt32 = 2
    private static let dynamicSymbolsKind: UInt32 = 11

    /// nil if it is no ELF64 file of this machine's byte order, or has no functions, or is damaged.
    init?(_ file: MappedFile) {
        guard let sections = FileSections(file)?.all,
            // A stripped library still has the names that it exports.
            let table = sections.first(where: { $0.kind == Self.symbolTableKind })
                ?? sections.first(where: { $0.kind == Self.dynamicSymbolsKind }),
            Int(table.link) < sections.count
        else { return nil }
        self.file = file
        symbols = table.bytes
        strings = sections[Int(table.link)].bytes
        order = file.functions(from: symbols.lowerBound, to: symbols.upperBound)
        if order.isEmpty { return nil }
    }

    /// A function of the file.
    struct Function: Sendable {
        let name: String
        let start: UInt64
        let size: UInt64
    }

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
        let at = symbols.lowerBound + index * Self.entrySize
        guard let start = file.integer(at: at + 8, as: UInt64.self),
            let size = file.integer(at: at + 16, as: UInt64.self), address - start < max(size, 1),
            let name = file.integer(at: at, as: UInt32.self),
            let text = file.text(at: strings.lowerBound + Int(name), before: strings.upperBound)
        else { return nil }
        return Function(name: text, start: start, size: size)
    }
}
