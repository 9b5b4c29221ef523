// SPDX-License-Identifier: MIT
// The list: bounds, scrolling, and what its rows say.

import RerenderModel
import Testing

@testable import RerenderGTK

@Suite("The HUD's list") struct HUDListTests {
    @Test("It keeps 500 rows, and counts the others") func bounded() {
        let hud = HUDFixture(rows: 620)
        #expect(hud.state.content.rows.count == 500)
        #expect(hud.shows("620 views, 120 of them not listed"))
    }

    @Test("It says how many rows are folded; a click there shows them, and another one folds them again")
    func folding() {
        var hud = HUDFixture(rows: 0)
        hud.state.show(HUDFixture.content(rows: 4, folded: 36))
        #expect(hud.shows("40 views · show 36 folded"))
        #expect(hud.click(.footer).contains(.unfold))
        #expect(hud.state.showsAll)
        hud.state.show(HUDFixture.content(rows: 40))
        #expect(hud.shows("40 views · fold"))
        #expect(hud.click(.footer).contains(.unfold))
        #expect(!hud.state.showsAll)
        hud.state.show(HUDFixture.content(rows: 4))
        #expect(hud.shows("4 views"))
        #expect(!hud.click(.footer).contains(.unfold), "nothing is folded")
        hud.state.show(HUDFixture.content(rows: 620, folded: 36))
        #expect(hud.shows("656 views, 120 of them not listed · show 36 folded"))
    }

    @Test("A click on a message in the footer only takes it away") func message() {
        var hud = HUDFixture(rows: 0)
        hud.state.show(HUDFixture.content(rows: 4, folded: 36))
        hud.state.say("2 instances on the screen")
        #expect(hud.click(.footer) == [.redraw])
        #expect(!hud.state.showsAll && hud.shows("40 views · show 36 folded"))
        #expect(hud.click(.footer).contains(.unfold))
    }

    @Test("What is drawn does not grow with the rows") func drawing() {
        #expect(HUDFixture(rows: 500).state.operations.count == HUDFixture(rows: 60).state.operations.count)
        #expect(HUDFixture(rows: 500).state.operations.count < 150)
    }

    @Test("The wheel scrolls, as far as there are rows") func wheel() throws {
        var hud = HUDFixture(rows: 50)
        let point = try #require(hud.point(.row("View1")))
        #expect(hud.send(.scroll(point, by: 90)).contains(.redraw))
        #expect(hud.point(.row("View0")) == nil)
        hud.send(.scroll(point, by: 1e9))
        #expect(hud.point(.row("View49")) != nil)
        hud.send(.scroll(point, by: -1e9))
        #expect(hud.state.layout.scroll == 0)
    }

    @Test("A list that is shown whole does not scroll, and asks for nothing") func noScroll() throws {
        var hud = HUDFixture(rows: 3)
        let point = try #require(hud.point(.row("View1")))
        hud.send(.motion(point))
        #expect(hud.send(.scroll(point, by: 90)) == [])
    }

    @Test("A finger that drags the list scrolls it, and opens no row") func fingerScroll() throws {
        var hud = HUDFixture(rows: 50)
        let point = try #require(hud.point(.row("View5")))
        let end = HUDPoint(point.x, point.y - 100)
        #expect(hud.send(.press(point), .motion(end), .release(end)) == [.redraw])
        #expect(hud.state.layout.scroll == 100 && hud.state.expanded == nil)
    }

    @Test("After another order no row stands half below the titles; with the same one the list stays")
    func order() throws {
        var hud = HUDFixture(rows: 50)
        hud.send(.scroll(try #require(hud.point(.row("View1"))), by: 50))
        hud.state.show(HUDFixture.content(rows: 50))
        #expect(hud.state.layout.scroll == 50)
        var rows = HUDFixture.content(rows: 50).rows
        rows.swapAt(0, 30)
        hud.state.show(HUDContent(stores: ["main"], rows: rows))
        #expect(hud.state.layout.scroll == HUDMetrics.row)
    }

    @Test("Where rows vanish, the list scrolls back") func shrink() throws {
        var hud = HUDFixture(rows: 50)
        hud.send(.scroll(try #require(hud.point(.row("View1"))), by: 1e9))
        hud.state.show(HUDFixture.content(rows: 3))
        #expect(hud.state.layout.scroll == 0)
    }

    @Test("Keys and reasons are cut with an ellipsis where the row ends") func longKey() throws {
        var hud = HUDFixture(rows: 0)
        let key = String(repeating: "Long", count: 200)
        hud.state.show(HUDContent(rows: [HUDRow(key: key, count: 1, why: key)]))
        let texts = hud.texts.filter { $0.text == key }
        let frame = try #require(hud.state.frame)
        #expect(texts.count == 2)
        #expect(texts.allSatisfy { $0.frame.maxX < frame.width })
    }

    @Test("What is folded under a row is not cut for its names", arguments: [180, 260, 800] as [Double])
    func note(width: Double) throws {
        var hud = HUDFixture(rows: 0)
        hud.state.resize(to: HUDSize(width, 600))
        let (owner, why, note) = ("ContactEditor/GtkListBox", "child ContactEditor/GtkLabel#name 99%", " (+12 parents)")
        hud.state.show(HUDContent(rows: [HUDRow(key: owner + "#rows", count: 1, why: why, note: note)]))
        if hud.state.isCollapsed { hud.click(.header) }
        let last = try #require(hud.texts.first { $0.text == note })
        #expect(last.frame.width == Double(note.count) * HUDMetrics.noteCharacter && last.alignment == .trailing)
        let frame = try #require(hud.state.frame)
        #expect(last.frame.maxX < frame.width)
        let others = hud.texts.filter { $0.frame.y == last.frame.y && $0.text != note }
        #expect(others.allSatisfy { $0.frame.maxX < last.frame.x + 0.001 })
        #expect(others.map(\.text) == [owner, why])
    }

    @Test("What costs most stands at the top, in its words, and in few of them in the title strip") func verdict() {
        var hud = HUDFixture()
        let height = hud.state.frame?.height ?? 0
        var content = HUDFixture.content(rows: 4)
        var finding = Verdict.Finding(.hangs, text: "Feed blocked the main loop 2×, longest 410ms: App/Feed.swift:34")
        (finding.view, finding.count, finding.nanoseconds) = ("Feed", 2, 810_000_000)
        content.verdict = finding
        hud.state.show(content)
        #expect(hud.shows(finding.text) && hud.state.frame?.height == height + 20)
        hud.click(.row("View2"))
        #expect(hud.state.expanded == "View2", "the rows are where they are drawn")
        hud.click(.collapse)
        #expect(hud.shows("Feed: 2 hangs, 810ms") && !hud.shows("4 views"))
    }

    @Test("A view with hangs has a badge, also in the title strip") func badge() {
        var hud = HUDFixture(rows: 0)
        hud.state.show(HUDContent(rows: [HUDRow(key: "Slow", count: 1, hangs: 2), HUDRow(key: "Other", count: 1)]))
        #expect(hud.texts.filter { $0.text == "HANG" }.count == 1)
        hud.click(.collapse)
        #expect(hud.shows("HANG"))
        #expect(!HUDFixture().shows("HANG"))
    }

    @Test("What is unknown is a dash") func unknown() {
        var hud = HUDFixture(rows: 0)
        hud.state.show(HUDContent(rows: [HUDRow(key: "A", count: 7)]))
        // The rate, the waste and the reason.
        #expect(hud.texts.filter { $0.text == "–" }.count == 3)
    }

    @Test("Inferred waste is marked") func inferred() {
        var hud = HUDFixture(rows: 0)
        hud.state.show(HUDContent(rows: [HUDRow(key: "A", count: 7, wasted: 3, isWasteInferred: true)]))
        #expect(hud.shows("~3"))
    }

    @Test("Without rows it says so") func empty() { #expect(HUDFixture(rows: 0).shows("no views yet")) }

    @Test("It speaks of widgets where the store has them") func widgets() {
        var hud = HUDFixture(rows: 0)
        var content = HUDFixture.content(rows: 2)
        content.areWidgets = true
        hud.state.show(content)
        #expect(hud.shows("WIDGET") && hud.shows("2 widgets") && !hud.shows("VIEW"))
    }

    @Test("It shows its own cost") func cost() {
        var hud = HUDFixture(rows: 0)
        #expect(hud.shows("HUD – of a core"))
        hud.state.show(HUDContent(cost: 0.31))
        #expect(hud.shows("HUD 0.3% of a core"))
    }

    @Test("Equal data give equal drawings, so that nothing is drawn again") func equal() {
        var hud = HUDFixture()
        let before = hud.state.operations
        hud.state.show(HUDFixture.content(rows: 4))
        #expect(hud.state.operations == before)
    }

    @Test("A message stays until the next press") func messageOfFooter() throws {
        var hud = HUDFixture()
        hud.state.say("copied")
        #expect(hud.shows("copied"))
        #expect(hud.click(.header) == [.redraw])
        #expect(!hud.shows("copied"))
    }
}
