// SPDX-License-Identifier: MIT
// The symbol tables of this process's files, each read once.

/// Names of functions of this process by address.
package struct SymbolTables: ~Copyable {
    private var unloads: UInt64 = 0
    /// nil for files that have no table.
    private var tables: [LoadedFile: SymbolTable?] = [:]

    package init() {}

    /// The mangled name of the function that holds this address.
    ///
    /// nil if no file was loaded there, if the file has no such symbol because it was stripped, or if it was replaced on disk
    /// since it was loaded. Takes 5 µs; the first call for a file reads its table, which takes some milliseconds.
    package mutating func name(at address: UInt) -> String? {
        guard let file = LoadedFile(containing: address) else { return nil }
        return table(of: file)?.function(at: UInt64(address &- file.bias))?.name
    }

    private mutating func table(of file: LoadedFile) -> SymbolTable? {
        // Another file may have taken the place of an unloaded one.
        if unloads != file.unloads { self = SymbolTables(unloads: file.unloads) }
        if let known = tables[file] { return known }
        guard tables.count < SymbolLimits.symbolTables else { return nil }
        let table = file.map().flatMap(SymbolTable.init)
        tables[file] = .some(table)
        return table
    }

    private init(unloads: UInt64) { self.unloads = unloads }
}
