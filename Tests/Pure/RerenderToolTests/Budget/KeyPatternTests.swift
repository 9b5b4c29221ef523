// SPDX-License-Identifier: MIT
import RerenderModel
@testable import RerenderTool
import Testing

@Suite("Keys and globs of a budget")
struct KeyPatternTests {
    @Test(
        "a pattern fits what it says, and nothing else",
        arguments: [
            ("Cart", "Cart", true), ("Cart", "cart", false), ("Cart", "Carts", false), ("", "", true),
            ("Row *", "Row 12", true), ("Row *", "Row ", true), ("Row *", "Row", false), ("*", "", true),
            ("*Row*", "a Row b", true), ("a*b*c", "aXbYbZc", true), ("a*b*c", "aXbYbZ", false), ("?", "é", true),
            ("?", "", false), ("??", "a", false), ("*?", "", false), ("Shop/*.swift:*", "Shop/Cart.swift:12", true),
            (#"a\*b"#, "a*b", true), (#"a\*b"#, "aXb", false), (#"\?"#, "?", true), (#"\\"#, #"\"#, true),
            ("***a", "bca", true), ("*\n*", "a\nb", true),
        ])
    func fits(pattern: String, key: String, isFitting: Bool) throws {
        #expect(try #require(KeyPattern(pattern)).fits(ViewKey(rawValue: key)) == isFitting)
    }

    @Test(
        "the pattern of a key fits that key, whatever is in it", arguments: ["*", "a?b", #"\*"#, "", "カ\u{1B}", "Cart"])
    func exactly(key: String) throws {
        let exact = KeyPattern(exactly: ViewKey(rawValue: key))
        let read = try #require(KeyPattern(exact.text))
        #expect(exact.fits(ViewKey(rawValue: key)) && read == exact && read.key?.rawValue == key)
    }

    @Test("a backslash that takes nothing its meaning is no pattern")
    func trailing() {
        #expect(KeyPattern(#"a\"#) == nil)
        #expect(KeyPattern("a*")?.key == nil)
    }

    @Test("a hostile glob takes no longer than both lengths allow")
    func hostile() throws {
        let glob = try #require(KeyPattern(String(repeating: "a*", count: 500) + "b"))
        #expect(!glob.fits(ViewKey(rawValue: String(repeating: "a", count: 4_000))))
    }

    @Test("a view counts for the line of its key, else for the glob that gives most")
    func mostGiven() throws {
        let lines = try ["*", "Row *", "Row 1?", "Row 12"].map { Budget.Line(pattern: try #require(KeyPattern($0))) }
        let index = LineIndex(lines)
        #expect(["Row 12", "Row 13", "Row 2", "Cart"].map { index.line(of: ViewKey(rawValue: $0)) } == [3, 2, 1, 0])
        #expect(LineIndex([]).line(of: "Cart") == nil)
    }
}
