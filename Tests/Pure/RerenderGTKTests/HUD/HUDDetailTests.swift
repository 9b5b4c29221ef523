// SPDX-License-Identifier: MIT
// What is open below a row.

import Testing

@testable import RerenderGTK

@Suite("The HUD's details") struct HUDDetailTests {
    private static func opened(_ details: HUDDetails, hangs: UInt64 = 0) -> HUDFixture {
        var hud = HUDFixture(rows: 0)
        let rows = [HUDRow(key: "Row", count: 12, hangs: hangs)]
        hud.state.show(HUDContent(rows: rows))
        hud.click(.row("Row"))
        hud.state.show(HUDContent(rows: rows, details: details))
        return hud
    }

    @Test("They have times, the place, hangs, and reasons with their writers") func all() {
        let details = HUDDetails(
            key: "Row", body: HUDTimes(last: 412_000, average: 380_500), total: HUDTimes(last: 1_500_000),
            place: "Row.swift:42", hangs: HUDHangs(last: 611_000_000, worst: 1_204_000_000),
            reasons: [HUDReason("items", count: 12, writer: "Model.load()"), HUDReason("theme", count: 3)])
        let hud = Self.opened(details, hangs: 2)
        for text in [
            "last 412µs · average 380µs", "last 1.50ms · average –", "Row.swift:42", "2 · last 611ms · longest 1.20s",
            "items × 12", "by Model.load()", "theme × 3",
        ] {
            #expect(hud.shows(text), "\(text)")
        }
    }

    @Test("What is unknown is a dash, and no hangs are none") func unknown() {
        let hud = Self.opened(HUDDetails(key: "Row"))
        #expect(hud.texts.filter { $0.text == "last – · average –" }.count == 2)
        #expect(hud.shows("none"))
    }

    @Test("What may be missing from the numbers is told below a row, and that something is, in the footer") func gaps()
    {
        var hud = Self.opened(HUDDetails(key: "Row"))
        #expect(hud.shows("1 view") && !hud.shows("Gap"))
        var content = hud.state.content
        content.gaps = ["the protocol View of Kit is not the one that rerender knows: instances are unknown"]
        hud.state.show(content)
        #expect(hud.shows("1 view · not all is known") && hud.shows("Gap"))
        #expect(hud.shows("the protocol View of Kit is not the one that rerender knows"))
        #expect(hud.shows("instances are unknown"))
    }

    @Test("Six reasons are shown, the others counted") func manyReasons() {
        let reasons = (0..<40).map { HUDReason("r\($0)", count: 1) }
        let hud = Self.opened(HUDDetails(key: "Row", reasons: reasons))
        #expect(hud.shows("r5 × 1") && !hud.shows("r6 × 1") && hud.shows("34 more"))
    }

    @Test("Details of another view are not shown") func other() {
        let hud = Self.opened(HUDDetails(key: "Else", place: "Else.swift:1"))
        #expect(!hud.shows("Else.swift:1") && hud.shows("no details yet"))
    }

    @Test("The list scrolls so that they can be seen") func reveal() throws {
        var hud = HUDFixture(rows: 40)
        let last = try #require(hud.state.layout.items.last { $0.frame.maxY <= hud.state.layout.list?.maxY ?? 0 })
        hud.click(last.target)
        var content = HUDFixture.content(rows: 40)
        content.details = HUDDetails(key: "View\(last.index)")
        hud.state.show(content)
        let details = try #require(hud.state.layout.items.first { $0.target == .details })
        #expect(details.frame.maxY <= (try #require(hud.state.layout.list)).maxY)
    }

    @Test("Rows below them can be clicked") func rowsBelow() {
        var hud = HUDFixture()
        hud.click(.row("View0"))
        #expect(hud.click(.row("View3")).contains(.expand("View3")))
    }
}
