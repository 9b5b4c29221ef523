// SPDX-License-Identifier: MIT
// The fence around the C code that reads debug information.

import CRerender

/// Where a file's debug information is.
struct DebugSections: Sendable {
    private let line: crerender_span
    private let lineStrings: crerender_span
    private let strings: crerender_span

    init(_ sections: FileSections) {
        func span(_ name: String) -> crerender_span {
            let bytes = sections.bytes(of: name)
            return crerender_span(start: bytes.lowerBound, size: bytes.count)
        }
        line = span(".debug_line")
        lineStrings = span(".debug_line_str")
        strings = span(".debug_str")
    }

    /// Proof: the spans are of the same file, whose sections were checked against its end; the C code checks the rest,
    /// and keeps nothing that points to it.
    fileprivate func read<Result>(_ file: MappedFile, _ body: (UnsafePointer<crerender_debug>) -> Result) -> Result {
        unsafe file.withBytes { bytes in
            var debug = unsafe crerender_debug(bytes: bytes, line: line, line_str: lineStrings, str: strings)
            return unsafe body(&debug)
        }
    }
}

/// What the C code tells about a file. The sections have to be this file's.
extension MappedFile {
    /// Where the lines of each piece of code are told, in order of address; none if there are more than the limit.
    func sequences(of sections: DebugSections, limit: Int) -> [crerender_sequence] {
        let count = unsafe sections.read(self) { unsafe crerender_sequences($0, nil, 0) }
        guard count <= limit else { return [] }
        return unsafe Array(unsafeUninitializedCapacity: count) { buffer, found in
            guard let start = buffer.baseAddress else { return }
            found = unsafe sections.read(self) { unsafe min(count, crerender_sequences($0, start, count)) }
        }
    }

    func line(at address: UInt64, in sequence: crerender_sequence, of sections: DebugSections) -> crerender_line? {
        var sequence = sequence, line = crerender_line()
        return unsafe sections.read(self) { unsafe crerender_find_line($0, &sequence, address, &line) } ? line : nil
    }

    /// The name of a unit's file; nil if there is none, or a longer one than any path.
    func lineFile(_ number: UInt32, unit: UInt32, of sections: DebugSections) -> String? {
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4_096) { buffer in
            guard let start = buffer.baseAddress,
                unsafe sections.read(self, { unsafe crerender_line_file($0, unit, number, start, buffer.count) })
            else { return nil }
            return unsafe String(validatingCString: start)
        }
    }
}
