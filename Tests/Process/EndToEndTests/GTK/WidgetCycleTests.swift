// SPDX-License-Identifier: MIT
// Widgets of programs that know nothing of Rerender, which have themselves drawn again or laid out, for ever or until they settle.

import Foundation
import RerenderModel
import TestSupport
import TestTraits
import Testing

@Suite(
    "Cycles of widgets of GTK 4",
    .enabled(if: WidgetFixture.obstacle == nil, "\(WidgetFixture.obstacle ?? "")"))
struct WidgetCycleTests {
    /// A program, which its server outlives.
    private struct Program {
        let app: ChildProcess
        let server: XServer
        let lab: InjectionLab

        init(_ what: String, _ lab: InjectionLab) async throws {
            (self.lab, server) = (lab, try await XServer())
            let program = try await Fixture.made("c/cycles")
            app = try await lab.start([program, what], server.environment)
            #expect(try await app.nextLine() == "shown")
        }

        var widgets: ProcessStats? {
            get throws { try lab.stores(of: app).first { $0.store == "widgets" } }
        }

        /// The cycle that goes round most.
        func cycle() async throws -> Cycle {
            try await lab.daemon.http.eventually("fifty rounds", seen: { try widgets?.cycles ?? [] }) {
                try widgets?.cycles?.first { $0.rounds >= 50 }
            }
        }

        func end() async {
            app.closeInput()
            #expect(await app.waitForExit() == .status(0))
        }
    }

    @Test("snapshots that have each other drawn again are one, with where they do that", .promise)
    func snapshots() async throws {
        let lab = try await InjectionLab()
        let program = try await Program("windows", lab)
        let cycle = try await program.cycle()
        #expect(cycle.steps.map(\.name) == ["Pane#first", "Pane#second"])
        let writers = cycle.steps.map { $0.writer ?? "" }
        let areNamed = writers.allSatisfy { $0.hasPrefix("pane_snapshot() cycles.c:") }
        #expect(areNamed, "\(writers)")
        let stats = try await lab.ctl("stats").standardOutput
        #expect(stats.contains("! Pane#first is in a cycle: Pane#first → Pane#second → Pane#first, "), "\(stats)")
        await program.end()
    }

    @Test("a layout that leads to itself through an idle function is one")
    func layout() async throws {
        let lab = try await InjectionLab()
        let program = try await Program("resize", lab)
        let cycle = try await program.cycle()
        #expect(cycle.steps.map(\.name) == ["Pane#first: layout"])
        #expect(cycle.steps[0].writer?.hasPrefix("measure_anew() cycles.c:") == true, "\(cycle)")
        #expect(cycle.over == "an idle function")
        await program.end()
    }

    @Test("so is one that leads to itself through the label beside it")
    func label() async throws {
        let lab = try await InjectionLab()
        let program = try await Program("label", lab)
        let cycle = try await program.cycle()
        let names = cycle.steps.map(\.name)
        #expect(names.contains("Pane#first: layout"), "\(names)")
        let isNamed = cycle.steps.contains { $0.writer?.hasPrefix("write_label() cycles.c:") == true }
        #expect(isNamed, "\(cycle)")
        await program.end()
    }

    @Test("none is a layout that a timer leads to through a source of another context, whatever that source's number")
    func privateContext() async throws {
        let lab = try await InjectionLab()
        let program = try await Program("private", lab)
        _ = try await lab.daemon.http.eventually("sixty layouts") {
            let pane = try program.widgets?.views.first { $0.key == "Pane#first" }
            return (pane?.framework?.layouts ?? 0) >= 120 ? pane : nil
        }
        let found = try program.widgets?.cycles ?? []
        #expect(found == [])
        await program.end()
    }

    @Test("none are layouts that settle, however often a timer resizes the window")
    func settling() async throws {
        let lab = try await InjectionLab()
        let (settling, once) = (try await Program("settle", lab), try await Program("once", lab))
        _ = try await lab.daemon.http.eventually("sixty layouts") {
            let pane = try settling.widgets?.views.first { $0.key == "Pane#first" }
            return (pane?.count ?? 0) >= 60 ? pane : nil
        }
        let found = try [settling, once].map { try $0.widgets?.cycles ?? [] }
        #expect(found == [[], []])
        for program in [settling, once] { await program.end() }
    }
}
