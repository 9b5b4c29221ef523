// SPDX-License-Identifier: MIT
// Lines and inlined functions of an ELF file by address, from its debug information. Treats the file as hostile input.

import CRerender

/// The lines of an ELF64 file with DWARF 2 to 5, and its inlined functions with DWARF 4 and 5.
///
/// Keeps where each function's lines are told, 24 bytes for each, and reads them again for every question.
struct LineTable: Sendable {
    /// Where code is in the source.
    struct CodePlace: Equatable, Sendable {
        /// The file's name, with or without its path.
        let file: String
        /// nil for code that the compiler attributed to no line.
        let line: Int?

        /// What the compiler calls the file of code that it made.
        static let generated = "<compiler-generated>"
        var isGenerated: Bool { file.hasSuffix(Self.generated) }
    }

    private let file: MappedFile
    private let sections: DebugSections
    private let sequences: [csymbols_sequence]
    /// Whether other files have the names of some functions: it shares its debug information with them.
    private let sharesNames: Bool

    /// nil if the file tells no lines, or more functions' than are worth their memory.
    init?(_ file: MappedFile) {
        guard let parts = FileSections(file) else { return nil }
        let readable = DebugSections.readable(parts, of: file)
        (sections, self.file) = readable
        sharesNames = parts.section(".gnu_debugaltlink") != nil
        sequences = self.file.sequences(of: sections, limit: SymbolLimits.lineSequences)
        if sequences.isEmpty { return nil }
    }

    /// What it has in memory of its own.
    var copiedBytes: Int { file.isCopy ? file.count : 0 }

    /// The lines that a function of the source can have.
    struct Extent: Equatable, Sendable {
        let file: String
        let first: Int
        /// The line of the next function; nil if it was not looked for, or there is none.
        var end: Int?

        /// Whether a place cannot be in the function. Code that the compiler made has no place in the source.
        func excludes(_ place: CodePlace) -> Bool {
            guard let line = place.line, !place.isGenerated, !file.hasSuffix(CodePlace.generated) else { return false }
            return place.file != file || line < first || line >= end ?? .max
        }
    }

    /// A function that was inlined, and the place in the function around it that calls it.
    struct Inlined: Equatable, Sendable {
        /// As the linker knows it; empty where the file says that another one has its name.
        let function: String
        let caller: CodePlace?
        /// nil if it is not known.
        var extent: Extent?
    }

    /// The place of the instruction at an address of the file's own; nil where no line is told. Microseconds.
    func place(at address: UInt64) -> CodePlace? {
        guard let sequence = sequence(at: address), let line = file.line(at: address, in: sequence, of: sections) else {
            return nil
        }
        return place(line.file, line.line, unit: sequence.unit)
    }

    /// Whether the code at an address of the file's own was compiled with lines.
    func hasLines(at address: UInt64) -> Bool { sequence(at: address) != nil }

    /// The functions that were inlined at an address, innermost first, so that the place is the first one's; nil if that
    /// cannot be told. Reads the debug information of the unit up to there: microseconds to milliseconds; again in the same
    /// function, which `hint` keeps, microseconds. The hint is of no use for another file; 0 is none.
    func inlined(at address: UInt64, near hint: inout UInt64) -> [Inlined]? {
        guard let unit = sequence(at: address)?.unit,
            let calls = file.inlined(at: address, lines: unit, near: &hint, of: sections)
        else { return nil }
        var found: [Inlined] = []
        for call in calls.reversed() {
            guard let (name, declaration) = file.function(call.function, of: sections) else {
                guard sharesNames else { return nil }
                found.append(Inlined(function: "", caller: place(call.file, call.line, unit: unit)))
                continue
            }
            let end = found.last.map { Self.isKeyPathAccessor($0.function) } ?? false
            found.append(
                Inlined(
                    function: name, caller: place(call.file, call.line, unit: unit),
                    extent: extent(declaration, of: name, unit: unit, withEnd: end)))
        }
        return found
    }

    /// The unit of an address of the file's own, by a number; nil where no line is told.
    func unit(at address: UInt64) -> UInt32? { sequence(at: address)?.unit }

    /// The units by their numbers. Reads the beginning of each: some 100 ns.
    func units() -> [UInt32: csymbols_unit] { file.units(of: sections, limit: SymbolLimits.lineSequences) }

    /// The functions of the unit that starts there, by their first addresses: each with the hint for `inlined`. Reads the whole
    /// unit: milliseconds.
    func functions(ofUnitAt start: UInt64) -> [UInt64: UInt64] {
        file.functions(ofUnitAt: start, of: sections, limit: SymbolLimits.lineSequences)
    }

    /// A getter that the optimiser put into a function.
    struct InlinedGetter: Sendable {
        /// As the linker knows them.
        let name: String, function: String
        /// Where it is declared; nil if that is not known.
        let extent: Extent?
    }

    /// The getters of a property, of any types, that were inlined in the unit that starts there: none where it was not optimised. Reads
    /// the whole unit: milliseconds.
    func inlinedGetters(of property: String, inUnitAt start: UInt64) -> [InlinedGetter] {
        let text = DeclarationSymbols.mangled(property)
        return file.inlinedGetters(named: text, inUnitAt: start, of: sections, limit: SymbolLimits.lineSequences)
            .compactMap { inlined in
                guard let (name, declaration) = file.function(inlined.getter, of: sections),
                    let function = file.function(inlined.function, of: sections)
                else { return nil }
                let extent = extent(declaration, of: name, unit: declaration.unit, withEnd: false)
                return InlinedGetter(name: name, function: function.name, extent: extent)
            }
    }

    /// The lines that the function can have that `inlined` found an address in, and kept as its hint.
    func extent(at hint: UInt64, around inlined: [Inlined]) -> Extent? {
        guard hint != 0, let (name, declaration) = file.function(hint, of: sections) else { return nil }
        let end = inlined.last.map { Self.isKeyPathAccessor($0.function) } ?? false
        return extent(declaration, of: name, unit: declaration.unit, withEnd: end)
    }

    private func extent(
        _ declaration: csymbols_declaration, of name: String, unit: UInt32, withEnd: Bool
    ) -> Extent? {
        guard declaration.line > 0, declaration.unit == unit,
            let path = file.lineFile(declaration.file, unit: unit, of: sections)
        else { return nil }
        let first = Int(declaration.line)
        guard withEnd else { return Extent(file: path, first: first) }
        // What cannot be told is told of no line.
        guard let end = file.nextFunction(after: declaration, of: name, in: sections) else {
            return Extent(file: path, first: first, end: first)
        }
        return Extent(file: path, first: first, end: end > 0 ? Int(end) : nil)
    }

    /// Whether a function is the compiler's access to a property by its key path. Where it is inlined, the compiler gives its
    /// call the line of the function that has the key path as a value, and the name of the one that wrote the key path.
    private static func isKeyPathAccessor(_ function: String) -> Bool {
        function.hasSuffix("Tk") || function.hasSuffix("TK")
    }

    private func place(_ number: UInt32, _ line: UInt32, unit: UInt32) -> CodePlace? {
        file.lineFile(number, unit: unit, of: sections).map { CodePlace(file: $0, line: line > 0 ? Int(line) : nil) }
    }

    /// nil also where two claim the address, as those of code do that a linker dropped.
    private func sequence(at address: UInt64) -> csymbols_sequence? {
        var low = 0, high = sequences.count
        while low < high {
            let middle = (low + high) / 2
            if sequences[middle].low <= address { low = middle + 1 } else { high = middle }
        }
        guard low > 0, holds(low - 1, address), low == 1 || !holds(low - 2, address) else { return nil }
        return sequences[low - 1]
    }

    private func holds(_ index: Int, _ address: UInt64) -> Bool {
        address - sequences[index].low < UInt64(sequences[index].size)
    }
}
