// SPDX-License-Identifier: MIT
// What layers look like as characters.

import RenderLoop
import Testing
@testable import RenderLoopSupport

@MainActor
@Suite struct DrawingTests {
    private func screen(_ view: some View) -> String { Stage(view, width: 20, height: 8).screen }

    private enum WidthKey: PreferenceKey {
        static let defaultValue = 0
        static func reduce(value: inout Int, nextValue: () -> Int) { value = max(value, nextValue()) }
    }

    @Test func aClearColourHidesNothing() {
        #expect(screen(Text("seen").overlay(Color.clear)) == "seen")
        #expect(screen(Color.clear.background(Text("seen")).frame(width: 4, height: 1)) == "seen")
        let stack = ZStack {
            Text("under")
            Color.clear
        }
        #expect(screen(stack.frame(width: 5, height: 1)) == "under")
        #expect(screen(Text("abc\nabc\nabc").border(.clear)) == "abc\nabc\nabc")
        let layer = LayerReference()
        let stage = Stage(Text("seen").overlay(LayerHost(layer)), width: 20, height: 8)
        stage.act { layer.layer?.content = .fill(.clear) }
        #expect(stage.screen == "seen")
        let blank = Color(red: 0, green: 0, blue: 0, letter: " ")
        #expect(screen(Text("seen").overlay(blank)) == "", "one's own is drawn whatever its letter")
    }

    @Test func aClearColourIsAsLargeAsAnyOther() {
        #expect(screen(Color.clear.frame(width: 2, height: 1).border(.red)) == "++")
        var widths: [Int] = []
        let measured = Text("geo")
            .overlay(GeometryReader { Color.clear.preference(key: WidthKey.self, value: $0.size.width) })
            .onPreferenceChange(WidthKey.self) { widths.append($0) }
        #expect(screen(measured) == "geo")
        #expect(widths == [3])
    }

    private struct Blinking: View {
        @State private var shows = true
        var body: some View {
            VStack(alignment: .leading) {
                Text("seen").overlay(shows ? Color.red : .clear)
                Button("blink") { shows.toggle() }
            }
        }
    }

    @Test func aColourBecomesClearAndComesBack() {
        let stage = Stage(Blinking())
        #expect(stage.lines.first == "RRRR")
        stage.tap("blink")
        #expect(stage.lines.first == "seen")
        stage.tap("blink")
        #expect(stage.lines.first == "RRRR")
    }

    @Test(arguments: [
        "\u{1B}", "\r", "\u{7}", "\0", "\u{8}", "\u{B}", "\u{7F}", "\u{85}", "\u{9B}", "\u{2028}", "\u{202E}",
    ])
    func whatATerminalWouldObeyIsShownInOneCell(text: String) {
        let row = HStack(spacing: 0) {
            Text("a\(text)b")
            Text("|")
        }
        #expect(screen(row) == "a\u{FFFD}b|")
        let color = Color(red: 1, green: 0, blue: 0, letter: Character(text))
        #expect(screen(color.frame(width: 2, height: 1)) == "\u{FFFD}\u{FFFD}")
    }

    @Test func aSequenceOfATerminalIsText() {
        #expect(screen(Text("\u{1B}[31mred\u{1B}[0m")) == "\u{FFFD}[31mred\u{FFFD}[0m")
        #expect(screen(Text("a\tb\tc").padding().border(.red)) == "+-----+\n|a b c|\n+-----+")
    }

    @Test(arguments: [" \u{301}", "\u{A0}\u{301}", " \u{20DD}"])
    func aSpaceWithAMarkIsSeen(text: String) {
        #expect(screen(Text("a\(text)b")) == "a\(text)b")
        #expect(screen(Text("b").overlay(Text(" "))) == "b", "one without is not")
    }

    @Test func theOpacitiesOfLayersInEachOtherAreMultiplied() {
        #expect(screen(Text("seen").opacity(0.8).opacity(0.8)) == "seen")
        #expect(screen(Text("seen").opacity(0.7).opacity(0.7)) == "")
        #expect(screen(VStack { Text("seen").opacity(0.6) }.opacity(0.6)) == "")
    }
}
