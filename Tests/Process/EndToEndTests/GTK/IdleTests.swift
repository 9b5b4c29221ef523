// SPDX-License-Identifier: MIT
// What goes on in programs of GTK that nobody uses, and what is not said of one that is used or that does nothing.

import Foundation
import RerenderModel
import TestSupport
import Testing

@Suite(
    "Widgets of GTK 4 without input",
    .enabled(if: WidgetFixture.obstacle == nil, "\(WidgetFixture.obstacle ?? "")"))
struct IdleTests {
    /// A daemon, and programs on servers of their own: the pointer is on one alone.
    private struct Lab {
        let lab: InjectionLab
        let program: String

        init() async throws {
            lab = try await InjectionLab()
            program = try await Fixture.made("c/idle")
        }

        func start(_ what: String) async throws -> Program {
            let server = try await XServer()
            let app = try await lab.start([program, what], server.environment)
            #expect(try await app.nextLine() == "shown")
            return Program(app: app, server: server, lab: lab)
        }
    }

    private struct Program {
        let app: ChildProcess
        let server: XServer
        let lab: InjectionLab

        var work: [IdleWork] {
            get throws { try lab.stores(of: app).first { $0.store == "widgets" }?.idleWork ?? [] }
        }

        /// The causes, once one of them has gone on for so long that there is a rate of it.
        func causes(_ rows: UInt64 = 20) async throws -> [IdleWork] {
            try await lab.daemon.http.eventually("a row of \(rows)") {
                let work = try work.filter { $0.kind == .evaluations }
                return work.contains { $0.latest.own >= rows && $0.perSecond != nil } ? work : nil
            }
        }

        func end() async {
            app.closeInput()
            #expect(await app.waitForExit() == .status(0))
        }
    }

    @Test("a label that a timer writes is named with the timer's function, and the writer where it is another one")
    func timer() async throws {
        let lab = try await Lab()
        let program = try await lab.start("clock")
        // A busy machine makes no hang of it, and what it counted until now is forgotten.
        try await lab.lab.ctl("config", "set", "hangThreshold=3600000")
        try await lab.lab.ctl("reset")
        let work = try #require(try await program.causes().first)
        #expect(work.view == "GtkLabel" && work.reason == "property label")
        #expect(work.writer?.hasPrefix("show_count() idle.c:") == true, "\(work)")
        #expect(
            work.callback?.source == "timer" && work.callback?.function?.hasPrefix("update_clock() idle.c:") == true)
        // The window around it is drawn again for its sake.
        #expect(work.latest.count > work.latest.own && work.perSecond.map { $0 < 25 } == true)
        // Of one answer: a row's share falls from one to the next.
        let (label, frames) = try await program.lab.daemon.http.eventually("a rate of frames") {
            () -> (IdleWork, IdleWork)? in
            let rows = try program.work
            let label = rows.first { $0.kind == .evaluations && $0.share != nil }
            return label.flatMap { label in
                rows.first { $0.kind == .frames && $0.share != nil }.map { (label, $0) }
            }
        }
        #expect(frames.latest.own >= 10 && (frames.share ?? 0) > (label.share ?? 1))
        let stats = try await program.lab.ctl("stats", "--all").standardOutput.split { $0.isWhitespace }.joined(
            separator: " ")
        #expect(stats.contains("widgets without input: GtkLabel: property label by show_count() idle.c:"), "\(stats)")
        #expect(stats.contains(", from the timer update_clock() idle.c:"), "\(stats)")
        // It is no finding.
        let verdict = try #require(try program.lab.daemon.http.get("/v1/stats").json(StatsExport.self).verdict)
        #expect(verdict.findings.allSatisfy { !$0.kind.isMarked }, "\(verdict.findings)")
        await program.end()
    }

    @Test("so is an idle function")
    func idle() async throws {
        let program = try await Lab().start("idle")
        let work = try #require(try await program.causes().first)
        #expect(work.view == "GtkLabel" && work.reason == "property label")
        #expect(
            work.callback?.source == "idle function" && work.callback?.function?.hasPrefix("work() idle.c:") == true)
        await program.end()
    }

    @Test("a tick callback is named by what it calls")
    func tick() async throws {
        let program = try await Lab().start("tick")
        let work = try #require(try await program.causes().first)
        #expect(work.view == "GtkDrawingArea" && work.reason == "tick" && work.callback == nil)
        #expect(work.writer?.hasPrefix("ticked() idle.c:") == true, "\(work)")
        await program.end()
    }

    @Test("a spinner draws frames")
    func spinner() async throws {
        let program = try await Lab().start("spinner")
        _ = try await program.lab.daemon.http.eventually("frames") {
            try program.work.first { $0.kind == .frames && $0.latest.own >= 20 }
        }
        await program.end()
    }

    @Test("nothing is said of a program that does nothing, nor of what the pointer does")
    func quiet() async throws {
        let lab = try await Lab()
        let (nothing, used, clock) = (
            try await lab.start("nothing"), try await lab.start("pointer"), try await lab.start("clock")
        )
        var (place, rows, labels) = (0, UInt64(0), UInt64(0))
        // As long as another program's clock takes, and until the pointer has done something.
        while rows < 60 || labels <= 20 {
            place += 1
            _ = try await ChildProcess.run(
                [try ReleaseCost.path("xdotool"), "mousemove", "\(20 + place % 100)", "20"],
                environment: ProcessInfo.processInfo.environment.merging(used.server.environment) { $1 })
            rows = try clock.work.map(\.latest.own).max() ?? 0
            labels = try lab.lab.views(of: used.app).first { $0.key == "GtkLabel" }?.count ?? 0
        }
        let (idle, driven) = (try nothing.work, try used.work)
        #expect(idle.isEmpty && driven.isEmpty, "\(driven)")
        for program in [nothing, used, clock] { await program.end() }
    }
}
