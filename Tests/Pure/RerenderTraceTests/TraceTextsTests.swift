// SPDX-License-Identifier: MIT
// Texts kept once.

@testable import RerenderTrace
import TestSupport
import Testing

@Suite("Texts of a trace")
struct TraceTextsTests {
    @Test("equal texts have one number, others have others, through every growth")
    func numbers() {
        let texts = TraceTexts()
        let first = (0..<10_000).map { texts.intern("text \($0)") }
        let second = (0..<10_000).map { texts.intern("text \($0)") }
        #expect(first == second && Set(first).count == 10_000)
        #expect((0..<10_000).allSatisfy { texts[first[$0]] == "text \($0)" })
    }

    @Test("nothing and a single space are the empty text, two spaces are not")
    func empty() {
        let texts = TraceTexts()
        #expect(texts.intern("") == .empty && texts.intern(" ") == .empty && texts.intern("  ") != .empty)
        #expect(texts[.empty] == "")
    }

    @Test("texts that share a beginning, an end or a length differ")
    func alike() {
        let texts = TraceTexts()
        let all = ["a", "b", "ab", "ba", "abcdefgh", "abcdefghi", "iabcdefgh", "abcdefgh\u{0}", "\u{0}abcdefgh"]
        #expect(Set(all.map { texts.intern($0) }).count == all.count)
        #expect(all.map { texts[texts.intern($0)] } == all)
    }

    @Test("a text that is too long is cut", arguments: around(TraceLimits.bytesPerText))
    func long(bytes: Int) {
        let texts = TraceTexts()
        let cut = texts[texts.intern(String(repeating: "x", count: bytes))]
        #expect(cut == String(repeating: "x", count: min(bytes, TraceLimits.bytesPerText)))
    }

    @Test("a very long text is cut, and more texts than there is room for are one text, counted")
    func bounds() {
        let texts = TraceTexts()
        let long = String(repeating: "x", count: 100_000)
        #expect(texts[texts.intern(long)].utf8.count == TraceLimits.bytesPerText)
        for number in 0..<TraceLimits.texts { _ = texts.intern("\(number)") }
        #expect(texts.overflowed > 0 && texts.count <= TraceLimits.texts + 1)
        #expect(texts[texts.intern("one more")] == TraceTexts.overflow)
        #expect(texts[texts.intern("7")] == "7")
    }
}
