// SPDX-License-Identifier: MIT
// What a terminal says of the last step.

import RenderLoopScenarios
import Testing

@Suite struct DoneStepsTests {
    private func text(_ steps: ScriptStep...) -> String {
        var done = DoneSteps()
        for step in steps { done.add(step) }
        return done.text
    }

    @Test func keysThatFollowEachOtherAreOneText() {
        #expect(text(.type("a"), .type(","), .type("b")) == #"type:a\,b"#)
        #expect(text(.type("a"), .slide(0.6), .type("b")) == "type:a,slide:0.6,type:b")
        var begun = DoneSteps("appears")
        begun.add(.type("a"))
        begun.add(.type("b"))
        #expect(begun.text == "appears,type:ab")
        #expect(DoneSteps().text.isEmpty)
    }

    @Test func backspaceHasAName() {
        let erase = ScriptStep.type("\u{7F}")
        #expect(text(erase) == "backspace")
        #expect(text(.type("a"), erase, erase, .type("b")) == "type:a,backspace 2×,type:b")
    }

    @Test(arguments: ["👨‍👩‍👧", "❤️", "e\u{301}", "🇩🇪"])
    func aCharacterOfSeveralScalarsIsWholeAgain(character: String) {
        var (done, parser) = (DoneSteps(), KeyParser())
        var focus = Focus([.field("name")])
        for key in parser.keys(in: character.utf8) {
            if case .step(let step) = focus.press(key) { done.add(step) }
        }
        #expect(done.text == "type:" + character)
    }

    @Test func whatIsNotSeenAloneIsNamed() {
        #expect(text(.type("\u{200D}")) == "type:U+200D")
        #expect(text(.type("\u{FE0F}"), .type("\u{E0067}")) == "type:U+FE0F U+E0067")
        #expect(text(.type("\u{301}")) == "type:U+0301")
        #expect(text(.type("\u{200D}"), .type("x")) == "type:\u{200D}x")
        #expect(text(.type(" ")) == "type: ")
    }
}

@Suite struct StepNoteTests {
    private let views = "Form, NameRow 3×"

    @Test func anActionThatFitsIsWhole() {
        #expect(StepNote("type:ab", views).line(columns: 24) == "type:ab Form, NameRow 3×")
        #expect(StepNote("", views).line(columns: 16) == views)
        #expect(StepNote().line(columns: 10).isEmpty)
    }

    @Test func aLongActionIsCutForTheViews() {
        let note = StepNote("type:" + String(repeating: "a", count: 5_000), views)
        #expect(note.line(columns: 39) == "type:" + String(repeating: "a", count: 16) + "… " + views)
        #expect(note.line(columns: 29) == "type:aaaaaa… Form, NameRow 3×")
    }

    @Test func whereBothDoNotFitTheActionIsStillKnown() {
        let note = StepNote("type:" + String(repeating: "a", count: 5_000), views)
        #expect(note.line(columns: 19) == "type:aaaaaa… Form,…")
        #expect(note.line(columns: 6) == "type:…")
        #expect(note.line(columns: 1) == "…")
    }

    @Test(arguments: ["😀", "漢", "👨‍👩‍👧", "❤️"])
    func charactersOfTwoColumnsPushNothingOff(wide: Character) {
        let note = StepNote("type:" + String(repeating: wide, count: 100), views)
        #expect(note.line(columns: 39) == "type:" + String(repeating: wide, count: 8) + "… " + views)
        #expect(note.line(columns: 40) == "type:" + String(repeating: wide, count: 8) + "… " + views)
    }
}
