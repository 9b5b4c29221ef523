// SPDX-License-Identifier: MIT
// The HUD of a program that links the library and shows it itself.

import Foundation
import RerenderGTK
import TestSupport
import Testing

@Suite(
    "The HUD that a program shows itself",
    .enabled(if: HUDScreen.obstacle == nil, Comment(rawValue: HUDScreen.obstacle ?? "")))
struct LinkedScreenTests {
    private func start() async throws -> HUDScreen { try await HUDScreen.start(["HUD_HOST_LINKED": "1"]) }

    @Test("It stands in the corner of its alignment, and is gone when it is hidden, on whatever thread")
    func corner() async throws {
        let screen = try await start()
        let before = try await screen.picture()
        for hide in ["unshow", "unshow elsewhere"] {
            #expect(try await screen.ask("show bottomLeading") == ["linked show"])
            let frame = try await screen.frame("in its corner") { $0.x == 10 && $0.maxY == 490 }
            try await eventually("a dark HUD") {
                try await screen.picture().pixel(frame.x + 3, frame.center.y).allSatisfy { $0 < 60 } ? () : nil
            }
            #expect(try await screen.ask(hide) == ["linked unshow"])
            try await eventually("the window alone") { try await screen.picture().bytes == before.bytes ? () : nil }
        }
        #expect(try await screen.ask("show") == ["linked show"])
        try await screen.frame("at the top right") { $0.maxX == 690 && $0.y == 10 }
    }

    @Test("It shows the store first that it is given")
    func store() async throws {
        let screen = try await start()
        #expect(try await screen.ask("start") == ["linked start"])
        try await screen.ask("views 3")
        #expect(try await screen.ask("show topTrailing") == ["linked show"])
        let frame = try await screen.frame("open") { $0.height > 100 && $0.maxX == 690 }
        // A row, with or without a verdict above the list.
        try await screen.click(frame.x + 60, frame.y + 100)
        try await screen.frame("taller") { $0.height > frame.height }
        let output = await screen.finish()
        #expect(output.standardError.contains(" in host"), "\(output.standardError)")
    }

    @Test("A pulse that nothing draws any more, since all was put back, asks for no frame after its second")
    func pulseIsLeft() async throws {
        let screen = try await start()
        #expect(try await screen.ask("start") == ["linked start"])
        try await screen.ask("put-back")
        let start = try await screen.step("pulse target").time
        while try await screen.nextFrame() < start + 1_000_000 {}
        try await screen.goOn()
        let snapshots = try await screen.snapshots()
        _ = try await screen.picture()
        #expect(try await screen.snapshots() == snapshots)
    }

    @Test("A window whose row was opened may be closed while it is pulsed")
    func closedWhilePulsed() async throws {
        let screen = try await HUDScreen.start(
            ["HUD_HOST_LINKED": "1", "MALLOC_PERTURB_": "165", "G_DEBUG": "fatal-warnings"])
        #expect(try await screen.ask("start") == ["linked start"])
        #expect(try await screen.ask("show topTrailing") == ["linked show"])
        try await screen.frame("open") { $0.height > 100 && $0.maxX == 690 }
        #expect(try await screen.words("shortcut <Control><Shift>h") == ["true"])
        // Also where it only passes on, and far down.
        try await screen.pointer("key", "ctrl+shift+h", "key", "a")
        try await eventually("the window's border", seen: { try await screen.words("keys") }) { () -> Void? in
            guard let place = try await screen.words("keys").firstIndex(of: "HostWindow#window") else { return nil }
            try await screen.pointer("key", "Home")
            for _ in 0..<place { try await screen.pointer("key", "Down") }
            try await screen.pointer("key", "Return")
            return try await screen.picture().redness(400, 498) > 30 ? () : nil
        }
        try await screen.ask("destroy window")
        let output = await screen.finish()
        // A pulse prints what the view cost.
        #expect(output.exit == .status(0) && !output.standardError.contains("-WARNING"), "\(output)")
    }

    /// Shows the HUD, and a modal window in front of it that gets the clicks. Returns where the HUD is.
    private func openModal(_ screen: HUDScreen) async throws -> HUDRect {
        #expect(try await screen.ask("show topTrailing") == ["linked show"])
        let open = try await screen.frame("open") { $0.height > 100 && $0.maxX == 690 }
        try await screen.ask("modal")
        try await eventually("the modal window's clicks") {
            try await screen.click(60, 30)
            _ = try await screen.snapshots()
            return await screen.said.contains("clicked modal") ? () : nil
        }
        return open
    }

    @Test("It gets its clicks behind a modal window, and the program's are blocked as without it")
    func modal() async throws {
        let screen = try await start()
        let open = try await openModal(screen)
        try await screen.click(open.maxX - 18, open.y + 16)
        let strip = try await screen.frame("collapsed") { $0.height == 32 }
        try await screen.click(30, 480)
        try await screen.click(strip.x + 30, strip.y + 16)
        try await screen.frame("open") { $0.height > 100 }
        #expect(await !screen.said.contains("clicked target"))
    }

    @Test("It gets its clicks behind a modal window while nothing counts, too")
    func modalInPause() async throws {
        let screen = try await start()
        let open = try await openModal(screen)
        try await screen.ask("pause")
        try await screen.click(open.maxX - 18, open.y + 16)
        try await screen.frame("collapsed") { $0.height == 32 }
    }

    @Test("Another thread than GTK's, and a widget that is no window, are refused with the reason")
    func refusals() async throws {
        let screen = try await start()
        let off = "linked it was called on another thread than GTK's"
        #expect(try await screen.ask("start elsewhere") == [off])
        #expect(try await screen.ask("start") == ["linked start"])
        #expect(try await screen.ask("start elsewhere") == [off])
        #expect(try await screen.ask("show elsewhere") == [off])
        let bad = "linked what the HUD was to be shown in is no GtkWindow"
        #expect(try await screen.ask("show entry") == [bad])
    }
}
