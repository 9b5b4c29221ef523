// SPDX-License-Identifier: MIT
// After `rerenderctl off`, no file of a program that runs leads to Rerender any more.

import Foundation
import TestSupport
import TestTraits
import Testing

@Suite("What off puts back", .enabled(if: Fixture.hasSwift, "swiftc or cc is not installed"))
struct PutBackTests {
    /// Waits until words are replaced, switches Rerender off, and looks again.
    private func switchOff(
        _ app: ChildProcess, in lab: InjectionLab, where areReplaced: (ReplacedWords) -> Bool
    ) async throws {
        try await lab.daemon.http.eventually("its store") { try lab.stores(of: app).first.map { _ in () } }
        let look = { try await ReplacedWords(of: app.processID) }
        let seen = try await eventually("words that lead to Rerender", seen: look) { () -> ReplacedWords? in
            let words = try await look()
            return areReplaced(words) ? words : nil
        }
        let said = try await lab.ctl("off").standardOutput
        #expect(said.contains("1 running process was switched off"), "\(said)")
        let left = try await look()
        #expect(left.areNone, "\(left), of \(seen)")
    }

    @Test("the bodies in the witness tables of a Swift program")
    func bodies() async throws {
        let lab = try await InjectionLab()
        let app = try await lab.start([ChildProcess.product("plain-views")])
        try await app.ask("40")
        try await switchOff(app, in: lab) { $0.leading["plain-views"] ?? 0 > 0 }
        try await app.ask("7")
        #expect(await app.finish().exit == .status(0))
    }

    @Test("the records of which Swift makes tables, in a library with evolution; its bodies run on")
    func records() async throws {
        let lab = try await InjectionLab()
        let programs = URL(filePath: try await Fixture.made("views/evolution/App")).deletingLastPathComponent().path
        let app = try await lab.start([programs + "/loader", programs + "/libLate.so", "3"])
        func draw() async throws {
            try app.send("draw")
            for number in 0..<3 { #expect(try await app.nextLine() == "(\(number) 1)") }
        }
        try await draw()
        try await switchOff(app, in: lab) { $0.changed.contains("libLate.so") }
        try await draw()
        app.closeInput()
        #expect(await app.waitForExit() == .status(0))
    }

    @Test(
        "what a program calls of GLib, and GLib's tables of sources",
        .enabled(if: WidgetFixture.obstacle == nil, "GLib is not installed"))
    func sources() async throws {
        let lab = try await InjectionLab()
        let app = try await lab.start([try await Fixture.made("loops/attached"), "timer"])
        #expect(try await app.nextLine() == "begun")
        try await switchOff(app, in: lab) { words in
            words.leading["attached"] ?? 0 > 0 && words.leading.keys.contains { $0.hasPrefix("libglib-2.0.so") }
        }
        app.closeInput()
        #expect(await app.waitForExit() == .status(7))
    }
}
