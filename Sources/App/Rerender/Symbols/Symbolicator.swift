// SPDX-License-Identifier: MIT
// Finds the functions, files and lines of addresses, and of the bodies of views, from symbols and debug information.

import CRerender

/// A function at an address. One address has several where functions were inlined, innermost first.
package struct SymbolicFrame: Sendable {
    /// As the linker knows it.
    package let mangled: String
    /// As a reader knows it: `Ticker.advance()`.
    package let name: String
    /// The file's path; nil without debug information.
    package let path: String?
    /// nil where the compiler attributed the code to no line.
    package let line: Int?
    /// The file that declares the function, where it is known.
    package var declaringFile: String?
    /// Whether the line is not of this function: the compiler gave it the code of another one.
    package var isMisplaced = false
    /// Whether functions that were inlined into this one would be known.
    package var showsInlined = true
    /// Where it is one of a script: then it has no name for the linker.
    package var script: ScriptPlace?
}

/// Answers from the files that are loaded; one thread at a time has it.
///
/// It reads the files' symbols and debug information in this process: no other process, no handler, no output.
package struct Symbolicator: ~Copyable {
    private var lines: [LoadedFile: LineTable?] = [:]
    private var unloads: UInt64 = 0
    /// What they have in memory of their own.
    private var copiedBytes = 0
    private let symbolName: @Sendable (UInt) -> String?

    /// - Parameter symbolName: The mangled name of the function at an address, as ``SymbolTables`` gives it.
    package init(symbolName: @escaping @Sendable (UInt) -> String?) {
        self.symbolName = symbolName
    }

    /// The functions that hold the instruction before this return address; empty where nothing is known. 0.1–1 ms; a
    /// file's first reads all its lines, 1 ms per 100,000 bytes in a debug build, and keeps 24 bytes for each function.
    package mutating func frames(before address: UInt) -> [SymbolicFrame] {
        if let script = ScriptPlace(address) {
            return [
                SymbolicFrame(
                    mangled: "", name: script.function, path: script.path, line: script.line, script: script)
            ]
        }
        var hint: UInt64 = 0
        return frames(at: address &- 1, near: &hint).map { frame in
            // The beginning of an in-place change has no line of its own: the code after it, which changes, has.
            frame.line == nil && frame.path != nil ? withLine(frame, after: address, near: &hint) : frame
        }
    }

    private mutating func frames(at address: UInt, near hint: inout UInt64) -> [SymbolicFrame] {
        guard let file = LoadedFile(containing: address), let mangled = symbolName(address) else {
            return []
        }
        let own = UInt64(address &- file.bias)
        let table = table(of: file)
        guard let table, let inlined = table.inlined(at: own, near: &hint) else {
            // A line may be that of a function that was inlined here.
            var frame = frame(mangled, nil)
            // Beside code with lines, what has none is the toolchain's, linked into the program: none of the app's is in it.
            frame.showsInlined = table.map { !$0.hasLines(at: own) } ?? false
            return [frame]
        }
        var place = table.place(at: own), frames: [SymbolicFrame] = []
        for function in inlined {
            // Without a name it is no frame. That its caller called it there is true all the same.
            if !function.function.isEmpty { frames.append(frame(function.function, place, in: function.extent)) }
            place = function.caller
        }
        return frames + [frame(mangled, place, in: table.extent(at: hint, around: inlined))]
    }

    /// A function that begins at an address as the author of a program in Vala knows it: with a line of Vala's, where the compiler gave its
    /// beginning one of the C code that it made. In the place of a wrapper, what that calls. nil for functions of other languages.
    ///
    /// - Parameter called: Where the function begins that it calls if it is a wrapper.
    mutating func inVala(_ own: SymbolicFrame, at address: UInt, called: UInt?) -> SymbolicFrame? {
        guard own.path?.hasSuffix(".c") == true || ValaWrapper.isOfVala(own) else { return nil }
        var (hint, inVala) = (UInt64(0), SymbolicFrame?.none)
        for offset in stride(from: UInt(0), to: UInt(SymbolLimits.bytesToLine), by: 4) {
            let following = frames(at: address &+ offset, near: &hint)
            guard let same = following.last, same.mangled == own.mangled else { break }
            // The optimiser may have put the function into its wrapper.
            let inlined = following.dropLast().last {
                ValaWrapper.isOfVala($0) && ValaWrapper.isWrapper(own.mangled, of: $0.mangled)
            }
            if let inlined { return inlined }
            if inVala == nil, ValaWrapper.isOfVala(same) { inVala = same }
        }
        guard let inVala else { return nil }
        let next = called.flatMap { called in frames(at: called, near: &hint).last.map { (called, $0) } }
        return next.flatMap { self.inVala($0.1, at: $0.0, called: nil) } ?? inVala
    }

    private func frame(
        _ mangled: String, _ place: LineTable.CodePlace?, in extent: LineTable.Extent? = nil
    ) -> SymbolicFrame {
        let name = Demangler.shortName(mangled) ?? mangled
        var frame = SymbolicFrame(mangled: mangled, name: name, path: place?.file, line: place?.line)
        frame.declaringFile = extent?.file
        frame.isMisplaced = if let place, let extent { extent.excludes(place) } else { false }
        return frame
    }

    private mutating func table(of file: LoadedFile) -> LineTable? {
        if unloads != file.unloads || lines.count >= SymbolLimits.lineTables {
            lines = [:]
            copiedBytes = 0
            unloads = file.unloads
        }
        if let known = lines[file] { return known }
        let table = file.lineTable(alone: copiedBytes >= SymbolLimits.copiedBytes)
        copiedBytes += table?.copiedBytes ?? 0
        lines[file] = .some(table)
        return table
    }

    /// The line of the next code of the same function that has one.
    private mutating func withLine(
        _ frame: SymbolicFrame, after address: UInt, near hint: inout UInt64
    ) -> SymbolicFrame {
        for offset in stride(from: UInt(0), to: UInt(SymbolLimits.bytesToLine), by: 4) {
            let following = frames(at: address &+ offset, near: &hint)
            guard let same = following.first(where: { $0.mangled == frame.mangled }) else { break }
            if same.line != nil { return same }
        }
        // Without a line the path is that of the unit's first file, and not this code's.
        var bare = SymbolicFrame(mangled: frame.mangled, name: frame.name, path: nil, line: nil)
        bare.declaringFile = frame.declaringFile
        return bare
    }
}

/// The places of views' bodies in the source, from the symbols and debug information of the loaded files.
package struct BodySymbols: ~Copyable {
    fileprivate final class Symbols {
        private let file: MappedFile
        let declarations: DeclarationSymbols
        let lines: LineTable
        private lazy var units = lines.units()
        /// By unit, the hints for questions about its functions. A module can be one unit, which is then read once for all bodies.
        private var hints: [UInt32: [UInt64: UInt64]] = [:]
        /// By unit, the bodies that were inlined.
        private var inlined: [UInt32: [LineTable.InlinedGetter]] = [:]
        /// By getters of bodies, who calls them.
        private lazy var directCallers = findCallers()

        fileprivate init?(_ file: LoadedFile) {
            guard let mapped = file.map(), let declarations = DeclarationSymbols(file), let lines = LineTable(mapped)
            else { return nil }
            (self.file, self.declarations, self.lines) = (mapped, declarations, lines)
        }

        /// The hint for what begins at an address, or 0.
        func hint(at address: UInt64) -> UInt64 {
            guard let unit = lines.unit(at: address) else { return 0 }
            if let known = hints[unit] { return known[address] ?? 0 }
            let functions = units[unit].map { lines.functions(ofUnitAt: $0.start) } ?? [:]
            hints[unit] = functions
            return functions[address] ?? 0
        }

        /// The places where the optimiser put the body of a type, in the unit of its witness, or else of its getter.
        func inlinedBodies(of type: String, near witness: UInt64) -> [LineTable.InlinedGetter] {
            let known = lines.unit(at: witness) ?? declarations.getter("body", of: type).flatMap(lines.unit(at:))
            guard let number = known, let unit = units[number], unit.is_optimised else { return [] }
            let all = inlined[number] ?? lines.inlinedGetters(of: "body", inUnitAt: unit.start)
            inlined[number] = all
            return all.filter { DeclarationSymbols.isGetter($0.name, "body", of: type) }
        }

        /// The functions that call the body of a type where it is, past any table: none in a unit that was not optimised.
        func callers(of type: String) -> Set<String> {
            guard let getter = declarations.getter("body", of: type), let unit = lines.unit(at: getter),
                units[unit]?.is_optimised == true
            else { return [] }
            return directCallers[getter] ?? []
        }

        private func findCallers() -> [UInt64: Set<String>] {
            guard let code = FileSections(file)?.section(".text"), let functions = SymbolTable(file) else { return [:] }
            let calls = file.directCalls(
                in: code.bytes, at: code.memory.lowerBound, to: declarations.getters(of: "body"),
                limit: SymbolLimits.directCalls)
            return calls.reduce(into: [:]) { callers, call in
                guard let caller = functions.function(at: call.from) else { return }
                callers[call.to, default: []].insert(caller.name)
            }
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
        guard let (symbols, own, type) = find(witness, type) else { return nil }
        if let getter = symbols.declarations.getter("body", of: type), let place = symbols.declaration(at: getter) {
            return place
        }
        // The optimiser put the body into the witness, or into others. Where it left a function that several views share, its lines are those
        // of one of them: none is taken.
        return symbols.inlinedBodies(of: type, near: own).compactMap(\.extent).first.map { ($0.file, $0.first) }
    }

    /// Whether an optimised function calls the body, or has it, and asks no table for it: such evaluations are not counted.
    ///
    /// Known is what the debug information of the body's own unit says, and who calls it in its file. The parameters are those of
    /// ``place(ofBody:type:)``.
    package mutating func isCalledUncounted(body witness: UInt, type: UInt) -> Bool {
        guard let (symbols, own, type) = find(witness, type) else { return false }
        return symbols.inlinedBodies(of: type, near: own).contains { !DeclarationSymbols.isKnownCaller($0.function) }
            || symbols.callers(of: type).contains { !DeclarationSymbols.isKnownCaller($0) }
    }

    /// The symbols of a witness's file, its address there, and what the symbols of a type begin with.
    private mutating func find(_ witness: UInt, _ type: UInt) -> (symbols: Symbols, own: UInt64, type: String)? {
        guard let file = LoadedFile(containing: witness), let typeFile = LoadedFile(containing: type),
            let symbols = symbols(of: file), let type = self.symbols(of: typeFile)?.declarations.type(at: type)
        else { return nil }
        return (symbols, UInt64(witness &- file.bias), type)
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
}

// Vala's compiler makes C, and wrappers around functions that a signal or a source calls: tells them by their names.

/// A function that Vala's compiler made, and that only calls on: `_win_on_clicked_gtk_button_clicked`, `___lambda4__gsource_func`.
enum ValaWrapper {
    /// Whether a function is the wrapper of another one, by the names that the linker knows. A compiler of C puts `.isra.0` and the like behind
    /// names.
    static func isWrapper(_ wrapper: String, of function: String) -> Bool {
        let name = function.utf8.prefix { $0 != UInt8(ascii: ".") }
        guard !name.isEmpty, wrapper.utf8.first == underscore else { return false }
        let rest = wrapper.utf8.dropFirst()
        let suffix = rest.dropFirst(name.count)
        return rest.starts(with: name) && suffix.first == underscore && suffix.count > 1
    }

    /// The same of two frames of a stack, as ``WriterName/text(_:file:)`` makes them. What is called has to be in a file of Vala's.
    static func isWrapper(frame: String, of inner: String) -> Bool {
        guard let end = inner.firstRange(of: "() "), isOfVala(place: inner[end.upperBound...]) else { return false }
        return isWrapper(String(frame.prefix { $0 != "(" }), of: String(inner[..<end.lowerBound]))
    }

    private static func isOfVala(place: Substring) -> Bool { place.prefix { $0 != ":" }.hasSuffix(suffix) }

    /// Whether a file is one of Vala's.
    static func isOfVala(_ frame: SymbolicFrame) -> Bool { frame.path?.hasSuffix(suffix) == true }

    private static let suffix = ".vala"
    private static let underscore = UInt8(ascii: "_")
}
