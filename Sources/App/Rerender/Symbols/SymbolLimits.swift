// SPDX-License-Identifier: MIT
// The bounds of what is read and kept of other files' symbols, each with its reason.

/// Bounds that keep a large or damaged file from costing the app more than its names are worth.
enum SymbolLimits {
    /// Files whose symbols are known; an app with more loaded plugins gets no names from the others.
    static let symbolTables = 512
    /// Bytes of a mangled name; names of nested generic types grow without bound.
    static let mangledBytes = 8_192
    /// Functions of a file whose lines are known, 24 bytes each; a file with more, such as a web browser's, has no lines.
    static let lineSequences = 262_144
    /// Functions inlined into one another at one address; the optimiser makes some dozen of generic code.
    static let inlinedFunctions = 128
    /// Files whose lines are known at a time; the app's own code is in a few. Beyond that, all are forgotten.
    static let lineTables = 64
    /// Bytes of a file of debug information beside a program's, which takes so much address space, and memory for what is read of it. Those of a
    /// web browser's size are not worth it.
    static let debugFileBytes = 64 << 20
    /// Bytes of debug information that was compressed: half a second in a debug build.
    static let expandedBytes = 32 << 20
    /// Bytes of debug information that are kept in memory of our own; with more, no further file of it is looked for.
    static let copiedBytes = 64 << 20
    /// Files of debug information whose symbols are kept, some megabytes each: the program's own, and its libraries'.
    static let debugFiles = 16
    /// Calls of the bodies of views that a file's code has without asking a table; those beyond them have no mark.
    static let directCalls = 4_096
    /// Bytes of code in which the line of an in-place change is searched: some instructions.
    static let bytesToLine = 96
}
