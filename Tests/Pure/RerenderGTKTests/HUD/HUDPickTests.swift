// SPDX-License-Identifier: MIT
// How the HUD begins, what its rows are called, and how a widget on the screen is picked.

import Testing

@testable import RerenderGTK

@Suite("The HUD where there is little room, and its crosshair") struct HUDPickTests {
    private func begun(_ width: Double, _ height: Double, rows: Int = 4) -> HUDFixture {
        var hud = HUDFixture(rows: 0)
        hud.state.resize(to: HUDSize(width, height))
        hud.state.show(HUDFixture.content(rows: rows))
        return hud
    }

    @Test("It begins as a title strip where it would cover more than a third of the window")
    func beginning() {
        #expect(begun(200, 200).state.isCollapsed && begun(400, 300).state.isCollapsed)
        #expect(!begun(800, 600).state.isCollapsed && !begun(700, 500, rows: 6).state.isCollapsed)
        #expect(begun(600, 400, rows: 40).state.isCollapsed && begun(600, 400, rows: 1).state.isCollapsed)
    }

    @Test("Later it stays as it is: the user opens it, and rows that come do not close it")
    func later() {
        var hud = begun(400, 300)
        hud.click(.header)
        #expect(!hud.state.isCollapsed)
        hud.state.show(HUDFixture.content(rows: 40))
        hud.state.resize(to: HUDSize(390, 300))
        #expect(!hud.state.isCollapsed)
        var wide = begun(800, 600)
        wide.state.resize(to: HUDSize(300, 300))
        #expect(!wide.state.isCollapsed)
        var keyboard = begun(400, 300)
        keyboard.send(.shortcut)
        #expect(!keyboard.state.isCollapsed)
    }

    @Test(
        "A key is told by what differs, with what it is of below it",
        arguments: [
            ("ChessWindow/GtkButton#first_move_button", "first_move_button", "ChessWindow/GtkButton"),
            ("GtkLabel#title", "title", "GtkLabel"), ("AdwLeaflet", "AdwLeaflet", ""),
            ("KgxPages/GtkRevealer", "GtkRevealer", "KgxPages"),
            ("Shop/ProductRow.swift:40", "ProductRow.swift:40", "Shop"), ("Row #3", "Row #3", ""),
            ("Sidebar/", "Sidebar/", ""), ("#id", "#id", ""), ("A#", "A#", ""), ("", "", ""),
        ])
    func names(key: String, name: String, owner: String) {
        #expect(HUDName(key).name == name && HUDName(key).owner == owner)
    }

    @Test("Both parts are drawn, the owner below the name and beside the reason")
    func rows() throws {
        var hud = HUDFixture(rows: 0)
        hud.state.show(HUDContent(rows: [HUDRow(key: "ChessWindow/GtkButton#next", count: 3, why: "state hover")]))
        let name = try #require(hud.texts.first { $0.text == "next" })
        let owner = try #require(hud.texts.first { $0.text == "ChessWindow/GtkButton" })
        let why = try #require(hud.texts.first { $0.text == "state hover" })
        #expect(owner.frame.y > name.frame.y && owner.frame.y == why.frame.y && owner.frame.maxX < why.frame.x)
        #expect(owner.color != why.color && !hud.shows("ChessWindow/GtkButton#next"))
    }

    @Test("The crosshair takes the next click outside of the HUD from the program, and asks for the widget there")
    func picks() {
        var hud = HUDFixture()
        #expect(hud.click(.pick) == [.redraw])
        #expect(hud.state.isPicking)
        #expect(hud.shows("click a widget to see its row"))
        let point = HUDPoint(100, 500)
        #expect(hud.consumes(.motion(point)) == [false], "the program sees the pointer")
        let press = hud.state.take(.press(point))
        #expect(press.isConsumed && press.actions == [.pick(point), .redraw])
        #expect(hud.consumes(.release(point)) == [true])
        #expect(!hud.state.isPicking)
        #expect(hud.consumes(.press(point), .release(point)) == [false, false], "the next click is the program's")
    }

    @Test("A second click on it, another button, and the title strip end that")
    func endsPicking() {
        var hud = HUDFixture()
        hud.click(.pick)
        hud.click(.pick)
        #expect(!hud.state.isPicking)
        hud.click(.pick)
        let point = HUDPoint(100, 500)
        #expect(hud.send(.press(point, button: 3), .release(point, button: 3)) == [.redraw])
        #expect(!hud.state.isPicking)
        hud.click(.pick)
        hud.click(.collapse)
        #expect(!hud.state.isPicking)
    }

    @Test("The row of what was picked is opened and scrolled to; where nothing is counted, it says so")
    func shows() {
        var hud = HUDFixture(rows: 60)
        #expect(hud.state.show(picked: "View50").contains(.expand("View50")))
        #expect(hud.state.expanded == "View50" && hud.point(.row("View50")) != nil)
        #expect(hud.state.show(picked: "View50") == [.redraw], "it stays open")
        #expect(hud.state.show(picked: nil) == [.redraw])
        #expect(hud.state.message == "nothing that is counted is there" && hud.state.expanded == "View50")
    }

    @Test("A folded row is listed for what was picked, and nothing else is unfolded")
    func opensFolded() {
        var hud = HUDFixture(rows: 0)
        hud.state.show(HUDFixture.content(rows: 60, folded: 2))
        #expect(hud.state.show(picked: "View60").contains(.expand("View60")))
        var content = HUDFixture.content(rows: 61, folded: 1)
        content.details = HUDDetails(key: "View60")
        hud.state.show(content)
        hud.state.closeUnlisted()
        #expect(hud.state.expanded == "View60" && hud.point(.row("View60")) != nil && !hud.state.showsAll)
    }

    @Test("Of what was picked and has no row, it says so, and folds and unfolds nothing")
    func unlisted() {
        var hud = HUDFixture(rows: 0)
        let content = HUDFixture.content(rows: 4, folded: 2)
        hud.state.show(content)
        #expect(hud.state.show(picked: "Window/GtkLabel#other").contains(.expand("Window/GtkLabel#other")))
        hud.state.show(content)
        hud.state.say("1 instance on the screen")
        hud.state.closeUnlisted()
        #expect(hud.state.message == "other is not in this list")
        #expect(hud.state.expanded == nil && !hud.state.showsAll && hud.state.content == content)
    }
}
