// SPDX-License-Identifier: MIT
@testable import RerenderTool
import TestSupport
import Testing
@testable import ToolSupport

@Suite("What is not counted of a command, known before it starts")
struct ProgramShortfallTests {
    private static let swift = ["swift5_types", ".symtab"]
    private static let noPart = GTKPart.missing(advice: "Build it")
    private static let missing = "rerender was built without its part for GTK"

    private func file(
        _ rights: ProgramFile.Rights = .ordinary, _ needed: [String] = ["libc.so.6"], _ sections: [String] = [".text"],
        script: String? = nil, change: (inout MadeELF) -> Void = { _ in }
    ) -> ProgramFile {
        var made = MadeELF()
        (made.needed, made.sections) = (needed, sections)
        change(&made)
        return ProgramFile(path: "/bin/app", rights: rights, image: ProgramImage(made.bytes), script: script)
    }

    private func shortfalls(_ file: ProgramFile?, _ gtk: GTKPart = .there, hud: Bool = false) -> [ProgramShortfall] {
        ProgramShortfall.all(of: "app", file: file, gtk: gtk, showsHUD: hud)
    }

    /// Each as `refused TEXT → ADVICE` or `said TEXT → ADVICE`.
    private func said(_ file: ProgramFile?, _ gtk: GTKPart = .there, hud: Bool = false) -> [String] {
        shortfalls(file, gtk, hud: hud).map { "\($0.isRefused ? "refused" : "said") \($0.text) → \($0.advice)" }
    }

    @Test("nothing is said of what can be counted, or is not known")
    func silent() {
        let gtk = file(.ordinary, ["libgtk-4.so.1"]), swift = file(.ordinary, ["libswiftCore.so"], Self.swift)
        for known in [gtk, swift, file(), file(script: "./app.py")] {
            for hud in [false, true] {
                #expect(said(known, hud: hud).isEmpty && said(known, .unknown, hud: hud).isEmpty)
            }
        }
        // A script, and a program without views, may start anything.
        for unknown in [swift, file(), file(script: "./app.py"), nil] { #expect(said(unknown, Self.noPart).isEmpty) }
        #expect(said(ProgramFile(path: "x", rights: .setUser, image: .script), hud: true).isEmpty)
    }

    @Test(
        "without the part for GTK a program of GTK 4 is refused, unless its views are counted and no HUD is asked for")
    func withoutPart() {
        let gtk = file(.ordinary, ["libadwaita-1.so.0"]),
            swift = file(.ordinary, ["libgtk-4.so.1", "libswiftCore.so"], Self.swift)
        let widgets = "the widgets of app cannot be counted: \(Self.missing) → Build it"
        #expect(said(gtk, Self.noPart) == ["refused \(widgets)"])
        #expect(said(swift, Self.noPart) == ["said \(widgets)"])
        for program in [gtk, swift] {
            #expect(
                said(program, Self.noPart, hud: true) == ["refused the HUD cannot be shown, and \(widgets)"])
        }
        // Whatever is started: no process has the HUD.
        for program in [file(), file(script: "./app.py"), nil] {
            #expect(
                said(program, Self.noPart, hud: true) == [
                    "refused the HUD cannot be shown: \(Self.missing) → Build it"
                ])
        }
        #expect(said(file(.ordinary, ["libgtk-4.so.1", "librerender-gtk.so"]), Self.noPart).isEmpty)
    }

    @Test("an older GTK is said, and refused where the HUD is asked for")
    func older() {
        let widgets =
            "the widgets of app cannot be counted: its GTK is version 3, and rerender counts the widgets of GTK 4"
        for part in [GTKPart.there, .unknown, Self.noPart] {
            let gtk3 = file(.ordinary, ["libgtk-3.so.0"])
            let advice = "Its main loop, its Swift views, and programs that it starts, are looked at"
            #expect(said(gtk3, part) == ["said \(widgets) → \(advice)"])
            #expect(
                said(gtk3, part, hud: true) == [
                    "refused the HUD cannot be shown, and \(widgets) → Run it without --hud"
                ])
        }
    }

    @Test("what nothing can be injected into is said alone; it is refused where that cannot be meant")
    func program() {
        let isStatic = file(.ordinary, ["libgtk-4.so.1"]) { $0.loader = nil }
        #expect(
            said(isStatic, Self.noPart) == [
                "said nothing can be injected into app: it is linked statically, and nothing can be preloaded into it → "
                    + "Build it without -static"
            ])
        for program in [isStatic, file { $0.width = 1 }, ProgramFile(path: "/usr/bin/flatpak", image: .script)] {
            #expect(
                shortfalls(program).map(\.isRefused) == [false]
                    && shortfalls(program, hud: true).map(\.isRefused) == [true])
        }
        for rights in [ProgramFile.Rights.setUser, .setGroup, .capabilities] {
            for script in [nil, "./script"] {
                let refused = shortfalls(file(rights, script: script), .unknown)
                #expect(refused.map(\.isRefused) == [true] && refused.map(\.part) == [.program])
                #expect(refused[0].text.contains(": its interpreter ") == (script != nil), "\(refused)")
                #expect(refused[0].advice.hasSuffix("which has only your rights: cp /bin/app ./copy"))
            }
        }
        let runtime = said(file(.ordinary, ["libc.so.6"], Self.swift), .unknown)
        #expect(
            runtime.count == 1
                && runtime[0].hasPrefix("refused nothing can be injected into app: it has a Swift runtime"))
        // What an interpreter is linked with is not what the script is.
        #expect(said(file(.ordinary, ["libc.so.6"], Self.swift, script: "./script")).isEmpty)
    }

    @Test("a program with Thread Sanitizer is started without the libraries, and refused where the HUD is asked for")
    func threadSanitizer() {
        let isInside: (inout MadeELF) -> Void = { $0.exported = "__tsan_init" }
        let why = "is built with Thread Sanitizer, which would report the library's threads"
        let advice = "Run a build without -fsanitize=thread"
        for program in [
            file(.ordinary, ["libswiftCore.so"], Self.swift, change: isInside), file(.ordinary, ["libtsan.so.2"]),
        ] {
            #expect(said(program) == ["said app is not counted as it is: it \(why) → \(advice)"])
            #expect(shortfalls(program, hud: true).map(\.isRefused) == [true])
            #expect(WidgetVerdict.on(program) == nil)
        }
        let script = file(.ordinary, ["libtsan.so.2"], script: "./app.py")
        #expect(said(script) == ["said app is not counted as it is: its interpreter \(why) → \(advice)"])
        // What cannot be preloaded is refused as ever.
        #expect(shortfalls(file(.setUser, ["libtsan.so.2"])).map(\.isRefused) == [true])
    }

    @Test("a stripped program with Swift code is said, and no other one")
    func stripped() {
        let stripped = file(.ordinary, ["libswiftCore.so", "libgtk-4.so.1"], ["swift5_types", ".dynsym"])
        #expect(shortfalls(stripped, hud: true).map(\.part) == [.symbols])
        #expect(shortfalls(stripped, Self.noPart).map(\.part) == [.widgets, .symbols])
        #expect(shortfalls(stripped).allSatisfy { !$0.isRefused && $0.text.hasPrefix("app is stripped: ") })
        #expect(shortfalls(file(.ordinary, ["libc.so.6"], [".dynsym"])).isEmpty)
    }

    @Test("doctor says the same, in the same words")
    func doctor() {
        let files = [
            file(.setUser), file(.ordinary, ["libtsan.so.2"]), file { $0.loader = nil },
            file(.ordinary, ["libgtk-4.so.1"]),
            file(.ordinary, ["libgtk-3.so.0"]),
            file(.ordinary, ["libswiftCore.so", "libgtk-4.so.1"], ["swift5_types"]),
        ]
        let place = InjectionLibraries.Place.found(InjectionLibraries(directory: "/nowhere"))
        for file in files {
            let found = InjectionChecks(place: place, file: file, program: "app").findings().filter { $0.status != .ok }
            let known = shortfalls(file, place.gtkPart)
            #expect(!known.isEmpty && found.map(\.text) == known.map(\.text))
            #expect(found.map(\.advice) == known.map(\.advice))
            #expect(found.map { $0.status == .fail } == known.map(\.isRefused))
        }
    }
}
