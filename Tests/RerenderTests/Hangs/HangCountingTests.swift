// SPDX-License-Identifier: MIT
// How a store counts the hangs that a daemon tells of.

import RerenderModel
import RerenderWire
import Testing

@testable import Rerender

@Suite("Counting hangs")
struct HangCountingTests {
    private let core = TestProcess().makeStore()

    @Test("a turn is what the store's own thresholds make of it, each end included")
    func ownThresholds() {
        core.hangThresholdMilliseconds = 200
        core.microHangThresholdMilliseconds = 50
        let counted = [49, 50, 199, 200, 900].map { core.count(notice($0)) }
        #expect(counted == [false, false, false, true, true])
        let state = core.state()
        #expect(state.microHangs == 2 && state.hangs.count == 2)
        #expect(state.hangs.lastNanoseconds == 900_000_000 && state.hangs.worstNanoseconds == 900_000_000)
    }

    @Test("a hang is one also where the threshold of a micro-hang is longer")
    func reversedThresholds() {
        core.hangThresholdMilliseconds = 20
        #expect(core.count(notice(30)))
        #expect(!core.count(notice(19)))
        #expect(core.state().hangs.count == 1 && core.state().microHangs == 0)
    }

    @Test("the blamed view counts hangs and no micro-hangs; last and longest are told apart")
    func blamedView() throws {
        for label in ["A", "B"] { core.evaluate(label) }
        for milliseconds in [300, 700, 400, 120] { _ = core.count(notice(milliseconds, view: 1)) }
        let view = try #require(core.stats().first { $0.key == "B" })
        #expect(view.hangCount == 3 && view.lastHangDurationNanos == 400_000_000)
        #expect(view.hangs.worstNanoseconds == 700_000_000)
        #expect(core.stats().first { $0.key == "A" }?.hangCount == 0)
        #expect(core.state().hangs.count == 3 && core.state().microHangs == 1)
    }

    @Test("blame of another store's view, of an unknown one, or of none is the store's hang and no view's")
    func noViewOfOurs() {
        core.evaluate("A")
        var foreign = notice(300, view: 0)
        foreign.viewStoreID = core.id + 1
        var unknown = notice(300, view: 0)
        unknown.viewIndex = 9
        for notice in [foreign, unknown, notice(300)] { #expect(core.count(notice)) }
        #expect(core.stats().allSatisfy { $0.hangCount == 0 })
        #expect(core.state().hangs.count == 3)
    }

    @Test("a reset clears hangs, and blame from before it reaches no view")
    func resets() {
        core.evaluate("A")
        _ = core.count(notice(300, view: 0))
        _ = core.count(notice(150, view: 0))
        core.reset()
        #expect(core.state().hangs.count == 0 && core.state().microHangs == 0)
        #expect(core.stats().isEmpty)
        _ = core.count(notice(300, view: 0, epoch: 0))
        #expect(core.state().hangs.count == 1 && core.stats().isEmpty)
        // Its body has begun in this epoch and goes on.
        _ = core.count(notice(300, view: 0, epoch: 1))
        #expect(core.stats().map(\.hangCount) == [1] && core.stats().map(\.count) == [0])
    }

    @Test("the export has the totals")
    func export() {
        core.evaluate("A")
        _ = core.count(notice(300, view: 0))
        _ = core.count(notice(150))
        core.setRecordsHangStacks(true)
        let entry = core.export()
        #expect(entry.hangs.count == 1 && entry.hangs.worstNanoseconds == 300_000_000 && entry.microHangs == 1)
        #expect(entry.stacks && entry.views.map(\.hangs.count) == [1])
    }

    @Test("totals of hangs travel, also of a view without an evaluation in the epoch")
    func travels() throws {
        core.evaluate("A")
        core.reset()
        _ = core.count(notice(300, view: 0, epoch: 1))
        var hello = WireWriter()
        var session = UplinkSession(
            identity: ProcessIdentity(pid: 1, name: "shop", startTicks: 1), flightPage: nil, writer: &hello)
        var writer = WireWriter()
        _ = session.write([core], to: &writer, budget: .max)
        var told: [AppMessage] = []
        let bytes = writer.bytes
        _ = try FrameReader.frames(in: bytes.span.bytes) { frame throws(WireError) in
            try FrameReader.messages(in: frame) { kind, fields throws(WireError) in
                if let message = try AppMessage(kind: kind, fields: &fields) { told.append(message) }
            }
        }
        #expect(told.compactMap(\.store).last?.hangs.count == 1)
        #expect(told.compactMap(\.totals).map(\.hangs.worstNanoseconds) == [300_000_000])
        #expect(told.compactMap(\.totals).map(\.count) == [0])
    }

    @Test("a hang that is told again counts once, as many as the flight page remembers")
    func toldAgain() {
        var told = ToldHangs()
        let notices = (0..<StoreLimits.toldHangs).map { notice(300 + $0) }
        let (first, again) = (notices.map { told.insert($0) }, notices.map { told.insert($0) })
        #expect(first.allSatisfy { $0 } && !again.contains(true))
        let next = [notice(300 + StoreLimits.toldHangs), notices[1]].map { told.insert($0) }
        #expect(next == [true, false])
    }

    @Test("a handler gets what the notice says")
    func handlersHang() {
        var notice = notice(300, view: 0)
        notice.view = "Cart"
        notice.attribution = .inBody
        notice.verdict = .blocked
        notice.waitingOn = "futex"
        notice.shares = [.init(view: "Cart", nanoseconds: 7)]
        notice.unattributedNanoseconds = 3
        let hang = Hang(notice, of: ProcessIdentity(pid: 4_711, name: "shop", startTicks: 1))
        #expect(hang.id == 5 && hang.pid == 4_711 && hang.process == "shop" && hang.turn == 9 && !hang.open)
        #expect(hang.view == "Cart" && hang.attribution == .inBody && hang.lastRendered == nil)
        #expect(hang.verdict == .blocked && hang.waitingOn == "futex" && hang.shares == notice.shares)
        #expect(hang.unattributedNanoseconds == 3 && hang.ended == .normally && hang.counts)
    }

    private func notice(_ milliseconds: Int, view: UInt32? = nil, epoch: UInt32 = 0) -> HangNotice {
        var notice = HangNotice(
            id: 5, startedAt: Timestamp(nanosecondsSince1970: 1), durationNanoseconds: UInt64(milliseconds) * 1_000_000,
            turn: 9)
        guard let view else { return notice }
        notice.view = "view"
        notice.viewStoreID = core.id
        notice.viewIndex = view
        notice.viewEpoch = epoch
        return notice
    }
}
