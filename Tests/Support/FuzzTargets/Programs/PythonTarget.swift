// SPDX-License-Identifier: MIT
// The memory of a Python interpreter, which may be anything: threads, frames, code objects and texts.

#if DEBUG || RERENDER_FUZZ
    import CRerender
    import FuzzWire

    extension FuzzTarget {
        /// The first byte is the version, the second where a table of lines begins; the others are the memory, with the runtime in front.
        static let python = FuzzTarget("python", longest: 8_192) { bytes in
            guard bytes.count > 2 else { return }
            try bytes.dropFirst(2).withUnsafeBytes { buffer in
                var memory = ForeignMemory(buffer, at: 0x10_0000)
                try withUnsafeMutablePointer(to: &memory) { memory in
                    try PythonChecks.lines(memory, from: UInt(bytes[1]) * 16, unit: UInt32(bytes[0]))
                    try PythonChecks.run(memory, minor: UInt64(bytes[0] % 6) + 10)
                }
            }
        }
    }

    private enum PythonChecks {
        static func run(_ memory: UnsafeMutablePointer<ForeignMemory>, minor: UInt64) throws {
            var layout = crerender_python_layout()
            var reader = ForeignMemory.reader(memory)
            let base = memory.pointee.base
            guard crerender_python_layout(&reader, 3 << 24 | minor << 16 | 0xF0, base, &layout) else { return }
            try hold((11...14).contains(minor), "3.\(minor) is known")
            let types = (0..<6).map { base + 0x100 + UInt($0) * 0x40 }
            var python = crerender_python(
                layout: layout, memory: reader, runtime: base, code: types[0], text: types[1], bytes: types[2],
                function: types[3], method: types[4], tuple: types[5])
            try ForeignMemory.bound(memory, 3_000, "threads") { _ = crerender_python_thread(&python, 7) }
            let thread = crerender_python_thread(&python, 7)
            let first = try walk(memory, &python, thread), again = try walk(memory, &python, thread)
            try hold(first == again, "two walks differ")
            for step in first where step[0] != 0 { try place(memory, &python, step[0], step[1]) }
            for object in stride(from: base + 0x400, to: base + UInt(memory.pointee.bytes.count), by: 64).prefix(64) {
                try place(memory, &python, object, 0)
                try ForeignMemory.bound(memory, 16, "a callable") { _ = crerender_python_callable(&python, object) }
                try ForeignMemory.bound(memory, 80, "a closure") { _ = crerender_python_captured(&python, object) }
                var name = [CChar](repeating: 0, count: 100)
                var isNamed = false
                try ForeignMemory.bound(memory, 8, "a class") {
                    isNamed = crerender_python_class(&python, object, &name, 100)
                }
                try hold(!isNamed || (name[0] != 0 && name.contains(0)), "the name of a class has an end")
                try lock(memory, &python, object)
            }
        }

        /// What is at an address as a lock, and as what a thread waits for.
        private static func lock(
            _ memory: UnsafeMutablePointer<ForeignMemory>, _ python: UnsafePointer<crerender_python>, _ address: UInt
        ) throws {
            var (found, holder) = (UInt(0), crerender_python_holder())
            try ForeignMemory.bound(memory, 40, "a lock") { found = crerender_python_lock(python, address) }
            try hold(found == 0 || (32..<80).contains(address &- found), "a lock at \(found) for \(address)")
            try ForeignMemory.bound(memory, 3_010, "a holder") {
                holder = crerender_python_find_holder(python, address)
            }
            let isThread = holder.number > 0 && crerender_python_thread(python, holder.number) == holder.thread
            try hold(holder.thread == 0 || isThread, "\(holder) is no thread")
        }

        private static func walk(
            _ memory: UnsafeMutablePointer<ForeignMemory>, _ python: UnsafePointer<crerender_python>, _ thread: UInt
        ) throws -> [[UInt]] {
            var steps: [[UInt]] = []
            try ForeignMemory.bound(memory, 1_030, "a walk") {
                var walk = crerender_python_begin(python, thread)
                var step = crerender_python_frame()
                while crerender_python_next(&walk, &step) { steps.append([step.code, step.instruction, step.call]) }
                try hold(steps.count <= 256, "\(steps.count) steps")
                let ends = steps.last.map { $0[2] != 0 } ?? true
                try hold(!crerender_python_is_whole(&walk) || ends, "a whole stack has no call at its end")
            }
            return steps
        }

        private static func place(
            _ memory: UnsafeMutablePointer<ForeignMemory>, _ python: UnsafePointer<crerender_python>, _ code: UInt,
            _ instruction: UInt
        ) throws {
            var place = crerender_script_place()
            var isPlace = false
            try ForeignMemory.bound(memory, 540, "a place") {
                isPlace = crerender_python_place(python, code, instruction, &place)
            }
            guard isPlace else { return }
            try text(place.function)
            try text(place.file)
            let name = withUnsafeBytes(of: place.function) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            try hold(!name.contains("<locals>."), "a function is named with those around it")
            let line = place.line
            let address = withUnsafeBytes(of: place) { bytes -> UInt in
                let texts = bytes.bindMemory(to: CChar.self)
                guard let function = texts.baseAddress else { return 0 }
                return crerender_address_of_script_place(function, function + 128, line)
            }
            var kept = crerender_script_place()
            guard address != 0 else { return }
            try hold(crerender_script_place(address, &kept), "\(address) is no place")
            let isSame = withUnsafeBytes(of: kept) { kept in withUnsafeBytes(of: place) { texts($0) == texts(kept) } }
            try hold(isSame && kept.line == line, "a place changes where it is kept")
        }

        private static func texts(_ bytes: UnsafeRawBufferPointer) -> [[UInt8]] {
            [bytes[..<128], bytes[128..<384]].map { Array($0.prefix { $0 != 0 }) }
        }

        private static func text<Characters>(_ characters: Characters) throws {
            try withUnsafeBytes(of: characters) { bytes in
                let text = bytes.prefix { $0 != 0 }
                try hold(text.count < bytes.count, "a text has no end")
                try hold(String(validating: text, as: UTF8.self) != nil, "a text is no UTF-8")
            }
        }

        /// Reads a table of lines, and compares the answer with what another reader says.
        static func lines(_ memory: UnsafeMutablePointer<ForeignMemory>, from start: UInt, unit: UInt32) throws {
            let table = memory.pointee.bytes.dropFirst(Int(start))
            var reader = ForeignMemory.reader(memory)
            try ForeignMemory.bound(memory, 520, "lines") {
                let found = crerender_python_line(&reader, memory.pointee.base + start, table.count, 40, unit)
                let line = line(Array(table), first: 40, unit: Int(unit))
                try hold(Int(found) == line, "line \(found), and not \(line)")
            }
        }

        /// The line of a unit: entry by entry, as the format is described.
        private static func line(_ table: [UInt8], first: Int, unit: Int) -> Int {
            var entries: [[UInt8]] = []
            guard table.first ?? 0 >= 0x80 else { return 0 }
            for byte in table {
                if byte >= 0x80 { entries.append([byte]) } else { entries[entries.count - 1].append(byte) }
            }
            var (line, end) = (first, 0)
            for entry in entries {
                let kind = Int(entry[0] >> 3 & 15)
                end += Int(entry[0] & 7) + 1
                if kind == 13 || kind == 14 {
                    var number: UInt32 = 0
                    for (index, piece) in entry.dropFirst().enumerated() {
                        if index < 5 { number |= UInt32(piece & 63) << UInt32(index * 6) }
                        if piece & 64 == 0 { break }
                    }
                    line += number & 1 == 0 ? Int(number >> 1) : -Int(number >> 1)
                } else if (10...12).contains(kind) {
                    line += kind - 10
                }
                if unit < end { return kind == 15 || line < 0 || line > Int(Int32.max) ? 0 : line }
            }
            return 0
        }
    }
#endif
