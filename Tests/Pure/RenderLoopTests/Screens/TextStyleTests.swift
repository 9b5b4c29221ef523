// SPDX-License-Identifier: MIT
// What a renderer finds of fonts, colours, icons and corners.

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

    @Test func fontsAndStylesAreLayersAroundTheText() {
        let bold = Text("a").font(.headline).fontWeight(.bold)
        #expect(contents(bold) == [.fontWeight(.bold), .font(.headline), .text("a")])
        #expect(contents(Text("a").foregroundStyle(.red)) == [.foreground(.color(.red)), .text("a")])
        #expect(contents(Text("a").foregroundStyle(.secondary)) == [.foreground(.level(1)), .text("a")])
        #expect(contents(Text("a").foregroundColor(nil)) == [.foreground(nil), .text("a")])
        #expect(contents(Text("a").cornerRadius(8)) == [.corners(radius: 8), .text("a")])
    }

    @Test func aFontIsAValueWithASizeOrAStyle() {
        #expect(Font.title != .body)
        let font = Font.system(size: 12, weight: .semibold, design: .monospaced)
        #expect(font.size == 12 && font.weight == .semibold && font.design == .monospaced)
        #expect(Font.caption.bold().weight == .bold && Font.caption.bold().textStyle == .caption)
        #expect(Font.system(.title2, design: .serif).textStyle == .title2)
        #expect(Font.body.italic().isItalic && Font.body.monospaced().design == .monospaced)
    }

    private struct FontName: View {
        @Environment(\.font) private var font
        var body: some View { Text(font?.textStyle.rawValue ?? "none") }
    }

    @Test func theFontIsInTheEnvironment() {
        #expect(Stage(FontName()).screen == "none")
        #expect(Stage(FontName().font(.caption).font(.title)).screen == "caption", "the nearest counts")
    }

    @Test func anIconIsOneCharacterAndALabelHasItBeforeItsTitle() {
        #expect(Stage(Image(systemName: "star.fill")).screen == "★")
        #expect(Stage(Image(systemName: "no.such.icon")).screen == "□")
        #expect(Stage(Label("Likes", systemImage: "heart.fill")).screen == "♥ Likes")
        #expect(contents(Label("a", systemImage: "house")) == [.icon("house"), .text("a")])
        let own = Label {
            Text("title")
        } icon: {
            Text("*")
        }
        #expect(Stage(own).screen == "* title")
    }

    @Test func cornersCutOffWhatIsOutsideOfTheFrame() {
        #expect(Stage(Text("abcdef").frame(width: 3, alignment: .leading).cornerRadius(4)).screen == "abc")
    }

    @Test func hiddenViewsKeepTheirPlace() {
        #expect(
            Stage(
                HStack(spacing: 0) {
                    Text("ab").hidden(); Text("c")
                }
            ).screen == "  c")
    }

    @Test func anyViewHidesAType() {
        #expect(Stage(AnyView(erasing: Text("a"))).screen == "a")
    }
}
