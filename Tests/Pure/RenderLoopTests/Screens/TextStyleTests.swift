// SPDX-License-Identifier: MIT
// What a renderer finds of fonts.

import Foundation
import RenderLoop
import Testing
@testable import RenderLoopSupport

@MainActor
@Suite struct TextStyleTests {
    /// The contents of the layers, from the outside in.
    private func contents(_ view: some View) -> [LayerContent] {
        func all(_ layer: Layer) -> [LayerContent] {
            [layer.committed.content].filter { $0 != .none } + layer.committed.sublayers.flatMap(all)
        }
        return all(Stage(view).loop.committedRoot)
    }

    @Test func aFontIsALayerAroundTheText() {
        #expect(contents(Text("a").font(.headline)) == [.font(.headline), .text("a")])
        #expect(contents(Text("a").font(nil)) == [.font(nil), .text("a")])
    }

    @Test func aFontIsAValueWithASizeOrAStyle() {
        #expect(Font.title != .body)
        let font = Font.system(size: 12, weight: .semibold, design: .monospaced)
        #expect(font.size == 12 && font.weight == .semibold && font.design == .monospaced)
        #expect(Font.caption.bold().weight == .bold && Font.caption.bold().textStyle == .caption)
        #expect(Font.system(.title2, design: .serif).textStyle == .title2)
        #expect(Font.body.monospaced().design == .monospaced)
    }

    @Test func hiddenViewsKeepTheirPlace() {
        #expect(
            Stage(
                HStack(spacing: 0) {
                    Text("ab").hidden(); Text("c")
                }
            ).screen == "  c")
    }
}
