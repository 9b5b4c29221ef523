// SPDX-License-Identifier: MIT
// A store's copy of the hangs that a daemon counts.

import RerenderModel
import RerenderWire
import TestSupport
import Testing

@testable import Rerender

@Suite("A store's hangs")
struct HangCountingTests {
    private let core = TestProcess().makeStore()

    @Test("are what the daemon counted last, for the store and for the blamed view")
    func copies() throws {
        for label in ["A", "B"] { core.evaluate(label) }
        core.take(notice(300, count: 1, view: 1))
        core.take(notice(400, count: 2, view: 1))
        core.take(notice(400, count: 2, view: 1))
        let view = try #require(core.stats().first { $0.key == "B" })
        #expect(view.hangCount == 2 && view.lastHangDurationNanos == 400_000_000)
        #expect(view.hangs.worstNanoseconds == 400_000_000)
        #expect(core.stats().first { $0.key == "A" }?.hangCount == 0)
        #expect(core.currentHangs.hangs.count == 2 && core.currentHangs.microHangs == 7)
    }

    @Test("are of no view where none is blamed, or one that the store does not have")
    func noView() {
        core.evaluate("A")
        core.take(notice(300, count: 1))
        core.take(notice(300, count: 2, view: 9))
        #expect(core.stats().allSatisfy { $0.hangCount == 0 })
        #expect(core.currentHangs.hangs.count == 2)
    }

    @Test("are cleared by a reset, and those of another epoch change nothing")
    func resets() throws {
        core.evaluate("A")
        core.take(notice(300, count: 1, view: 0))
        core.reset()
        #expect(core.currentHangs == StoreHangs() && core.stats().isEmpty)
        core.take(notice(300, count: 2, view: 0, epoch: 0))
        #expect(core.currentHangs == StoreHangs() && core.stats().isEmpty)
        // Its body has begun in this epoch and goes on.
        core.take(notice(300, count: 1, view: 0, epoch: 1))
        #expect(core.stats().map(\.hangCount) == [1] && core.stats().map(\.count) == [0])
    }

    @Test("are of no view where a daemon that counts from zero says so")
    func fromZero() {
        core.evaluate("A")
        core.take(notice(300, count: 1, view: 0))
        core.take(notice(300, count: 0, view: 0, epoch: 1))
        #expect(core.stats().map(\.hangCount) == [1], "that is of another epoch")
        core.take(notice(300, count: 0))
        #expect(core.currentHangs.hangs.count == 0 && core.stats().map(\.hangCount) == [0])
    }

    @Test("stand in the export")
    func export() {
        core.evaluate("A")
        core.take(notice(300, count: 1, view: 0))
        core.setHangStacks(true)
        let entry = core.export()
        #expect(entry.hangs.count == 1 && entry.hangs.worstNanoseconds == 300_000_000 && entry.microHangs == 7)
        #expect(entry.hangStacks == true && entry.views.map(\.hangs.count) == [1])
    }

    @Test("do not travel: the daemon has them")
    func staysHere() throws {
        core.evaluate("A")
        core.reset()
        core.take(notice(300, count: 1, view: 0, epoch: 1))
        var hello = WireWriter()
        var session = UplinkSession(
            identity: ProcessIdentity(pid: 1, name: "shop", startTicks: 1), copy: nil, writer: &hello)
        var writer = WireWriter()
        _ = session.write([core], to: &writer, budget: .max)
        var told: [AppMessage] = []
        let bytes = writer.bytes
        _ = try FrameReader.frames(in: bytes.span.bytes) { frame throws(WireError) in
            try FrameReader.messages(in: frame) { kind, fields throws(WireError) in
                if let message = try AppMessage(kind: kind, fields: &fields) { told.append(message) }
            }
        }
        #expect(told.compactMap(\.totals).isEmpty && told.compactMap(\.storeState).count == 1)
    }

    private func notice(_ milliseconds: UInt64, count: UInt64, view: UInt32? = nil, epoch: UInt32 = 0) -> HangNotice {
        var hang = Hang(id: 5, pid: 1, process: "shop", startedAt: Timestamp(nanosecondsSince1970: 1), turn: 9)
        hang.durationNanoseconds = milliseconds * 1_000_000
        var counts = StoreHangs()
        for _ in 0..<count { counts.hangs.add(nanoseconds: hang.durationNanoseconds) }
        counts.microHangs = 7
        var notice = HangNotice(storeID: core.id, epoch: epoch, hang: hang, isMicroHang: false, counts: counts)
        if let view { notice.blamed = .init(index: view, hangs: counts.hangs) }
        return notice
    }
}
