// SPDX-License-Identifier: MIT
// The symbol tables of this process's files, each read once.

import Synchronization

/// Names of functions of this process by address.
///
/// Any thread except one that must not wait: the first question about a file reads its table.
extension SymbolTable {
    /// Tables kept, and files that have none. Unloading a file forgets all, because another may take its place.
    private struct Cache {
        var unloads: UInt64 = 0
        var tables: [LoadedFile: SymbolTable?] = [:]
    }

    private static let cache = Mutex(Cache())

    /// The mangled name of the function that holds this address; nil if no file was loaded there, the file has no such
    /// symbol (it was stripped), or it was replaced on disk since it was loaded. 5 µs; a file's first some milliseconds.
    static func symbolName(at address: UInt) -> String? {
        guard let file = LoadedFile(containing: address) else { return nil }
        return table(of: file)?.name(at: UInt64(address - file.bias))
    }

    private static func table(of file: LoadedFile) -> SymbolTable? {
        cache.withLock { cache in
            if cache.unloads != file.unloads { cache = Cache(unloads: file.unloads) }
            if let known = cache.tables[file] { return known }
            guard cache.tables.count < StoreLimits.symbolTables else { return nil }
            let table = file.map().flatMap(SymbolTable.init)
            cache.tables[file] = .some(table)
            return table
        }
    }
}
