// SPDX-License-Identifier: MIT
// Finds the functions, files and lines of addresses, from symbols and debug information of the loaded files.

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
}

/// Answers from the files that are loaded; one thread at a time has it.
///
/// It reads the files' symbols and debug information in this process: no other process, no handler, no output.
package struct Symbolicator: ~Copyable {
    private var lines: [LoadedFile: LineTable?] = [:]
    private var unloads: UInt64 = 0
    private let symbolName: @Sendable (UInt) -> String?

    /// - Parameter symbolName: The mangled name of the function at an address, as ``SymbolTables`` gives it.
    package init(symbolName: @escaping @Sendable (UInt) -> String?) {
        self.symbolName = symbolName
    }

    /// The functions that hold the instruction before this return address; empty where nothing is known. 0.1–1 ms; a
    /// file's first reads all its lines, 1 ms per 100,000 bytes in a debug build, and keeps 24 bytes for each function.
    package mutating func frames(before address: UInt) -> [SymbolicFrame] {
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
            frames.append(frame(function.function, place, in: function.extent))
            place = function.caller
        }
        return frames + [frame(mangled, place, in: table.extent(at: hint, around: inlined))]
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
            unloads = file.unloads
        }
        if let known = lines[file] { return known }
        let table = file.map().flatMap(LineTable.init)
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
