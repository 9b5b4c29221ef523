// SPDX-License-Identifier: MIT
// What `run` does with a command for which the user did not ask to inject.

import Foundation
@testable import RerenderTool
import TestSupport
import Testing
@testable import ToolSupport

@Suite("What run injects without being asked")
struct InjectionOfferTests {
    private static let libraries = InjectionLibraries(directory: "/nowhere")
    /// They are there, without the part for GTK.
    private static let found = InjectionLibraries.Place.found(libraries)

    private func file(
        _ needed: [String], _ sections: [String] = [".symtab"], path: String = "/bin/app", script: String? = nil,
        rights: ProgramFile.Rights = .ordinary, change: (inout MadeELF) -> Void = { _ in }
    ) -> ProgramFile {
        var made = MadeELF()
        (made.needed, made.sections) = (needed, sections)
        change(&made)
        return ProgramFile(path: path, rights: rights, image: ProgramImage(made.bytes), script: script)
    }

    private func offer(_ file: ProgramFile?, _ place: InjectionLibraries.Place = found) -> InjectionOffer? {
        InjectionOffer(of: "app", file: file, place: place)
    }

    @Test("a Swift program with a shared runtime, GLib, Python and gjs are counted, and nothing is said")
    func counted() {
        let counted = [
            file(["libswiftCore.so"], ["swift5_types", ".symtab"]), file(["libc.so.6", "libglib-2.0.so.0"]),
            file(["libgio-2.0.so.0"]), file(["libgjs.so.0", "libglib-2.0.so.0"], path: "/usr/bin/gjs"),
            file(["libgjs.so.0", "libglib-2.0.so.0"], path: "/usr/bin/gjs", script: "./app.js"),
            file(["libc.so.6"], path: "/usr/bin/python3"), file(["libc.so.6"], path: "/venv/bin/python"),
            file(["libc.so.6"], path: "/usr/bin/python3.11", script: "./app.py"),
        ]
        for file in counted {
            let made = offer(file)
            #expect(made?.libraries == Self.libraries && made?.line == nil && made?.said == nil, "\(file.path)")
        }
    }

    @Test("what is of no such kind is left as it is, and nothing is said")
    func left() {
        let left: [ProgramFile?] = [
            nil, file(["libc.so.6"]), file(["libc.so.6"], path: "/bin/sh", script: "./script"),
            file(["libc.so.6"], path: "/usr/bin/pythonic"),
            file(["libc.so.6"], rights: .setUser), file(["libc.so.6"]) { $0.loader = nil },
            file(["libglib-2.0.so.0"]) { $0.width = 1 }, ProgramFile(path: "./none", image: .script),
            ProgramFile(path: "./data", image: .other),
            // What an interpreter is linked with is not what the script is.
            file(["libswiftCore.so"], ["swift5_types"], script: "./script"),
        ]
        for place in [Self.found, .missing("they are gone", advice: "Build them")] {
            for file in left { #expect(offer(file, place) == nil, "\(file?.path ?? "none")") }
        }
    }

    @Test("a program with probes of its own is left to them, whatever else it asks for")
    func ownProbes() {
        let needed = ["libswiftCore.so", "libgtk-4.so.1", "libglib-2.0.so.0"]
        #expect(offer(file(needed) { $0.hasProbes = true }) == nil)
        #expect(offer(file(["libgtk-4.so.1", "librerender-gtk.so"])) == nil)
        #expect(offer(file(needed)) != nil)
        #expect(InjectionOffer.habit(with: file(needed)) == "`run` does so")
        #expect(InjectionOffer.habit(with: file(needed) { $0.hasProbes = true }).hasPrefix("`run` does not, "))
        #expect(InjectionOffer.habit(with: file(["libc.so.6"])) == "`run` does so with --inject")
    }

    /// A program and a library, each in a directory of its own, and what is made of the program.
    private struct ProgramWithLibrary {
        let scratch = try? TemporaryDirectory()
        var program = MadeELF()
        var library = MadeELF()

        init() {
            program.needed = ["libc.so.6", "libcore-of-app.so.0"]
            program.runPath = "/nowhere:$ORIGIN/../lib"
            library.loader = nil
            library.needed = ["libgtk-3.so.0", "libglib-2.0.so.0"]
        }

        /// Writes a file into the directory.
        func write(_ bytes: [UInt8], _ name: String) throws -> String {
            let file = URL(filePath: try #require(scratch).path + "/" + name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(bytes).write(to: file)
            return file.path
        }

        /// The program, as the tool finds it.
        func started() throws -> ProgramFile {
            _ = try write(library.bytes, "lib/libcore-of-app.so.0")
            return try #require(try ProgramFile.started(by: write(program.bytes, "bin/app")))
        }
    }

    @Test("a program whose code is in a library, as geany's is, is counted for what that asks for, which is said of it")
    func ofLibrary() throws {
        var files = ProgramWithLibrary()
        let made = try #require(try offer(files.started()))
        #expect(made.libraries == Self.libraries && made.said?.part == .widgets)
        #expect(made.line?.hasPrefix("the widgets of app cannot be counted: its GTK is version 3, ") == true)
        #expect(try InjectionOffer.habit(with: files.started()) == "`run` does so")

        for (newer, older) in [("${ORIGIN}/../lib", nil), (nil, "$ORIGIN/../lib")] as [(String?, String?)] {
            (files.program.runPath, files.program.olderRunPath) = (newer, older)
            let made = try offer(files.started())
            #expect(made?.libraries == Self.libraries, "\(newer ?? older ?? "")")
        }
        // The directory is that of the file itself, and not that of a link to it.
        let path = try files.started().path, link = try files.write([], "links/none")
        try FileManager.default.createSymbolicLink(atPath: link + "-app", withDestinationPath: path)
        #expect(offer(ProgramFile.started(by: link + "-app"))?.libraries == Self.libraries)
        // As the loader does, what is for another processor is passed over.
        var foreign = files.library
        foreign.width = 1
        files.program.olderRunPath = "$ORIGIN:$ORIGIN/../lib"
        _ = try files.write(foreign.bytes, "bin/libcore-of-app.so.0")
        #expect(try offer(files.started())?.libraries == Self.libraries)
    }

    @Test("what a library is not found for, comes by a further one, or counts itself, is left as it is")
    func leftLibraries() throws {
        var files = ProgramWithLibrary()
        files.program.runPath = "/nowhere"
        files.program.olderRunPath = "$ORIGIN/../lib"
        #expect(try offer(files.started()) == nil, "the loader takes the newer one")
        files = ProgramWithLibrary()
        files.program.needed = ["libbetween.so.0"]
        var between = MadeELF()
        between.needed = ["libcore-of-app.so.0"]
        _ = try files.write(between.bytes, "lib/libbetween.so.0")
        #expect(try offer(files.started()) == nil)
        files = ProgramWithLibrary()
        files.program.needed = (1...32).map { "lib\($0)-of-app.so" } + ["libcore-of-app.so.0"]
        #expect(try offer(files.started()) == nil)
        files.program.needed.removeFirst()
        #expect(try offer(files.started()) != nil)
        files = ProgramWithLibrary()
        files.library.needed = ["libglib-2.0.so.0"]
        #expect(try offer(files.started()) == nil, "what uses GLib need have no main loop")
        files.library.needed = ["libgtk-4.so.1", "librerender-gtk.so"]
        #expect(try offer(files.started()) == nil)
        #expect(try InjectionOffer.habit(with: files.started()).hasPrefix("`run` does not, "))
        files = ProgramWithLibrary()
        let interpreter = try files.started().path
        let script = try files.write(Array("#!\(interpreter)\n".utf8), "script")
        #expect(ProgramFile.started(by: script)?.script == script)
        #expect(offer(ProgramFile.started(by: script)) == nil, "an interpreter's library is not the script's")
    }

    @Test("what cannot be counted is said in one line with the cure, and nothing is refused or built")
    func said() throws {
        let glib = file(["libglib-2.0.so.0"])
        let gone = try #require(offer(glib, .missing("they are gone", advice: "Build them")))
        #expect(gone.line == "app is not counted as it is: they are gone. Build them" && gone.libraries == nil)
        let unmade = try #require(offer(glib, .toBeMade(Self.libraries, script: "make-them")))
        #expect(unmade.libraries == nil)
        #expect(
            unmade.line
                == "app is not counted as it is: the libraries in /nowhere are to be made first. "
                + "To make them and start it, run: rerenderctl run --inject -- app")
        let blank = try #require(offer(glib, .found(InjectionLibraries(directory: "/a b"))))
        #expect(blank.line?.contains("cannot be preloaded: its path has a space") == true && blank.libraries == nil)

        let known: [(file: ProgramFile, line: String, isInjected: Bool)] = [
            (
                file(["libgtk-4.so.1"]), "the widgets of app cannot be counted: rerender was built without its part",
                true
            ),
            (
                file(["libgtk-3.so.0", "libgio-2.0.so.0"]),
                "the widgets of app cannot be counted: its GTK is version 3", true
            ),
            (file(["libgio-2.0.so.0"], rights: .setUser), "nothing can be injected into app: it is set-uid, ", false),
            (
                file(["libc.so.6"], ["swift5_types"]), "nothing can be injected into app: it has a Swift runtime of",
                false
            ),
            (
                file(["libgio-2.0.so.0"], path: "/usr/bin/flatpak"),
                "nothing can be injected into app: it runs programs in a sandbox, ", false
            ),
            (
                file(["libc.so.6"], path: "/bin/sh", script: "/var/lib/flatpak/exports/bin/org.gnome.Maps"),
                "nothing can be injected into app: it runs programs in a sandbox, where rerender's libraries are not. "
                    + "Run the program itself, without flatpak", false
            ),
            (
                file(["libc.so.6"], path: "/snap/bin/maps"),
                "nothing can be injected into app: it runs programs in a sandbox, where rerender's libraries are not. "
                    + "Run the program itself, without snap", false
            ),
            (
                file(["libgio-2.0.so.0", "libtsan.so.2"]),
                "app is not counted as it is: it is built with Thread Sanitizer, which would report the library's "
                    + "threads. Run a build", false
            ),
            (
                file(["libswiftCore.so"], ["swift5_types"]) { $0.exported = "__tsan_init" },
                "app is not counted as it is: it is built with Thread Sanitizer, ", false
            ),
        ]
        for (file, start, isInjected) in known {
            let made = try #require(offer(file))
            let line = try #require(made.line)
            #expect(line.hasPrefix(start) && !line.contains("\n"), "\(line)")
            #expect((made.libraries != nil) == isInjected, "\(line)")
        }
    }

    @Test("at the end, that nothing was there is said in few words where the user did not ask")
    func nothing() {
        let (asked, unasked) = (
            InjectionOutcome(InjectionReport([]), protocols: []),
            InjectionOutcome(InjectionReport([]), protocols: [], isAsked: false)
        )
        #expect(asked.nothing?.contains("--view-protocol") == true)
        #expect(unasked.nothing == "no injected process had a view, a widget of GTK 4 or a main loop of GLib")
        let loop = InjectionReport(Array("7 loop begun\n".utf8))
        #expect(InjectionOutcome(loop, protocols: []).nothing != nil)
        #expect(InjectionOutcome(loop, protocols: [], isAsked: false).nothing == nil)
    }
}
