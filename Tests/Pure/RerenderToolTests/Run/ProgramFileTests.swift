// SPDX-License-Identifier: MIT
import Foundation
@testable import RerenderTool
import TestSupport
import Testing
@testable import ToolSupport

@Suite("What is known of a program before it is started")
struct ProgramFileTests {
    private static let swift = [".text", "swift5_protocol_conformances", "swift5_types"]

    private func image(_ change: (inout MadeELF) -> Void) -> ProgramImage {
        var file = MadeELF()
        change(&file)
        return unnamed(ProgramImage(file.bytes))
    }

    /// Without the names of its libraries, and where they are.
    private func unnamed(_ image: ProgramImage) -> ProgramImage {
        guard case .program(var elf) = image else { return image }
        (elf.libraries, elf.directories) = ([], "")
        return .program(elf)
    }

    private func verdict(
        _ rights: ProgramFile.Rights = .ordinary, _ change: (inout MadeELF) -> Void = { _ in }
    ) -> InjectionVerdict {
        .on(ProgramFile(path: "./app", rights: rights, image: image(change)))
    }

    @Test("its loader, its libraries and its Swift sections are read")
    func facts() {
        #expect(image { _ in } == .program(ELFImage(hasLoader: true)))
        #expect(
            image {
                ($0.needed, $0.sections) = (["libKit.so", "libswiftCore.so", "libc.so.6"], Self.swift)
            } == .program(ELFImage(hasLoader: true, needsSwiftRuntime: true, hasSwiftCode: true)))
        #expect(image { $0.sections = Self.swift } == .program(ELFImage(hasLoader: true, hasSwiftCode: true)))
        #expect(image { $0.loader = nil } == .program(ELFImage()))
        #expect(image { $0.hasSections = false } == .program(ELFImage(hasLoader: true)))
        #expect(image { $0.sections = [".symtab"] } == .program(ELFImage(hasLoader: true, hasSymbols: true)))
        #expect(image { $0.sections = [".dynsym", "symtab"] } == .program(ELFImage(hasLoader: true)))
        #expect(
            image { $0.needed = ["librerender-gtk.so"] } == .program(ELFImage(hasLoader: true, needsRerender: true)))
        #expect(image { $0.hasProbes = true } == .program(ELFImage(hasLoader: true, hasProbes: true)))
        for change: (inout MadeELF) -> Void in [
            { $0.exported = "__tsan_init" }, { $0.needed = ["libtsan.so.2", "libc.so.6"] },
            { $0.needed = ["libclang_rt.tsan.so"] },
        ] { #expect(image(change) == .program(ELFImage(hasLoader: true, hasThreadSanitizer: true))) }
        for library in ["libglib-2.0.so.0", "libgobject-2.0.so.0", "libgio-2.0.so.0"] {
            #expect(image { $0.needed = [library] } == .program(ELFImage(hasLoader: true, needsGLib: true)))
        }
    }

    @Test("the names of its libraries are read, at most 32, and where it has them looked for")
    func libraries() throws {
        var made = MadeELF()
        made.needed = (1...33).map { "lib\($0).so.1" }
        func image() throws -> ELFImage {
            try #require(ProgramFile(path: "./app", image: ProgramImage(made.bytes)).elf)
        }
        #expect(try image().libraries == (1...32).map { "lib\($0).so.1" } && image().directories.isEmpty)
        made.olderRunPath = "/older"
        #expect(try image().directories == "/older")
        made.runPath = "$ORIGIN/../lib:/opt/lib"
        #expect(try image().directories == "$ORIGIN/../lib:/opt/lib", "the loader then takes no older one")
        made.runPath = String(repeating: "x", count: 1_024)
        #expect(try image().directories.isEmpty)
    }

    @Test("names that only begin or end like the runtime's are no runtime")
    func namesakes() {
        for name in ["libswiftCore.so.1", "xlibswiftCore.so", "libswiftCore", "libswiftCor"] {
            #expect(image { $0.needed = [name] } == .program(ELFImage(hasLoader: true)), "\(name)")
        }
        #expect(image { $0.sections = ["swift4_types", ".swift5_types"] } == .program(ELFImage(hasLoader: true)))
        for name in ["__tsan_ini", "__tsan_init2", "__asan_init", "main"] {
            #expect(image { $0.exported = name } == .program(ELFImage(hasLoader: true)), "\(name)")
        }
    }

    @Test(
        "the GTK is the one that it asks for, or that stands below its library of widgets",
        arguments: [
            ("libgtk-4.so.1", WidgetVerdict.counted), ("libadwaita-1.so.0", .counted), ("libgtk-3.so.0", .older(3)),
            ("libgtk-x11-2.0.so.0", .older(2)), ("libgtk-4", .unknown), ("xlibgtk-4.so.1", .unknown),
        ])
    func toolkits(name: String, verdict: WidgetVerdict) {
        let image = image { $0.needed = ["libm.so.6", name] }
        #expect(WidgetVerdict.on(ProgramFile(path: "./app", image: image)) == verdict)
    }

    @Test(
        "a sandbox and a starter on the session bus are told, whatever their files are",
        arguments: [
            "/usr/bin/flatpak", "snap", "/usr/bin/gapplication", "dbus-send",
        ])
    func starters(path: String) {
        let file = ProgramFile(path: path, image: image { _ in })
        guard case .pointless(let why, let advice) = InjectionVerdict.on(file) else {
            Issue.record("\(path) is taken for a program of its own")
            return
        }
        #expect(advice.contains("Run the program itself") && WidgetVerdict.on(file) == nil)
        #expect(
            InjectionVerdict.on(ProgramFile(path: path + "-x", image: image { _ in }))
                != .pointless(why, advice: advice))
    }

    @Test("files that are none of this machine's programs are told apart")
    func others() {
        #expect(image { $0.width = 1 } == .foreign("a 32-bit program"))
        #expect(image { $0.machine = 8 } == .foreign("a program for another processor"))
        #expect(image { $0.width = 3 } == .foreign("a program for another processor"))
        #expect(ProgramImage(Array("#!/bin/sh\n".utf8)) == .script)
        #expect(ProgramImage(Array("#".utf8)) == .other && ProgramImage([]) == .other)
        #expect(ProgramImage(Array("text".utf8)) == .other)
    }

    @Test("a file that is cut off anywhere is read without a crash")
    func truncated() {
        var file = MadeELF()
        (file.needed, file.sections) = (["libswiftCore.so"], Self.swift)
        let bytes = file.bytes
        for count in 0..<bytes.count {
            let cut = ProgramImage(Array(bytes.prefix(count)))
            if case .program(let image) = cut {
                #expect(count > 64 && image.hasLoader)
                // The names of sections stand behind everything else.
                #expect(!image.hasSwiftCode || count > bytes.count - 64, "\(count)")
            } else {
                #expect(cut == .other || cut == .foreign("a program for another processor"), "\(count): \(cut)")
            }
        }
    }

    @Test("a file with any bytes is read without a crash, and no more of it than the limits say")
    func hostile() {
        var random = SeededGenerator(seed: 17)
        var file = MadeELF()
        (file.needed, file.sections) = (["libswiftCore.so"], Self.swift)
        let bytes = file.bytes
        let most =
            [
                ELFReader.mostProgramHeaders * 56, ELFReader.mostSections * 64, ELFReader.longestNames,
                ELFReader.longestDynamic,
            ].max() ?? 0
        var longest = 0
        for _ in 0..<20_000 {
            var changed = bytes
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                let extremes: [UInt8] = [0, 1, 0x7F, 0x80, 0xFF, UInt8.random(in: 0...255, using: &random)]
                // The magic stays, or nothing is read.
                let place = Int.random(in: 6..<bytes.count, using: &random)
                let run = Int.random(in: 1...8, using: &random)
                let value = extremes.randomElement(using: &random) ?? 0
                for index in place..<min(place + run, bytes.count) { changed[index] = value }
            }
            _ = ProgramImage(changed) { longest = max(longest, $0) }
        }
        #expect(longest <= most && longest > 64)
    }

    @Test("a Swift runtime of its own and rights of its own are refused, with what to do")
    func refused() {
        func advice(_ verdict: InjectionVerdict) -> String? {
            if case .refused(let why, let advice) = verdict { "\(why) → \(advice)" } else { nil }
        }
        #expect(advice(verdict { $0.sections = Self.swift })?.contains("-static-stdlib") == true)
        #expect(advice(verdict { ($0.sections, $0.loader) = (Self.swift, nil) })?.contains("-static-stdlib") == true)
        #expect(advice(verdict(.setUser))?.contains("set-uid") == true)
        #expect(advice(verdict(.setGroup))?.contains("set-gid") == true)
        #expect(advice(verdict(.capabilities))?.contains("cp ./app ./copy") == true)
        let shared: (inout MadeELF) -> Void = { ($0.sections, $0.needed) = (Self.swift, ["libswiftCore.so"]) }
        #expect(verdict(.ordinary, shared) == .possible("it uses a shared Swift runtime"))
        #expect(advice(verdict(.setUser, shared)) != nil)
    }

    @Test("what cannot have a view of its own is started, and it is said where nothing can be injected")
    func pointless() {
        func isPointless(_ verdict: InjectionVerdict) -> Bool {
            if case .pointless = verdict { true } else { false }
        }
        #expect(isPointless(verdict { $0.loader = nil }))
        #expect(isPointless(verdict { $0.width = 1 }) && isPointless(verdict { $0.machine = 8 }))
        #expect(!isPointless(verdict()))
        #expect(!isPointless(.on(ProgramFile(path: "x", rights: .setUser, image: .script))))
    }

    @Test("the bits of a file's mode are its rights")
    func rights() {
        func rights(_ mode: mode_t, _ hasCapabilities: Bool = false) -> ProgramFile.Rights {
            ProgramFile.rights(mode: mode, hasCapabilities: hasCapabilities)
        }
        #expect(rights(0o755) == .ordinary && rights(0o755, true) == .capabilities)
        #expect(rights(0o4755) == .setUser && rights(0o6755) == .setUser && rights(0o4755, true) == .setUser)
        #expect(rights(0o2755) == .setGroup && rights(0o2745) == .ordinary)
    }

    @Test(
        "a script's interpreter is the one that its first line names, and behind env the program that this looks for",
        arguments: [
            ("#!/usr/bin/gjs\n", "/usr/bin/gjs"), ("#! /bin/sh -e\n", "/bin/sh"), ("#!/bin/sh", "/bin/sh"),
            ("#!/usr/bin/env python3\nimport gi\n", "python3"), ("#!/usr/bin/env -S A=1 gjs -m\n", "gjs"),
            ("#!/opt/myenv/python\r\n", "/opt/myenv/python"), ("#!/usr/bin/env\n", nil), ("#!\n", nil), ("x", nil),
        ])
    func interpreters(text: String, name: String?) {
        #expect(ProgramFile.interpreter(in: Array(text.utf8)) == name)
    }

    @Test("a program is looked for as the system looks for it, and read from its file")
    func finds() throws {
        let scratch = try TemporaryDirectory()
        var file = MadeELF()
        file.sections = Self.swift
        for (name, mode) in [("first", 0o644), ("second", 0o755), ("third", 0o755)] {
            let place = "\(scratch.path)/\(name)"
            try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
            try Data(file.bytes).write(to: URL(fileURLWithPath: place + "/app"))
            #expect(chmod(place + "/app", mode_t(mode)) == 0)
        }
        let path = ["nowhere", "first", "second", "third"].map { "\(scratch.path)/\($0)" }.joined(separator: ":")
        let found = try #require(ProgramFile.find("app", directories: path))
        #expect(found.path == "\(scratch.path)/second/app" && found.rights == .ordinary)
        #expect(unnamed(found.image) == .program(ELFImage(hasLoader: true, hasSwiftCode: true)))
        #expect(ProgramFile.find("no-such-app", directories: path) == nil)
        #expect(ProgramFile.find("\(scratch.path)/first/app", directories: path) != nil)
        #expect(ProgramFile.find(scratch.path, directories: path) == nil, "a directory")
        #expect(mkfifo(scratch.path + "/pipe", 0o755) == 0)
        #expect(ProgramFile.find(scratch.path + "/pipe", directories: path) == nil, "and nothing waits for its writer")
        #expect(chmod("\(scratch.path)/third/app", 0o4755) == 0)
        #expect(ProgramFile.find("\(scratch.path)/third/app", directories: nil)?.rights == .setUser)
        guard case .program(let image)? = ProgramFile.find("true", directories: nil)?.image else {
            Issue.record("true is no program")
            return
        }
        #expect(image == ELFImage(hasLoader: true, buildID: image.buildID, libraries: image.libraries))
    }

    @Test("the file that runs is the interpreter's, through scripts that interpret others, and never without end")
    func started() throws {
        let scratch = try TemporaryDirectory()
        func script(_ name: String, _ line: String) throws -> String {
            let path = "\(scratch.path)/\(name)"
            try Data("#!\(line)\n".utf8).write(to: URL(fileURLWithPath: path))
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
            return path
        }
        let inner = try script("inner", "/bin/sh"), outer = try script("outer", inner + " -x")
        for path in [inner, outer] {
            let file = try #require(ProgramFile.started(by: path))
            #expect(file.path == "/bin/sh" && file.script == path)
            guard case .program = file.image else {
                Issue.record("\(file)")
                continue
            }
        }
        let endless = try script("endless", scratch.path + "/endless")
        #expect(ProgramFile.started(by: endless)?.image == .script)
        let broken = try script("broken", "/nowhere/interpreter")
        #expect(ProgramFile.started(by: broken)?.image == .script)
        #expect(ProgramFile.started(by: "/bin/sh")?.script == nil)
    }
}
