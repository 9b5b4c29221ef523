// SPDX-License-Identifier: MIT
import RerenderModel
@testable import RerenderShow
@testable import RerenderTool
import RerenderTrace
import Testing
@testable import ToolSupport

@Suite("Numbers and sentences are written for a reader")
struct TextTests {
    @Test(
        "a duration has three figures and never rounds up into the next unit",
        arguments: [
            (0, "0"), (1, "1ns"), (999, "999ns"), (1_000, "1.00µs"), (1_239, "1.23µs"), (12_390, "12.3µs"),
            (999_999, "999µs"), (1_000_000, "1.00ms"), (250_000_000, "250ms"), (999_999_999, "999ms"),
            (1_500_000_000, "1.50s"), (59_999_999_999, "59.9s"), (60_000_000_000, "1m00s"), (725_000_000_000, "12m05s"),
            (3_600_000_000_000, "1h00m"), (11_220_000_000_000, "3h07m"), (UInt64.max, "5124095h34m"),
        ])
    func durations(nanoseconds: UInt64, text: String) {
        #expect(DurationText.short(nanoseconds) == text)
    }

    @Test(
        "a duration that is the most is rounded up",
        arguments: [
            (0, "0"), (999, "999ns"), (1_230, "1.23µs"), (1_231, "1.24µs"), (12_310, "12.4µs"), (999_001, "1.00ms"),
            (1_507_327, "1.51ms"), (1_500_000, "1.50ms"), (59_900_000_001, "1m00s"), (61_500_000_000, "1m02s"),
            (3_600_000_000_000, "1h00m"), (3_601_000_000_000, "1h01m"),
        ])
    func most(nanoseconds: UInt64, text: String) {
        #expect(DurationText.atMost(nanoseconds) == text)
    }

    @Test("a number in a sentence has commas and the right form of its noun")
    func counted() {
        #expect(Counted.text(1, "view") == "1 view")
        #expect(Counted.text(0, "view") == "0 views")
        #expect(Counted.text(1_234_567, "evaluation") == "1,234,567 evaluations")
        #expect(Counted.text(2, "process", "processes") == "2 processes")
        #expect(Counted.grouped(-1_234) == "-1,234")
        #expect(Counted.grouped(-123) == "-123")
        #expect(Counted.list(["a", "b", "c"]) == "a, b and c")
    }

    @Test(
        "a share is cut, and only all of it is 100%",
        arguments: [
            (0, 9, "0%"), (1, 1000, "<1%"), (999, 1000, "99%"), (1000, 1000, "100%"), (1, 0, "-"), (7, 3, "233%"),
        ])
    func percent(part: UInt64, whole: UInt64, text: String) {
        #expect(Percent.text(part, of: whole) == text)
    }

    @Test("the time since anything that an app may say is a text")
    func anyAgo() {
        let now = Sample.now
        let at = { (nanoseconds: Int64) in Timestamp(nanosecondsSince1970: nanoseconds) }
        #expect(AgoText.cell(at(.min), now: now) == "106751d" && AgoText.cell(at(.max), now: now) == "0s")
        #expect(AgoText.cell(at(0), now: at(.min)) == "0s" && AgoText.cell(nil, now: now) == "-")
    }

    @Test("a huge share is not rounded to all of it")
    func hugePercent() {
        #expect(Percent.text(UInt64.max - 1, of: UInt64.max) == "99%")
        #expect(Percent.text(1 << 62, of: 1) == "461168601842738790400%", "an app may say anything")
    }

    @Test("sentences are broken at blanks, indented, and no line is too long")
    func wrap() {
        let lines = Wrap.lines("one two three four five six-seven-eight-nine-ten", width: 12, indent: 2)
        #expect(lines == ["one two", "  three four", "  five", "  six-…e-ten"])
        #expect(Wrap.lines("", width: 12) == [""])
    }

    @Test("near names are those that differ by case, contain the name, or are a few letters away")
    func near() {
        let names = ["CartTotal", "CartRow", "Badge", "ProductRow", "cartbutton"]
        #expect(NearName.find("carttotal", among: names) == ["CartTotal"])
        #expect(NearName.find("CartTotl", among: names) == ["CartTotal"])
        #expect(NearName.find("Row", among: names) == ["CartRow", "ProductRow"])
        #expect(NearName.find("Zzzzzzzz", among: names).isEmpty)
        #expect(NearName.find("cart", among: names, limit: 2).count == 2)
    }

    @Test("a CSV field is quoted where RFC 4180 needs it, and quotes in it are doubled")
    func csv() {
        func record(_ texts: String...) -> String { CSVText.record(texts.map { CSVText($0) }).text }
        #expect(record("a", "b c", "", "1") == "a,b c,,1\r\n")
        #expect(record("a,b", "say \"hi\"") == "\"a,b\",\"say \"\"hi\"\"\"\r\n")
        #expect(record(" blank ") == "\" blank \"\r\n")
        // A quotation mark with an accent on it is one Character, and still a quotation mark to a parser.
        let accented = Array(record("\"\u{301}").unicodeScalars.map(\.value))
        #expect(accented == [0x22, 0x22, 0x22, 0x301, 0x22, 13, 10])
    }

    @Test(
        "a text in CSV that begins like a formula gets an apostrophe, and its control characters are escaped",
        arguments: [
            ("=1+1", "'=1+1"), ("+1", "'+1"), ("-[Cart total]", "'-[Cart total]"), ("@SUM(A1)", "'@SUM(A1)"),
            (" =1", "' =1"), ("＝1", "'＝1"), ("'quoted", "''quoted"), ("\t=1", "\\u{9}=1"), ("\r=1", "\\u{d}=1"),
            ("two\nlines", "two\\u{a}lines"), ("\u{1B}[2J\u{0}", "\\u{1b}[2J\\u{0}"), ("a=b-c", "a=b-c"), ("12", "12"),
        ])
    func csvCells(text: String, written: String) {
        #expect(CSVText.record([CSVText(text)]).text == written + "\r\n")
    }

    @Test("a number in CSV stays a number, also below zero")
    func csvNumbers() {
        #expect(CSVText.record([CSVText(-5), CSVText(UInt64.max)]).text == "-5,18446744073709551615\r\n")
    }

    @Test("a text of several lines keeps the lines that fit and the indent of those that do not")
    func severalLines() {
        let text = "ab  cd\n\n  one two three"
        #expect(Wrap.text(text, width: 20, cutting: true) == ["ab  cd", "", "  one two three"])
        #expect(Wrap.text(text, width: 12, cutting: true) == ["ab  cd", "", "  one two", "    three"])
        let path = "/a/path/that/is/long"
        #expect(Wrap.text("at \(path)", width: 12, cutting: false) == ["at", "  \(path)"])
        #expect(Wrap.text("at \(path)", width: 12, cutting: true).allSatisfy { DisplayWidth.of($0) <= 12 })
    }
}
