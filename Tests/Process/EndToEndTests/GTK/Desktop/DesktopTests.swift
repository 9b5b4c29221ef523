// SPDX-License-Identifier: MIT
// Programs as Debian ships them: counted as a counter of their own counts, with what was done to them as the reason, and as without us.

import Foundation
import RerenderModel
import TestSupport
import Testing

@Suite(
    "Programs as Debian ships them",
    .enabled(
        if: Desktop.obstacle("gtk4-demo", "gtk4-widget-factory") == nil,
        "\(Desktop.obstacle("gtk4-demo", "gtk4-widget-factory") ?? "")"))
struct DesktopTests {
    /// Waits until the counts are those of the counter. A widget's key ends with its type.
    private func expectCounts(_ desktop: Desktop, _ output: ChildProcess.Output) async throws {
        let truth = try desktop.lab.truth(output)
        #expect(truth.values.count { $0 > 0 } >= 6, "\(output)")
        func counted() throws -> [String: UInt64] {
            let counts = try desktop.lab.views(of: desktop.app).map { view in
                (String((view.key.rawValue.split(separator: "/").last ?? "").prefix { $0 != "#" }), view.count)
            }
            return Dictionary(counts, uniquingKeysWith: +).filter { truth[$0.key] != nil }
        }
        let told = try desktop.told()
        #expect(told.contains(" widgets begun\n") && !told.contains("refused"), "\(told)")
        let gaps = try desktop.lab.stores(of: desktop.app).flatMap { $0.gaps ?? [] }
        #expect(gaps.count == 1 && gaps.allSatisfy { $0.contains("replaced by other code") }, "\(gaps)")
        try await desktop.lab.daemon.http.eventually("\(truth)", seen: { try counted() }) {
            try counted() == truth.filter { $0.value > 0 } ? () : nil
        }
    }

    @Test("gtk4-demo: typing, hovering, scrolling and resizing are the reasons, and each snapshot is counted")
    func demo() async throws {
        let desktop = try await Desktop("gtk4-demo")
        try await desktop.reason("initial", of: "GtkHeaderBar/GtkToggleButton")
        try await desktop.point(85, 27)
        try await desktop.reason("state hover", of: "GtkHeaderBar/GtkToggleButton")
        try await desktop.server.click()
        try await desktop.reason("text", of: "GtkSearchEntry/GtkText") { try await desktop.server.type("a") }
        try await desktop.server.pointer(["key", "Escape"])
        try await desktop.point(100, 300)
        try await desktop.reason("layout", of: "GtkRange/trough") { try await desktop.server.turnWheel() }
        // Again and again: where a size comes with another reason, in the same frame, that one is told.
        var widths = [900, 940]
        try await desktop.reason("size", of: "GtkNotebook/tabs") {
            widths.reverse()
            try await desktop.server.pointer(["windowsize", desktop.window, "\(widths[0])", "650"])
        }
        let output = await desktop.end()
        #expect(output.exit == .status(0))
        try await expectCounts(desktop, output)
    }

    @Test("gtk4-widget-factory: each snapshot is counted, also with the HUD and while the highlight is on")
    func factory() async throws {
        let desktop = try await Desktop("gtk4-widget-factory", hud: "bottom-left")
        _ = try await eventually("the HUD") { try await desktop.server.hudBackground() }
        try await desktop.lab.ctl("highlight", "on")
        try await desktop.reason("tick", of: "GtkProgressBar#progressbar3")
        try await desktop.point(50, 150)
        try await desktop.reason("state", of: "GtkApplicationWindow#window")
        let output = await desktop.end()
        #expect(output.exit == .status(0))
        try await expectCounts(desktop, output)
    }

    @Test("output, status, focus and size are as without us", arguments: ["gtk4-demo", "gtk4-widget-factory"])
    func same(program: String) async throws {
        /// What the program said without its counts, which depend on the time, and where its window was.
        func run(isInjected: Bool) async throws -> [String] {
            let desktop = try await Desktop(program, isInjected: isInjected, hud: isInjected ? "top-right" : "")
            if isInjected { _ = try await eventually("the HUD") { try await desktop.server.hudBackground() } }
            try await eventually("the focus") {
                let active = try? await desktop.server.pointer(["getactivewindow"])
                return active?.split(separator: "\n").first.map(String.init) == desktop.window ? () : nil
            }
            let place = try await desktop.place()
            let output = await desktop.end()
            // Messages have the process's number and the time.
            let said = output.standardError.replacing(#/\d+:\d+:\d+\.\d+|\[?\d+\]?/#, with: "N")
            let lines = output.standardOutput.split(separator: "\n").filter { !$0.contains("\t") }.map(String.init)
            return lines + ["\(place)", "\(output.exit)", said]
        }
        let (plain, ours) = (try await run(isInjected: false), try await run(isInjected: true))
        #expect(plain == ours)
        #expect(plain.contains { $0.hasPrefix("focus ") })
    }
}

@Suite(
    "adwaita-1-demo",
    .enabled(if: Desktop.obstacle("adwaita-1-demo") == nil, "\(Desktop.obstacle("adwaita-1-demo") ?? "")"))
struct AdwaitaTests {
    @Test("the HUD is above its AdwApplicationWindow, and stays there while a popover is open")
    func hud() async throws {
        let desktop = try await Desktop("adwaita-1-demo", hud: "bottom-right")
        let place = try await desktop.place()
        let hud = try await eventually("the HUD") { try await desktop.server.hudBackground() }
        // In the window's corner, below its title bar.
        #expect(hud.maxX < place[0] + place[2] && hud.maxY < place[1] + place[3])
        #expect(hud.minX > place[0] + place[2] / 2 && hud.minY > place[1] + 46)
        // What lies beside it gets its clicks: the menu is a popover.
        try await desktop.point(245, 27)
        try await desktop.server.click()
        try await desktop.reason("initial", of: "GtkModelButton/GtkLabel")
        #expect(try await desktop.server.hudBackground() == hud)
        try await desktop.server.pointer(["key", "Escape"])
        // It began as a strip, and a click opens it: the popover took none of its clicks.
        try await desktop.server.move([(hud.maxX - 18, (hud.minY + hud.maxY) / 2)], isDrag: false)
        try await eventually("the HUD with its rows", seen: { try await desktop.server.hudBackground() as Any }) {
            try await desktop.server.click()
            return try await desktop.server.hudBackground() != hud ? () : nil
        }
        let pulsed = try await desktop.lab.ctl("pulse", "AdwHeaderBar/GtkWindowHandle")
        #expect(pulsed.standardOutput.contains("instance"))
        let output = await desktop.end()
        #expect(output.exit == .status(0))
        #expect(!output.standardError.contains("CRITICAL") && !output.standardError.contains("WARNING"))
    }
}
