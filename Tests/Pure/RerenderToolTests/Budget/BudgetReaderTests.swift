// SPDX-License-Identifier: MIT
import RerenderModel
@testable import RerenderShow
@testable import RerenderTool
import TestSupport
import Testing
@testable import ToolSupport

@Suite("A budget's file")
struct BudgetReaderTests {
    private func read(_ text: String) throws(ToolFailure) -> Budget {
        try BudgetReader(path: "r.json").read(Array(text.utf8))
    }

    private let example = """
        {
          "version": 1,
          "total": { "evaluations": 60, "wasted": 0 },
          "views": {
            "Cart": { "evaluations": 4, "wasted": 0, "hangs": 0, "note": "why" },
            "Row *": { "bodyP95Nanoseconds": 500000 },
            "Free": {}
          }
        }
        """

    @Test("is read")
    func reads() throws {
        let budget = try read(example)
        #expect(budget.total.most == [.evaluations: 60, .wasted: 0])
        #expect(budget.views.map(\.pattern.text) == ["Cart", "Free", "Row *"])
        #expect(budget.views[0].limits.most == [.evaluations: 4, .wasted: 0, .hangs: 0])
        #expect(budget.views[0].note == "why")
        #expect(budget.views[2].limits.bodyP95Nanoseconds == 500_000 && budget.views[2].limits.most.isEmpty)
        #expect(try read("{\"version\": 1}") == Budget())
    }

    @Test("is written as it was read, and the same each time")
    func roundTrip() throws {
        let text = try BudgetText.of(read(example))
        let again = try BudgetReader(path: "r.json").read(text)
        #expect(try read(example) == again && BudgetText.of(again) == text)
        #expect(text.last == UInt8(ascii: "\n"))
        let hostile = ViewKey(rawValue: "\"\\*\u{1B}\n]}")
        var budget = Budget()
        budget.views = [Budget.Line(pattern: KeyPattern(exactly: hostile), limits: .exactly(Amounts()))]
        #expect(try BudgetReader(path: "r.json").read(BudgetText.of(budget)) == budget)
    }

    @Test(
        "what is not understood is refused with its place and what to do",
        arguments: [
            ("{\"version\": 2}", "its version is not 1", "create it again"),
            ("{\"version\": 1.5}", "its version is not 1", "create it again"),
            ("{\"version\": 2, \"later\": {}}", "no field \"later\"", "\"views\""),
            ("{}", "\"version\" is missing", "\"version\": 1"),
            ("[]", "", "rerenderctl help check"),
            ("{\"version\": 1, \"view\": {}}", "no field \"view\"", "Did you mean \"views\""),
            ("{\"version\": 1, \"views\": []}", " in views.", "rerenderctl help check"),
            ("{\"version\": 1, \"views\": {\"A\": 3}}", " in views.A.", "rerenderctl help check"),
            (
                "{\"version\": 1, \"views\": {\"A\": {\"evalutions\": 3}}}", "a view has no field \"evalutions\"",
                "Did you mean \"evaluations\""
            ),
            (
                "{\"version\": 1, \"views\": {\"A\": {\"wasted\": -1}}}", "\"views.A.wasted\" is not a whole",
                "remove the field"
            ),
            (
                "{\"version\": 1, \"views\": {\"A\": {\"wasted\": 1.5}}}", "\"views.A.wasted\" is not a whole",
                "remove the field"
            ),
            (
                "{\"version\": 1, \"views\": {\"A\": {\"hangs\": 18446744073709551616}}}", "\"views.A.hangs\" is not",
                "remove the field"
            ),
            (
                "{\"version\": 1, \"views\": {\"A\": {\"hangs\": \"1\"}}}", "\"views.A.hangs\" is not a whole",
                "remove the field"
            ),
            (
                "{\"version\": 1, \"views\": {\"A\": {\"hangs\": null}}}", "\"views.A.hangs\" is not a whole",
                "remove the field"
            ),
            ("{\"version\": 1, \"views\": {\"A\": {\"note\": 1}}}", " in views.A.note.", "help check"),
            ("{\"version\": 1, \"total\": {\"bodyP95Nanoseconds\": 1}}", "no field", "evaluations"),
            ("{\"version\": 1, \"total\": {\"wasted\": 1, \"wasted\": 2}}", "a name appears twice", "Remove one"),
            ("{\"version\": 1, \"views\": {\"A\": {}, \"A\": {}}}", "a name appears twice", "Remove one"),
            ("{\"version\": 1, \"version\": 1}", "a name appears twice", "Remove one"),
            ("{\"version\": 1, \"views\": {\"A\": {}, \"\\\\A\": {}}}", "needless backslash", "Remove one of them"),
            ("{\"version\": 1, \"views\": {\"A\\\\\": {}}}", "single \\", "a backslash in a key twice"),
            ("{\"version\": 1, // c\n}", "", "See: jq . r.json"), ("", "", "See: jq . r.json"),
        ])
    func refused(text: String, what: String, next: String) throws {
        let failure = try #require(throws: ToolFailure.self) { try read(text) }
        #expect(failure.status == 65)
        let lines = failure.message.split(separator: "\n")
        #expect(lines.count == 2 && lines[0].hasPrefix("r.json: "), "\(failure.message)")
        #expect(what.isEmpty || lines[0].contains(what), "\(failure.message)")
        #expect(failure.message.contains(next), "\(failure.message)")
    }

    @Test("colons, quotes and backslashes in names and texts are no members")
    func colons() throws {
        let budget = try read(#"{"version": 1, "views": {"a: \"b\":": {"note": "\\\": c"}, "A:1 *": {}}}"#)
        #expect(budget.views.map(\.note) == [nil, "\\\": c"])
    }

    @Test("what an error quotes cannot command the terminal")
    func printable() throws {
        let failure = try #require(throws: ToolFailure.self) {
            try read("{\"version\": 1, \"\\u001b[31m\": 1}")
        }
        #expect(!failure.message.unicodeScalars.contains("\u{1B}") && failure.message.contains("\\u{1b}"))
    }

    @Test("a file that is missing, a directory, or larger than any budget is 65; only an update may have none")
    func files() throws {
        let directory = try TemporaryDirectory()
        let missing = BudgetFile(path: directory.path + "/none.json")
        #expect(try missing.read(mayBeMissing: true) == nil)
        for path in [missing.path, directory.path, "/dev/zero"] {
            let failure = try #require(throws: ToolFailure.self) {
                try BudgetFile(path: path).read(mayBeMissing: false)
            }
            #expect(failure.status == 65 && failure.message.contains("--update"), "\(failure)")
        }
    }
}
