// SPDX-License-Identifier: MIT
// Sources of programs that know nothing of Rerender are counted as the programs count them themselves.

import Foundation
import RerenderModel
import TestSupport
import TestTraits
import Testing

@Suite("Sources of GLib's main loop", .enabled(if: WidgetFixture.obstacle == nil, "\(WidgetFixture.obstacle ?? "")"))
struct SourceRowTests {
    /// Runs the program; returns what was counted of its main loop, and what it printed.
    private func run(_ arguments: [String] = []) async throws -> (loop: LoopStats, output: String) {
        try await Fixture.preload()
        let directory = try TemporaryDirectory()
        let file = directory.url.appendingPathComponent("export.json")
        var environment = ProcessInfo.processInfo.environment
        environment["RERENDER_RUNTIME_DIR"] = directory.url.path
        // All counts arrive, however busy the machine is.
        environment["RERENDER_WAIT_AT_EXIT"] = "60000"
        let tool = [ChildProcess.product("rerenderctl"), "run", "--json", "-o", file.path, "--inject", "--"]
        let program = try await Fixture.made("loops/sources")
        let ended = try await ChildProcess.run(tool + [program] + arguments, environment: environment)
        try #require(ended.exit == .status(0), "\(ended.standardError)")
        let processes = try JSONDecoder().decode(StatsExport.self, from: Data(contentsOf: file)).processes
        let process = try #require(processes.first { $0.kind == .loop }, "\(ended.standardError)")
        #expect(process.views.isEmpty && process.evaluations == 0)
        return (try #require(process.loop), ended.standardOutput)
    }

    private func row(_ name: String, of loop: LoopStats) throws -> LoopRow {
        try #require(loop.rows.first { $0.name == name }, "\(name) is not in \(loop.rows.map(\.function))")
    }

    @Test("are counted by function with their place, in GLib's tables and in the program's own, which stay the same")
    func counts() async throws {
        let (loop, output) = try await run()
        let lines = output.split(separator: "\n").map { $0.split(separator: " ") }
        for line in lines.prefix(4) {
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
        let own = try row("on_own()", of: loop)
        #expect(own.kind == .source && own.numbers.polls > 0)
        #expect(!loop.rows.contains { $0.name == "on_fixed()" }, "its table cannot be written")
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
