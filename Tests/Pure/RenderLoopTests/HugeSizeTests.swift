// SPDX-License-Identifier: MIT
// Numbers of cells without bounds: as much as there can be, and the program goes on.

import RenderLoop
import Testing
@testable import RenderLoopSupport

@MainActor
@Suite struct HugeSizeTests {
    @Test func hugeSizesOffsetsPaddingsAndSpacingsAreAsMuchAsThereCanBe() {
        let stage = Stage(
            VStack(alignment: .leading, spacing: .max) {
                Text("first")
                Text("wide").frame(width: .max, height: .max, alignment: .topLeading).border(.red)
                Text("far").offset(x: .max, y: .min).offset(x: .max)
                Text("inside").padding(.max)
                Text("negative").padding(.min).frame(width: .min, height: .min)
                GeometryReader { Text("\($0.size.width)") }.frame(width: .max)
                List(0..<3, id: \.self) { Text("\($0)").frame(height: .max) }.frame(height: .max).inputName("list")
            }
            .padding(EdgeInsets(top: 0, leading: 0, bottom: .max, trailing: .max)))
        #expect(stage.screen == "first")
        stage.loop.send(InputEvent(.scrolled(.max), target: "list"))
        stage.loop.send(InputEvent(.scrolled(.max), target: "list"))
        stage.loop.send(InputEvent(.tap, location: CellPoint(x: .max, y: .max)))
        stage.clock.nextFrame()
        #expect(stage.screen == "first")
    }

    @Test func numbersOfCellsStayWithinTheirBounds() {
        let most = 1 << 30
        #expect(CellSize(width: .max, height: .min) == CellSize(width: most, height: 0))
        var point = CellPoint(x: .max, y: .min)
        #expect((point.x, point.y) == (most, -most))
        point.x += most
        #expect(point.x == most)
        var size = CellSize.zero
        size.width -= 1
        size.height = .max
        #expect((size.width, size.height) == (0, most))
        #expect(ProposedSize(width: .max, height: -1) == ProposedSize(width: most, height: 0))
        #expect(EdgeInsets(top: .max, leading: .min, bottom: 0, trailing: 1).leading == -most)
        let rect = CellRect(origin: point, size: size).union(CellRect(origin: CellPoint(x: .min, y: 0), size: size))
        #expect(rect.size.width == most)
    }

    @Test func aHugeScreenIsDrawnAsFarAsItCanBeSeen() {
        let clock = VirtualClock()
        let loop = RenderLoop(
            Text("shown").background(Color.red).frame(width: .max), driver: clock,
            size: CellSize(width: .max, height: 1))
        let renderer = TextRenderer()
        loop.add(renderer)
        clock.settle()
        #expect(renderer.text == "", "in the middle, which is far away")
    }
}
