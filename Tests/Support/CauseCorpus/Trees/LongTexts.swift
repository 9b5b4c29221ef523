// SPDX-License-Identifier: MIT
// Texts that do not fit: those that begin alike must not become one.

import Rerender

/// Eight names of which seven fill what a reason has room for.
private struct Long {
    var theFirstOfTheseVeryLongNamesOfProperties = 0
    var theSecondOfTheseVeryLongNamesOfProperties = 0
    var theThirdOfTheseVeryLongNamesOfProperties = 0
    var theFourthOfTheseVeryLongNamesOfProperties = 0
    var theFifthOfTheseVeryLongNamesOfProperties = 0
    var theSixthOfTheseVeryLongNamesOfProperties = 0
    var theSeventhOfTheseVeryLongNamesOfProperties = 0
    var theEighthOfTheseVeryLongNamesOfProperties = 0

    mutating func raiseSix() {
        theFirstOfTheseVeryLongNamesOfProperties += 1
        theSecondOfTheseVeryLongNamesOfProperties += 1
        theThirdOfTheseVeryLongNamesOfProperties += 1
        theFourthOfTheseVeryLongNamesOfProperties += 1
        theFifthOfTheseVeryLongNamesOfProperties += 1
        theSixthOfTheseVeryLongNamesOfProperties += 1
    }
}

private struct Leaf { var title: String }

extension Recorder {
    /// Expects these counts of the reasons that begin in that way.
    fileprivate func expectCounts(_ counts: [UInt64], of start: String, _ key: String = "View", line: UInt = #line) {
        let found = stats(key)?.reasons.filter { $0.reason.hasPrefix(start) }.map(\.count).sorted(by: >) ?? []
        expect(found == counts, "\(found) instead of \(counts)", line: line)
    }
}

extension Case {
    static let longTexts = CaseList.make("long texts") { list in
        list.one("names of properties") { recorder in
            var view = Long()
            recorder.evaluate(view, is: .initial)
            for isSeventh in [true, false, true] {
                view.raiseSix()
                if isSeventh {
                    view.theSeventhOfTheseVeryLongNamesOfProperties += 1
                } else {
                    view.theEighthOfTheseVeryLongNamesOfProperties += 1
                }
                recorder.evaluate(view, is: nil)
            }
            recorder.expectCounts([2, 1], of: "theFirst")
        }
        list.one("keys of parents") { recorder in
            let start = String(repeating: "parent ", count: 60)
            for round in 0..<2 {
                for end in ["one", "two"] {
                    recorder.evaluate(start + end, Leaf(title: "\(round)"), is: nil) { _ in
                        recorder.evaluate("View", Leaf(title: "a"), is: nil) { _ in }
                    }
                }
            }
            recorder.expectCounts([2, 1], of: "parent: parent")
        }
        list.one("announced causes, joined") { recorder in
            recorder.evaluate(Leaf(title: "a"), is: .initial)
            for end in ["one", "two", "two"] {
                for number in 0..<7 {
                    recorder.store.invalidate("View", cause: "an announced cause with a number: \(number)")
                }
                recorder.store.invalidate("View", cause: end)
                recorder.evaluate(Leaf(title: "a"), is: nil)
            }
            recorder.expectCounts([2, 1], of: "an announced cause")
        }
        list.one("writers") { recorder in
            let start = String(repeating: "writer()", count: 50)
            recorder.evaluate(Leaf(title: "a"), is: .initial)
            for end in ["one", "two"] {
                recorder.store.invalidate("View", cause: "count", writer: start + end)
                recorder.evaluate(Leaf(title: "a"), is: nil)
            }
            let writers = recorder.stats()?.reasons.first { $0.reason == "count" }?.writers.count
            recorder.expect(writers == 2, "\(writers ?? 0) writers")
        }
        list.one("labels") { recorder in
            let start = String(repeating: "label ", count: 300)
            for end in ["one", "two", "one"] { recorder.store.evaluate(start + end, of: Leaf(title: "a")) {} }
            let counts = recorder.store.stats.map(\.count)
            recorder.expect(counts == [2, 1], "\(counts)")
        }
        list.one("letters of several bytes at the cut") { recorder in
            recorder.evaluate(Leaf(title: "a"), is: .initial)
            for offset in 0..<4 {
                let text = String(repeating: "x", count: offset) + String(repeating: "🙂", count: 100)
                recorder.evaluate("View", Leaf(title: "a"), reason: text, is: nil) { _ in }
                let said = recorder.stats()?.lastReason ?? ""
                recorder.expect(said.utf8.count <= 256 && !said.contains("\u{FFFD}"), said)
            }
        }
        list.one("keys that differ by what is not shown") { recorder in
            for key in ["a", "a ", " a", "a\t", "A", "a\u{200B}", "\u{E9}"] {
                recorder.evaluate(key, Leaf(title: "a"), is: .initial) { _ in }
            }
            recorder.expect(recorder.store.stats.count == 7, "\(recorder.store.stats.count) keys")
        }
    }
}
