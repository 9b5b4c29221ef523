// SPDX-License-Identifier: MIT
// The demo's command line: what is refused, with what would be right.

import ArgumentParser
import Testing
@testable import rerender_demo

@Suite struct DemoOptionTests {
    /// What the demo prints of a command line that it does not run, and its exit status; nil where it would run.
    private func refusal(_ arguments: [String]) -> (status: Int32, text: String)? {
        do {
            _ = try RerenderDemo.parseAsRoot(arguments)
            return nil
        } catch {
            return (RerenderDemo.exitCode(for: error).rawValue, RerenderDemo.fullMessage(for: error, columns: 80))
        }
    }

    private func expectRefusal(
        _ arguments: [String], _ hint: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let found = try #require(refusal(arguments), sourceLocation: sourceLocation)
        #expect(found.status == 64 && found.text.contains(hint), "\(found)", sourceLocation: sourceLocation)
    }

    @Test(arguments: [
        (["--rate", "0"], "from 1 to 1000"), (["--rate", "1001"], "from 1 to 1000"),
        (["--seconds", "nan"], "from 0 to"), (["--seconds=-1"], "from 0 to"), (["--scenario", "x"], "isolated"),
        (["--ticks", "0"], "is not 1 or more"), (["--ticks", "9", "--seconds", "1"], "give one of them"),
        (["--script", "wait"], "the shop runs by itself"),
    ])
    func theShopRefusesWrongUsage(arguments: [String], hint: String) throws {
        try expectRefusal(arguments, hint)
    }

    @Test(arguments: [
        (["--script", "tap:hart"], "buttons heart and season"), (["--script", "jump"], "tap:NAME"),
        (["--script", ""], "tap:NAME"), (["--virtual-clock"], "needs a script"),
        (["--script", "wait", "--seconds", "1"], "for the shop"),
        (["--script", "wait", "--rate", "1"], "for the shop"),
        (["--script", "wait", "--ticks", "1"], "for the shop"),
    ])
    func aScreenRefusesWrongUsage(arguments: [String], hint: String) throws {
        try expectRefusal(["--scenario", "showmax-1"] + arguments, hint)
    }

    @Test(arguments: [
        (["--scenario", "hang"], "the shop has no window"), (["--script", "wait"], "operated by hand"),
        (["--virtual-clock"], "operated by hand"),
    ])
    func aWindowIsOperatedByHand(arguments: [String], hint: String) throws {
        try expectRefusal(["--window"] + arguments, hint)
    }

    @Test func anUnknownScenarioIsAnsweredWithAllThereAreAsTheHelpIs() throws {
        let unknown = try #require(refusal(["--scenario", "showmax"]))
        let help = RerenderDemo.helpMessage(columns: 80)
        #expect(unknown.status == 64)
        let words = help.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(words.contains("Ctrl-C quits, and q does outside of a field."))
        let screens = [
            "showmax-1", "showmax-2", "showmax-3", "showmax-4", "dashboard-wasteful", "dashboard-optimised",
            "isolation-observable", "isolation-object", "form-wasteful", "form-isolated",
        ]
        for name in ["wasteful", "isolated", "hang"] + screens {
            #expect(unknown.text.contains(name))
            #expect(help.contains("  \(name) "))
        }
    }
}
