// SPDX-License-Identifier: MIT
@testable import RerenderShow
@testable import RerenderTool
import Testing

@Suite("Text is measured in the columns that a terminal gives it")
struct DisplayWidthTests {
    @Test(
        "each kind of character takes the columns it is drawn in",
        arguments: [
            ("", 0), ("CartTotal", 9), ("é", 1), ("e\u{301}", 1), ("Größe", 5), ("カート", 6), ("購物車", 6), ("한글", 4),
            ("\u{1112}\u{1161}\u{11AB}", 2), ("👍", 2), ("👍🏽", 2), ("👨‍👩‍👧", 2), ("🇩🇪", 2), ("❤️", 2), ("❤", 1), ("…", 1),
            ("→", 1),
            ("ﾊ", 1), ("Ａ", 2), ("\u{200B}", 0), ("क्षि", 3), ("µs", 2), ("ไทย", 3), ("שלום", 4),
        ])
    func width(text: String, columns: Int) {
        #expect(DisplayWidth.of(text) == columns)
    }

    @Test("a text that is too wide loses its middle and keeps both ends")
    func middle() {
        #expect(Fit.middle("Shop/Cart.swift:12", 18) == "Shop/Cart.swift:12")
        #expect(Fit.middle("Shop/Cart.swift:12", 11) == "Shop/…ft:12")
        #expect(Fit.middle("Shop/Cart.swift:12", 10) == "Shop…ft:12")
        #expect(Fit.middle("abc", 1) == "…")
        #expect(Fit.middle("abc", 0) == "")
    }

    @Test("no cut is wider than it may be, wherever wide characters fall")
    func cutsFit() {
        let texts = ["カートの合計を表示するビュー", "👨‍👩‍👧👍🏽🇩🇪❤️ab", "aカbーcトd", "e\u{301}e\u{301}e\u{301}e\u{301}"]
        for text in texts {
            for width in 0...DisplayWidth.of(text) {
                #expect(DisplayWidth.of(Fit.middle(text, width)) <= width)
                #expect(DisplayWidth.of(Fit.end(text, width)) <= width)
            }
        }
    }

    @Test("padding counts columns and not characters")
    func padding() {
        #expect(Fit.pad("カ", 4, toTheRight: false) == "カ  ")
        #expect(Fit.pad("12", 4, toTheRight: true) == "  12")
        #expect(Fit.pad("12345", 4, toTheRight: true) == "12345")
    }
}
