// SPDX-License-Identifier: MIT
// Pulses and highlights in a real window, measured in pixels.

import Foundation
import RerenderGTK
import TestSupport
import TestTraits
import Testing

@Suite(
    "Pulses and highlights on the screen",
    .enabled(if: HUDScreen.obstacle == nil, Comment(rawValue: HUDScreen.obstacle ?? "")))
struct MarkScreenTests {
    @Test("A pulse is a red border of three pixels that fades within a second", arguments: ["cairo", "gl"])
    func pulse(renderer: String) async throws {
        let screen = try await HUDScreen.start(renderer: renderer)
        try await screen.needs(renderer: renderer)
        try await screen.checkBorder()
    }

    @Test("On a display of scale 2 the border has six pixels, and is where the widget is")
    func scaled() async throws { try await HUDScreen.start(scale: 2).checkBorder(scale: 2) }

    @Test("It fades steadily within a second and leaves nothing")
    func fade() async throws {
        let screen = try await HUDScreen.start()
        let bounds = try await screen.bounds("target")
        let start = try await screen.step("pulse target").time
        // Whenever the machine draws a frame, the frame's own time says how red it is.
        var age = 0
        while true {
            let redness = try await screen.picture().redness(bounds.x + 1, bounds.center.y)
            let strength = max(0, 1 - Double(age) / 1_000_000)
            #expect(abs(Double(redness) - 255 * strength) <= 3, "\(redness) after \(age) µs")
            if age >= 1_000_000 { break }
            age = try await screen.nextFrame() - start
        }
        try await screen.goOn()
        let snapshots = try await screen.snapshots()
        _ = try await screen.picture()
        #expect(try await screen.snapshots() == snapshots)
    }

    @Test("Only what is shown is pulsed and counted", .promise)
    func hidden() async throws {
        let screen = try await HUDScreen.start()
        #expect(try await screen.pulsed("target beneath entry") == 3)
        try await screen.ask("destroy target")
        #expect(try await screen.pulsed("beneath") == 1)
        let output = await screen.finish()
        #expect(output.exit == .status(0) && output.standardError == "")
    }

    @Test(
        "A widget that draws again flashes in 30 % red, or orange where it was wasted",
        arguments: [("", [255, 178, 178]), (" wasted", [255, 224, 178])], ["cairo", "gl"])
    func flash(waste: (word: String, color: [Int]), renderer: String) async throws {
        let screen = try await HUDScreen.start(renderer: renderer)
        try await screen.needs(renderer: renderer)
        try await screen.checkFlash(waste.word, waste.color)
    }

    @Test("A flash is drawn for 0.3 seconds")
    func flashTime() async throws {
        let screen = try await HUDScreen.start()
        let bounds = try await screen.bounds("target")
        let start = try await screen.step("redraw target 1").time
        var age = 0
        while true {
            let pixel = try await screen.picture().pixel(bounds.maxX - 4, bounds.center.y)
            let strength = max(0, 1 - Double(age) / 300_000)
            #expect(abs(Double(255 - (pixel.last ?? 0)) - 0.3 * 255 * strength) <= 3, "\(pixel) after \(age) µs")
            if age >= 300_000 { break }
            age = try await screen.nextFrame() - start
        }
        try await screen.goOn()
        let snapshots = try await screen.snapshots()
        _ = try await screen.picture()
        #expect(try await screen.snapshots() == snapshots)
    }

    @Test("Two hundred widgets flash at once; the others are counted at the lower left")
    func crowd() async throws {
        let screen = try await HUDScreen.start()
        try await screen.ask("crowd 250")
        let (last, first) = (try await screen.place("crowd199"), try await screen.place("crowd200"))
        _ = try await screen.step("redraw-crowd")
        let picture = try await screen.picture()
        #expect(picture.redness(last.center.x, last.center.y) > 0)
        #expect(picture.redness(first.center.x, first.center.y) == 0)
        // The number of two digits, white on black.
        let line = (0..<16).map { picture.pixel(Double($0), 493) }
        #expect(line.contains { $0.allSatisfy { $0 > 180 } } && line.contains { $0.allSatisfy { $0 < 110 } })
        // Behind two digits, of some pixels each, the black ends.
        let width = (0..<40).prefix { picture.pixel(Double($0), 499).allSatisfy { $0 < 110 } }.count
        #expect(width >= 14 && width <= 24 && width % 2 == 0)
    }

    @Test("A flash shows its count, and is beside nothing")
    func flashCount() async throws {
        let screen = try await HUDScreen.start()
        let bounds = try await screen.bounds("target")
        _ = try await screen.step("redraw target 1234")
        let picture = try await screen.picture()
        // White digits on black, at the upper left; no other widget is marked.
        #expect(picture.pixel(bounds.maxX - 4, bounds.center.y) != [255, 255, 255])
        let label = (0..<28).map { picture.pixel(bounds.x + Double($0), bounds.y + 6) }
        #expect(label.contains { $0.allSatisfy { $0 < 110 } } && label.contains { $0.allSatisfy { $0 > 180 } })
        #expect(picture.pixel(bounds.maxX + 20, bounds.center.y) == [255, 255, 255])
    }

    @Test("A widget that is destroyed while it is marked leaves no trace")
    func destroyed() async throws {
        let screen = try await HUDScreen.start()
        try await screen.ask("pulse target")
        let bounds = try await screen.bounds("target")
        try await screen.ask("destroy target")
        try await eventually("no border") {
            try await screen.picture().redness(bounds.x + 1, bounds.center.y) == 0 ? () : nil
        }
        let output = await screen.finish()
        #expect(output.exit == .status(0) && output.standardError == "")
    }
}

extension HUDScreen {
    /// Ends the test where the server cannot have this renderer.
    func needs(renderer: String) async throws {
        let name = try #require(try await words("window").last)
        if !name.lowercased().contains(renderer) { try Test.cancel("the server has no \(renderer) renderer: \(name)") }
    }

    /// Has a widget draw again, and looks at the colour of its flash in the first frame, which has all of it.
    nonisolated func checkFlash(_ waste: String, _ color: [Int]) async throws {
        let bounds = try await bounds("target")
        let (x, y) = (bounds.maxX - 4, bounds.center.y)
        _ = try await step("redraw target 1234\(waste)")
        // The program waits: what a server shows late is the same frame.
        let pixel = try await eventually("a flash") { () -> [Int]? in
            let pixel = try await self.picture().pixel(x, y)
            return pixel != [255, 255, 255] ? pixel : nil
        }
        #expect(zip(pixel, color).allSatisfy { abs($0 - $1) <= 2 }, "\(pixel)")
        try await goOn()
        try await eventually("the end of the flash") {
            try await self.picture().pixel(x, y) == [255, 255, 255] ? () : nil
        }
    }

    /// Has a border drawn around a widget, and looks at where it is and how wide.
    ///
    /// - Parameter scale: The pixels of a point.
    nonisolated func checkBorder(scale: Double = 1) async throws {
        let points = try await bounds("target")
        #expect(points.width == 120 && points.height == 40)
        let bounds = HUDRect(points.x * scale, points.y * scale, points.width * scale, points.height * scale)
        #expect(Self.pulsed(try await step("pulse target").said) == 1)
        // The program waits: what a server shows late is the same frame.
        let picture = try await eventually("a border") { () -> ScreenPicture? in
            let picture = try await self.picture()
            return picture.redness(bounds.x + 1, bounds.center.y) > 0 ? picture : nil
        }
        try await goOn()
        let edge = picture.redness(bounds.x + 1, bounds.center.y), width = 3 * scale
        #expect(edge >= 253, "\(edge)")
        for point in [
            HUDPoint(bounds.x + width - 1, bounds.center.y), HUDPoint(bounds.maxX - 1, bounds.center.y),
            HUDPoint(bounds.maxX - width, bounds.center.y), HUDPoint(bounds.center.x, bounds.y),
            HUDPoint(bounds.center.x, bounds.maxY - 1),
        ] {
            #expect(abs(picture.redness(point.x, point.y) - edge) <= 2, "\(point)")
        }
        for point in [
            HUDPoint(bounds.x + width + 1, bounds.center.y), HUDPoint(bounds.maxX + 1, bounds.center.y),
            HUDPoint(bounds.center.x, bounds.y - 2), bounds.center,
        ] {
            #expect(picture.redness(point.x, point.y) == 0, "\(point)")
        }
    }

    /// Pulses widgets, and returns how many have a border.
    func pulsed(_ names: String) async throws -> Int { Self.pulsed(try await ask("pulse \(names)")) }

    /// How many the program said that it pulsed.
    private static func pulsed(_ answer: [String]) -> Int {
        answer.compactMap { $0.hasPrefix("pulsed ") ? Int($0.dropFirst(7)) : nil }.first ?? -1
    }
}
