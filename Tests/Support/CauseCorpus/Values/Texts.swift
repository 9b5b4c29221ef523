// SPDX-License-Identifier: MIT
// Strings, their parts and their indices.

import Rerender

private func long(_ letter: Character, _ count: Int = 40) -> String { String(repeating: letter, count: count) }

/// Made at run time, so that no two are one literal.
@inline(never)
private func made(_ parts: String...) -> String { parts.joined() }

extension Case {
    static let texts = CaseList.make("texts") { list in
        list.kind("a small string", made("ab", "c"), made("ab", "d"))
        list.kind("a string of 15 bytes", made("0123456789", "abcde"), made("0123456789", "abcdf"))
        list.kind("a string of 16 bytes", made("0123456789", "abcdef"), made("0123456789", "abcdeg"))
        list.kind("a long string", long("a"), long("b"))
        list.kind("a very long string", long("a", 3_000), long("a", 2_999) + "b")
        list.kind("a string of emoji", made("🙂", "🙃🙂🙃🙂🙃"), made("🙃", "🙃🙂🙃🙂🙃"))
        list.kind("an empty string", "", "x")
        list.kind("a string with a NUL", "a\0b", "a\0c")
        list.kind("a literal and another", "a literal that is longer than fifteen", "another literal that is longer")
        list.equal(
            "a literal and a built one", "a literal that is longer than fifteen",
            made("a literal that is ", "longer than fifteen"))
        list.equal(
            "capacity that was reserved", long("a"),
            {
                var text = long("a")
                text.reserveCapacity(500)
                return text
            }())
        list.equal(
            "a small string that was long", "abc",
            {
                var text = long("a", 100)
                text.removeAll(keepingCapacity: true)
                text += "abc"
                return text
            }())
        list.kind("Substring", long("a", 30).dropFirst(2), long("b", 30).dropFirst(2))
        list.equal(
            "a Substring of another string", ("x" + long("a", 30)).dropFirst(1), ("y" + long("a", 30)).dropFirst(1),
            truth: .equalInAWay)
        list.kind("a small Substring", made("ab", "cd").prefix(2), made("xb", "cd").prefix(2))
        list.kind("UTF8View", made("abc").utf8, made("abd").utf8)
        list.kind("UnicodeScalarView", made("abc").unicodeScalars, made("abd").unicodeScalars)
        list.kind("StaticString", "abc" as StaticString, "a much longer literal" as StaticString)
        list.equal("canonically equivalent", "\u{E9}", "e\u{301}", truth: .equalInAWay)
        list.equal("canonically equivalent and long", long("\u{E9}"), long("e\u{301}"), truth: .equalInAWay)
        list.equal("equivalent keys of a dictionary", ["\u{E9}": 1], ["e\u{301}": 1], truth: .equalInAWay)
        list.equal("equivalent in an array", ["a", "\u{E9}"], ["a", "e\u{301}"], truth: .equalInAWay)
        list.equal(
            "equivalent in a Substring", "x\u{E9}y".dropFirst(), "xe\u{301}y".dropFirst(), truth: .equalInAWay)
        list.equal("equivalent Hangul", "\u{AC00}", "\u{1100}\u{1161}", truth: .equalInAWay)
        list.equal("equivalent with marks in another order", "a\u{323}\u{301}", "a\u{301}\u{323}", truth: .equalInAWay)
        list.kind("nearly equivalent", "caf\u{E9} 1", "cafe\u{301} 2")
        list.kind("one mark more", "cafe\u{301}", "cafe")
        list.kind("another letter beyond ASCII", "\u{E9}", "\u{E8}")
        list.kind("longer than is compared, in the beginning", long("\u{E9}", 900), long("\u{E8}", 900))
        list.equal(
            "an index with other bits", "abc".utf8.startIndex, "abc".unicodeScalars.startIndex, truth: .equalInAWay)
        list.one("an index, found by another view of the string") { recorder in
            let text = made("grüezi", " mitenand allerseits")
            let one = text.index(text.startIndex, offsetBy: 4)
            let two = text.utf8.index(text.utf8.startIndex, offsetBy: 5)
            recorder.evaluate(One(value: one), isDescribed: false, is: .initial)
            recorder.evaluate(One(value: two), isDescribed: false, is: .equalInAWay)
            recorder.evaluate(One(value: text.index(after: two)), isDescribed: false, is: .changed("value"))
        }
        list.one("a range of indices with other bits") { recorder in
            let text = made("abc", "defghijklmnopqrstuvw")
            let one = text.startIndex..<text.index(text.startIndex, offsetBy: 3)
            let two = text.utf8.startIndex..<text.utf8.index(text.utf8.startIndex, offsetBy: 3)
            recorder.evaluate(One(value: one), isDescribed: false, is: .initial)
            recorder.evaluate(One(value: two), isDescribed: false, is: .equalInAWay)
        }
        list.one("a string that grows in place") { recorder in
            var text = long("a")
            text.reserveCapacity(200)
            recorder.evaluate(One(value: text), is: .initial)
            for _ in 0..<5 {
                text += "b"
                recorder.evaluate(One(value: text), is: .changed("value"))
            }
        }
        list.one("a string that is written in place") { recorder in
            var view = One(value: Array(long("a").utf8))
            recorder.evaluate(view, is: .initial)
            view.value[3] = 7
            recorder.evaluate(view, is: .changed("value"))
            view.value[3] = 97
            recorder.evaluate(view, is: .changed("value"))
            recorder.evaluate(view, is: .same)
        }
    }
}
