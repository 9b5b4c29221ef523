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
    /// How red a point was at each time, from a command on until it is white again.
    private func redness(_ screen: HUDScreen, at point: HUDPoint, after command: String) async throws -> [(Double, Int)]
    {
        let start = ContinuousClock.now
        try await screen.ask(command)
        var seen: [(Double, Int)] = []
        repeat {
            let time = (ContinuousClock.now - start) / .seconds(1)
            seen.append((time, try await screen.picture().redness(point.x, point.y)))
        } while seen.last?.1 != 0 || (seen.allSatisfy { $0.1 == 0 } && ContinuousClock.now - start < .seconds(5))
        return seen
    }

    @Test("A pulse is a red border of three pixels that fades within a second", arguments: ["cairo", "gl"])
    func pulse(renderer: String) async throws {
        let screen = try await HUDScreen.start(renderer: renderer)
        try await screen.needs(renderer: renderer)
        try await screen.checkBorder()
    }

    @Test("On a display of scale 2 the border has six pixels, and is where the widget is")
    func scaled() async throws { try await HUDScreen.start(scale: 2).checkBorder(scale: 2) }

    @Test("It fades steadily and leaves nothing")
    func fade() async throws {
        let screen = try await HUDScreen.start()
        try await screen.ask("pulse target")
        let bounds = try await screen.bounds("target")
        try await eventually("the end of a first pulse") {
            try await screen.picture().redness(bounds.x + 1, bounds.center.y) == 0 ? () : nil
        }
        var seen: [(Double, Int)] = []
        // A busy machine draws late, or takes no picture in time: then there is another pulse.
        try await eventually("a pulse that fades within a second", seen: { seen }) { () -> Void? in
            seen = try await redness(screen, at: HUDPoint(bounds.x + 1, bounds.center.y), after: "pulse target")
            let red = seen.filter { $0.1 > 0 }
            let isSteady = red.map(\.1) == red.map(\.1).sorted(by: >)
            // A picture is taken some time after its time was read.
            let isInTime = red.dropFirst().allSatisfy { Double($0.1) <= 255 * (1 - $0.0) + 30 }
            let isOver = seen.last.map { $0.0 < 2.5 } == true
            return red.count >= 3 && red[0].1 > 120 && isSteady && isInTime && isOver ? () : nil
        }
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
        let point = HUDPoint(bounds.maxX - 4, bounds.center.y)
        let before = try await screen.snapshots()
        try await screen.ask("redraw target 1")
        var last = before
        try await eventually("the end of the flash") {
            let now = try await screen.snapshots()
            defer { last = now }
            guard now > before && now == last else { return nil as Void? }
            return try await screen.picture().pixel(point.x, point.y) == [255, 255, 255] ? () : nil
        }
        // At 60 frames a second: the first one, 18 that fade, the one without it, and one for each rounding. A slow machine draws fewer.
        let drawn = try await screen.snapshots() - before
        #expect(drawn >= 2 && drawn <= 22, "\(drawn)")
    }

    @Test("Two hundred widgets flash at once; the others are counted at the lower left")
    func crowd() async throws {
        let screen = try await HUDScreen.start()
        try await screen.ask("crowd 250")
        let (last, first) = (try await screen.place("crowd199"), try await screen.place("crowd200"))
        try await eventually("flashes") { () -> Void? in
            try await screen.ask("redraw-crowd")
            let picture = try await screen.picture()
            guard picture.redness(last.center.x, last.center.y) > 0 else { return nil }
            #expect(picture.redness(first.center.x, first.center.y) == 0)
            // The number of two digits, white on black.
            let line = (0..<16).map { picture.pixel(Double($0), 493) }
            #expect(line.contains { $0.allSatisfy { $0 > 180 } } && line.contains { $0.allSatisfy { $0 < 110 } })
            // Behind two digits, of some pixels each, the black ends.
            let width = (0..<40).prefix { picture.pixel(Double($0), 499).allSatisfy { $0 < 110 } }.count
            #expect(width >= 14 && width <= 24 && width % 2 == 0)
            return ()
        }
    }

    @Test("A flash shows its count, and is beside nothing")
    func flashCount() async throws {
        let screen = try await HUDScreen.start()
        try await screen.ask("pulse target")
        let bounds = try await screen.bounds("target")
        // White digits on black, at the upper left; no other widget is marked.
        try await eventually("a count") {
            try await screen.ask("redraw target 1234")
            let picture = try await screen.picture()
            guard picture.pixel(bounds.maxX - 4, bounds.center.y) != [255, 255, 255] else { return nil as Void? }
            let label = (0..<28).map { picture.pixel(bounds.x + Double($0), bounds.y + 6) }
            #expect(label.contains { $0.allSatisfy { $0 < 110 } } && label.contains { $0.allSatisfy { $0 > 180 } })
            #expect(picture.pixel(bounds.maxX + 20, bounds.center.y) == [255, 255, 255])
            return ()
        }
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

    /// Has a widget draw again, and looks at the colour of its flash.
    ///
    /// How much of the colour is seen depends on when the picture is taken: it is on the line from the colour to white.
    nonisolated func checkFlash(_ waste: String, _ color: [Int]) async throws {
        let bounds = try await bounds("target")
        let (x, y) = (bounds.maxX - 4, bounds.center.y)
        let pixel = try await eventually("a flash") { () -> [Int]? in
            try await self.ask("redraw target 1234\(waste)")
            let pixel = try await self.picture().pixel(x, y)
            return pixel != [255, 255, 255] ? pixel : nil
        }
        let part = Double(255 - pixel[2]) / Double(255 - color[2])
        #expect(part > 0 && part <= 1.02)
        #expect(pixel[0] == 255)
        #expect(abs(Double(255 - pixel[1]) - part * Double(255 - color[1])) <= 3)
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
        let picture = try await eventually("a border") { () -> ScreenPicture? in
            // A machine may be busy for as long as a pulse is seen.
            #expect(try await self.pulsed("target") == 1)
            let picture = try await self.picture()
            return picture.redness(bounds.x + 1, bounds.center.y) > 30 ? picture : nil
        }
        let edge = picture.redness(bounds.x + 1, bounds.center.y), width = 3 * scale
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
    func pulsed(_ names: String) async throws -> Int {
        let answer = try await ask("pulse \(names)")
        return answer.compactMap { $0.hasPrefix("pulsed ") ? Int($0.dropFirst(7)) : nil }.first ?? -1
    }
}
