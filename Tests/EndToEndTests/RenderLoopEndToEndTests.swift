// SPDX-License-Identifier: MIT
// Views on the real main run loop, their store, and a real daemon: what the views and the loop count themselves is what is
// read at the other end.

import Foundation
import RerenderModel
import RerenderQuery
import TestSupport
import Testing

@Suite("Render loop, from one end to the other")
struct RenderLoopEndToEndTests {
    /// A daemon and the program, which have found each other.
    private struct Lab {
        let daemon: DaemonProcess
        let app: ChildProcess

        init() async throws {
            daemon = try await DaemonProcess()
            var environment = ProcessInfo.processInfo.environment
            environment["RERENDER_RUNTIME_DIR"] = daemon.directory
            app = try ChildProcess([ChildProcess.product("redraws")], environment: environment)
            #expect(try await app.nextLine() == "ready")
        }

        /// What the daemon has of the program, as soon as all evaluations and commits are there that the program counted.
        func views() async throws -> [ViewKey: Stats] {
            let counts = Truth(try await app.ask("counts"))
            let commits = Truth(try await app.ask("commits")).counts
            return try await eventually("the daemon has all counts") {
                let export = try daemon.http.get("/v1/stats").json(StatsExport.self)
                guard Truth(export, pid: app.processID) == counts, let views = export.processes.first?.views,
                    Dictionary(uniqueKeysWithValues: views.map { ("main/\($0.key.rawValue)", $0.commits) }) == commits
                else { return nil }
                return Dictionary(uniqueKeysWithValues: views.map { ($0.key, $0) })
            }
        }

        func hangs() throws -> [Hang] { try daemon.http.get("/v1/hangs").json(HangList.self).hangs }

        func screen() async throws -> String {
            String(decoding: Data(base64Encoded: try await app.ask("screen")) ?? Data(), as: UTF8.self)
        }

        func control(_ arguments: String...) async throws -> ChildProcess.Output {
            try await ChildProcess.run(
                [ChildProcess.product("rerenderctl")] + arguments,
                environment: ProcessInfo.processInfo.environment.merging(
                    ["RERENDER_RUNTIME_DIR": daemon.directory]) { _, new in new })
        }
    }

    @Test("counts, reasons, waste and commits are those that the views and the loop count")
    func counts() async throws {
        let lab = try await Lab()
        for order in ["tap heart", "tap heart", "tick 20", "tap article"] {
            #expect(try await lab.app.ask(order) == "done")
        }
        let views = try await lab.views()
        let episodes = try #require(views["EpisodesView"])
        #expect(episodes.count == 3)
        #expect(episodes.lastReason == "model.isMyFavourite")
        #expect(episodes.wasted.kinds == [.sameOutput: 2] && episodes.wasted.measured == 2)
        #expect(views["Screen"]?.wasted.count == 0)
        #expect(views["Screen"]?.lastReason == "showsArticle")
        let ticks = try #require(views["Ticks"])
        #expect(ticks.count == 21 && ticks.wasted.count == 0)
        #expect(ticks.lastReason == "clock.tick")
        let article = try #require(views["Article"])
        #expect(article.count == 2 && article.commits == 1)
        #expect(article.wasted.kinds == [.twiceInATurn: 1])
        #expect(
            article.reasons.first { $0.reason == "loader.status" }?.writers.map(\.writer)
                == ["closure #1 in Article.body.getter redraws/Views.swift:88, in Article: onAppear"])
    }

    @Test("a pulse of the command line draws a border around the view, for a second")
    func pulse() async throws {
        let lab = try await Lab()
        #expect(try await lab.app.ask("tap heart") == "done")
        _ = try await lab.views()
        let plain = try await lab.screen()
        #expect(plain.contains("\n\n 0\n\n"))
        _ = try await eventually("the border") {
            let pulsed = try await lab.control("pulse", "Ticks")
            #expect(pulsed.exit == .status(0), "\(pulsed.standardError)")
            // The padding around the view has room for the box. It is there for a second: who comes late asks again.
            for _ in 1...10 where try await lab.screen().contains("\n+-+\n|0|\n+-+\n") { return true }
            return nil
        }
        try await eventually("the border is gone") { try await lab.screen() == plain ? () : nil }
    }

    @Test("a slow body hangs in the turn that it ends")
    func hang() async throws {
        let lab = try await Lab()
        // Hangs are seen by a daemon that the program has found. A loaded machine may have held up its start.
        _ = try await lab.views()
        let known = try lab.hangs().map(\.turn)
        #expect(try await lab.app.ask("slow 700") == "done")
        let hang = try await eventually("the hang is over") {
            try lab.hangs().first { !$0.open && !known.contains($0.turn) }
        }
        #expect(hang.durationNanoseconds >= 700_000_000)
        #expect(hang.shares.contains { $0.view == "Slow" })
        #expect(hang.view == "Slow" && !hang.guess)
    }
}
