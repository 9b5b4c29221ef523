// SPDX-License-Identifier: MIT
// The HUD by the keyboard.

import Testing

@testable import RerenderGTK

@Suite("Keys in the HUD") struct HUDKeyTests {
    private static func lent(rows: Int = 4) -> HUDFixture {
        var hud = HUDFixture(rows: rows)
        hud.send(.shortcut)
        return hud
    }

    @Test("Up and Down select, Enter opens") func move() {
        var hud = Self.lent()
        #expect(hud.state.selected == "View0")
        hud.send(.key(.down), .key(.down), .key(.up))
        #expect(hud.send(.key(.enter)).contains(.expand("View1")))
    }

    @Test("The selection stays in the list and in sight") func bounds() throws {
        var hud = Self.lent(rows: 60)
        hud.send(.key(.end))
        #expect(hud.state.selected == "View59" && hud.point(.row("View59")) != nil)
        hud.send(.key(.down), .key(.pageUp))
        #expect(try #require(hud.state.selected) == "View52")
        hud.send(.key(.home), .key(.up))
        #expect(hud.state.selected == "View0" && hud.point(.row("View0")) != nil)
    }

    @Test("a shows what is folded, m marks, h highlights, - collapses") func letters() {
        var hud = Self.lent()
        #expect(hud.send(.key(.character("a"))) == [.unfold, .redraw])
        #expect(hud.state.showsAll)
        #expect(hud.send(.key(.character("m"))) == [.mark])
        #expect(hud.send(.key(.character("h"))).first == .highlight(true))
        hud.send(.key(.character("-")))
        #expect(hud.state.isCollapsed)
    }

    @Test("A border shows that the HUD has the keyboard") func border() {
        var hud = HUDFixture()
        let before = hud.state.operations
        hud.send(.shortcut)
        #expect(hud.state.operations.last != before.last)
        hud.send(.key(.escape))
        #expect(hud.state.operations.last == before.last)
    }
}
