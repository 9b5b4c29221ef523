// SPDX-License-Identifier: MIT
// A budget made from the isolated form holds on it, and fails on the wasteful one with who is to blame.

import Foundation
import TestSupport
import Testing

/// A budget and runs of the demo to hold against it.
private struct BudgetBench {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// `rerenderctl check` on a run of the demo.
    func check(
        _ scenario: String, _ options: String...,
        script: [String] = ["--script", "type:abc,slide:0.7,tap:save", "--virtual-clock"]
    ) async throws -> ChildProcess.Output {
        var environment = ProcessInfo.processInfo.environment
        environment["RERENDER_RUNTIME_DIR"] = directory.url.path
        environment["RERENDER_WAIT_AT_EXIT"] = "60000"
        environment["COLUMNS"] = "400"
        let budget = directory.url.appendingPathComponent("rerender.json").path
        let demo = [ChildProcess.product("rerender-demo"), "--scenario", scenario] + script
        return try await ChildProcess.run(
            [ChildProcess.product("rerenderctl"), "check", "--budget", budget] + options + ["--"] + demo,
            environment: environment)
    }
}

@Suite("A budget of the demo")
struct BudgetTests {
    private let bench: BudgetBench

    init() throws { bench = try BudgetBench() }

    @Test("made from the isolated form holds on it, and fails on the wasteful one naming view, reason and writer")
    func forms() async throws {
        let update = try await bench.check("form-isolated", "--update")
        try #require(update.exit == .status(0), "\(update.standardError)")
        for _ in 0..<2 {
            let holds = try await bench.check("form-isolated", "--strict")
            #expect(holds.exit == .status(0) && holds.standardError.contains("The budget holds"))
        }
        let fails = try await bench.check("form-wasteful")
        #expect(fails.exit == .status(1))
        let lines = fails.standardError.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        // Every key, move and tap evaluates the form; three of its values are the reasons.
        #expect(lines.contains("OVER   Form: 4 evaluations, at most 1 allowed (3 too many)"), "\(lines)")
        #expect(lines.contains("why: 1 name, written by NameRow: key on TextField"), "\(lines)")
        #expect(
            lines.contains(
                "why: 1 saves, written by closure #1 in closure #1 in WastefulForm.Form.body.getter "
                    + "RenderLoopScenarios/WastefulForm.swift:18, in SaveRow: tap"), "\(lines)")
        #expect(lines.contains("OVER   SaveRow: 2 wasted evaluations, at most 0 allowed (2 too many)"), "\(lines)")
        #expect(
            lines.contains("why: 2 parent: Form, began with Form ← name, written by NameRow: key on TextField"),
            "\(lines)")
    }
}

// One after the other with the other tests of hangs, which take the processors.
extension HangTests {
    @Test("fail a budget that allows none, with the view that hung")
    func budget() async throws {
        let bench = try BudgetBench()
        let budget = bench.directory.url.appendingPathComponent("rerender.json")
        try Data(#"{"version": 1, "total": {"hangs": 0}}"#.utf8).write(to: budget)
        let fails = try await bench.check("hang", script: ["--seconds", "12"])
        #expect(fails.exit == .status(1))
        let hangs = /OVER   in total: \d+ hangs?, at most 0 allowed/
        #expect(fails.standardError.contains(hangs), "\(fails.standardError)")
        let blamed = /\n *ReportView: \d+ hangs?\n/
        #expect(fails.standardError.contains(blamed), "\(fails.standardError)")
    }
}
