// SPDX-License-Identifier: MIT
// What leads into a view.

import RerenderModel
@testable import RerenderShow
@testable import RerenderTool
import Testing
@testable import ToolSupport

@Suite("What leads into a view")
struct WakeSourcesTests {
    private func view(_ key: ViewKey, _ reasons: [ReasonCount]) -> Stats {
        Sample.view(key, count: reasons.reduce(0) { $0 + $1.count }, reasons: reasons)
    }

    private func texts(_ view: Stats, among views: [Stats]) -> [String] {
        let store = Sample.store(views: views)
        let found = WakeSources(of: store, among: [store]).all(of: view)
        return WakeText.section(view, found, limit: 20).paragraphs.map(\.text)
    }

    private let tick = ReasonCount(
        reason: "ticker.tick", count: 30, attribution: .exact,
        writers: [WriterCount(writer: "advance() Ticker.swift:12", count: 30)])

    @Test("a write of its own is first by its evaluations, with who wrote it")
    func direct() {
        let row = view("Row", [Sample.reason("initial", 2), tick, Sample.reason("theme", 8, .diff)])
        #expect(
            texts(row, among: [row]) == [
                "30 (75%) ticker.tick", "written by advance() Ticker.swift:12 (30)", "~8 (20%) theme", "2 (5%) initial",
            ])
    }

    @Test("a recorded chain leads to its cause, with the views between and the writer that the reader knows")
    func chains() {
        let shop = view("Shop", [Sample.reason("initial", 1), tick])
        let parent = ReasonCount(
            reason: "parent: List", count: 20, attribution: .exact,
            chains: [ChainCount(chain: "List ← Shop ← ticker.tick", count: 20)])
        let row = view("Row", [parent])
        #expect(
            texts(row, among: [row, shop]) == [
                "20 (100%) ticker.tick, through List ← Shop", "written by advance() Ticker.swift:12 (30)",
            ])
    }

    @Test("without a chain, a view between is followed by the shares of its own reasons, as a guess")
    func shares() {
        let label = view(
            "Label", [Sample.reason("initial", 5), Sample.reason("text", 30), Sample.reason("style", 10)])
        let box = view("Box", [Sample.reason("child Label", 20), Sample.reason("initial", 1)])
        #expect(
            texts(box, among: [box, label]) == [
                "~15 (71%) text, through Label", "~5 (23%) style, through Label", "1 (4%) initial",
            ])
        #expect(texts(box, among: [box])[0] == "20 (95%) not recorded, through Label")
    }

    @Test("views that pass on to each other end, and no number is more than the view's evaluations")
    func loops() {
        let one = view("One", [Sample.reason("child Two", 10)])
        let two = view("Two", [Sample.reason("child One", 10), Sample.reason("text", 10)])
        let store = Sample.store(views: [one, two])
        let found = WakeSources(of: store, among: [store]).all(of: one)
        #expect(found.reduce(0) { $0 + $1.count } <= 10 && found.contains { $0.cause == "text" })
        // Each view is woken by each other one: the ways are more than anybody could read.
        let keys = (0..<30).map { ViewKey(rawValue: "V\($0)") }
        let all = keys.map { key in
            view(key, keys.filter { $0 != key }.map { Sample.reason("child \($0.rawValue)", 1_000_000) })
        }
        let many = Sample.store(views: all)
        let ways = WakeSources(of: many, among: [many]).all(of: all[0])
        #expect(ways.count <= 257 && ways.reduce(0) { $0 + $1.count } <= all[0].count)
    }

    @Test("a list that is cut says how many are missing, with what they have, and the option that shows them")
    func cut() {
        let row = view("Row", [tick, Sample.reason("theme", 8), Sample.reason("size", 2)])
        let store = Sample.store(views: [row])
        let found = WakeSources(of: store, among: [store]).all(of: row)
        let last = WakeText.section(row, found, limit: 1).paragraphs.last?.text
        #expect(last == "… 2 more sources with 10 evaluations; --limit 3 shows all")
        let none = WakeText.section(view("New", []), [], limit: 1).paragraphs
        #expect(none.map(\.text) == ["It was not evaluated."])
        let widget = WakeText.section(row, of: .widgets, found, limit: 1)
        #expect(widget.title.hasPrefix("What woke it, of 40 drawings "))
        #expect(widget.paragraphs.last?.text == "… 2 more sources with 10 drawings; --limit 3 shows all")
        let span = WakeText.section(row, found, limit: 1, span: MarkOption.title(from: "tap Add", to: nil))
        #expect(span.title == "What woke it, of 40 evaluations since \"tap Add\"")
    }

    @Test("the lines are those of an explanation, and options that do not fit are refused")
    func lines() {
        let row = view("Row", [tick])
        let store = Sample.store(views: [row])
        var explanation = Explanation(view: row, store: store)
        explanation.sources = WakeText.section(row, WakeSources(of: store, among: [store]).all(of: row), limit: 20)
        let lines = explanation.lines(width: 80, colours: false)
        #expect(
            lines.first == "Row" && lines.contains("What woke it, of 30 evaluations since the start or the last reset"))
        #expect(!lines.contains("What helps"))
        for (arguments, hint) in [
            (["--sources", "--json"], "either --sources or --json"), (["-n", "3"], "--limit needs --sources"),
            (["--sources", "-n", "0"], "1 to 1000"),
        ] as [([String], String)] {
            let line = ParsedLine(["explain", "Row"] + arguments)
            #expect(line.status == 64 && line.text.contains(hint), "\(line)")
        }
    }
}
