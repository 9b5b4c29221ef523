// SPDX-License-Identifier: MIT
// The symbols and debug information of an ELF file, which may be damaged or made to harm.

#if DEBUG || RERENDER_FUZZ
    import CRerender
    import FuzzWire
    @testable import Rerender

    extension FuzzTarget {
        /// The bytes are a file. The first eight steer what is asked: they are an ELF file's own, and are put right.
        static let symbols = FuzzTarget("symbols", longest: 16_384) { bytes in
            guard bytes.count > 8 else { return }
            let magic: [UInt8] = [0x7F, UInt8(ascii: "E"), UInt8(ascii: "L"), UInt8(ascii: "F"), 2, 1, 1, 0]
            guard let file = MappedFile(copying: magic + bytes[8...]) else { return }
            try SymbolChecks.symbols(file, asked: UInt64(bytes[0]) * 16)
            try SymbolChecks.lines(file, steps: UInt64(bytes[1]))
        }
    }

    private enum SymbolChecks {
        static func symbols(_ file: MappedFile, asked address: UInt64) throws {
            if let sections = FileSections(file) {
                for section in sections.all {
                    let bytes = section.bytes
                    try hold(bytes.lowerBound >= 0 && bytes.upperBound <= file.count, "a section of \(bytes)")
                }
                _ = sections.section(".text")
            }
            if let table = SymbolTable(file) {
                for offset in [address, address &+ 0x1000, 0x1130] {
                    guard let function = table.function(at: offset) else { continue }
                    let isInside = offset >= function.start && offset - function.start < max(function.size, 1)
                    try hold(isInside, "\(offset) is not in \(function)")
                }
            }
            guard let declarations = DeclarationSymbols(file, bias: 0) else { return }
            for getter in declarations.getters(startingWith: "$s").prefix(4) {
                try hold(getter.hasPrefix("$s"), "\(getter) is no getter")
            }
            _ = declarations.type(at: UInt(address))
            _ = declarations.getter("a", of: "$s")
        }

        static func lines(_ file: MappedFile, steps: UInt64) throws {
            guard let sections = FileSections(file) else { return }
            let debug = DebugSections(sections)
            let sequences = file.sequences(of: debug, limit: SymbolLimits.lineSequences)
            let lows = sequences.map(\.low)
            try hold(zip(lows, lows.dropFirst()).allSatisfy { $0 <= $1 }, "not in order of address: \(lows)")
            guard let table = LineTable(file) else { return }
            for sequence in sequences.prefix(3) {
                let address = sequence.low &+ (sequence.size > 0 ? steps % UInt64(sequence.size) : 0)
                _ = table.place(at: address)
                var hint: UInt64 = 0
                let first = table.inlined(at: address, near: &hint)
                let again = table.inlined(at: address, near: &hint)
                try hold(
                    first == again, "with a hint \(String(describing: again)), without \(String(describing: first))")
                try hold((first?.count ?? 0) <= SymbolLimits.inlinedFunctions, "\(first?.count ?? 0) functions")
            }
            for unit in table.units().values.prefix(2) { _ = table.functions(ofUnitAt: unit.start) }
        }
    }
#endif
