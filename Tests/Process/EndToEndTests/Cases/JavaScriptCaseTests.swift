// SPDX-License-Identifier: MIT
// A program in JavaScript, whose writers, timers, handlers and hangs have the lines of its script.

import Foundation
import RerenderModel
import TestSupport
import Testing

@Suite(
    "A program in JavaScript", .enabled(if: WidgetFixture.obstacle == nil, "\(WidgetFixture.obstacle ?? "")"))
struct JavaScriptCaseTests {
    private static let obstacle: String? = {
        if ChildProcess.path(of: "gjs") == nil { return "gjs is not installed" }
        let types = "/usr/lib/x86_64-linux-gnu/girepository-1.0/Gtk-4.0.typelib"
        return FileManager.default.fileExists(atPath: types) ? nil : "gir1.2-gtk-4.0 is not installed"
    }()

    private let source: CaseSource
    init() throws { source = try CaseSource("labels.js") }

    @Test(
        "has the lines that write, its timers, its handler and its hang named, and nothing by a line that runs a loop",
        .enabled(if: obstacle == nil, "\(obstacle ?? "")"))
    func lines() async throws {
        let server = try await XServer()
        let run = try await CaseRun(
            [try ChildProcess.installed("gjs"), Fixture.source("Public/labels.js")], environment: server.environment)
        withExtendedLifetime(server) {}
        try #require(run.calls > 20, "\(run.said)")
        let (write, draws) = (try source.place("write"), try source.place("draws"))
        #expect(writers(of: "GtkLabel#number", "property label", in: run) == [write])
        #expect(writers(of: "GtkDrawingArea#area", "queue_draw", in: run) == [draws])
        let bare = writers(of: "GtkDrawingArea#bare", "queue_draw", in: run)
        #expect(bare.allSatisfy { !$0.contains("labels.js") }, "\(bare)")

        let rows = try #require(run.loop?.rows)
        let timers = Set(rows.filter { $0.kind == .timer }.map(\.function))
        let named: Set = [try source.place("tick"), try source.place("redraw")]
        let loops: Set = [try source.place("run"), try source.place("waits")]
        #expect(timers.isSuperset(of: named) && timers.isDisjoint(with: loops), "\(rows)")
        let own = try ["polls", "asks", "once"].map { try source.place($0) }
        #expect(timers.isSuperset(of: own) && !timers.contains { $0.contains("of GLib") }, "\(rows)")
        let polls = try #require(rows.first { $0.function == own[0] })
        #expect(polls.numbers.interval == 120_000_000 && polls.numbers.count > 5, "\(polls)")
        let made = rows.filter { $0.kind == .idle && $0.function == "an idle function of JavaScript" }
        #expect(made.count == 1 && (made.first?.numbers.count ?? 0) > 25, "\(rows)")
        let clicked = try source.place("clicked")
        let handler = try #require(rows.first { $0.kind == .handler && $0.of == "GtkButton#go: clicked" }, "\(rows)")
        #expect(handler.function == clicked)

        let hangs = try #require(run.verdict.findings.first { $0.kind == .hangs }, "\(run.verdict)")
        #expect(hangs.source == clicked, "\(hangs)")
        #expect(run.processes.allSatisfy { $0.gaps?.contains { $0.contains("JavaScript") } != true })
        #expect(run.processes.allSatisfy { $0.name == "labels.js" }, "\(run.processes.map(\.name))")
    }

    private func writers(of view: ViewKey, _ reason: String, in run: CaseRun) -> Set<String> {
        let reasons = run.processes.flatMap(\.views).filter { $0.key == view }.flatMap(\.reasons)
        return Set(reasons.filter { $0.reason == reason }.flatMap(\.writers).map(\.writer))
    }
}
