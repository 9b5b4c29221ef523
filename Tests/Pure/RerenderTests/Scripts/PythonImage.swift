// SPDX-License-Identifier: MIT
// Memory of a Python interpreter, written byte by byte.

import CRerender
import Foundation

/// Objects, frames and a thread as a version of CPython lays them out.
struct PythonImage {
    static let base: UInt = 0x10_0000
    /// The types of its objects; the last is that of `functools.partial`.
    static let types = (0..<7).map { base + 0x100 + UInt($0) * 0x40 }

    var bytes = [UInt8](repeating: 0, count: 32_768)
    let layout: crerender_python_layout
    private var end = base + 0x400

    init(_ layout: crerender_python_layout) {
        self.layout = layout
        let name = allocate(32)
        put(Array("functools.partial\0".utf8), at: name)
        put(name, at: Self.types[6] + UInt(layout.type_name))
    }

    mutating func allocate(_ size: Int) -> UInt {
        defer { end += UInt(size + 15) & ~15 }
        return end
    }

    mutating func put(_ value: some FixedWidthInteger, at address: UInt) {
        withUnsafeBytes(of: value.littleEndian) { put(Array($0), at: address) }
    }

    mutating func put(_ value: [UInt8], at address: UInt) {
        let start = Int(address - Self.base)
        bytes.replaceSubrange(start..<start + value.count, with: value)
    }

    /// A text with characters of so many bytes.
    mutating func text(_ text: String, width: Int = 1) -> UInt {
        let scalars = Array(text.unicodeScalars)
        let isASCII = width == 1 && scalars.allSatisfy(\.isASCII)
        let head = UInt(isASCII ? layout.ascii : layout.compact)
        let object = allocate(Int(head) + scalars.count * width + 4)
        put(Self.types[1], at: object + 8)
        put(scalars.count, at: object + 16)
        put(UInt32(width << 2 | 1 << 5 | (isASCII ? 1 << 6 : 0)), at: object + 32)
        for (index, scalar) in scalars.enumerated() {
            withUnsafeBytes(of: scalar.value.littleEndian) {
                put(Array($0.prefix(width)), at: object + head + UInt(index * width))
            }
        }
        return object
    }

    /// A code object of so many units, with a table of their lines.
    mutating func code(_ name: UInt, _ file: UInt, firstLine: Int32 = 1, table: [UInt8] = [0x80, 0], units: Int = 8)
        -> UInt
    {
        let lines = allocate(Int(layout.bytes) + table.count + 1)
        put(Self.types[2], at: lines + 8)
        put(table.count, at: lines + 16)
        put(table, at: lines + UInt(layout.bytes))
        let object = allocate(Int(layout.instructions) + units * 2)
        put(Self.types[0], at: object + 8)
        put(units, at: object + 16)
        for (offset, value) in [(layout.name, name), (layout.file, file), (layout.lines, lines)] {
            put(value, at: object + UInt(offset))
        }
        put(firstLine, at: object + UInt(layout.first_line))
        return object
    }

    /// A frame that is in a unit of a code object, or has none.
    mutating func frame(_ code: UInt?, unit: Int = 0, in previous: UInt, mark: UInt8) -> UInt {
        let object = allocate(128)
        put(code ?? 0, at: object + UInt(layout.code))
        put(previous, at: object + UInt(layout.previous))
        let instruction = code.map { $0 + UInt(layout.instructions) + UInt(unit * 2) } ?? 0
        put(instruction, at: object + UInt(layout.instruction))
        put(mark, at: object + UInt(layout.mark))
        return object
    }

    /// A call of the interpreter that runs a frame, where the version has such.
    mutating func call(of frame: UInt, in outer: UInt) -> UInt {
        let object = allocate(32)
        put(frame, at: object + UInt(layout.call_frame))
        put(outer, at: object + UInt(layout.call_frame) + 8)
        return object
    }

    /// A thread that runs a frame, or a call.
    mutating func thread(_ current: UInt, number: Int = 7, next: UInt = 0) -> UInt {
        let object = allocate(512)
        put(current, at: object + UInt(layout.current))
        put(number, at: object + UInt(layout.thread_number))
        put(next, at: object + UInt(layout.next_thread))
        return object
    }

    /// Asks the reader. Its memory is that of the image alone.
    func read<Result>(_ body: (UnsafePointer<crerender_python>) throws -> Result) rethrows -> Result {
        try bytes.withUnsafeBytes { buffer in
            var memory = SyntheticMemory(base: Self.base, bytes: buffer)
            return try withUnsafeMutablePointer(to: &memory) { memory in
                let reader = SyntheticMemory.reader(memory)
                var python = crerender_python(
                    layout: layout, memory: reader, runtime: Self.base, code: Self.types[0], text: Self.types[1],
                    bytes: Self.types[2], function: Self.types[3], method: Self.types[4], tuple: Self.types[5])
                return try body(&python)
            }
        }
    }

    /// The steps of a walk, and whether it came to an end.
    func walk(_ thread: UInt) -> (steps: [crerender_python_frame], isWhole: Bool) {
        read { python in
            var walk = crerender_python_begin(python, thread)
            var steps: [crerender_python_frame] = []
            var step = crerender_python_frame()
            while crerender_python_next(&walk, &step) { steps.append(step) }
            return (steps, crerender_python_is_whole(&walk))
        }
    }

    /// A place as the reader tells it.
    struct Place: Equatable {
        let function: String
        let file: String
        let line: UInt32
    }

    /// The place of an instruction; nil where the reader finds that something is wrong.
    func place(_ code: UInt, _ instruction: UInt) -> Place? {
        read { python in
            var place = crerender_script_place()
            guard crerender_python_place(python, code, instruction, &place) else { return nil }
            return Place(function: Self.text(place.function), file: Self.text(place.file), line: place.line)
        }
    }

    static func text<Characters>(_ characters: Characters) -> String {
        withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}

/// Memory that begins at an address and has these bytes alone.
struct SyntheticMemory {
    let base: UInt
    let bytes: UnsafeRawBufferPointer

    static func reader(_ memory: UnsafeMutablePointer<SyntheticMemory>) -> crerender_python_memory {
        crerender_python_memory(
            read: { context, address, to, size in
                guard let memory = context?.assumingMemoryBound(to: SyntheticMemory.self).pointee,
                    address >= memory.base, address - memory.base < memory.bytes.count,
                    let start = memory.bytes.baseAddress
                else { return 0 }
                let offset = Int(address - memory.base), count = min(size, memory.bytes.count - offset)
                memcpy(to, start + offset, count)
                return count
            }, context: memory)
    }

    /// Asks something with a reader of these bytes.
    static func with<Result>(
        _ bytes: [UInt8], at base: UInt, _ body: (UnsafePointer<crerender_python_memory>) -> Result
    ) -> Result {
        bytes.withUnsafeBytes { buffer in
            var memory = SyntheticMemory(base: base, bytes: buffer)
            return withUnsafeMutablePointer(to: &memory) { memory in
                var reader = reader(memory)
                return body(&reader)
            }
        }
    }
}
