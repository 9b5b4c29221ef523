// SPDX-License-Identifier: MIT
// The verdict above a table, and the colours that follow it.

import RerenderModel
import Testing

@testable import RerenderShow
@testable import ToolSupport

@Suite("The verdict above a table")
struct VerdictLinesTests {
    @Test("says what costs most above everything, with a mark, its colour, and what to ask next")
    func verdict() {
        var shop = Sample.shop
        shop.countedSince = Timestamp(nanosecondsSince1970: Sample.now.nanosecondsSince1970 - 4_500_000_000)
        shop.views[1].hangs.add(nanoseconds: 410_000_000)
        let export = StatsExport(generatedAt: Sample.now, processes: [shop])
        let screen = StatsScreen(export: export, health: nil, order: .count, limit: 1)
        let lines = screen.lines(width: 200, colours: true)
        #expect(
            lines[0]
                == "\u{1B}[31m! Shop/ProductRow.swift:40 blocked the main loop once, for 410ms: Shop/ProductRow.swift:40. "
                + "Next: rerenderctl hangs\u{1B}[0m")
        #expect(
            lines[1]
                == "\u{1B}[33m! CartTotal wasted 41.0ms in 308 of 312 evaluations, 4.1% of a core: Shop/Cart.swift:12. "
                + "Next: rerenderctl explain CartTotal\u{1B}[0m")
        #expect(lines[2].hasPrefix("shop[4711]/main: connected"))
        #expect(screen.lines(width: 80, colours: false)[0].hasPrefix("! Shop/ProductRow.swift:40 blocked"))
        var verdict = Verdict(findings: [Verdict.Finding(.nothing, text: "Nothing to fix")], more: 2)
        #expect(
            verdict.lines == [
                StyledLine(text: "Nothing to fix", style: .good),
                StyledLine(text: "and 2 more findings, shown once these are mended", style: .dim),
            ])
        verdict.findings[0].kind = .notJudged
        #expect(verdict.lines[0].style == .plain)
        verdict.findings[0] = Verdict.Finding(.busy, text: "14.0% of a core without input")
        #expect(verdict.lines[0] == StyledLine(text: "· 14.0% of a core without input"))
        verdict.findings[0].kind = .spinning
        #expect(verdict.lines[0].text.hasPrefix("! ") && verdict.lines[0].style == .notice)
    }

    @Test("a share is orange only where it is worth a finding")
    func colours() {
        var store = Sample.shop
        func cell() -> Bool {
            let screen = StatsScreen(export: Sample.export([store]), health: nil, order: .count, limit: 1)
            return screen.lines(width: 80, colours: true).contains { $0.contains("\u{1B}[33m308 98%") }
        }
        #expect(!cell(), "133 µs each, and it is not known for how long")
        store.countedSince = Timestamp(nanosecondsSince1970: Sample.now.nanosecondsSince1970 - 4_500_000_000)
        #expect(cell())
        store.views[0].wasted.nanoseconds = 9_000_000
        #expect(!cell(), "0.9% of a core")
    }
}
