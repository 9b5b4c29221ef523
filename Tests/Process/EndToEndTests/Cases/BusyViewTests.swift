// SPDX-License-Identifier: MIT
// The first line about apps whose views waste time together, block the loop a little each time, share a hang, or lead to themselves.

import Foundation
import RerenderModel
import TestSupport
import Testing

@Suite("The first line about an app whose views keep it busy") struct BusyViewTests {
    private func run(_ what: String, rounds: Int) async throws -> CaseRun {
        let run = try await CaseRun([ChildProcess.product("loops"), "busy", what, "\(rounds)"], [])
        #expect(run.calls == UInt64(rounds))
        return run
    }

    @Test("adds up what views waste of which none wastes 1 % of a core")
    func spread() async throws {
        let run = try await run("spread", rounds: 60)
        #expect(run.first.kind == .waste && run.first.count >= 1_000, "\(run.verdict)")
        let views = try #require(run.first.text.prefixMatch(of: #/(\d+) views wasted /#), "\(run.first.text)")
        // Some have a finding of their own where the machine did not run them for a while.
        #expect(Int(views.1).map { $0 >= 20 && $0 <= 30 } == true, "\(run.first.text)")
        #expect(run.first.text.contains(", the largest part by Row"), "\(run.first.text)")
    }

    @Test("tells of micro-hangs that block the loop for a good part of the time, with the view that has them")
    func micro() async throws {
        let run = try await run("micro", rounds: 24)
        #expect(run.first.kind == .microHangs && run.first.view == "Canvas", "\(run.verdict)")
        #expect(run.first.nanoseconds >= 2_400_000_000 && run.first.text.hasSuffix(" of it by Canvas"), "\(run.first)")
    }

    @Test("calls an app busy whose bodies are needed, and says that its time is theirs")
    func needed() async throws {
        let run = try await run("needed", rounds: 100)
        #expect(run.marked == [] && run.first.kind == .busy, "\(run.verdict)")
        #expect(run.first.text.contains(", most of it in bodies"), "\(run.first.text)")
    }

    private func led(_ way: String) async throws -> CaseRun {
        try await CaseRun([ChildProcess.product("loops"), "led", way, "3000"], [])
    }

    @Test(
        "names a view that leads to its own next evaluation over a queue or a task",
        arguments: [("queue", "a queue"), ("task", "a Task"), ("detour", "a Task")])
    func cycle(way: String, over: String) async throws {
        let run = try await led(way)
        #expect(run.first.kind == .cycle && run.first.view == "Row", "\(run.verdict)")
        #expect(run.first.text.hasPrefix("Row is in a cycle over \(over): Row → Row, "), "\(run.first.text)")
        let cycles = run.processes.flatMap { $0.cycles ?? [] }
        let cycle = try #require(cycles.first)
        #expect(cycles.count == 1 && cycle.steps.map(\.name) == ["Row"] && cycle.over == over, "\(cycles)")
        #expect(cycle.rounds >= 50 && cycle.rounds < run.calls, "\(cycle) of \(run.calls) rounds")
        #expect(cycle.steps.first?.writer?.contains("loops/LedViews.swift:") == true, "\(cycle)")
    }

    @Test("calls no cycle what a timer of a queue leads to, or a task that slept", arguments: ["after", "sleep"])
    func noCycle(way: String) async throws {
        let run = try await led(way)
        let cycles = run.processes.flatMap { $0.cycles ?? [] }
        #expect(run.calls >= 50 && cycles.isEmpty, "\(cycles) of \(run.calls) rounds")
        #expect(!run.verdict.findings.contains { $0.kind == .cycle }, "\(run.verdict)")
    }

    @Test("blames a view with what it took itself of a hang, and ranks it by that")
    func shared() async throws {
        let run = try await run("shared", rounds: 4)
        #expect(run.first.kind == .hangs && run.first.view == "B" && run.first.count == 2, "\(run.verdict)")
        #expect(run.first.text.hasPrefix("B blocked the main loop 2×, longest "), "\(run.first.text)")
        let shared = try #require(run.verdict.findings.first { $0.view == "V0" }, "\(run.verdict)")
        #expect(shared.text.hasPrefix("V0 took ") && shared.text.contains(" of 2 hangs of "), "\(shared.text)")
    }
}
