// SPDX-License-Identifier: MIT
// What is evaluated without input, added up by causes, on a clock that the tests set.

import RerenderModel
import Testing

@testable import Rerender

@Suite("Work without input")
struct WorkListTests {
    private static let second: UInt64 = 1_000_000_000
    private static let wallClock = WallClock()

    private func cause(_ view: UInt32, _ reason: String = "tick") -> WorkCause {
        WorkCause(view: view, key: ViewKey(rawValue: "V\(view)"), reason: reason, writer: nil, callback: nil)
    }

    /// Evaluates a view for a cause, so many times, one each 0.1 s.
    private func go(
        _ list: inout WorkList, _ times: Int, _ cause: WorkCause, of view: UInt32? = nil, from start: UInt64,
        inputAt: UInt64 = 1
    ) {
        for round in 0..<times {
            let place = list.place(of: cause)
            let now = start + UInt64(round) * Self.second / 10
            _ = list.note(place, view: view ?? cause.view, nanoseconds: 1_000_000, at: now, inputAt: inputAt)
        }
    }

    private func work(_ list: WorkList) -> [IdleWork] { list.work(Self.wallClock, named: true) }

    @Test("is known once somebody tells of input, and two seconds after it")
    func input() {
        let watch = InputWatch()
        watch.note(at: 5)
        #expect(watch.quietSince(at: 100 * Self.second) == nil)
        watch.begin(at: Self.second)
        #expect(
            watch.quietSince(at: 3 * Self.second) == nil && watch.quietSince(at: 3 * Self.second + 1) == Self.second)
        watch.note(at: 9 * Self.second)
        watch.begin(at: 1)
        #expect(
            watch.quietSince(at: 11 * Self.second) == nil && watch.quietSince(at: 12 * Self.second) == 9 * Self.second)
    }

    @Test("is told from ten evaluations in a row on, with its rate and its share of a core")
    func row() throws {
        var list = WorkList()
        go(&list, 9, cause(0), from: Self.second)
        #expect(work(list).isEmpty)
        go(&list, 2, cause(0), from: Self.second * 19 / 10)
        let told = try #require(work(list).first)
        #expect(told.view == "V0" && told.reason == "tick" && told.kind == .evaluations)
        #expect(told.latest.own == 11 && told.latestDuration == Self.second)
        let (rate, share) = (try #require(told.perSecond), try #require(told.share))
        #expect(abs(rate - 10) < 1e-9 && abs(share - 0.01) < 1e-9)
    }

    @Test("has those that a cause led to beside those of its view")
    func followers() throws {
        var list = WorkList()
        for round in 0..<10 {
            let at = Self.second * UInt64(round + 1)
            go(&list, 1, cause(0), from: at)
            go(&list, 3, cause(0), of: 7, from: at)
        }
        let told = try #require(work(list).first)
        #expect(told.latest.own == 10 && told.latest.count == 40)
        #expect(told.allPerSecond == told.perSecond.map { $0 * 4 })
    }

    @Test("ends its row by a pause of more than two seconds, and by input")
    func rows() {
        var list = WorkList()
        go(&list, 12, cause(0), from: Self.second)
        go(&list, 4, cause(0), from: 10 * Self.second)
        #expect(work(list).map { [$0.latest.own, $0.all.own] } == [[4, 16]])
        go(&list, 3, cause(0), from: 11 * Self.second, inputAt: 10 * Self.second + 500_000_000)
        #expect(work(list).map { [$0.latest.own, $0.all.own] } == [[3, 19]])
    }

    @Test("keeps causes apart by view, reason and writer, and counts those without room as others")
    func causes() {
        var list = WorkList()
        for view in 0..<UInt32(30) { go(&list, 10, cause(view), from: Self.second) }
        let told = work(list)
        #expect(told.count == StoreLimits.shownWork + 1)
        #expect(told.dropLast().map(\.view) == (0..<StoreLimits.shownWork).map { "V\($0)" })
        #expect(told.last?.kind == .others && told.last?.all.own == UInt64(30 - StoreLimits.shownWork))
    }

    @Test("is bounded: causes that were not told of make room, and what was meant for them goes nowhere")
    func bounds() {
        var list = WorkList()
        go(&list, 10, cause(0), from: Self.second)
        let early = list.place(of: cause(1))
        for view in 2..<UInt32(500) { go(&list, 1, cause(view), from: 5 * Self.second + UInt64(view)) }
        let isNoted = list.note(early, view: 1, nanoseconds: 1, at: 6 * Self.second, inputAt: 1)
        #expect(!isNoted)
        go(&list, 10, cause(900), from: 7 * Self.second)
        #expect(work(list).map(\.view) == ["V0", "V900"] && work(list).map(\.all.own) == [10, 10])
    }

    @Test("begins anew with each epoch, where places of before lead nowhere")
    func epochs() {
        var list = WorkList()
        go(&list, 10, cause(0), from: Self.second)
        let old = list.place(of: cause(0))
        list.enter(epoch: 1)
        go(&list, 10, cause(0), from: Self.second)
        let isNoted = list.note(old, view: 0, nanoseconds: 1, at: 2 * Self.second, inputAt: 1)
        #expect(!isNoted)
        #expect(work(list).map(\.all.own) == [10])
    }

    @Test("has frames, whatever their causes")
    func frames() {
        var list = WorkList()
        for round in 0..<UInt64(20) {
            _ = list.noteFrame(nanoseconds: 5_000_000, at: Self.second + round * 16_000_000, inputAt: 1)
        }
        let told = work(list)
        #expect(told.map(\.kind) == [.frames] && told[0].latest.own == 20 && told[0].view.isEmpty)
    }
}
