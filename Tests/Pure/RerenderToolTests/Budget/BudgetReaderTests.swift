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
        "what is not understood is refused with the line and what to do",
        arguments: [
            ("{\n\"version\": 2}", "r.json:2", "its version is not 1", "create it again"),
            ("{}", "r.json:1", "\"version\" is missing", "\"version\": 1"),
            ("[]", "r.json:1", "a list", "\"views\""),
            ("{\"version\": 1,\n\"view\": {}}", "r.json:2", "no field \"view\"", "Did you mean \"views\""),
            ("{\"version\": 1, \"views\": []}", "r.json:1", "a list", "rerenderctl help check"),
            ("{\"version\": 1, \"views\": {\"A\":\n 3}}", "r.json:2", "is a number", "evaluations"),
            (
                "{\"version\": 1, \"views\": {\"A\": {\n\"evalutions\": 3}}}", "r.json:2", "no field \"evalutions\"",
                "Did you mean \"evaluations\""
            ),
            ("{\"version\": 1, \"views\": {\"A\": {\"wasted\": -1}}}", "r.json:1", "is -1", "remove the field"),
            ("{\"version\": 1, \"views\": {\"A\": {\"wasted\": 1.5}}}", "r.json:1", "is 1.5", "whole number"),
            ("{\"version\": 1, \"views\": {\"A\": {\"wasted\": 1e3}}}", "r.json:1", "is 1e3", "whole number"),
            ("{\"version\": 1, \"views\": {\"A\": {\"hangs\": 18446744073709551616}}}", "r.json:1", "1844", "whole"),
            ("{\"version\": 1, \"views\": {\"A\": {\"hangs\": \"1\"}}}", "r.json:1", "a text", "a number"),
            ("{\"version\": 1, \"views\": {\"A\": {\"hangs\": null}}}", "r.json:1", "null", "a number"),
            ("{\"version\": 1, \"views\": {\"A\": {\"note\": 1}}}", "r.json:1", "a number", "a text"),
            ("{\"version\": 1, \"total\": {\"bodyP95Nanoseconds\": 1}}", "r.json:1", "no field", "evaluations"),
            ("{\"version\": 1, \"total\": {\"wasted\": 1,\n\"wasted\": 2}}", "r.json:2", "also in line 1", "--update"),
            ("{\"version\": 1, \"views\": {\"A\": {},\n\"A\": {}}}", "r.json:2", "also in line 1", "--update"),
            ("{\"version\": 1, \"views\": {\"A\": {},\n\"\\\\A\": {}}}", "r.json:2", "same key as", "Remove one of"),
            ("{\"version\": 1, \"views\": {\"A\\\\\": {}}}", "r.json:1", "single \\", "a backslash in a key twice"),
            ("{\"version\": 1, // c\n}", "r.json:1", "'/'", "--update"),
        ])
    func refused(text: String, place: String, what: String, next: String) throws {
        let failure = try #require(throws: ToolFailure.self) { try read(text) }
        #expect(failure.status == 65)
        let lines = failure.message.split(separator: "\n")
        #expect(lines.count == 2 && lines[0].hasPrefix(place + ": ") && lines[0].contains(what), "\(failure.message)")
        #expect(failure.message.contains(next), "\(failure.message)")
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
