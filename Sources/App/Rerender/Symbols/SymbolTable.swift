// SPDX-License-Identifier: MIT
// The functions of an ELF file by address, and what it declares, from its symbol table. Treats the file as hostile input.

import CRerender

/// The function symbols of an ELF64 file, in order of address.
struct SymbolTable: Sendable {
    private let file: MappedFile
    private let symbols: Range<Int>
    private let strings: Range<Int>
    /// Address and index in the table, in one word so that sorting moves little.
    private let order: [UInt64]

    private static let indexBits = UInt64(CSYMBOLS_INDEX_BITS)
    fileprivate static let entrySize = 24
    private static let symbolTableKind: UInt32 = 2
    fileprivate static let dynamicSymbolsKind: UInt32 = 11

    /// nil if it is no ELF64 file of this machine's byte order, or has no functions, or is damaged.
    init?(_ file: MappedFile) {
        guard let (symbols, strings) = Self.sections(of: file) else { return nil }
        self.file = file
        self.symbols = symbols
        self.strings = strings
        order = file.functions(from: symbols.lowerBound, to: symbols.upperBound)
        if order.isEmpty { return nil }
    }

    /// Whether it is in memory of its own.
    var isCopy: Bool { file.isCopy }

    /// Where the symbols and their names are.
    fileprivate static func sections(of file: MappedFile) -> (symbols: Range<Int>, strings: Range<Int>)? {
        guard let sections = FileSections(file)?.all,
            // A stripped library still has the names that it exports.
            let table = sections.first(where: { $0.kind == symbolTableKind })
                ?? sections.first(where: { $0.kind == dynamicSymbolsKind }),
            Int(table.link) < sections.count
        else { return nil }
        return (table.bytes, sections[Int(table.link)].bytes)
    }

    /// Whether a file has the symbols of all its functions, and not of those alone that it exports.
    static func isWhole(_ sections: FileSections) -> Bool { sections.all.contains { $0.kind == symbolTableKind } }

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
            let size = file.integer(at: at + 16, as: UInt64.self), address &- start < max(size, 1),
            let name = file.integer(at: at, as: UInt32.self),
            let text = file.text(at: strings.lowerBound + Int(name), before: strings.upperBound)
        else { return nil }
        return Function(name: Self.withoutVersion(text), start: start, size: size)
    }
}

extension SymbolTable {
    /// `pthread_mutex_lock` of `pthread_mutex_lock@@GLIBC_2.2.5`, as linkers write the symbols of libraries that are not those for the loader.
    private static func withoutVersion(_ name: String) -> String {
        name.utf8.firstIndex(of: UInt8(ascii: "@")).map { String(name[..<$0]) } ?? name
    }

    /// The function that a wrapper of Vala's compiler calls, by the wrapper's name (see ``ValaWrapper``); nil where the file has none. Goes over
    /// all symbols: a millisecond for some thousand in a debug build.
    func wrapped(by wrapper: String) -> Function? {
        let name = Array(wrapper.utf8.dropFirst())
        var best: Function?
        for note in order {
            let at = symbols.lowerBound + Int(note & (1 << Self.indexBits - 1)) * Self.entrySize
            guard let start = file.integer(at: at, as: UInt32.self).map({ strings.lowerBound + Int($0) }),
                // Most names begin otherwise, and none of them is made a text.
                file.integer(at: start, as: UInt8.self) == name.first,
                let function = function(at: note >> Self.indexBits), ValaWrapper.isWrapper(wrapper, of: function.name),
                function.name.utf8.count > best?.name.utf8.count ?? 0
            else { continue }
            best = function
        }
        return best
    }
}

extension LoadedFile {
    /// Whether the loader finds what lies at this address by a name of the file's, or the file cannot be read. Maps the file and
    /// goes over its names.
    ///
    /// The C library's `dladdr` waits for a lock that is held while constructors of libraries run.
    package func exports(_ address: UInt) -> Bool {
        guard let file = map(), let sections = FileSections(file)?.all else { return true }
        guard let table = sections.first(where: { $0.kind == SymbolTable.dynamicSymbolsKind })?.bytes else {
            return false
        }
        let own = UInt64(address &- bias)
        return stride(from: table.lowerBound, to: table.upperBound, by: SymbolTable.entrySize).contains { entry in
            // 0 stands for names of other files.
            file.integer(at: entry + 8, as: UInt64.self) == own && file.integer(at: entry + 6, as: UInt16.self) != 0
        }
    }

    /// The names of what begins at an address; none in a file that cannot be read or has no symbol there. Maps the file and goes
    /// over its symbols: a millisecond for some ten thousand.
    package func symbols(at address: UInt) -> [String] { symbols(at: [address])[address] ?? [] }

    /// The same of several addresses, in the time of one.
    package func symbols(at addresses: Set<UInt>) -> [UInt: [String]] {
        guard let file = map(), let (symbols, strings) = SymbolTable.sections(of: file) else { return [:] }
        var found: [UInt: [String]] = [:]
        for entry in stride(from: symbols.lowerBound, to: symbols.upperBound, by: SymbolTable.entrySize) {
            guard let own = file.integer(at: entry + 8, as: UInt64.self) else { continue }
            let address = UInt(truncatingIfNeeded: own) &+ bias
            guard addresses.contains(address), file.integer(at: entry + 6, as: UInt16.self) != 0,
                let name = file.integer(at: entry, as: UInt32.self),
                let text = file.text(at: strings.lowerBound + Int(name), before: strings.upperBound)
            else { continue }
            found[address, default: []].append(text)
        }
        return found
    }
}

/// The names of a file's types, and of their getters. Keeps the file mapped, and four bytes for each name.
package struct DeclarationSymbols: Sendable {
    private let file: MappedFile
    private let bias: UInt
    private let symbols: Range<Int>
    private let strings: Range<Int>
    private let numbers: [UInt32]

    /// nil if the file has no symbols that can be read. A millisecond for 20,000 symbols.
    package init?(_ file: LoadedFile) {
        guard let mapped = file.map() else { return nil }
        self.init(mapped, bias: file.bias)
    }

    init?(_ file: MappedFile, bias: UInt) {
        guard let (symbols, strings) = SymbolTable.sections(of: file) else { return nil }
        self.file = file
        self.bias = bias
        self.symbols = symbols
        self.strings = strings
        numbers = file.declarations(among: symbols, names: strings)
    }

    /// What the symbols of a type begin with, by the address of its description in this process; nil if there is none.
    package func type(at address: UInt) -> String? {
        for number in numbers {
            let place = place(number)
            guard file.integer(at: place + 8, as: UInt64.self) == UInt64(address &- bias) else { continue }
            if let name = name(place), name.hasSuffix("Mn") { return String(name.dropLast(2)) }
        }
        return nil
    }

    /// The symbols of getters, of key paths' getters, and of entries of classes' tables for getters, that start so.
    package func getters(startingWith prefix: String) -> [String] {
        numbers.compactMap { number in
            let place = place(number)
            guard starts(place, with: prefix), let name = name(place), !name.hasSuffix("Mn") else { return nil }
            return name
        }
    }

    /// The file's own address of the getter of a type's property; nil if there is no such function.
    func getter(_ property: String, of type: String) -> UInt64? {
        for number in numbers {
            let place = place(number)
            guard starts(place, with: type), let name = name(place), Self.isGetter(name, property, of: type) else {
                continue
            }
            return file.integer(at: place + 8, as: UInt64.self)
        }
        return nil
    }

    /// The file's own addresses of all getters of a property, in order.
    func getters(of property: String) -> [UInt64] {
        let all = numbers.compactMap { number -> UInt64? in
            let place = place(number)
            guard let name = name(place), Self.isGetter(name, property, of: "$s") else { return nil }
            return file.integer(at: place + 8, as: UInt64.self)
        }
        return Set(all).sorted()
    }

    /// Whether a symbol is that of the getter of a property, declared in the type or in an extension.
    static func isGetter(_ symbol: String, _ property: String, of type: String) -> Bool {
        symbol.hasPrefix(type) && symbol.hasSuffix("vg") && names(property, symbol.dropFirst(type.count))
    }

    /// Whether a symbol names a property, and not one with a longer name, such as `14bodyOfModifier`.
    private static func names(_ property: String, _ symbol: Substring) -> Bool {
        guard let range = symbol.firstRange(of: mangled(property)) else { return false }
        return symbol[..<range.lowerBound].last?.isNumber != true
    }

    /// A property's name as it is in symbols.
    static func mangled(_ property: String) -> String { "\(property.utf8.count)\(property)" }

    /// Whether a call of a body by a function is counted, or is no evaluation. Tables have the witnesses of bodies. One body calls another
    /// where its source says so, as in a subclass, and where the optimiser made one function of two.
    ///
    /// - Parameter function: As the linker knows it.
    static func isKnownCaller(_ function: String) -> Bool {
        names("body", function[...]) && ["TW", "TWTm", "vg", "vgTm"].contains { function.hasSuffix($0) }
    }

    private func place(_ number: UInt32) -> Int { symbols.lowerBound + Int(number) * SymbolTable.entrySize }

    private func start(_ place: Int) -> Int? {
        file.integer(at: place, as: UInt32.self).map { strings.lowerBound + Int($0) }
    }

    private func name(_ place: Int) -> String? {
        start(place).flatMap { file.text(at: $0, before: strings.upperBound) }
    }

    /// Without making a text of the name.
    private func starts(_ place: Int, with prefix: String) -> Bool {
        guard let start = start(place) else { return false }
        var at = start
        for byte in prefix.utf8 {
            guard file.integer(at: at, as: UInt8.self) == byte else { return false }
            at += 1
        }
        return true
    }
}

/// Names of functions of this process by address.
package struct SymbolTables: ~Copyable {
    private var unloads: UInt64 = 0
    /// nil for files that have no table.
    private var tables: [LoadedFile: SymbolTable?] = [:]
    /// How many of them are of files beside those that were loaded.
    private var debugFiles = 0

    package init() {}

    /// The mangled name of the function that holds this address.
    ///
    /// nil if no file was loaded there, if the file has no such symbol because it was stripped and no debug information lies beside it, or if it
    /// was replaced on disk since it was loaded. Takes 5 µs; the first call for a file reads its table, which takes some milliseconds.
    package mutating func name(at address: UInt) -> String? {
        guard let file = LoadedFile(containing: address) else { return nil }
        return table(of: file)?.function(at: UInt64(address &- file.bias))?.name
    }

    /// Where the function begins that holds this address; nil as ``name(at:)``.
    mutating func start(of address: UInt) -> UInt? {
        guard let file = LoadedFile(containing: address) else { return nil }
        return table(of: file)?.function(at: UInt64(address &- file.bias)).map { file.bias &+ UInt($0.start) }
    }

    /// Where the function begins that the one at this address calls, if that is a wrapper of Vala's compiler.
    mutating func wrapped(at address: UInt) -> UInt? {
        guard let file = LoadedFile(containing: address), let table = table(of: file),
            let wrapper = table.function(at: UInt64(address &- file.bias)), wrapper.name.hasPrefix("_")
        else { return nil }
        return table.wrapped(by: wrapper.name).map { file.bias &+ UInt($0.start) }
    }

    private mutating func table(of file: LoadedFile) -> SymbolTable? {
        // Another file may have taken the place of an unloaded one.
        if unloads != file.unloads { self = SymbolTables(unloads: file.unloads) }
        if let known = tables[file] { return known }
        guard tables.count < SymbolLimits.symbolTables else { return nil }
        let table = file.symbolTable(alone: debugFiles >= SymbolLimits.debugFiles)
        if table?.isCopy == true { debugFiles += 1 }
        tables[file] = .some(table)
        return table
    }

    private init(unloads: UInt64) { self.unloads = unloads }
}

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
