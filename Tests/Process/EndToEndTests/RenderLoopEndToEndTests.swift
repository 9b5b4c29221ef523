// SPDX-License-Identifier: MIT
// Views on the real main run loop, their store, and a real daemon: what the views and the loop count themselves is what is
// read at the other end.

import Foundation
import RerenderModel
import TestSupport
import TestTraits
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
            app = try ChildProcess([ChildProcess.product("screens"), "redraws"], environment: environment)
            #expect(try await app.nextLine() == "ready")
        }

        /// What the daemon has of the program, as soon as all evaluations and commits are there that the program counted.
        func views() async throws -> [ViewKey: Stats] {
            let counts = Truth(try await app.ask("counts"))
            let commits = Truth(try await app.ask("commits")).counts
            return try await daemon.http.eventually("the daemon has all counts") {
                let export = try daemon.http.get("/v1/stats").json(StatsExport.self)
                guard Truth(export, pid: app.processID) == counts, let views = export.processes.first?.views,
                    Dictionary(uniqueKeysWithValues: views.map { ("main/\($0.key.rawValue)", $0.commits) }) == commits
                else { return nil }
                return Dictionary(uniqueKeysWithValues: views.map { ($0.key, $0) })
            }
        }

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

    @Test("counts, reasons, waste and commits are those that the views and the loop count", .promise)
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
                == ["closure #1 in Article.body.getter screens/Views.swift:91, in Article: onAppear"])
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

    @Test(
        "views that write for each other are a cycle, which the tool names with who writes, and one that ended is none of the next",
        .promise
    )
    func cycle() async throws {
        let lab = try await Lab()
        #expect(try await lab.app.ask("tick 20") == "done")
        _ = try await lab.views()
        #expect(try await lab.control("stats").standardOutput.contains("cycle") == false)
        #expect(try await lab.app.ask("cycle 200") == "done")
        let row = try #require(try await lab.views()["Row"])
        // A burst reads the cycles before the totals: the last rounds may come with the next one.
        func cycles() throws -> [Cycle] {
            try lab.daemon.http.get("/v1/stats").json(StatsExport.self).processes.first?.cycles ?? []
        }
        let cycle = try await lab.daemon.http.eventually("the last round", seen: { try cycles() }) {
            try cycles().first { $0.rounds == row.count - 1 && $0.latestRounds == $0.rounds }
        }
        #expect(
            try cycles().count == 1 && cycle.steps.map(\.name) == ["Row", "Row: onAppear", "Side", "Side: onAppear"])
        let writers = cycle.steps.compactMap(\.writer)
        #expect(writers.count == 2 && writers[0].hasPrefix("Side.adjust() screens/Views.swift:"), "\(writers)")
        let way = "Row → Row: onAppear → Side → Side: onAppear → Row, \(cycle.rounds) rounds, "
        let stats = try await lab.control("stats")
        let words = stats.standardOutput.split { $0.isWhitespace }.joined(separator: " ")
        #expect(words.contains("! Row is in a cycle: " + way), "\(words)")
        let explained = try await lab.control("explain", "Side")
        let text = explained.standardOutput.split { $0.isWhitespace }.joined(separator: " ")
        #expect(
            text.contains("It is in a cycle: " + way) && text.contains("Side follows a write by Row.adjust()"),
            "\(text)")
    }

    @Test("what a timer writes goes on without input, and what is tapped does not")
    func idleWork() async throws {
        let lab = try await Lab()
        #expect(try await lab.app.ask("timer 20") == "begun")
        func store() throws -> ProcessStats? {
            try lab.daemon.http.get("/v1/stats").json(StatsExport.self).processes.first
        }
        // Fifty may take less than the second from which on there is a rate.
        let work = try await lab.daemon.http.eventually("a row of fifty with a rate") {
            try store()?.idleWork?.first { $0.view == "Ticks" && $0.latest.own >= 50 && $0.perSecond != nil }
        }
        #expect(work.reason == "clock.tick" && work.writer?.contains("screens/Program.swift:") == true, "\(work)")
        #expect(work.latest.count == work.latest.own && work.latestDuration >= 49 * 15_000_000)
        #expect(work.perSecond.map { $0 < 67 } == true && work.share.map { $0 > 0 } == true)
        let stats = try await lab.control("stats", "--all")
        #expect(stats.standardOutput.contains("main without input: Ticks: clock.tick by "), "\(stats.standardOutput)")
        let explained = try await lab.control("explain", "Ticks")
        #expect(
            explained.standardOutput.contains("It goes on without input: clock.tick by"), "\(explained.standardOutput)")
        // Input ends the row: the next one begins two seconds after it.
        try lab.app.send("tap heart")
        let later = try await lab.daemon.http.eventually("another row") {
            try store()?.idleWork?.first { $0.view == "Ticks" && $0.latest.own < $0.all.own && $0.latest.own >= 10 }
        }
        #expect(later.all.own > work.all.own)
        let views = try #require(try store()).idleWork?.map(\.view)
        #expect(views == ["Ticks"])
    }
}
