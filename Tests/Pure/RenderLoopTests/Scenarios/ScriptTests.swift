// SPDX-License-Identifier: MIT
// Scripts as they are written.

import RenderLoopScenarios
import Testing

@Suite struct ScriptTests {
    @Test func stepsAreReadInTheirOrder() throws {
        let script = try Script(parsing: "tap:heart,type:abc,slide:0.7,wait")
        #expect(script.steps == [.tap("heart"), .type("abc"), .slide(0.7), .wait])
    }

    @Test(arguments: [
        (#"type:a\,b"#, ScriptStep.type("a,b")), (#"tap:\\\,"#, .tap(#"\,"#)),
        (#"type:a\\b"#, .type(#"a\b"#)), ("type:a:b", .type("a:b")),
        ("type: ", .type(" ")), ("type:é♥", .type("é♥")), ("tap:two words", .tap("two words")), ("slide:0", .slide(0)),
        ("slide:1", .slide(1)), ("slide:1e-1", .slide(0.1)),
    ])
    func textIsTakenLiterally(text: String, step: ScriptStep) throws {
        #expect(try Script(parsing: text).steps == [step])
        #expect(try Script(parsing: step.description).steps == [step], "\(step)")
    }

    @Test(arguments: [
        ("", "tap:NAME, type:TEXT, slide:NUMBER and wait"), ("tap:a,", "step 2"), ("jump", "'jump'"),
        ("tap", "name of a button"),
        ("tap:", "name of a button"), ("type:", "characters"), ("type:a\u{1B}[2J", "control characters"),
        ("slide:x", "from 0 to 1"), ("slide:1.1", "from 0 to 1"), ("slide:-0.1", "from 0 to 1"),
        ("slide:nan", "from 0 to 1"),
        ("wait:3", "stands alone"), (#"type:a\b"#, "backslash"), (#"type:a\"#, "its end"),
        ("type:" + String(repeating: "a", count: 1_001), "1 to 1000"),
        (String(repeating: "wait,", count: 10_000) + "wait", "at most 10000"),
    ])
    func whatIsWrongIsSaidWithWhatWouldBeRight(text: String, hint: String) {
        let error = #expect(throws: ScriptError.self) { try Script(parsing: text) }
        #expect(error?.description.contains(hint) == true, "\(error.map(\.description) ?? "")")
        #expect((error?.description.count ?? 0) < 250)
    }

    @Test(arguments: [
        (
            RedrawScenario.showmaxOneModel, "wait,tap:hart", "step 2 of the script, 'tap:hart'",
            "buttons heart and season"
        ),
        (.showmaxOneModel, "type:abc", "'type:abc'", "showmax-1"),
        (.showmaxOneModel, "slide:1", "'slide:1.0'", "showmax-1"),
        (.formIsolated, "tap:name", "'tap:name'", "the button save, the field name, the slider volume"),
    ])
    func whatIsNotOnTheScreenIsRefusedWithWhatIs(
        scenario: RedrawScenario, text: String, what: String, hint: String
    ) throws {
        let script = try Script(parsing: text)
        let error = #expect(throws: ScriptError.self) {
            try script.check(scenario.controls, of: scenario.rawValue)
        }
        let message = error?.description ?? ""
        #expect(message.contains(what) && message.contains(hint), "\(message)")
    }

    @Test(arguments: ["tap:", "jump", "slide:", "wait:"])
    func ofAVeryLongStepTheMessageShowsTheBeginning(start: String) throws {
        let error = #expect(throws: ScriptError.self) {
            let script = try Script(parsing: start + String(repeating: "x", count: 100_000))
            try script.check(RedrawScenario.formWasteful.controls, of: "form")
        }
        let message = error?.description ?? ""
        #expect(
            message.contains("'" + start + String(repeating: "x", count: 60 - start.count) + "…'"),
            "\(message.prefix(200))")
        #expect(message.count < 250)
    }

    @Test func whatIsOnTheScreenIsAccepted() throws {
        let script = try Script(parsing: "type:abc,slide:0.7,tap:save,wait")
        try script.check(RedrawScenario.formWasteful.controls, of: "form")
    }
}
