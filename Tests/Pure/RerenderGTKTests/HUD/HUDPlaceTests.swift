// SPDX-License-Identifier: MIT
// Where the HUD stands: its corner, dragging, and windows that are small.

import Testing

@testable import RerenderGTK

@Suite("The HUD's place") struct HUDPlaceTests {
    @Test("It stands in its corner, away from the edges", arguments: HUDCorner.allCases)
    func corner(corner: HUDCorner) throws {
        let frame = try #require(HUDFixture(corner: corner).state.frame)
        let isLeft = corner == .topLeft || corner == .bottomLeft
        let isTop = corner == .topLeft || corner == .topRight
        #expect(isLeft ? frame.x == 10 : frame.maxX == 790)
        #expect(isTop ? frame.y == 10 : frame.maxY == 590)
    }

    @Test("It leaves the title bar free") func titleBar() throws {
        var hud = HUDFixture()
        hud.state.resize(to: HUDSize(800, 600), top: 46)
        #expect(try #require(hud.state.frame).y == 56)
    }

    @Test("It follows its corner when the window is resized") func resize() throws {
        var hud = HUDFixture(corner: .bottomRight)
        hud.state.resize(to: HUDSize(1000, 700))
        let frame = try #require(hud.state.frame)
        #expect(frame.maxX == 990 && frame.maxY == 690)
    }

    @Test("Dragged by its header it follows the pointer") func drag() throws {
        var hud = HUDFixture()
        let start = try #require(hud.point(.header))
        let before = try #require(hud.state.frame)
        let actions = hud.send(.press(start), .motion(HUDPoint(start.x - 200, start.y + 100)))
        let frame = try #require(hud.state.frame)
        #expect(frame.x == before.x - 200 && frame.y == before.y + 100)
        #expect(actions == [.redraw])
    }

    @Test("It is not dragged out of the window") func dragOut() throws {
        var hud = HUDFixture()
        let start = try #require(hud.point(.header))
        hud.send(.press(start), .motion(HUDPoint(-5_000, 5_000)))
        let frame = try #require(hud.state.frame)
        #expect(frame.x == 0 && frame.maxY == 600)
    }

    @Test(
        "Released it goes to the nearest corner and remembers it",
        arguments: zip(
            [HUDPoint(250, 150), HUDPoint(550, 150), HUDPoint(250, 450), HUDPoint(550, 450)],
            [HUDCorner.topLeft, .topRight, .bottomLeft, .bottomRight]))
    func snap(middle: HUDPoint, corner: HUDCorner) throws {
        var hud = HUDFixture()
        #expect(hud.drag(middleTo: middle).contains(.redraw))
        #expect(hud.state.corner == corner)
        let frame = try #require(hud.state.frame)
        let goal = corner.origin(of: HUDSize(frame.width, frame.height), in: hud.state.area)
        #expect(HUDPoint(frame.x, frame.y) == goal)
        hud.state.resize(to: HUDSize(900, 500))
        #expect(hud.state.corner == corner)
    }

    @Test("A pointer that shakes while it clicks does not drag") func shake() throws {
        var hud = HUDFixture()
        let start = try #require(hud.point(.header))
        let before = hud.state.frame
        let end = HUDPoint(start.x + 2, start.y + 2)
        let actions = hud.send(.press(start), .motion(end), .release(end))
        #expect(actions == [] && hud.state.frame == before)
    }

    @Test("Where the system takes the pointer away, a drag ends in a corner") func cancel() throws {
        var hud = HUDFixture()
        let start = try #require(hud.point(.header))
        hud.send(.press(start), .motion(HUDPoint(100, 500)))
        #expect(hud.send(.cancel).contains(.redraw))
        #expect(hud.state.corner == .bottomLeft)
        #expect(hud.consumes(.motion(HUDPoint(400, 100)), .release(HUDPoint(400, 100))) == [false, false])
    }

    @Test("In a window that is too small it is not there") func tooSmall() {
        var hud = HUDFixture()
        hud.state.resize(to: HUDSize(120, 600))
        #expect(hud.state.frame == nil && hud.state.operations.isEmpty)
        #expect(hud.consumes(.press(HUDPoint(60, 20)), .release(HUDPoint(60, 20))) == [false, false])
    }

    @Test("In a low window it is a title strip, in a narrow one it is narrower") func small() throws {
        var hud = HUDFixture()
        hud.state.resize(to: HUDSize(800, 80))
        #expect(try #require(hud.state.frame).height == HUDMetrics.header)
        hud.state.resize(to: HUDSize(250, 600))
        #expect(try #require(hud.state.frame).width == 230)
    }
}
