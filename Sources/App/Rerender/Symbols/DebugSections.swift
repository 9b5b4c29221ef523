// SPDX-License-Identifier: MIT
// Calls the C code that reads debug information.

import CRerender

/// The places of the debug information in a file.
struct DebugSections: Sendable {
    /// Without the bytes, which are there for the time of a call.
    private let spans: csymbols_debug_spans

    init(_ sections: FileSections) { self.init { sections.bytes(of: $0) } }

    private init(_ bytes: (_ name: String) -> Range<Int>) {
        func span(_ name: String) -> csymbols_span {
            let bytes = bytes(name)
            return csymbols_span(start: bytes.lowerBound, size: bytes.count)
        }
        spans = csymbols_debug_spans(
            line: span(".debug_line"), line_str: span(".debug_line_str"), str: span(".debug_str"),
            info: span(".debug_info"), abbrev: span(".debug_abbrev"), str_offsets: span(".debug_str_offsets"),
            addr: span(".debug_addr"), ranges: span(".debug_ranges"), rnglists: span(".debug_rnglists"))
    }

    /// What it asks for.
    static let names = [
        ".debug_line", ".debug_line_str", ".debug_str", ".debug_info", ".debug_abbrev", ".debug_str_offsets",
        ".debug_addr",
        ".debug_ranges", ".debug_rnglists",
    ]

    /// The sections with the file that they are in: the file itself or, where it has some compressed, a copy of them as they were before.
    /// Of sections that are too large for that, or damaged, nothing is known.
    static func readable(_ sections: FileSections, of file: MappedFile) -> (sections: DebugSections, file: MappedFile) {
        let pieces = names.map { name -> (bytes: Range<Int>, expanded: Int?) in
            let packed = sections.section(name)?.packed ?? 0..<0
            // Their kind, which is zlib's, their size and how they are aligned.
            guard packed.count > 24, file.integer(at: packed.lowerBound, as: UInt32.self) == 1,
                let size = file.integer(at: packed.lowerBound + 8, as: UInt64.self), size > 0,
                size <= SymbolLimits.expandedBytes
            else { return (sections.bytes(of: name), nil) }
            return (packed.lowerBound + 24..<packed.upperBound, Int(size))
        }
        let sizes = pieces.map { $0.expanded ?? $0.bytes.count }
        guard pieces.contains(where: { $0.expanded != nil }),
            sizes.reduce(0, +) <= SymbolLimits.expandedBytes, let copy = file.joined(pieces)
        else { return (DebugSections(sections), file) }
        var (places, at) = ([String: Range<Int>](), 0)
        for (name, size) in zip(names, sizes) {
            places[name] = at..<(at + size)
            at += size
        }
        return (DebugSections { places[$0] ?? 0..<0 }, copy)
    }

    /// Proof: the spans are of the same file, whose sections were checked against its end; the C code checks the rest,
    /// and keeps nothing that points to it.
    fileprivate func read<Result>(_ file: MappedFile, _ body: (UnsafePointer<csymbols_debug>) -> Result) -> Result {
        unsafe file.withBytes { bytes in
            var debug = unsafe csymbols_debug(bytes: bytes, at: spans)
            return unsafe body(&debug)
        }
    }
}

/// What the C code tells about a file. The sections have to be this file's.
extension MappedFile {
    /// Where the lines of each piece of code are told, in order of address; none if there are more than the limit.
    func sequences(of sections: DebugSections, limit: Int) -> [csymbols_sequence] {
        unsafe notes(of: sections, limit: limit) { unsafe csymbols_sequences($0, $1, $2) } ?? []
    }

    /// What a function of the C code notes, as many as there are; nil if these are more than the limit.
    private func notes<Note>(
        of sections: DebugSections, limit: Int,
        _ note: (UnsafePointer<csymbols_debug>, UnsafeMutablePointer<Note>, Int) -> Int
    ) -> [Note]? {
        // Enough for most files, which are read once then.
        var (all, capacity) = (0, min(limit, 16_384))
        func read() -> [Note] {
            unsafe [Note](unsafeUninitializedCapacity: capacity) { buffer, found in
                guard let start = buffer.baseAddress else { return }
                all = unsafe sections.read(self) { unsafe note($0, start, capacity) }
                found = min(all, capacity)
            }
        }
        let first = read()
        // A copy has no more memory than it needs.
        if all <= capacity { return first.map { $0 } }
        guard all <= limit else { return nil }
        capacity = all
        return read()
    }

    func line(at address: UInt64, in sequence: csymbols_sequence, of sections: DebugSections) -> csymbols_line? {
        var sequence = sequence, line = csymbols_line()
        return unsafe sections.read(self) { unsafe csymbols_find_line($0, &sequence, address, &line) } ? line : nil
    }

    /// The functions that were inlined at an address, outermost first; nil if that cannot be told.
    func inlined(
        at address: UInt64, lines: UInt32, near hint: inout UInt64, of sections: DebugSections
    ) -> [csymbols_call]? {
        var isKnown = false
        let calls = unsafe [csymbols_call](unsafeUninitializedCapacity: SymbolLimits.inlinedFunctions) {
            buffer, found in
            guard let start = buffer.baseAddress else { return }
            let count = unsafe sections.read(self) {
                unsafe csymbols_inlined($0, lines, address, &hint, start, CInt(buffer.count))
            }
            isKnown = count >= 0
            found = max(0, Int(count))
        }
        return isKnown ? calls : nil
    }

    /// The units by the place of their lines; none if there are more than the limit.
    func units(of sections: DebugSections, limit: Int) -> [UInt32: csymbols_unit] {
        let units = unsafe notes(of: sections, limit: limit) { unsafe csymbols_units($0, $1, $2) } ?? []
        return Dictionary(units.map { ($0.lines, $0) }) { first, _ in first }
    }

    /// The entries of a unit's functions by their first addresses; none if there are more than the limit.
    func functions(ofUnitAt start: UInt64, of sections: DebugSections, limit: Int) -> [UInt64: UInt64] {
        let functions = unsafe notes(of: sections, limit: limit) { unsafe csymbols_functions($0, start, $1, $2) } ?? []
        return Dictionary(functions.map { ($0.low, $0.entry) }) { first, _ in first }
    }

    /// Where the unit that starts there has getters inlined whose names have a text in them; none if there are more than the limit.
    func inlinedGetters(
        named text: String, inUnitAt start: UInt64, of sections: DebugSections, limit: Int
    ) -> [csymbols_inlined_getter] {
        unsafe notes(of: sections, limit: limit) { unsafe csymbols_inlined_getters($0, start, text, $1, $2) } ?? []
    }

    /// The name of a unit's file; nil if there is none, or a longer one than any path.
    func lineFile(_ number: UInt32, unit: UInt32, of sections: DebugSections) -> String? {
        unsafe text(of: sections, bytes: 4_096) { unsafe csymbols_line_file($0, unit, number, $1, 4_096) }
    }

    /// A function's name as the linker knows it, and where it is declared, with a line of 0 if that is not known; nil if the
    /// name is not known, or too long to be read.
    func function(_ entry: UInt64, of sections: DebugSections) -> (name: String, declaration: csymbols_declaration)? {
        let bytes = SymbolLimits.mangledBytes
        var declaration = csymbols_declaration()
        return unsafe text(of: sections, bytes: bytes) {
            unsafe csymbols_find_function($0, entry, &declaration, $1, bytes)
        }.map { ($0, declaration) }
    }

    /// The line of the next function of the same file that is not inside of this one, or 0; nil if that cannot be told.
    func nextFunction(
        after declaration: csymbols_declaration, of name: String, in sections: DebugSections
    ) -> UInt32? {
        var declaration = declaration, line: UInt32 = 0
        return unsafe name.withCString { name in
            unsafe sections.read(self) { unsafe csymbols_next_function($0, &declaration, name, &line) }
        } ? line : nil
    }

    private func text(
        of sections: DebugSections, bytes: Int,
        _ copy: (UnsafePointer<csymbols_debug>, UnsafeMutablePointer<CChar>) -> Bool
    ) -> String? {
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: bytes) { buffer in
            guard let start = buffer.baseAddress, unsafe sections.read(self, { unsafe copy($0, start) }) else {
                return nil
            }
            return unsafe String(validatingCString: start)
        }
    }
}
