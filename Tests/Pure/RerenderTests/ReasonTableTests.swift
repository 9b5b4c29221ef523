// SPDX-License-Identifier: MIT
// Reasons are counted, bounded, and add up.

import RerenderModel
import RerenderWire
import TestSupport
import Testing

@testable import Rerender

@Suite("Reason table")
struct ReasonTableTests {
    @Test("reasons are listed by count, then by name")
    func sorted() {
        var table = ReasonTable()
        for reason in ["b", "a", "c", "c"] { table.count(reason, .announced) }
        #expect(table.reasonCounts().map(\.reason) == ["c", "a", "b"])
        #expect(table.lastText == "c")
    }

    @Test(
        "reasons over the limit are counted together, and all counts add up",
        arguments: around(WireLimits.reasonsPerView))
    func bounded(count: Int) {
        var table = ReasonTable()
        for number in 0..<count { table.count("reason \(number)", .announced) }
        table.count("reason 3", .announced)
        let kept = min(count, WireLimits.reasonsPerView)
        #expect(table.entries.count == kept)
        #expect(table.reasonCounts().reduce(0) { $0 + $1.count } == UInt64(count + 1))
        let others = table.reasonCounts().filter { $0.reason == Reason.other }
        #expect(others.map(\.count) == (count > kept ? [UInt64(count - kept)] : []))
        #expect(table.lastText == "reason 3")
    }

    @Test("the same words said by the caller and found by us are two reasons")
    func attributionMatters() {
        var table = ReasonTable()
        table.count(Reason.initial, .exact)
        table.count(Reason.initial, .announced)
        #expect(table.entries.map(\.count) == [1, 1])
    }

    @Test("unknown reasons are counted with and without the short cut")
    func unknown() {
        var table = ReasonTable()
        table.count(Reason.initial, .exact)
        for _ in 0..<5 { table.countUnknown(as: Reason.externalSignal) }
        #expect(table.reasonCounts().first == ReasonCount(reason: Reason.externalSignal, count: 5, attribution: nil))
        table.removeAll()
        table.count("x", .announced)
        table.countUnknown(as: Reason.externalSignal)
        #expect(table.lastText == Reason.externalSignal)
        #expect(table.entries.map(\.text) == ["x", Reason.externalSignal])
    }

    @Test("unknown reasons beyond the limit go with the others")
    func unknownWhenFull() {
        var table = ReasonTable()
        for number in 0..<WireLimits.reasonsPerView { table.count("reason \(number)", .announced) }
        for _ in 0..<3 { table.countUnknown(as: Reason.externalSignal) }
        #expect(table.other == 3)
    }

    @Test(
        "a reason is as long as the limit, and a longer one is shortened to it",
        arguments: around(WireLimits.stringBytes))
    func reasonBytes(count: Int) {
        var table = ReasonTable()
        let text = String(repeating: "x", count: count)
        table.count(text, .announced)
        #expect((table.entries[0].text == text) == (count <= WireLimits.stringBytes))
        #expect(table.entries[0].text.utf8.count == min(count, WireLimits.stringBytes))
    }

    @Test("a long reason is cut and still recognised")
    func longReason() {
        var table = ReasonTable()
        let long = String(repeating: "é", count: 500)
        table.count(long, .announced)
        table.count(long, .announced)
        #expect(table.entries.map(\.count) == [2])
        #expect(table.entries[0].text.utf8.count <= 256)
    }

    @Test("long reasons that differ only at their ends are two")
    func longReasonsThatDiffer() {
        var table = ReasonTable()
        let start = String(repeating: "x", count: 300)
        for ending in ["a", "b", "a", "é"] { table.count(start + ending, .announced) }
        #expect(table.entries.map(\.count) == [2, 1, 1])
        #expect(Set(table.entries.map(\.text)).count == 3)
        #expect(table.entries.allSatisfy { $0.text.utf8.count <= 256 && $0.text.hasPrefix("xxx") })
    }
}
