// SPDX-License-Identifier: MIT
// Frames, code objects and callables of Python in memory that is written byte by byte, and in memory that is not what it seems.

import CRerender
import Testing

@Suite("Functions of Python")
struct PythonFramesTests {
    /// `_Py_DebugOffsets` of 3.13.0 and 3.14.10, as builds of these have it.
    static let offsets: [UInt64: [UInt64]] = [
        0x030D_00F0: [
            0x7970_6775_6265_6478, 0x030D_00F0, 0, 283_320, 608, 632, 194_968, 7_272, 7_264, 7_344, 7_400, 7_656, 7_640,
            7_648, 16, 7_752, 0, 7_768, 7_760, 304, 0, 8, 16, 72, 152, 160, 232, 32, 80, 8, 0, 56, 72, 70, 208, 112,
            120,
            128, 136, 68, 52, 96, 104, 200, 16, 8, 416, 24, 88, 168, 32, 24, 16, 40, 24, 16, 48, 32, 40, 24, 16, 32, 16,
            24, 40, 16, 32, 64, 32, 16, 40, 240, 200, 1, 1, 1, 0, 0, 0, 0, 0,
        ],
        0x030E_0AF0: [
            0x7970_6775_6265_6478, 0x030E_0AF0, 0, 316_616, 784, 808, 225_864, 7_280, 7_272, 7_344, 7_360, 7_408, 7_688,
            7_672, 7_680, 16, 7_784, 0, 7_800, 7_792, 7_992, 0, 832, 0, 8, 16, 72, 152, 160, 232, 32, 88, 8, 0, 56, 80,
            74, 64, 0, 216, 112, 120, 128, 136, 68, 52, 96, 104, 208, 0, 16, 8, 416, 24, 88, 168, 40, 32, 16, 40, 24,
            16,
            200, 24, 40, 32, 48, 32, 40, 24, 16, 32, 16, 24, 40, 16, 32, 64, 32, 16, 40,
        ],
    ]
    static let versions: [UInt64] = [0x030B_02F0, 0x030C_05F0, 0x030D_00F0, 0x030E_0AF0]

    static func layout(_ version: UInt64, _ words: [UInt64]? = nil) -> crerender_python_layout? {
        let words = words ?? offsets[version] ?? []
        return SyntheticMemory.with(words.withUnsafeBytes { Array($0) }, at: 0x1000) {
            var layout = crerender_python_layout()
            return crerender_python_layout($0, version, 0x1000, &layout) ? layout : nil
        }
    }

    private func image(_ version: UInt64) throws -> PythonImage { PythonImage(try #require(Self.layout(version))) }

    // MARK: Layouts

    @Test("are where the runtime of 3.13 and 3.14 says, and nowhere in a build that says something else")
    func layouts() throws {
        let newest = try #require(Self.layout(0x030E_0AF0))
        #expect(newest.interpreters == 808 && newest.next_interpreter == 7_272 && newest.threads == 7_344)
        #expect(newest.next_thread == 8 && newest.thread_number == 160 && newest.current == 72 && !newest.has_call)
        #expect([newest.code, newest.previous, newest.instruction, newest.mark] == [0, 8, 56, 74])
        #expect([newest.file, newest.name, newest.lines, newest.first_line] == [112, 128, 136, 68])
        #expect([newest.instructions, newest.ascii, newest.compact, newest.bytes] == [208, 40, 56, 32])
        #expect(newest.elements == 32 && Self.layout(0x030D_00F0)?.elements == 24)
        for (version, words) in Self.offsets {
            // The cookie, the version, no lock of the interpreter, and offsets beyond what is read.
            for (place, value) in [(0, 1), (1, version + 1), (2, 1), (5, 1 << 40), (33, 4_096), (43, 4_096)]
                as [(Int, UInt64)]
            {
                var wrong = words
                wrong[place] = value
                #expect(Self.layout(version, wrong) == nil, "word \(place)")
            }
            #expect(Self.layout(version, Array(words.dropLast())) == nil)
        }
        for version: UInt64 in [0, 0x030A_0CF0, 0x030F_00F0, 0x040B_00F0, .max] { #expect(Self.layout(version) == nil) }
    }

    // MARK: Walks

    /// A thread whose outer call runs two functions, and whose inner one runs one. Returns their code, innermost first, and both calls.
    private func thread(_ image: inout PythonImage) -> (thread: UInt, code: [UInt], calls: [UInt]) {
        let file = image.text("/home/me/clock.py")
        let code = ["update", "tick", "<module>"].map { name in
            let name = image.text(name)
            return image.code(name, file)
        }
        guard image.layout.marks_function else {
            let outer = image.frame(nil, in: 0, mark: 3)
            let module = image.frame(code[2], in: outer, mark: 0)
            let tick = image.frame(code[1], unit: 1, in: module, mark: 1)
            let inner = image.frame(nil, in: tick, mark: 3)
            let update = image.frame(code[0], in: inner, mark: 0)
            let current = image.layout.has_call ? image.call(of: update, in: 0) : update
            return (image.thread(current), code, [inner, outer])
        }
        let module = image.frame(code[2], in: 0, mark: 1)
        let tick = image.frame(code[1], unit: 1, in: module, mark: 0)
        let update = image.frame(code[0], in: tick, mark: 1)
        let root = image.call(of: 0, in: 0)
        let outer = image.call(of: tick, in: root)
        let inner = image.call(of: update, in: outer)
        return (image.thread(inner), code, [inner, outer])
    }

    @Test("come from the inside out, each with the call of the interpreter that runs it", arguments: versions)
    func walks(version: UInt64) throws {
        var image = try image(version)
        let (thread, code, calls) = thread(&image)
        let (steps, isWhole) = image.walk(thread)
        #expect(
            steps.map(\.code).filter { $0 != 0 } == code && steps.map(\.call).filter { $0 != 0 } == calls && isWhole)
        // The call comes with the last function of it, or behind that.
        let function = try #require(steps.firstIndex { $0.code == code[2] })
        let call = try #require(steps.firstIndex { $0.call == calls[1] })
        #expect(call - function == (image.layout.marks_function ? 0 : 1))
        let tick = try #require(steps.first { $0.code == code[1] })
        #expect(tick.instruction == code[1] + UInt(image.layout.instructions) + 2 && tick.call == 0)
    }

    @Test("are no stack where they do not end at a call, where one leads to itself, and where one cannot be read")
    func broken() throws {
        for version in Self.versions {
            var image = try image(version)
            let (thread, _, calls) = thread(&image)
            var open = image
            let lone = open.frame(0x10_0500, in: 0, mark: 0)
            let current = open.layout.has_call ? open.call(of: lone, in: 0) : lone
            let other = open.thread(current)
            #expect(!open.walk(other).isWhole && open.walk(other).steps.count == 1)
            var itself = open
            itself.put(lone, at: lone + UInt(itself.layout.previous))
            #expect(!itself.walk(other).isWhole && itself.walk(other).steps.isEmpty)
            var pair = open
            let second = pair.frame(0x10_0500, in: lone, mark: 0)
            pair.put(second, at: lone + UInt(pair.layout.previous))
            #expect(!pair.walk(other).isWhole && pair.walk(other).steps.count == 256)
            open.put(UInt(0xDEAD_0000), at: lone + UInt(open.layout.previous))
            #expect(!open.walk(other).isWhole && open.walk(other).steps.count == 1)
            #expect(image.walk(0).steps.isEmpty && image.walk(0xDEAD_0000).steps.isEmpty)
            guard image.layout.marks_function else { continue }
            // The call around it runs another function.
            image.put(UInt(0), at: calls[1] + UInt(image.layout.call_frame))
            #expect(!image.walk(thread).isWhole && image.walk(thread).steps.count == 1)
        }
    }

    // MARK: Places

    @Test("have name, file and line of the instruction, in any characters", arguments: versions)
    func places(version: UInt64) throws {
        var image = try image(version)
        let names = [("tick", 1), ("größe", 1), ("имя", 2), ("😀x", 4), ("", 1)]
        for (name, width) in names {
            let (text, file) = (image.text(name, width: width), image.text("/tmp/" + name + ".py", width: width))
            // Two units of the first line, and the others of the third.
            let code = image.code(text, file, firstLine: 19, table: [0x81, 0, 0xEF, 0x04])
            let begin = code + UInt(image.layout.instructions)
            for (instruction, line) in [(0, 19), (begin - 2, 19), (begin, 19), (begin + 3, 19), (begin + 4, 21)] {
                let expected = PythonImage.Place(function: name, file: "/tmp/" + name + ".py", line: UInt32(line))
                #expect(image.place(code, instruction) == expected, "\(name) at \(instruction)")
            }
            for instruction in [begin - 4, begin + 16, 8, UInt.max] { #expect(image.place(code, instruction) == nil) }
        }
    }

    @Test("have the class of a method, and not the functions around a function", arguments: versions)
    func qualified(version: UInt64) throws {
        var image = try image(version)
        let file = image.text("/tmp/clock.py"), long = String(repeating: "f.<locals>.", count: 40)
        let (accents, letters) = (String(repeating: "é", count: 100), String(repeating: "n", count: 500))
        let names: [(String, String)] = [
            ("Clock.tick", "Clock.tick"), ("f.<locals>.g", "g"), ("f.<locals>.C.tick.<locals>.<lambda>", "<lambda>"),
            ("f.<locals>.Größe.tick", "Größe.tick"), ("f.<locals>.", ""), ("<locals>", "<locals>"),
            ("\(long)Clock.tick", "Clock.tick"), ("f.<locals>.\(accents)", String(accents.prefix(63))),
            ("f.<locals>.\(letters)", String(letters.prefix(116))),
        ]
        for (name, shown) in names {
            let text = image.text(name), code = image.code(text, file)
            let expected = PythonImage.Place(function: shown, file: "/tmp/clock.py", line: 1)
            #expect(image.place(code, 0) == expected, "\(name)")
        }
    }

    @Test("have the beginning of a long name and the end of a long path, and no half of a character")
    func long() throws {
        var image = try image(Self.versions[0])
        for (piece, width) in [("n", 1), ("é", 1), ("ж", 2), ("😀", 4)] {
            let (name, file) = (String(repeating: piece, count: 500), String(repeating: piece, count: 500) + "/end.py")
            let text = image.text(name, width: width), path = image.text(file, width: width)
            let code = image.code(text, path)
            let found = try #require(image.place(code, 0))
            #expect(name.hasPrefix(found.function) && file.hasSuffix(found.file) && found.file.hasSuffix("/end.py"))
            #expect((80...127).contains(found.function.utf8.count) && (100...255).contains(found.file.utf8.count))
        }
        let ends = image.text("a\u{0}b"), code = image.code(ends, ends)
        #expect(image.place(code, 0)?.function == "a?b")
    }

    @Test("are none where an object has another type, and where a text is none")
    func wrong() throws {
        var image = try image(Self.versions[0])
        let text = image.text("name"), code = image.code(text, text), layout = image.layout
        let begin = code + UInt(layout.instructions)
        #expect(image.place(code, begin) != nil && image.place(text, 0) == nil && image.place(0, 0) == nil)
        #expect(image.place(PythonImage.base + UInt(image.bytes.count) - 8, 0) == nil)
        for (address, value) in [
            (code + 8, 0), (code + UInt(layout.name), code), (code + UInt(layout.file), 0),
            (code + UInt(layout.lines), text), (text + 8, 0), (text + 16, .max), (code + 16, .max),
        ] as [(UInt, UInt)] {
            var other = image
            other.put(value, at: address)
            #expect(other.place(code, begin) == nil, "\(value) at \(address)")
        }
        for state in [0, 1 << 2, 3 << 2 | 1 << 5, 1 << 5] as [UInt32] {
            var other = image
            other.put(state, at: text + 32)
            #expect(other.place(code, begin) == nil, "\(state)")
        }
        // A text that is no ASCII, as it says, has no more room than ASCII has.
        var much = image
        let long = much.text(String(repeating: "n", count: 400))
        much.put([UInt8](repeating: 0xFF, count: 400), at: long + UInt(layout.ascii))
        much.put(long, at: code + UInt(layout.name))
        #expect(much.place(code, 0)?.function == String(repeating: "?", count: 127))
        much.put(UInt32(4 << 2 | 3 << 5), at: long + 32)
        #expect(much.place(code, 0) == nil)
        var other = image
        other.put(Int32(-1), at: code + UInt(layout.first_line))
        #expect(other.place(code, 0) == nil)
    }

    // MARK: Threads and callables

    @Test("are found by the kernel's number of a thread, in any interpreter, and the search has an end")
    func threads() throws {
        var image = try image(Self.versions[0])
        let last = image.thread(0, number: 9), first = image.thread(0, number: 8, next: last)
        let other = image.thread(0, number: 10)
        let interpreters = [image.allocate(64), image.allocate(64)], layout = image.layout
        image.put(interpreters[0], at: PythonImage.base + UInt(layout.interpreters))
        image.put(interpreters[1], at: interpreters[0] + UInt(layout.next_interpreter))
        image.put(first, at: interpreters[0] + UInt(layout.threads))
        image.put(other, at: interpreters[1] + UInt(layout.threads))
        func find(_ number: Int32) -> UInt { image.read { crerender_python_thread($0, number) } }
        #expect([8, 9, 10].map(find) == [first, last, other] && find(11) == 0)
        image.put(first, at: last + UInt(layout.next_thread))
        image.put(interpreters[0], at: interpreters[1] + UInt(layout.next_interpreter))
        #expect(find(9) == last && find(11) == 0)
    }

    @Test("are those of a function, a method, or what functools.partial has of them")
    func callables() throws {
        var image = try image(Self.versions[3])
        let text = image.text("tick"), code = image.code(text, text)
        func object(_ type: Int, _ called: UInt, at place: UInt) -> UInt {
            let object = image.allocate(64)
            image.put(PythonImage.types[type], at: object + 8)
            image.put(called, at: object + place)
            return object
        }
        let function = object(3, code, at: 48)
        let method = object(4, function, at: 16)
        let partial = object(6, method, at: 16)
        let deep = object(6, partial, at: 16), deeper = object(4, deep, at: 16)
        func find(_ object: UInt) -> UInt { image.read { crerender_python_callable($0, object) } }
        #expect([function, method, partial, deep].map(find) == [code, code, code, code])
        let itself = object(4, 0, at: 16)
        image.put(itself, at: itself + 16)
        #expect([deeper, text, code, itself, 0, 0xDEAD_0000].map(find) == [0, 0, 0, 0, 0, 0])
    }

    @Test("an object that can be called has the name of its class, if a script made that")
    func classes() throws {
        var image = try image(Self.versions[3])
        func object(_ name: String, call: UInt = 1, flags: UInt = 1 << 9) -> UInt {
            let (text, type, object) = (image.allocate(200), image.allocate(400), image.allocate(64))
            image.put(Array(name.utf8) + [0], at: text)
            let place = type + UInt(image.layout.type_name)
            image.put(text, at: place)
            image.put(call, at: place + 104)
            image.put(flags, at: place + 144)
            image.put(type, at: object + 8)
            return object
        }
        func name(_ object: UInt) -> String? {
            image.read { python in
                var bytes = [CChar](repeating: 0, count: 100)
                guard crerender_python_class(python, object, &bytes, 100) else { return nil }
                return String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            }
        }
        #expect(name(object("Meter")) == "Meter" && name(object("M\u{e4}h", flags: 1 << 9 | 1)) == "M\u{e4}h")
        // Of C, of an object that cannot be called, of a type that was always there, without a name, and too long.
        let others = [
            object("functools.partial"), object("Meter", call: 0), object("Meter", flags: 1), object(""),
            object(String(repeating: "n", count: 100)), 0, 0xDEAD_0000,
        ]
        #expect(others.map(name) == [nil, nil, nil, nil, nil, nil, nil])
        #expect(name(object(String(repeating: "n", count: 99)))?.count == 99)
    }

    @Test("of a function around another one, the one that it captured is found")
    func captured() throws {
        var image = try image(Self.versions[3])
        let text = image.text("tick"), code = image.code(text, text)
        func object(_ type: Int, _ values: [(UInt, at: UInt)]) -> UInt {
            let object = image.allocate(96)
            image.put(PythonImage.types[type], at: object + 8)
            for value in values { image.put(value.0, at: object + value.at) }
            return object
        }
        func wrapper(_ contents: [UInt], isTuple: Bool = true) -> UInt {
            let cells = contents.map { object(6, [($0, at: 16)]) }
            let first = UInt(image.layout.elements)
            let elements: [(UInt, at: UInt)] = cells.enumerated().map { ($0.element, at: first + UInt($0.offset) * 8) }
            let closure = object(isTuple ? 5 : 1, [(UInt(contents.count), at: 16)] + elements)
            return object(3, [(code, at: 48), (closure, at: 72)])
        }
        let tick = object(3, [(code, at: 48)])
        func find(_ object: UInt) -> UInt { image.read { crerender_python_captured($0, object) } }
        #expect([wrapper([tick]), wrapper([text, tick]), wrapper([0, 7, tick])].map(find) == [code, code, code])
        let (far, odd) = (wrapper([text, text, text, text, tick]), wrapper([tick], isTuple: false))
        #expect([wrapper([]), wrapper([text]), far, odd, tick].map(find) == [0, 0, 0, 0, 0])
        #expect([text, code, 0, 0xDEAD_0000].map(find) == [0, 0, 0, 0])
    }
}
