// SPDX-License-Identifier: MIT
// What clicks in the HUD do.

import Testing

@testable import RerenderGTK

@Suite("Clicks in the HUD") struct HUDClickTests {
    @Test("The chevron leaves the title strip, in the same corner", arguments: HUDCorner.allCases)
    func collapse(corner: HUDCorner) throws {
        var hud = HUDFixture(corner: corner)
        #expect(hud.click(.collapse) == [.redraw])
        let strip = try #require(hud.state.frame)
        #expect(strip.height == HUDMetrics.header)
        let size = HUDSize(strip.width, strip.height)
        #expect(HUDPoint(strip.x, strip.y) == corner.origin(of: size, in: hud.state.area))
        #expect(hud.click(.collapse) == [.redraw])
        #expect(try #require(hud.state.frame).height > HUDMetrics.header)
    }

    @Test("A click on the title strip opens it again") func openStrip() {
        var hud = HUDFixture()
        hud.click(.collapse)
        hud.click(.header)
        #expect(!hud.state.isCollapsed)
    }

    @Test("A click on a row opens it, pulses the view and prints what is known of it") func expand() {
        var hud = HUDFixture()
        let actions = hud.click(.row("View1"))
        #expect(actions == [.pulse("View1"), .printStatistics("View1"), .expand("View1"), .redraw])
        #expect(hud.state.expanded == "View1")
    }

    @Test("One row is open at a time") func expandOther() {
        var hud = HUDFixture()
        hud.click(.row("View0"))
        hud.click(.row("View2"))
        #expect(hud.state.layout.items.filter { $0.target == .details }.map(\.index) == [2])
    }

    @Test("A second click closes the row without a pulse") func closeRow() {
        var hud = HUDFixture()
        hud.click(.row("View1"))
        #expect(hud.click(.row("View1")) == [.expand(nil), .printStatistics("View1"), .redraw])
        #expect(!hud.state.layout.items.contains { $0.target == .details })
    }

    @Test("A press on one row and a release on another do nothing") func slip() throws {
        var hud = HUDFixture()
        let (from, to) = (try #require(hud.point(.row("View0"))), try #require(hud.point(.row("View1"))))
        #expect(hud.send(.press(from), .release(to)) == [])
    }

    @Test("Other buttons than the primary do nothing, and do not reach the program") func otherButton() throws {
        var hud = HUDFixture()
        let point = try #require(hud.point(.row("View0")))
        let responses = [HUDInput.press(point, button: 3), .release(point, button: 3)].map {
            hud.state.take($0)
        }
        #expect(responses.allSatisfy { $0.isConsumed })
        #expect(!responses.flatMap(\.actions).contains { $0 != .redraw })
    }

    @Test("The flag marks the moment") func mark() {
        var hud = HUDFixture()
        #expect(hud.click(.mark) == [.mark])
    }

    @Test("The highlight's button switches it on and off") func highlight() {
        var hud = HUDFixture()
        #expect(hud.click(.highlight) == [.highlight(true), .redraw])
        #expect(hud.click(.highlight) == [.highlight(false), .redraw])
    }

    @Test("A store can be chosen where there are several") func chooseStore() throws {
        var hud = HUDFixture(stores: ["injected", "main", "tests"])
        hud.click(.store)
        #expect(hud.shows("tests"))
        #expect(hud.click(.choice(2)) == [.choose(store: 2), .redraw])
        #expect(!hud.state.isChoosingStore)
    }

    @Test("The store that is shown already is not asked for") func chooseSame() {
        var hud = HUDFixture(stores: ["injected", "main"])
        hud.click(.store)
        #expect(hud.click(.choice(0)) == [.redraw])
    }

    @Test("There is no choice of one store") func oneStore() {
        let hud = HUDFixture()
        #expect(hud.point(.store) == nil)
        #expect(hud.shows("main"))
    }

    @Test("Another store begins with no row open, at its first row") func otherStore() {
        var hud = HUDFixture(rows: 100)
        hud.click(.row("View0"))
        hud.send(.scroll(HUDPoint(600, 200), by: 500))
        var content = HUDFixture.content(rows: 100, stores: ["a", "b"])
        content.store = 1
        hud.state.show(content)
        #expect(hud.state.expanded == nil && hud.state.layout.scroll == 0)
    }
}
