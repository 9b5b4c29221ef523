// SPDX-License-Identifier: MIT
// Keys as a terminal sends them, and what they do.

import RenderLoopScenarios
import TestSupport
import Testing

@Suite struct KeyParserTests {
    private static let typed: [(String, [Key])] = [
        ("a", [.character("a")]), ("q ", [.character("q"), .character(" ")]), ("\t\u{1B}[Z", [.tab, .backTab]),
        ("\u{1B}[A\u{1B}[B\u{1B}[C\u{1B}[D", [.up, .down, .right, .left]),
        ("\u{1B}OA\u{1B}OB", [.up, .down]), ("\r\n", [.enter, .enter]), ("\u{7F}\u{8}", [.backspace, .backspace]),
        ("\u{3}", [.end]), ("\u{4}", [.end]), ("é♥😀", [.character("é"), .character("♥"), .character("😀")]),
        ("\u{1B}[1;5Cx", [.right, .character("x")]), ("\u{1B}[15~x", [.character("x")]),
        ("\u{1}\u{2}x", [.character("x")]),
    ]

    @Test(arguments: typed)
    func keysAreRecognised(text: String, expected: [Key]) {
        var parser = KeyParser()
        let keys = parser.keys(in: text.utf8)
        #expect(keys == expected)
    }

    @Test(arguments: typed)
    func aKeyMayComeInPieces(text: String, expected: [Key]) {
        // But for an escape alone, which is a key.
        guard !text.contains("\u{1B}") else { return aSequenceMayComeInPieces(text, expected) }
        var parser = KeyParser()
        var keys: [Key] = []
        for byte in text.utf8 { keys += parser.keys(in: [byte]) }
        #expect(keys == expected)
    }

    private func aSequenceMayComeInPieces(_ text: String, _ expected: [Key]) {
        var parser = KeyParser()
        var keys: [Key] = []
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.first == 0x1B ? 2 : 1
            keys += parser.keys(in: bytes.prefix(count))
            bytes = bytes.dropFirst(count)
        }
        #expect(keys == expected)
    }

    @Test func anEscapeAloneIsAKey() {
        var parser = KeyParser()
        let first = parser.keys(in: [0x1B])
        let second = parser.keys(in: [0x61])
        #expect(first == [.escape])
        #expect(second == [.character("a")])
    }

    @Test(
        arguments: [
            ([0xC3, 0x61], [.character("a")]), ([0xE2, 0x99, 0x03], [.end]), ([0xF0, 0x1B, 0x5B, 0x41], [.up]),
            ([0xC3, 0xC3, 0xA9], [.character("é")]), ([0xA9, 0x61], [.character("a")]),
            ([0x1B, 0x1B, 0x5B, 0x41], [.escape, .up]), ([0x1B, 0x1B], [.escape, .escape]),
        ] as [([UInt8], [Key])])
    func whatIsNotFinishedTakesNothingAlong(bytes: [UInt8], expected: [Key]) {
        var parser = KeyParser()
        let keys = parser.keys(in: bytes)
        #expect(keys == expected)
    }

    @Test func whatIsNoTextIsDroppedAndKeepsNothingBack() {
        var generator = SeededGenerator(seed: 7)
        var parser = KeyParser()
        for _ in 0..<2_000 {
            let bytes = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            for case .character(let character) in parser.keys(in: bytes) {
                #expect(character.unicodeScalars.allSatisfy { $0.isTyped })
            }
        }
        // Whatever came before, these end it.
        _ = parser.keys(in: Array(repeating: 0x41, count: 40))
        let keys = parser.keys(in: [0x62])
        #expect(keys == [.character("b")])
    }
}

@Suite struct FocusTests {
    private static let form: [ScreenControl] = [.field("name"), .slider("volume"), .button("save")]

    /// What keys lead to, one after the other.
    private func actions(_ keys: [Key], _ controls: [ScreenControl] = form) -> [KeyAction?] {
        var focus = Focus(controls)
        return keys.map { focus.press($0) }
    }

    @Test func tabAndArrowsGoRound() {
        var focus = Focus(Self.form)
        var names: [String?] = []
        for key in [Key.tab, .down, .tab, .backTab, .up, .up] {
            let action = focus.press(key)
            #expect(action == .focus)
            names.append(focus.control?.name)
        }
        #expect(names == ["volume", "save", "name", "save", "volume", "name"])
    }

    @Test func enterAndSpaceTapAButton() {
        #expect(actions([.backTab, .enter, .character(" ")]) == [.focus, .step(.tap("save")), .step(.tap("save"))])
    }

    @Test func aFieldTakesEveryCharacter() {
        #expect(
            actions([.character("q"), .character(" "), .backspace, .enter])
                == [.step(.type("q")), .step(.type(" ")), .step(.type("\u{7F}")), nil])
    }

    @Test func aSliderMovesInTenthsFromTheMiddleToItsEnds() {
        let steps = actions([.tab] + Array(repeating: .right, count: 6) + Array(repeating: .left, count: 2))
        #expect(steps == [.focus] + [0.6, 0.7, 0.8, 0.9, 1, 1, 0.9, 0.8].map { .step(.slide($0)) })
    }

    @Test func leftAndRightMoveTheFocusBetweenButtons() {
        #expect(
            actions([.right, .enter, .left, .enter], [.button("a"), .button("b")])
                == [.focus, .step(.tap("b")), .focus, .step(.tap("a"))])
    }

    @Test func qAndTheEndOfTheInputQuit() {
        #expect(actions([.tab, .character("q"), .end, .escape]) == [.focus, .quit, .quit, nil])
        #expect(actions([.end]) == [.quit])
    }

    @Test func withoutControlsOnlyLeavingIsLeft() {
        #expect(actions([.tab, .enter, .left, .character("x"), .character("q")], []) == [nil, nil, nil, nil, .quit])
    }
}

@Suite struct TerminalPageTests {
    private func page(columns: Int = 80, lines: Int = 24) -> String {
        var focus = Focus([.button("heart"), .button("season")])
        _ = focus.press(.tab)
        return TerminalPage.text(
            title: "title", screen: "first\nsecond", focus: focus, note: StepNote("note"), columns: columns,
            lines: lines)
    }

    @Test func aPageIsDrawnOverTheOneBefore() {
        let text = page()
        #expect(text.hasPrefix("\u{1B}[Htitle\u{1B}[K\n"))
        #expect(text.hasSuffix("\u{1B}[J"))
        #expect(text.contains("first\u{1B}[K\nsecond\u{1B}[K"))
        #expect(text.contains("▸season◂") && !text.contains("▸heart◂"))
        #expect(text.contains("note") && text.contains("q: quit"))
    }

    @Test(arguments: [
        (ScreenControl.field("name"), "characters: type   Ctrl-C: quit"),
        (.slider("volume"), "left, right: slide   q: quit"),
        (.button("save"), "enter, space: tap   q: quit"),
    ])
    func theKeysAreThoseOfTheFocusInATerminalOf60Columns(control: ScreenControl, end: String) throws {
        let text = TerminalPage.text(
            title: "", screen: "", focus: Focus([control]), note: StepNote(), columns: 60, lines: 24)
        let keys = try #require(text.split(separator: "\n").last)
        #expect(keys.hasSuffix(end + "\u{1B}[K\u{1B}[J"), "\(keys)")
        // A field takes it as a text.
        var focus = Focus([control])
        let action = focus.press(.character("q"))
        #expect((action == .quit) == keys.contains("q: quit"))
    }

    @Test func aSmallTerminalGetsWhatFits() {
        let lines = page(columns: 6, lines: 4).dropFirst(3).split(separator: "\n").map { $0.prefix { $0 != "\u{1B}" } }
        #expect(lines == ["title", "", "first"])
        #expect(!page(columns: 0, lines: 0).isEmpty)
    }
}
