// SPDX-License-Identifier: MIT
// Which numbers of each type are sums, so that a span subtracts them.

import FoundationEssentials
import RerenderModel
@testable import RerenderShow
import Testing
@testable import ToolSupport

@Suite("What a span subtracts")
struct SpanSumsTests {
    /// A value whose numbers are all the same.
    private func filled<Value: Codable>(_ value: Value, _ number: Int) throws -> Value {
        let text = String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
        let numbers = text.replacing(/":[0-9]+/, with: "\":\(number)")
        return try JSONDecoder().decode(Value.self, from: Data(numbers.utf8))
    }

    /// The properties that are not the difference of a value filled with 7 and one filled with 3.
    private func others(_ value: Any) -> Set<String> {
        Set(Mirror(reflecting: value).children.compactMap { $0.value as? UInt64 == 4 ? nil : $0.label })
    }

    @Test("of hangs all but the lengths of one hang")
    func hangs() throws {
        let (old, new) = (try filled(HangTotals(), 3), try filled(HangTotals(), 7))
        let lengths: Set<String> = ["lastNanoseconds", "worstNanoseconds", "worstFaultNanoseconds"]
        #expect(others(new.since(old, [])) == lengths)
        var sum = try filled(HangTotals(), 1)
        sum.add(old)
        #expect(others(sum) == lengths)
    }

    @Test("of a main loop all but seconds in a row, longest times and what is fixed")
    func loops() throws {
        let (old, new) = (try filled(LoopTotals(), 3), try filled(LoopTotals(), 7))
        let (totals, parts) = (new.since(old), LoopTotals.tracedParts)
        let nested = Set(parts.map { $0.name } + LoopTotals.tracedStretches.map { $0.name })
        #expect(others(totals) == nested.union(["isInputKnown"]))
        for part in parts { #expect(others(totals[keyPath: part.path]).isEmpty, "\(part.name)") }
        let rows = (try filled(LoopRow.Numbers(), 3), try filled(LoopRow.Numbers(), 7))
        #expect(others(rows.1.since(rows.0)) == ["longest", "interval", "descriptor", "isShared"])
        let facts = (try filled(WidgetFact.Numbers(), 3), try filled(WidgetFact.Numbers(), 7))
        #expect(others(facts.1.since(facts.0)) == ["longest", "longestOf"])
    }

    @Test("of frames all but the longest, the interval and an average")
    func frames() throws {
        var totals = FrameTotals()
        (totals.count, totals.interval, totals.presented, totals.processor) = (1, 1, 1, 1)
        let frames = try #require(FrameStats(totals))
        let new = try #require(try filled(frames, 7).since(try filled(frames, 3)))
        #expect(
            others(new) == [
                "longestNanoseconds", "intervalNanoseconds", "isIntervalTold", "presentationNanoseconds",
            ])
        #expect(new.longestNanoseconds == 7 && new.presentationNanoseconds == nil)
    }

    @Test("of a view all but its name, its instances, the latest, and values with sums of their own")
    func views() throws {
        var view = Sample.view("Row", count: 1)
        (view.passes, view.selfNanoseconds, view.framesOverInterval) = (1, 1, 1)
        view.framework = FrameworkTime(layouts: 1, layoutNanoseconds: 1, commitNanoseconds: 1)
        let new = try filled(view, 7).since(try filled(view, 3))
        #expect(
            others(new) == [
                "key", "file", "line", "notSeen", "mayBeMore", "instances", "framework", "wasted", "body", "total",
                "lastReason",
                "reasons", "hangs", "lastRenderedAt", "handle",
            ])
        let framework = try #require(new.framework)
        #expect(others(framework).isEmpty && others(new.wasted) == ["kinds", "kindNanoseconds"])
        for kinds in [new.wasted.kinds, new.wasted.kindNanoseconds] {
            #expect(kinds.count == WasteKind.allCases.count && kinds.values.allSatisfy { $0 == 4 })
        }
        #expect(new.body.totalNanoseconds == 4 && new.total.totalNanoseconds == 4)
    }
}
