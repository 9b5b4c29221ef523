// SPDX-License-Identifier: MIT
// Finds where the source declares the body of a view, by the function that stands in its witness table.

/// The places of views' bodies in the source, from the symbols and debug information of the loaded files.
package struct BodySymbols: ~Copyable {
    fileprivate final class Symbols {
        let declarations: DeclarationSymbols
        let lines: LineTable
        let functions: SymbolTable
        private lazy var units = lines.units()
        /// By unit, the hints for questions about its functions. A module can be one unit, which is then read once for all bodies.
        private var hints: [UInt32: [UInt64: UInt64]] = [:]

        fileprivate init?(_ file: LoadedFile) {
            guard let mapped = file.map(), let declarations = DeclarationSymbols(file),
                let lines = LineTable(mapped), let functions = SymbolTable(mapped)
            else { return nil }
            (self.declarations, self.lines, self.functions) = (declarations, lines, functions)
        }

        /// The hint for what begins at an address; 0 if there is none.
        func hint(at address: UInt64) -> UInt64 {
            guard let unit = lines.unit(at: address) else { return 0 }
            if let known = hints[unit] { return known[address] ?? 0 }
            let functions = units[unit].map(lines.functions(ofUnitAt:)) ?? [:]
            hints[unit] = functions
            return functions[address] ?? 0
        }
    }

    private var files: [LoadedFile: Symbols?] = [:]

    package init() {}

    /// The path and the line of the declaration; nil in a program without symbols or debug information.
    ///
    /// The first question about a file reads its symbols and where its lines are: milliseconds. Each further one takes less.
    ///
    /// - Parameters:
    ///   - witness: The function in the witness table.
    ///   - type: The address of the type's descriptor.
    package mutating func place(ofBody witness: UInt, type: UInt) -> (path: String, line: Int)? {
        guard let file = LoadedFile(containing: witness), let typeFile = LoadedFile(containing: type),
            let symbols = symbols(of: file), let type = self.symbols(of: typeFile)?.declarations.type(at: type)
        else { return nil }
        let own = UInt64(witness &- file.bias)
        if let getter = symbols.declarations.getter("body", of: type), let place = symbols.declaration(at: getter) {
            return place
        }
        // The optimiser put the body into the witness.
        guard let function = symbols.functions.function(at: own) else { return nil }
        let end = min(function.size, UInt64(SymbolLimits.bytesToLine))
        var hint = symbols.hint(at: own)
        for offset in stride(from: 0, to: max(end, 1), by: 4) {
            if let place = symbols.inlinedBody(at: own + offset, of: type, near: &hint) { return place }
        }
        return nil
    }

    private mutating func symbols(of file: LoadedFile) -> Symbols? {
        if let known = files[file] { return known }
        guard files.count < SymbolLimits.symbolTables else { return nil }
        let symbols = Symbols(file)
        files[file] = .some(symbols)
        return symbols
    }
}

extension BodySymbols.Symbols {
    /// Where the function at an address is declared.
    fileprivate func declaration(at address: UInt64) -> (path: String, line: Int)? {
        var hint = hint(at: address)
        guard let inlined = lines.inlined(at: address, near: &hint),
            let extent = lines.extent(at: hint, around: inlined)
        else { return lines.place(at: address).flatMap { place in place.line.map { (place.file, $0) } } }
        return (extent.file, extent.first)
    }

    /// Where the body is declared that was inlined at an address.
    fileprivate func inlinedBody(
        at address: UInt64, of type: String, near hint: inout UInt64
    ) -> (path: String, line: Int)? {
        let functions = lines.inlined(at: address, near: &hint) ?? []
        let body = functions.first { DeclarationSymbols.isGetter($0.function, "body", of: type) }
        return body?.extent.map { ($0.file, $0.first) }
    }
}
