// SPDX-License-Identifier: MIT
// What is evaluated without input, added up by causes, on a clock that the tests set.

import RerenderModel
import TestSupport
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
            let now = start + UInt64(round) * Self.second / 10
            let place = list.place(of: cause, at: now)
            _ = list.note(place, view: view ?? cause.view, nanoseconds: 1_000_000, at: now, inputAt: inputAt)
        }
    }

    private func work(_ list: WorkList) -> [IdleWork] { list.shown.work(Self.wallClock) }

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

    @Test("has how many of its own were measured not to be needed, at their end or by a commit")
    func wasted() throws {
        var list = WorkList()
        for round in 0..<20 {
            let now = Self.second * UInt64(10 + round) / 10
            let place = list.place(of: cause(0), at: now)
            _ = list.note(place, view: 0, nanoseconds: 1, isWasted: round % 2 == 0, at: now, inputAt: 1)
            // Those that it leads to are wasted by themselves.
            _ = list.note(place, view: 7, nanoseconds: 1, isWasted: true, at: now, inputAt: 1)
            if round == 19 {
                list.noteWasted(place, view: 0)
                list.noteWasted(place, view: 7)
                list.noteWasted(WorkPlace(index: place.index, serial: place.serial + 1), view: 0)
            }
        }
        let told = try #require(work(list).first)
        #expect(told.latest.own == 20 && told.latest.wasted == 11 && told.all.wasted == 11)
        let place = list.place(of: cause(0), at: Self.second)
        for _ in 0..<30 { list.noteWasted(place, view: 0) }
        #expect(work(list).first?.all.wasted == 20, "no more than there are")
        _ = list.noteFrame(nanoseconds: 1, at: Self.second, inputAt: 1)
        for round in 0..<10 { _ = list.noteFrame(nanoseconds: 1, at: Self.second + UInt64(round), inputAt: 1) }
        #expect(work(list).last?.latest.wasted == nil, "a frame is judged by itself")
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

    @Test(
        "keeps causes apart by view, reason and writer, and counts those without room as others",
        arguments: around(StoreLimits.shownWork))
    func causes(count: Int) {
        var list = WorkList()
        for view in 0..<UInt32(count) { go(&list, 10, cause(view), from: Self.second) }
        let (told, kept) = (work(list), min(count, StoreLimits.shownWork))
        #expect(told.prefix(kept).map(\.view) == (0..<kept).map { "V\($0)" })
        let others = told.dropFirst(kept)
        #expect(others.map(\.kind) == (count > kept ? [.others] : []))
        #expect(others.map(\.all.own) == (count > kept ? [UInt64(count - kept)] : []))
    }

    @Test("is told from so many evaluations in a row on", arguments: around(Int(StoreLimits.workInARow)))
    func inARow(count: Int) {
        var list = WorkList()
        go(&list, count, cause(0), from: Self.second)
        #expect(work(list).map(\.latest.own) == (count < Int(StoreLimits.workInARow) ? [] : [UInt64(count)]))
    }

    @Test("has one place for all causes beyond those that it keeps", arguments: around(StoreLimits.workCauses))
    func places(count: Int) {
        var list = WorkList()
        var places: Set<UInt32> = []
        for view in 0..<UInt32(count) { places.insert(list.place(of: cause(view), at: Self.second).index) }
        #expect(places.count == min(count, StoreLimits.workCauses + 1))
    }

    @Test(
        "shows a cause that goes on in the place of the cheapest one that is over, which is counted with the others then"
    )
    func replacement() {
        var list = WorkList()
        // The first of all is the cheapest one.
        for view in 0..<UInt32(StoreLimits.shownWork) {
            go(&list, view == 0 ? 10 : 11, cause(view), from: Self.second * UInt64(view + 1))
        }
        go(&list, 12, cause(90), from: 100 * Self.second)
        let told = work(list)
        #expect(told.count == StoreLimits.shownWork + 1)
        #expect(told[0].view == "V90" && told[0].all.own == 12)
        #expect(told.dropFirst().prefix(13).map(\.view) == (1...13).map { "V\($0)" })
        #expect(told.last?.kind == .others && told.last?.all.own == 10 && told.last?.latest.own == 10)
        // It comes again while the others go on: of what it was before, nothing is counted twice.
        for view in 1..<UInt32(StoreLimits.shownWork) { go(&list, 10, cause(view), from: 200 * Self.second) }
        go(&list, 10, cause(90), from: 200 * Self.second)
        go(&list, 13, cause(0), from: 200 * Self.second)
        let again = work(list)
        #expect(again.map(\.view).contains("V0") == false)
        #expect(again.last?.all.own == 14)
    }

    @Test("is bounded: causes that are over make room, and what was meant for them goes nowhere")
    func bounds() {
        var list = WorkList()
        go(&list, 10, cause(0), from: Self.second)
        let early = list.place(of: cause(1), at: 2 * Self.second)
        for view in 2..<UInt32(500) {
            go(&list, 1, cause(view), from: 5 * Self.second + UInt64(view) * Self.second / 10)
        }
        let noted = list.note(early, view: 1, nanoseconds: 1, at: 60 * Self.second, inputAt: 1)
        #expect(noted == .nowhere)
        go(&list, 10, cause(900), from: 70 * Self.second)
        #expect(work(list).map(\.view) == ["V0", "V900"] && work(list).map(\.all.own) == [10, 10])
    }

    @Test("counts with the others what has no place while all go on, and gives it one when one is over")
    func others() {
        var list = WorkList()
        let many = UInt32(StoreLimits.workCauses)
        for view in 0..<many { _ = list.place(of: cause(view), at: Self.second) }
        let place = list.place(of: cause(many), at: Self.second)
        #expect(place == list.place(of: cause(many + 1), at: Self.second))
        // The first one asks those without a place to look for one anew, and again after two seconds.
        let first = list.note(place, view: many, nanoseconds: 1, at: 3 * Self.second, inputAt: 1)
        let stale = list.note(place, view: many, nanoseconds: 1, at: 3 * Self.second, inputAt: 1)
        #expect(first == .hidden && stale == .nowhere)
        for view in 0..<many { go(&list, 1, cause(view), from: 3 * Self.second) }
        let next = list.place(of: cause(many), at: 3 * Self.second)
        var noted: [WorkList.Noted] = []
        for _ in 0..<100 {
            noted.append(list.note(next, view: many, nanoseconds: 1, at: 4 * Self.second, inputAt: 1))
        }
        #expect(noted.prefix(8).allSatisfy { $0 == .hidden } && noted.dropFirst(9).allSatisfy { $0 == .shown })
        #expect(work(list).map(\.kind) == [.others] && work(list)[0].all.own == 101)
        go(&list, 10, cause(many), from: 10 * Self.second)
        #expect(work(list).map(\.view) == ["", "V\(many)"])
    }

    @Test("begins anew with each epoch, where places of before lead nowhere")
    func epochs() {
        var list = WorkList()
        go(&list, 10, cause(0), from: Self.second)
        let old = list.place(of: cause(0), at: 2 * Self.second)
        list.enter(epoch: 1)
        go(&list, 10, cause(0), from: Self.second)
        let noted = list.note(old, view: 0, nanoseconds: 1, at: 2 * Self.second, inputAt: 1)
        #expect(noted == .nowhere)
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
