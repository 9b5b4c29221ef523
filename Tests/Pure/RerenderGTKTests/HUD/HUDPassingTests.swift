// SPDX-License-Identifier: MIT
// Which events reach the program.

import Testing

@testable import RerenderGTK

@Suite("Events beside the HUD") struct HUDPassingTests {
    private let outside = HUDPoint(100, 500)

    @Test("Clicks, motion and the wheel outside pass") func outsidePasses() {
        var hud = HUDFixture()
        let passed = hud.consumes(
            .motion(outside), .press(outside), .release(outside), .scroll(outside, by: 30), .leave, .key(.enter))
        #expect(!passed.contains(true))
    }

    @Test("Inside none of them reaches the program") func insideStops() throws {
        var hud = HUDFixture()
        let point = try #require(hud.point(.row("View0")))
        let consumed = hud.consumes(.motion(point), .press(point), .release(point), .scroll(point, by: 30))
        #expect(!consumed.contains(false))
    }

    @Test("A drag that the program began crosses the HUD untouched") func foreignDrag() throws {
        var hud = HUDFixture()
        let inside = try #require(hud.point(.row("View0")))
        let passed = hud.consumes(
            .press(outside), .motion(inside), .scroll(inside, by: 10), .press(inside, button: 3),
            .release(inside, button: 3), .release(inside))
        #expect(!passed.contains(true))
        #expect(hud.consumes(.motion(inside)) == [true])
    }

    @Test("A drag of the HUD keeps the pointer until the release, wherever that is") func ownDrag() throws {
        var hud = HUDFixture()
        let header = try #require(hud.point(.header))
        let consumed = hud.consumes(
            .press(header), .motion(outside), .press(outside, button: 3), .release(outside, button: 3),
            .release(outside))
        #expect(!consumed.contains(false))
    }

    @Test("A release that went to another window, such as a menu, leaves no button held") func lostRelease() throws {
        var hud = HUDFixture()
        let header = try #require(hud.point(.header))
        #expect(hud.consumes(.press(outside, button: 3)) == [false])
        #expect(hud.state.loseButtons() == [])
        #expect(hud.consumes(.press(header), .motion(outside)) == [true, true])
        #expect(hud.state.loseButtons() == [.redraw])
        let beside = HUDPoint(600, 100)
        #expect(hud.consumes(.motion(beside), .release(beside)) == [false, false])
        #expect(hud.state.loseButtons() == [])
    }

    @Test("A second button's release is the HUD's as its press is, also after that of the first") func twoButtons()
        throws
    {
        var hud = HUDFixture()
        let row = try #require(hud.point(.row("View2")))
        let taken = hud.consumes(
            .press(row), .press(outside, button: 3), .release(outside), .release(outside, button: 3))
        #expect(taken == [true, true, true, true])
        let later = hud.consumes(.press(outside, button: 3), .release(outside, button: 3))
        #expect(later == [false, false])
    }

    @Test("Taken away while it is dragged, it gives the pointer and the keyboard back") func leave() throws {
        var hud = HUDFixture()
        let header = try #require(hud.point(.header))
        #expect(hud.consumes(.shortcut, .press(header), .motion(outside)) == [true, true, true])
        hud.state.leave()
        #expect(hud.consumes(.motion(outside), .key(.down), .release(outside)) == [false, false, false])
        #expect(hud.point(.header) == header)
    }

    @Test("Of a title strip only the strip stops events") func strip() throws {
        var hud = HUDFixture()
        let row = try #require(hud.point(.row("View2")))
        hud.click(.collapse)
        #expect(hud.consumes(.press(row), .release(row)) == [false, false])
    }

    @Test("Keys reach the program, but while the keyboard is lent") func keys() {
        var hud = HUDFixture()
        #expect(hud.consumes(.key(.down), .key(.character("c"))) == [false, false])
        #expect(hud.consumes(.shortcut, .key(.down), .key(.character("x"))) == [true, true, true])
        #expect(hud.consumes(.key(.escape), .key(.escape)) == [true, false])
    }

    @Test("Motion outside of the HUD asks for nothing") func quiet() {
        var hud = HUDFixture()
        #expect(hud.send(.motion(outside), .motion(HUDPoint(120, 480)), .leave) == [])
    }
}
