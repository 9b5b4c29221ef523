// SPDX-License-Identifier: MIT
// The HUD in a real window, with real clicks and pixels.

import Foundation
import RerenderGTK
import TestSupport
import TestTraits
import Testing

@Suite(
    "The HUD on the screen",
    .enabled(if: HUDScreen.obstacle == nil, Comment(rawValue: HUDScreen.obstacle ?? "")))
struct HUDScreenTests {
    @Test("It is drawn in its corner, dark, and nowhere else", arguments: ["cairo", "gl"])
    func corner(renderer: String) async throws {
        let screen = try await HUDScreen.start(renderer: renderer)
        try await screen.needs(renderer: renderer)
        try await screen.ask("hud bottom-right")
        let frame = try await screen.frame("in its corner") { $0.maxX == 690 && $0.maxY == 490 }
        try await eventually("a dark HUD", seen: { try await screen.picture().pixel(frame.x + 3, frame.center.y) }) {
            let picture = try await screen.picture()
            return picture.pixel(frame.x + 3, frame.center.y).allSatisfy { $0 < 60 } ? () : nil
        }
        let picture = try await screen.picture()
        #expect(picture.pixel(frame.x - 4, frame.center.y) == [255, 255, 255])
        #expect(picture.pixel(frame.center.x, frame.y - 4) == [255, 255, 255])
    }

    @Test("Dragged by the header it goes to the nearest corner, and is drawn there")
    func drag() async throws {
        let screen = try await HUDScreen.start()
        try await screen.ask("hud top-right")
        let start = try await screen.frame("at the top") { $0.y == 10 }
        try await screen.drag(from: HUDPoint(start.x + 20, start.y + 15), to: HUDPoint(60, 330))
        let end = try await screen.frame("at the bottom left") { $0.x == 10 && $0.maxY == 490 }
        try await eventually("the HUD's pixels") {
            let picture = try await screen.picture()
            let isHere = picture.pixel(end.x + 3, end.center.y).allSatisfy { $0 < 60 }
            return isHere && picture.pixel(start.maxX - 3, start.y + 60) == [255, 255, 255] ? () : nil
        }
        // It does not move any more, and nothing is drawn.
        let snapshots = try await screen.snapshots()
        _ = try await screen.picture()
        #expect(try await screen.snapshots() == snapshots)
    }

    @Test("The chevron collapses it, a click on the strip opens it")
    func collapse() async throws {
        let screen = try await HUDScreen.start()
        try await screen.ask("hud top-right")
        let open = try await screen.frame("open") { $0.height > 100 }
        try await screen.click(open.maxX - 18, open.y + 16)
        let strip = try await screen.frame("collapsed") { $0.height == 32 }
        #expect(strip.maxX == open.maxX && strip.y == open.y)
        try await screen.click(strip.x + 30, strip.y + 16)
        #expect(try await screen.frame("open") { $0.height > 100 } == open)
    }

    @Test("On a display of scale 2 it is as large in points, and is clicked where it is seen")
    func scaled() async throws {
        let screen = try await HUDScreen.start(scale: 2)
        try await screen.ask("hud top-right")
        let frame = try await screen.frame("open") { $0.height > 100 && $0.maxX == 690 && $0.y == 10 }
        try await eventually("a dark HUD") {
            let picture = try await screen.picture()
            let isIn = picture.pixel(2 * frame.x + 6, 2 * frame.center.y).allSatisfy { $0 < 60 }
            return isIn && picture.pixel(2 * frame.x - 6, 2 * frame.center.y) == [255, 255, 255] ? () : nil
        }
        try await screen.click(frame.x + 60, frame.y + 50 + 36 + 10)
        #expect(try await screen.waitFor("pulse") == "pulse EpisodesView")
        try await screen.click(frame.maxX - 18, frame.y + 16)
        try await screen.frame("collapsed") { $0.height == 32 }
        try await screen.click(30, 480)
        try await screen.waitFor("clicked target")
    }

    @Test("A click on a row opens it and pulses the view", .promise)
    func expand() async throws {
        let screen = try await HUDScreen.start()
        try await screen.ask("hud top-right")
        let frame = try await screen.frame("open") { $0.height > 100 }
        try await screen.click(frame.x + 60, frame.y + 50 + 36 + 10)
        #expect(try await screen.waitFor("pulse") == "pulse EpisodesView")
        #expect(try await screen.waitFor("statistics") == "statistics EpisodesView")
        try await screen.frame("taller") { $0.height > frame.height }
    }

    @Test("Clicks and the wheel beside it reach the program, in it they do not", .promise)
    func passing() async throws {
        let screen = try await HUDScreen.start()
        try await screen.ask("hud top-right")
        let frame = try await screen.frame("open") { $0.height > 100 }
        // In the HUD, on nothing that does something.
        try await screen.click(frame.x + 100, frame.maxY - 5)
        try await screen.click(frame.x + 100, frame.maxY - 5, button: 5)
        try await screen.click(frame.x + 100, frame.maxY - 5, button: 3)
        try await screen.click(frame.x - 30, frame.maxY + 30, button: 5)
        try await screen.waitFor("scrolled")
        try await screen.click(frame.x - 30, frame.maxY + 30)
        try await screen.waitFor("clicked beneath")
        try await screen.click(30, 480)
        try await screen.waitFor("clicked target")
        let others = await screen.said.filter { $0.hasPrefix("clicked") || $0.hasPrefix("scrolled") }
        #expect(others == [])
    }

    @Test("A drag that begins in the program and crosses the HUD is the program's")
    func foreignDrag() async throws {
        let screen = try await HUDScreen.start()
        try await screen.ask("hud bottom-right")
        let frame = try await screen.frame("open") { $0.height > 100 }
        // The button beneath is pressed beside the HUD and released where the HUD covers it: a click.
        try await screen.drag(from: HUDPoint(frame.x - 40, frame.y + 30), to: HUDPoint(frame.x + 60, frame.y + 30))
        try await screen.waitFor("clicked beneath")
        #expect(try await screen.frame() == frame)
    }

    @Test("A menu that takes the release of the click that opened it leaves the HUD its clicks")
    func menu() async throws {
        let screen = try await HUDScreen.start()
        try await screen.ask("hud bottom-right")
        let frame = try await screen.frame("open") { $0.height > 100 }
        let entry = try await screen.bounds("entry")
        try await screen.click(entry.center.x, entry.center.y, button: 3)
        try await eventually("the menu") { try await screen.words("popovers") == ["1"] ? () : nil }
        try await screen.pointer("key", "Escape", "mousemove", "\(Int(frame.maxX - 18))", "\(Int(frame.y + 16))")
        try await eventually("the menu's end") { try await screen.words("popovers") == ["0"] ? () : nil }
        try await screen.click(frame.maxX - 18, frame.y + 16)
        try await screen.frame("collapsed") { $0.height == 32 }
    }

    @Test("Focus, size and keys are the program's", .promise)
    func focus() async throws {
        let screen = try await HUDScreen.start()
        let before = try await screen.words("window")
        try await screen.ask("hud top-right")
        let frame = try await screen.frame("open") { $0.height > 100 }
        try await screen.click(frame.x + 60, frame.y + 100)
        try await screen.waitFor("pulse")
        try await screen.pointer("key", "a")
        try await screen.waitFor("text a")
        let after = try await screen.words("window")
        #expect(Array(after[..<3]) == Array(before[..<3]))
        // Nothing is left when it is hidden.
        try await screen.ask("hide")
        #expect(try await screen.words("window") == before)
        let output = await screen.finish()
        #expect(output.exit == .status(0))
        #expect(output.standardError == "")
    }

    @Test("Its shortcut lends it the keyboard until Esc", .promise)
    func keyboard() async throws {
        let screen = try await HUDScreen.start()
        try await screen.ask("hud top-right")
        #expect(try await screen.words("shortcut <Control><Shift>h") == ["true"])
        try await screen.pointer("key", "ctrl+shift+h", "key", "Down", "key", "Return")
        #expect(try await screen.waitFor("pulse") == "pulse EpisodesView")
        try await screen.pointer("key", "x", "key", "Escape", "key", "b")
        #expect(try await screen.waitFor("text") == "text b")
    }

    @Test("Another store is chosen in the header")
    func store() async throws {
        let screen = try await HUDScreen.start()
        try await screen.ask("hud top-right")
        let frame = try await screen.frame("open") { $0.height > 100 }
        try await screen.click(frame.x + 120, frame.y + 16)
        try await screen.frame("with two stores") { $0.height < 150 }
        try await screen.click(frame.x + 60, frame.y + 50 + 26 + 13)
        // It has one row.
        try await screen.frame("with one row") { $0.height == 32 + 18 + 36 + 22 }
    }

    @Test("It leaves a title bar in the window free")
    func titleBar() async throws {
        let screen = try await HUDScreen.start(["HUD_HOST_HEADER": "1", "HUD_HOST_DECORATED": "1"])
        try await screen.ask("hud top-right")
        try await screen.frame("below the title bar") { $0.y > 40 && $0.y < 70 }
    }

    @Test("New data are shown at most five times a second, and nothing is drawn without")
    func quiet() async throws {
        let screen = try await HUDScreen.start()
        try await screen.ask("rows 500")
        try await screen.ask("hud top-right")
        // It would cover too much of the window, and begins as its strip.
        let strip = try await screen.frame("as a strip") { $0.height == 32 }
        try await screen.click(strip.maxX - 16, strip.y + 16)
        try await screen.frame("open") { $0.height > 300 }
        let (before, start) = (try await screen.snapshots(), ContinuousClock.now)
        try await eventually("three updates, and a second") { () -> Void? in
            try await screen.ask("churn")
            let drawn = try await screen.snapshots() - before
            return drawn >= 3 && ContinuousClock.now - start >= .seconds(1) ? () : nil
        }
        let drawn = try await screen.snapshots() - before
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        #expect(Double(drawn) <= 5 * seconds + 2, "\(drawn) in \(seconds) s")
        // After an update that was drawn, nothing is due.
        let last = try await screen.snapshots()
        try await screen.ask("churn")
        let quiet = try await eventually("the last update") { () -> Int? in
            let now = try await screen.snapshots()
            guard now > last else { return nil }
            _ = try await screen.picture()
            _ = try await screen.picture()
            return try await screen.snapshots() == now ? now : nil
        }
        _ = try await screen.picture()
        #expect(try await screen.snapshots() == quiet)
    }

    @Test("A window that is closed ends with its HUD and its pulse", .promise)
    func close() async throws {
        let screen = try await HUDScreen.start()
        try await screen.ask("hud top-right")
        try await screen.ask("pulse target")
        try await screen.ask("destroy window")
        let output = await screen.finish()
        #expect(output.exit == .status(0) && output.standardError == "")
    }
}
