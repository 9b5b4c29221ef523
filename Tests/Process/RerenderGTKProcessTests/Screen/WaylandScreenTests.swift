// SPDX-License-Identifier: MIT
// The HUD, pulses and highlights on Wayland: sway without a screen, with a pointer and keys of its own.
//
// What does not go there: the window has one output of scale 1, and no decoration of the compositor's. Touches and a second seat are not
// tried.

import Foundation
import RerenderGTK
import TestSupport
import Testing

@Suite(
    "The HUD on Wayland",
    .enabled(if: HUDScreen.isBuilt, "built without the trait GTK"),
    .enabled(if: SwayServer.obstacle == nil, "\(SwayServer.obstacle ?? "")"))
struct WaylandScreenTests {
    private func start(renderer: String = "cairo") async throws -> HUDScreen {
        let screen = try await HUDScreen.start(["hud"], on: try await SwayServer(), renderer: renderer)
        try await screen.needs(renderer: renderer)
        return screen
    }

    /// A window with the HUD, and where that is.
    private func startHUD(_ corner: String) async throws -> (screen: HUDScreen, frame: HUDRect) {
        let screen = try await start()
        try await screen.ask("hud \(corner)")
        return (screen, try await screen.frame("open") { $0.height > 100 })
    }

    @Test("A pulse is a red border of three pixels", arguments: ["cairo", "gl"])
    func pulse(renderer: String) async throws { try await start(renderer: renderer).checkBorder() }

    @Test("What draws again flashes in 30 % red", arguments: ["cairo", "gl"])
    func flash(renderer: String) async throws { try await start(renderer: renderer).checkFlash("", [255, 178, 178]) }

    @Test("It is drawn in its corner, dark, and nowhere else", arguments: ["cairo", "gl"])
    func corner(renderer: String) async throws {
        let screen = try await start(renderer: renderer)
        try await screen.ask("hud bottom-right")
        let frame = try await screen.frame("in its corner") { $0.maxX == 690 && $0.maxY == 490 }
        try await eventually("a dark HUD") {
            try await screen.picture().pixel(frame.x + 3, frame.center.y).allSatisfy { $0 < 60 } ? () : nil
        }
        let picture = try await screen.picture()
        #expect(picture.pixel(frame.x - 4, frame.center.y) == [255, 255, 255])
        #expect(picture.pixel(frame.center.x, frame.y - 4) == [255, 255, 255])
    }

    @Test("A click on a row opens it and pulses the view, the chevron collapses it, and a drag moves it")
    func clicks() async throws {
        let (screen, frame) = try await startHUD("top-right")
        try await screen.click(frame.x + 60, frame.y + 50 + 36 + 10)
        #expect(try await screen.waitFor("pulse") == "pulse EpisodesView")
        let open = try await screen.frame("taller") { $0.height > frame.height }
        try await screen.click(open.maxX - 18, open.y + 16)
        let strip = try await screen.frame("collapsed") { $0.height == 32 }
        try await screen.drag(from: HUDPoint(strip.x + 20, strip.y + 15), to: HUDPoint(60, 450))
        try await screen.frame("at the bottom left") { $0.x == 10 && $0.maxY == 490 }
    }

    @Test("Clicks, the wheel and keys beside it are the program's, in it they are not")
    func passing() async throws {
        let (screen, frame) = try await startHUD("top-right")
        try await screen.click(frame.x + 100, frame.maxY - 5)
        try await screen.turnWheel(frame.x + 100, frame.maxY - 5)
        try await screen.turnWheel(frame.x - 30, frame.maxY + 30)
        try await screen.waitFor("scrolled")
        try await screen.click(frame.x - 30, frame.maxY + 30)
        try await screen.waitFor("clicked beneath")
        let others = await screen.said.filter { $0.hasPrefix("clicked") || $0.hasPrefix("scrolled") }
        #expect(others == [])
        // The keyboard is there from the first key on, which may be lost.
        try await eventually("a key") {
            try await screen.server.type("a")
            _ = try await screen.frame()
            return await screen.said.contains { $0.hasPrefix("text a") } ? () : nil
        }
        let output = await screen.finish()
        #expect(output.exit == .status(0) && output.standardError == "")
    }
}
