// SPDX-License-Identifier: MIT
// The demo in a window: real clicks and keys evaluate what the same actions do without a window.

import Foundation
import RenderLoop
import RenderLoopScenarios
import RerenderGTK
import TestSupport
import TestTraits
import Testing

@Suite(
    "The demo in a window",
    .enabled(if: HUDScreen.obstacle == nil, Comment(rawValue: HUDScreen.obstacle ?? "")))
struct DemoWindowTests {
    @Test(
        "A click on a button changes the screen, with the counts of a tap without a window", .promise,
        arguments: [
            (RedrawScenario.showmaxOneModel, "heart", "♥ my favourite"),
            (.isolationObservable, "skip", "track 2"), (.isolationObject, "like", "likes 1"),
            (.onAppearLoading, "finish", "status: loaded"), (.flowLayout, "grow", "one hundred"),
        ])
    func button(scenario: RedrawScenario, button: String, text: String) async throws {
        let screen = try await HUDScreen.demo(scenario)
        try await screen.click(button)
        try await screen.shows(text)
        let wanted = try await scenario.headless("tap:\(button)")
        #expect(try await screen.counts() == wanted)
        let (name, counted) = try await screen.store()
        #expect(name == scenario.rawValue)
        for (view, count) in counted where wanted[view] != nil { #expect(count == wanted[view], "\(view)") }
        #expect(!counted.isEmpty)
    }

    @Test(
        "Typing edits the field where the cursor is, and each key evaluates what it does without a window",
        arguments: [RedrawScenario.formWasteful, .formIsolated])
    func typing(scenario: RedrawScenario) async throws {
        let screen = try await HUDScreen.demo(scenario)
        try await screen.click("name")
        for (key, text) in [("a", "a"), ("c", "ac"), ("Left", "ac"), ("b", "abc")] {
            try await screen.pointer("key", key)
            try await screen.shows("field:\(text)")
        }
        try await screen.shows("abc at 50 %")
        try await screen.click("save")
        try await screen.shows("save, 1 so far")
        let wanted = try await scenario.headless("type:a,type:c,type:b,tap:save")
        #expect(try await screen.counts() == wanted)
    }

    @Test("A key on the slider moves it by a step, and evaluates what a slide does")
    func slider() async throws {
        let screen = try await HUDScreen.demo(.formIsolated)
        let place = try await screen.place("volume")
        // A click puts the knob there.
        try await screen.click(place.x + place.width * 0.75, place.center.y)
        try await eventually("another volume", seen: { try await screen.texts() }) {
            try await screen.texts().contains("slider:0.5") ? nil : ()
        }
        let text = try await screen.texts().first { $0.hasPrefix("slider:") }
        let volume = try #require(text.flatMap { Double($0.dropFirst(7)) })
        #expect(abs(volume - 0.75) < 0.05)
        try await screen.shows("nobody at \(Int((volume * 100).rounded())) %")
        let wanted = try await RedrawScenario.formIsolated.headless("slide:\(volume)")
        #expect(try await screen.counts() == wanted)
    }

    @Test("A choice in the sidebar begins a scenario anew, with a store of its own")
    func sidebar() async throws {
        let screen = try await HUDScreen.demo(.formWasteful)
        try await screen.click(RedrawScenario.isolationObject.title)
        try await screen.shows("track 1")
        #expect(try await screen.store().name == "isolation-object")
        let wanted = try await RedrawScenario.isolationObject.headless("wait")
        #expect(try await screen.counts() == wanted)
        try await screen.click(RedrawScenario.formWasteful.title)
        try await screen.shows("nobody at 50 %")
    }

    @Test("A scenario's clock beats on GLib's loop, with the counts of a wait")
    func beats() async throws {
        let screen = try await HUDScreen.demo(.dashboardOptimised)
        let (beats, counts) = try await eventually("beats, and their counts in between two of them") {
            let before = try await Self.ticks(screen)
            let counts = try await screen.counts()
            let after = try await Self.ticks(screen)
            return before > 0 && after == before ? (before, counts) : nil
        }
        let script = Array(repeating: "wait", count: beats).joined(separator: ",")
        let wanted = try await RedrawScenario.dashboardOptimised.headless(script)
        #expect(counts == wanted)
    }

    private static func ticks(_ screen: HUDScreen) async throws -> Int {
        try await screen.texts().first { $0.hasPrefix("tick ") }.flatMap { Int($0.dropFirst(5)) } ?? 0
    }

    @Test("A window that nobody operates makes no turn, also under a pointer that moves")
    func idle() async throws {
        let screen = try await HUDScreen.demo(.isolationObservable)
        let place = try await screen.place("skip")
        let turn = try await screen.words("turn")
        for step in 0..<20 {
            try await screen.pointer("mousemove", "\(Int(place.x) + step * 10)", "\(Int(place.center.y) + 80)")
        }
        #expect(try await screen.words("turn") == turn)
    }

    @Test("A pulse draws a red border around the view, and evaluates nothing")
    func pulse() async throws {
        let screen = try await HUDScreen.demo(.isolationObservable)
        let (skip, like) = (try await screen.place("skip"), try await screen.place("like"))
        let before = try await screen.counts()
        try await eventually("a red border around the buttons") {
            // It lasts for a second.
            try await screen.ask("pulse Buttons")
            let picture = try await screen.picture()
            let edges = [skip.x - 5, like.maxX + 4]
            return edges.allSatisfy { picture.redness($0, skip.center.y) > 100 } ? () : nil
        }
        try await eventually("no border any more") {
            try await screen.picture().redness(skip.x - 5, skip.center.y) < 20 ? () : nil
        }
        #expect(try await screen.counts() == before)
    }

    @Test("While the highlight is on, views flash that are evaluated again: red, or orange where that changed nothing")
    func highlight() async throws {
        let screen = try await HUDScreen.demo(.dashboardWasteful)
        let count = try await screen.place("count")
        // Each tick evaluates the label above the button, which shows it, and the notes below, which do not.
        let label = (0..<60).map { HUDPoint(count.x + Double($0), count.y - 12) }
        let notes = label.map { HUDPoint($0.x, count.maxY + 18) }
        func isRed(_ pixel: [Int]) -> Bool { pixel[0] - pixel[1] > 20 && abs(pixel[1] - pixel[2]) < 8 }
        func isOrange(_ pixel: [Int]) -> Bool { pixel[0] - pixel[1] > 8 && pixel[1] - pixel[2] > 12 }
        func flashes() async throws -> (label: Bool, notes: Bool) {
            let picture = try await screen.picture()
            let pixels = label.map { picture.pixel($0.x, $0.y) }
            let others = notes.map { picture.pixel($0.x, $0.y) }
            return (pixels.contains(where: isRed), others.contains(where: isOrange))
        }
        let before = try await flashes()
        #expect(!before.label && !before.notes)
        try await screen.ask("highlight on")
        try await eventually("a red and an orange flash") { () -> Void? in
            let seen = try await flashes()
            return seen.label && seen.notes ? () : nil
        }
        // White on black: the number of evaluations.
        try await eventually("a number at the label") { () -> Void? in
            let picture = try await screen.picture()
            let pixels = label.map { picture.pixel($0.x, $0.y) }
            return pixels.contains { $0.allSatisfy { $0 < 90 } } && pixels.contains { $0.allSatisfy { $0 > 170 } }
                ? () : nil
        }
        try await screen.ask("highlight off")
        try await eventually("no flash any more") { () -> Void? in
            for _ in 0..<4 {
                let seen = try await flashes()
                if seen.label || seen.notes { return nil }
            }
            return ()
        }
    }

    // MARK: What no scenario has

    @Test("A list scrolls by the wheel, and makes the rows that come into sight")
    func list() async throws {
        let screen = try await HUDScreen.start(
            ["window", "gallery"], on: XServer(width: 1_100, height: 720))
        let list = try await screen.place("row 0")
        #expect(try await !screen.texts().contains("row 40"))
        for _ in 0..<8 { try await screen.click(list.center.x, list.center.y, button: 5) }
        try await screen.shows("row 9")
        try await eventually("no first row any more", seen: { try await screen.texts() }) {
            try await screen.texts().contains("row 0") ? nil : ()
        }
    }

    @Test("Colours and borders are painted where the layout has them")
    func paint() async throws {
        let screen = try await HUDScreen.start(
            ["window", "gallery"], on: XServer(width: 1_100, height: 720))
        let place = try await screen.place("colours")
        try await eventually("red and blue") {
            let picture = try await screen.picture()
            // Right of the button, ten cells wide.
            let inside = picture.pixel(place.maxX + 48, place.center.y)
            let edge = picture.pixel(place.maxX + 9, place.center.y)
            return inside == [255, 0, 0] && edge == [0, 0, 255] ? () : nil
        }
    }
}

@Suite("rerender-demo --window") struct DemoWindowOptionTests {
    private static let demo = ChildProcess.product("rerender-demo")

    @Test("Without a display, or in a build without GTK, it says in a line what is needed")
    func needs() async throws {
        var environment = ProcessInfo.processInfo.environment
        environment["DISPLAY"] = nil
        environment["WAYLAND_DISPLAY"] = nil
        environment["XDG_RUNTIME_DIR"] = nil
        let output = try await ChildProcess.run([Self.demo, "--window"], environment: environment)
        #expect(!output.succeeded && output.standardOutput.isEmpty)
        #if RERENDER_GTK
            #expect(
                output.standardError.hasPrefix("rerender-demo: --window needs a display"), "\(output.standardError)")
        #else
            #expect(output.standardError.contains("swift build --traits GTK"), "\(output.standardError)")
        #endif
        #expect(output.standardError.split(separator: "\n").count == 1)
    }
}
