// SPDX-License-Identifier: MIT
// How much a command says that was asked for no more: an agent reads all of it.

import Foundation
import RerenderModel
import Testing
@testable import ToolSupport

@Suite("An answer for 2,000 views")
struct AnswerSizeTests {
    private static let millisecond: UInt64 = 1_000_000
    private static let keys = (0..<2_000).map { "View \($0) " + String(repeating: "x", count: 400) }

    /// What a run kept: views with long names, one of them with many reasons, with hangs and slow clicks.
    private static func export() -> StatsExport {
        var views = keys.map { key in
            var view = Sample.view(ViewKey(rawValue: key), count: 1_000, average: 500_000, reasons: [reason(0, key)])
            view.wasted.count = 900
            (view.wasted.measured, view.wasted.nanoseconds) = (900, 450 * millisecond)
            return view
        }
        views[7].reasons = (0..<32).map { reason($0, keys[7]) }
        var store = Sample.store(connected: false, views: views)
        store.startedAt = Timestamp(nanosecondsSince1970: Sample.now.nanosecondsSince1970 - 60_000_000_000)
        store.loop = LoopStats(LoopTotals(), facts: (0..<16).map { click(on: keys[$0]) })
        let run = RunRecord(
            program: "shop", buildID: nil, hangs: (0..<200).map { hang(UInt64($0)) }, hangsForgotten: 0,
            unwatchedTurns: 0, gaps: [])
        return StatsExport(generatedAt: Sample.now, processes: [store], verdict: nil, run: run)
    }

    private static func reason(_ number: Int, _ key: String) -> ReasonCount {
        let writers = (0..<3).map {
            WriterCount(writer: "Model.change\($0)(of:) Sources/Shop/Model/Changes/Model.swift:1\($0)", count: 9)
        }
        let chains = (0..<3).map { ChainCount(chain: "List\($0) ← Sidebar ← Window ← shop.model.lists", count: 9) }
        return ReasonCount(
            reason: String("model.value\(number) of \(key)".prefix(120)), count: 30, attribution: .exact,
            writers: writers, chains: chains)
    }

    private static func click(on view: String) -> WidgetFact {
        var fact = WidgetFact(.interaction, view: view)
        (fact.writer, fact.numbers.nanoseconds) = ("on_save() app.c:41", 90 * millisecond)
        (fact.numbers.longest, fact.numbers.longestOf) = (60 * millisecond, 60 * millisecond)
        fact.interaction = WidgetFact.Interaction(.click, at: Sample.now)
        return fact
    }

    private static func hang(_ number: UInt64) -> Hang {
        let key = ViewKey(rawValue: keys[Int(number)])
        var hang = Hang(id: number, pid: 4711, process: "shop", startedAt: Sample.now, turn: number)
        (hang.durationNanoseconds, hang.open, hang.ended) = (400 * millisecond, false, .normally)
        (hang.view, hang.attribution, hang.viewAtThreshold, hang.lastRendered) = (key, .inBody, key, key)
        hang.verdict = .running
        hang.shares = [
            .init(view: key, nanoseconds: 200 * millisecond),
            .init(view: ViewKey(rawValue: keys[0]), nanoseconds: 150 * millisecond),
        ]
        hang.unattributedNanoseconds = 50 * millisecond
        return hang
    }

    @Test(
        "has at most 12,000 bytes in a pipe, which are 4,000 tokens, however many views and hangs there are",
        arguments: [
            (["stats"], "--limit all shows every view"), (["explain", "View 7 "], "and 24 more reasons"),
            (["explain", "View 7 ", "--sources"], "12 more sources"), (["issue", "View 7 "], "and 24 more reasons"),
            (["hangs"], "… 195 older hangs; --limit 200 shows them"),
            (["hangs", "--process", "shop"], "… 11 more lines; --limit 16 shows them"),
        ])
    func bound(command: [String], left: String) async throws {
        let bench = try Bench()
        let file = bench.path + "/run.json"
        try Self.export().json().write(to: URL(filePath: file))
        let place = command.count > 1 && !command[1].hasPrefix("-") ? 2 : 1
        let process = try bench.start(Array(command[..<place]) + [file] + Array(command[place...]))
        process.closeInput()
        #expect(try await process.wait() == .exited(0), "\(process.standardError)")
        let words = process.standardOutput.split { $0.isWhitespace }.joined(separator: " ")
        #expect(words.contains(left) && words.contains("View "), "\(process.standardOutput)")
        #expect(process.outputBytes.count <= 12_000, "\(process.outputBytes.count) bytes")
        withExtendedLifetime(bench) {}
    }
}
