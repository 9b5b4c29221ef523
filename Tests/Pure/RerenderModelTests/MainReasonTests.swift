// SPDX-License-Identifier: MIT
// Which reason of a view is shown where there is room for one.

import RerenderModel
import Testing

@Suite("The main reason of a view")
struct MainReasonTests {
    private func view(_ reasons: [(String, UInt64)], count: UInt64? = nil) -> Stats {
        var view = Stats(key: "Row")
        view.reasons = reasons.map { ReasonCount(reason: $0.0, count: $0.1, attribution: .exact) }
        view.count = count ?? reasons.reduce(0) { $0 + $1.1 }
        return view
    }

    @Test(
        "is that of most evaluations, in whatever order they are; of as many one that says more than initial, then the first by text",
        arguments: [
            ([("tick", 3), ("initial", 20)], "initial 86%"), ([("initial", 3), ("tick", 20)], "tick 86%"),
            ([("initial", 2), ("tick", 2), ("size", 2)], "size 33%"), ([("tick", 1), ("other", 9)], "other 90%"),
            ([("initial", 7)], "initial"), ([("tick", 1)], "tick"),
        ] as [([(String, UInt64)], String)])
    func most(reasons: [(String, UInt64)], text: String) {
        #expect(view(reasons).mainReason?.text == text)
        #expect(view(reasons.reversed()).mainReason?.text == text)
    }

    @Test("is none where no reason is known")
    func none() {
        #expect(view([], count: 9).mainReason == nil)
    }

    @Test("is a guess where comparing values found it, and a sign says so")
    func guess() throws {
        var row = view([("tick", 3), ("initial", 1)])
        row.reasons[0].attribution = .diff
        let main = try #require(row.mainReason)
        #expect(main.isGuess && main.share == "75%" && main.text == "~tick 75%")
        row.reasons[0].attribution = .announced
        #expect(row.mainReason?.isGuess == false && row.mainReason?.text == "tick 75%")
        row.reasons[0].attribution = nil
        #expect(row.mainReason?.isGuess == false)
    }

    @Test("has the writer of its own evaluations, and none of another reason's")
    func writer() {
        var row = view([("tick", 3), ("size", 9)])
        row.reasons[0].writers = [WriterCount(writer: "tick()", count: 3)]
        #expect(row.mainReason?.writer == nil)
        row.reasons[1].writers = [
            WriterCount(writer: Reason.other, count: 8), WriterCount(writer: "resize()", count: 1),
        ]
        #expect(row.mainReason?.writer == WriterCount(writer: "resize()", count: 1), "others have no name")
    }

    @Test("of an app that says anything is safe to print, and no number traps")
    func hostile() {
        #expect(view([("\u{1B}[2J", .max), ("tick", 1)], count: 1).mainReason?.text.hasPrefix("\\u{1b}[2J ") == true)
        #expect(view([("a", 1), ("b", 0)], count: 0).mainReason?.text == "a -")
        #expect(view([("a", 1), ("b", 1)], count: .max).mainReason?.text == "a <1%")
    }

    @Test("stands first where all reasons are sorted by the same rule")
    func order() {
        let reasons = view([("initial", 4), ("size", 1), ("tick", 4), ("initial", 1)]).reasons
        #expect(reasons.sorted(by: ReasonCount.isMain).map(\.reason) == ["tick", "initial", "size", "initial"])
    }
}
