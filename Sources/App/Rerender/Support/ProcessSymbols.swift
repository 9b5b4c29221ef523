// SPDX-License-Identifier: MIT
// Names of this process's functions, from tables that are shared by all who ask.

import Synchronization

/// Names of functions by address, from symbol tables that are read once per file.
enum ProcessSymbols {
    private static let tables = Mutex(SymbolTables())

    /// The mangled name of the function that holds this address; nil where there is none, as ``SymbolTables`` says.
    /// Any thread that may wait: the first question about a file reads its symbols.
    static func name(at address: UInt) -> String? { tables.withLock { $0.name(at: address) } }
}
