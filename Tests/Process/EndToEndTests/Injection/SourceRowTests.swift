// SPDX-License-Identifier: MIT
// Sources of programs that know nothing of Rerender are counted as the programs count them themselves.

import Foundation
import RerenderModel
import TestSupport
import TestTraits
import Testing

@Suite("Sources of GLib's main loop", .enabled(if: WidgetFixture.obstacle == nil, "\(WidgetFixture.obstacle ?? "")"))
struct SourceRowTests {
    /// Runs the program; returns what was counted of its main loop, what it printed, and the first line about it.
    ///
    /// - Parameters:
    ///   - command: A program in the place of ours in C.
    ///   - takesStacks: Whether its stack may be taken while it runs, as `run` has it.
    private func run(
        _ arguments: [String] = [], of command: [String]? = nil, takesStacks: Bool = true
    ) async throws -> (loop: LoopStats, output: String, first: Verdict.Finding) {
        try await Fixture.preload()
        let directory = try TemporaryDirectory()
        let file = directory.url.appendingPathComponent("export.json")
        var environment = ProcessInfo.processInfo.environment
        environment["RERENDER_RUNTIME_DIR"] = directory.url.path
        // All counts arrive, however busy the machine is.
        environment["RERENDER_WAIT_AT_EXIT"] = "60000"
        environment["RERENDER_HANG_STACKS"] = takesStacks ? "1" : "0"
        let tool = [ChildProcess.product("rerenderctl"), "run", "--json", "-o", file.path, "--inject", "--"]
        var program = command ?? []
        if program.isEmpty { program = [try await Fixture.made("loops/sources")] }
        let ended = try await ChildProcess.run(tool + program + arguments, environment: environment)
        try #require(ended.exit == .status(0), "\(ended.standardError)")
        let processes = try JSONDecoder().decode(StatsExport.self, from: Data(contentsOf: file)).processes
        let process = try #require(processes.first { $0.kind == .loop }, "\(ended.standardError)")
        #expect(process.views.isEmpty && process.evaluations == 0)
        let first = try #require(VerdictBuilder.verdict(of: [process])?.first)
        return (try #require(process.loop), ended.standardOutput, first)
    }

    private func row(_ name: String, of loop: LoopStats) throws -> LoopRow {
        try #require(loop.rows.first { $0.name == name }, "\(name) is not in \(loop.rows.map(\.function))")
    }

    @Test(
        "of a script that loads GLib alone are counted, by its own functions",
        .enabled(if: WidgetTests.pythonObstacle == nil, "\(WidgetTests.pythonObstacle ?? "")"),
        arguments: [[], ["early"]] as [[String]])
    func script(arguments: [String]) async throws {
        let command = [WidgetTests.interpreter, Fixture.source("Loops/late.py")]
        let (loop, output, _) = try await run(arguments, of: command)
        let counts = output.split(whereSeparator: \.isWhitespace).compactMap { UInt64($0) }
        try #require(counts.count == 2 && counts[0] == 50, "\(output)")
        // What PyGObject attaches by a pointer, before the loop ran or later.
        let works = loop.rows.filter { $0.kind == .source && $0.numbers.count == counts[1] }
        #expect(works.count == 1 && counts[1] > 40, "\(loop.rows)")
        let row = loop.rows.first { $0.function.hasPrefix("on_tick() late.py:") }
        #expect(row?.kind == .timer && row?.numbers.count == 50, "\(loop.rows)")
        let meter = loop.rows.first { $0.function == "Meter.__call__()" }
        #expect(meter?.kind == .timer && (meter?.numbers.count ?? 0) > 25, "\(loop.rows)")
        // PyGObject watches the number of a descriptor by a function of its own around the script's.
        let watch = loop.rows.first { $0.function.hasPrefix("on_pipe() late.py:") }
        #expect(watch?.kind == .descriptor && (watch?.numbers.count ?? 0) > 25, "\(loop.rows)")
    }

    @Test("are counted by function with their place, in GLib's tables and in the program's own, which stay the same")
    func counts() async throws {
        let (loop, output, _) = try await run()
        let lines = output.split(separator: "\n").map { $0.split(separator: " ") }
        for line in lines.prefix(6) {
            let row = try row(line[0] + "()", of: loop)
            #expect(row.numbers.count == UInt64(line[1]), "\(line[0])")
            #expect(row.place?.hasPrefix("sources.c:") == true, "\(row.place ?? "none")")
            #expect(row.thread == nil && row.numbers.turns > 0 && row.numbers.wall > 0)
        }
        #expect(output.contains("same 1 fixed 1 others 5"))
        #expect(try row("on_tick()", of: loop).kind == .timer)
        #expect(try row("on_tick()", of: loop).numbers.interval == 2_000_000)
        #expect(try row("on_idle()", of: loop).kind == .idle)
        #expect(try row("on_read()", of: loop).kind == .descriptor)
        #expect(try row("on_channel()", of: loop).kind == .descriptor)
        #expect(try row("on_child()", of: loop).kind == .source)
        // The same table is that of a timer in the context of another thread.
        let other = try row("on_other()", of: loop)
        #expect(other.kind == .timer && other.thread == "other-loop" && other.numbers.count == 5, "\(other)")
        let own = try row("on_own()", of: loop)
        #expect(own.kind == .source && own.numbers.polls > 0)
        #expect(!loop.rows.contains { $0.name == "on_fixed()" }, "its table cannot be written")
    }

    @Test(
        "whose table cannot be changed are told by samples where the loop is busy, if stacks may be taken",
        arguments: [true, false])
    func sampled(takesStacks: Bool) async throws {
        let (loop, _, first) = try await run(["busy"], takesStacks: takesStacks)
        #expect(first.kind == .busy && loop.totals.busy.nanoseconds >= QuietStretch.least, "\(first)")
        guard takesStacks else {
            #expect(!loop.rows.contains { $0.kind == .sampled } && !first.text.contains("sample"), "\(first)")
            return
        }
        let row = try #require(loop.sampled, "\(loop.rows)")
        #expect(row.name == "on_busy()" && row.place?.hasPrefix("sources.c:") == true, "\(row)")
        #expect(row.numbers.turns >= 10 && row.numbers.count * 10 >= row.numbers.turns * 9, "\(row)")
        #expect(row.numbers.isShared == 1 && row.numbers.processor * 2 >= loop.totals.busy.processor, "\(row)")
        #expect(first.source == row.function && first.text.contains("\(row.words) (\(row.samples))"), "\(first)")
    }

    @Test("who wakes the loop from another thread is counted by function and thread")
    func woken() async throws {
        let (loop, output, _) = try await run(["woken"])
        let rows = loop.rows.filter { $0.kind == .wakeup }
        let row = try #require(rows.first)
        #expect(rows.count == 1 && row.name == "feed_loop()" && row.thread == "event-pump", "\(rows)")
        #expect(row.place?.hasPrefix("sources.c:") == true && output == "feed_loop \(row.numbers.count)\n")
        #expect(loop.waker == row && loop.totals.emptyTurns * 10 >= loop.totals.turns * 9, "\(loop.totals)")
    }

    @Test("of who turns the main loop without waiting, and who gives it work from another thread, are counted")
    func turned() async throws {
        let (loop, output, _) = try await run(["turned"])
        let rows = loop.rows.filter { $0.kind == .wakeup }
        let turner = try #require(rows.first { $0.name == "turn_loop()" }, "\(rows)")
        let poster = try #require(rows.first { $0.name == "post_work()" }, "\(rows)")
        #expect(turner.thread == nil && poster.thread == "poster", "\(loop.rows)")
        #expect(output == "turn_loop \(turner.numbers.count) post_work \(poster.numbers.count)\n")
        #expect(loop.turner == turner, "\(loop.totals)")
    }

    @Test("of a descriptor that is never read are told as that, and of one that is only written to are not")
    func unread() async throws {
        let unread = try row("on_unread()", of: await run(["unread"]).loop)
        #expect(unread.numbers.count == 1_000 && unread.numbers.unread >= 500, "\(unread.numbers)")
        #expect(unread.numbers.descriptor > 0)
        let counter = try row("on_unread()", of: await run(["counter"]).loop)
        #expect(counter.numbers.count == 1_000 && counter.numbers.unread >= 500, "\(counter.numbers)")
        let output = try row("on_unread()", of: await run(["output"]).loop)
        #expect(output.numbers.count == 1_000 && output.numbers.unread == 0, "\(output.numbers)")
    }
}
