// SPDX-License-Identifier: MIT
import Foundation
import RerenderModel
@testable import RerenderTool
import Testing
@testable import ToolSupport

@Suite("Two exports compared")
struct ExportDiffTests {
    private func view(
        _ key: String, _ count: UInt64, wasted: UInt64 = 0, hangs: UInt64 = 0, reasons: [ReasonCount] = []
    ) -> Stats {
        var view = Sample.view(ViewKey(rawValue: key), count: count, reasons: reasons)
        view.wasted.count = wasted
        view.hangs.count = hangs
        return view
    }

    private func export(_ views: [Stats], hangs: UInt64? = nil) -> StatsExport {
        var store = Sample.store(views: views)
        store.hangs.count = hangs ?? views.reduce(0) { $0 + $1.hangs.count }
        return Sample.export([store])
    }

    private func kinds(_ diff: ExportDiff) -> [String] { diff.changes.map { "\($0.kind.rawValue) \($0.key.rawValue)" } }

    @Test("a view is new, more, fewer, gone, there for other reasons, or the same")
    func kinds() {
        let tick = [Sample.reason("tick", 2)]
        let old = [
            view("Gone", 3), view("More", 1), view("Waste", 5), view("Hang", 5), view("Fewer", 5),
            view("Mixed", 5, wasted: 1), view("Why", 2, reasons: tick), view("Same", 2, reasons: tick),
            view("Unseen", 0),
        ]
        let new = [
            view("New", 1), view("More", 2), view("Waste", 5, wasted: 1), view("Hang", 5, hangs: 1), view("Fewer", 4),
            view("Mixed", 4, wasted: 2), view("Why", 2, reasons: [Sample.reason("tock", 2)]),
            view("Same", 2, reasons: tick), view("Unseen", 0),
        ]
        let diff = ExportDiff(old: Tally(export(old)), new: Tally(export(new)))
        #expect(
            kinds(diff) == [
                "new New", "more Mixed", "more More", "more Hang", "more Waste", "fewer Fewer", "gone Gone",
                "other reasons Why",
            ])
        #expect(diff.same == 1 && diff.isIncreased && diff.isExact)
        #expect(diff.increased.map(\.key.rawValue) == ["New", "Mixed", "More", "Hang", "Waste"])
    }

    @Test("less, gone and other reasons are no increase; an export compared with itself is the same")
    func noIncrease() {
        let old = export([view("A", 5, wasted: 2), view("B", 1), view("C", 1, reasons: [Sample.reason("x", 1)])])
        let new = export([view("A", 5, wasted: 1), view("C", 1, reasons: [Sample.reason("y", 1)])])
        #expect(!ExportDiff(old: Tally(old), new: Tally(new)).isIncreased)
        let same = ExportDiff(old: Tally(old), new: Tally(old))
        #expect(same.changes.isEmpty && same.same == 3)
        #expect(DiffResult(diff: same, old: "a", new: "b").summary.contains("3 views: nothing differs."))
    }

    @Test("the differing reasons come with their writers, from the export that has more of them")
    func reasons() {
        var tick = Sample.reason("ticker.tick", 9)
        tick.writers = [WriterCount(writer: "Ticker.advance() Shop/Ticker.swift:40", count: 9)]
        let old = export([view("Cart", 4, reasons: [Sample.reason("initial", 1), Sample.reason("title", 3)])])
        let new = export([view("Cart", 10, reasons: [Sample.reason("initial", 1), tick])])
        let diff = ExportDiff(old: Tally(old), new: Tally(new))
        let words = DiffResult(diff: diff, old: "a", new: "b")
        #expect(words.headline(diff.changes[0]) == "Cart: 4 → 10 evaluations")
        #expect(
            words.details(diff.changes[0]) == [
                "at Shop/Cart.swift:12", "ticker.tick: 0 → 9, written by Ticker.advance() Shop/Ticker.swift:40",
                "title: 3 → 0",
            ])
        #expect(words.failure.contains("Cart") && words.failure.contains("Ticker.advance()"))
    }

    @Test("hangs of no view are compared too")
    func hangs() {
        let diff = ExportDiff(old: Tally(export([view("A", 1)])), new: Tally(export([view("A", 1)], hangs: 2)))
        #expect(diff.changes.isEmpty && diff.isIncreased)
        #expect(DiffResult(diff: diff, old: "a", new: "b").failure.contains("0 → 2"))
        let document = DiffResult(diff: diff, old: "a", new: "b").junit
        #expect(document.cases.contains { if case .failed = $0.outcome { true } else { false } })
        let fewer = ExportDiff(old: Tally(export([view("A", 1)], hangs: 2)), new: Tally(export([view("A", 1)])))
        #expect(!fewer.isIncreased)
    }

    @Test("what is missing from either export is said, with which")
    func gaps() {
        var lost = export([view("A", 1)])
        lost.processes[0].lost = 1
        lost.processes[0].evaluations = 2
        let diff = ExportDiff(old: Tally(export([view("A", 1)])), new: Tally(lost))
        #expect(!diff.isExact && diff.gaps.count == 1 && diff.gaps[0].hasPrefix("NEW: 1 evaluation"))
        #expect(DiffResult(diff: diff, old: "a", new: "b").failure.contains("NOT EXACT"))
        #expect(
            ExportDiff(old: Tally(Sample.export([])), new: Tally(export([]))).gaps == ["OLD: it contains no process"])
    }

    @Test("the JSON has every change with its reasons")
    func json() throws {
        let diff = ExportDiff(
            old: Tally(export([view("A", 1)])),
            new: Tally(export([view("A", 3, reasons: [Sample.reason("tick", 2)])])))
        let data = Data(try DiffResult(diff: diff, old: "", new: "").json().utf8)
        let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let changes = try #require(object["changes"] as? [[String: Any]])
        #expect(object["version"] as? Int == 1 && object["increased"] as? Int == 1 && object["exact"] as? Bool == true)
        #expect(changes.count == 1 && changes[0]["kind"] as? String == "more" && changes[0]["key"] as? String == "A")
        #expect((changes[0]["old"] as? [String: Int])?["evaluations"] == 1)
        #expect((changes[0]["reasons"] as? [[String: Any]])?.first?["reason"] as? String == "tick")
    }
}
