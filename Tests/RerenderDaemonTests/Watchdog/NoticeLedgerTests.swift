// SPDX-License-Identifier: MIT
import NIOCore
import RerenderModel
import RerenderWire
import Testing

@testable import RerenderDaemon

@Suite("Hangs that an app was told of and did not live to count")
struct NoticeLedgerTests {
    private let fixture = RegistryFixture()

    private func notice(_ turn: UInt64, milliseconds: UInt64 = 300, view: UInt32? = nil) -> HangNotice {
        var notice = HangNotice(
            id: turn, startedAt: .now, durationNanoseconds: milliseconds * 1_000_000 + turn, turn: turn)
        if let view { (notice.view, notice.viewIndex) = ("A", view) }
        return notice
    }

    private func state(_ hangs: [HangNotice], micro: UInt64 = 0, epoch: UInt32 = 0) -> AppMessage {
        var state = StoreState(storeID: 0, name: "main", startedAt: Timestamp(nanosecondsSince1970: 1_000_000_000))
        for hang in hangs { state.hangs.add(nanoseconds: hang.durationNanoseconds) }
        (state.microHangs, state.epoch) = (micro, epoch)
        return .store(state)
    }

    private func totals(_ hangs: [HangNotice], epoch: UInt32 = 0) -> AppMessage {
        var totals = ViewTotals(storeID: 0, index: 0, epoch: epoch)
        for hang in hangs { totals.hangs.add(nanoseconds: hang.durationNanoseconds) }
        return .totals(totals)
    }

    private func app() throws -> (AppConnection, ProcessEntry) {
        let app = try fixture.connect()
        try fixture.say(state([]), .view(0, "A"), on: app)
        return (app, try fixture.process(app))
    }

    private func tell(_ process: ProcessEntry, _ notices: HangNotice...) {
        for notice in notices {
            _ = process.notices.add(.init(notice: notice), limit: 64)
            fixture.registry.sentNextNotice(to: process)
        }
    }

    /// The hangs and micro-hangs of the store, and the hangs of its view, once the process is dead.
    private func end(_ process: ProcessEntry) throws -> [UInt64] {
        fixture.registry.processEnded(process, page: nil, now: .now())
        fixture.registry.settleNotices(of: process)
        let export = try fixture.export().processes[0]
        return [export.hangs.count, export.microHangs, export.views.first?.hangs.count ?? 0]
    }

    @Test("are counted when it has ended, in the store and in the blamed view")
    func unconfirmed() throws {
        let (_, process) = try app()
        tell(process, notice(1, view: 0), notice(2, milliseconds: 150))
        #expect(try end(process) == [1, 1, 1])
    }

    @Test("are counted once if its totals have them")
    func confirmed() throws {
        let (connection, process) = try app()
        let (first, second) = (notice(1, view: 0), notice(2, view: 0))
        tell(process, first, second, notice(3, milliseconds: 150))
        try fixture.say(state([first]), totals([first]), on: connection)
        #expect(process.notices.entries.map(\.notice.turn) == [2, 3])
        try fixture.say(state([first, second], micro: 1), totals([first, second]), on: connection)
        #expect(process.notices.isEmpty)
        #expect(try end(process) == [2, 1, 2])
    }

    @Test("are counted in the view alone if only the store had said so")
    func inPart() throws {
        let (connection, process) = try app()
        tell(process, notice(1, view: 0))
        try fixture.say(state([notice(1)]), on: connection)
        #expect(try end(process) == [1, 0, 1])
    }

    @Test("and that were none by a threshold it had raised meanwhile are not counted")
    func thresholds() throws {
        let (connection, process) = try app()
        let (short, long) = (notice(1), notice(2, milliseconds: 900))
        tell(process, short, long)
        try fixture.say(state([long]), on: connection)
        #expect(process.notices.isEmpty, "notices are counted in their order, and the last is")
        #expect(try end(process) == [1, 0, 0])
    }

    @Test("are of the old epoch after a reset")
    func reset() throws {
        let (connection, process) = try app()
        tell(process, notice(1, view: 0))
        try fixture.say(state([], epoch: 1), on: connection)
        #expect(try end(process) == [0, 0, 0])
    }

    @Test("are told again when it connects anew, as far as it knows them again")
    func again() throws {
        let (_, process) = try app()
        for turn in 1...20 as ClosedRange<UInt64> { tell(process, notice(turn)) }
        #expect(process.notices.next == nil)
        process.notices.reconnected()
        #expect(process.notices.entries.map(\.notice.turn) == Array(5...20) && process.notices.next?.turn == 5)
    }

    @Test("wait in a bounded number: told ones are given up first, then new ones are refused")
    func bounded() throws {
        let (_, process) = try app()
        tell(process, notice(1))
        for turn in 2...4 as ClosedRange<UInt64> {
            let isAdded = process.notices.add(.init(notice: notice(turn)), limit: 2)
            #expect(isAdded == (turn < 4))
        }
        #expect(process.notices.entries.map(\.notice.turn) == [2, 3])
    }

    @Test("are kept over a restart of the daemon, and counted at once where nothing lives on")
    func kept() throws {
        let (_, process) = try app()
        tell(process, notice(1, view: 0))
        _ = process.notices.add(.init(notice: notice(2)), limit: 64)
        let bytes = Array(
            StateFile.parts(of: fixture.registry, bootID: "boot", limit: 1 << 20, now: .now()).joined())
        let after = RegistryFixture()
        try StateFile.restore(bytes, into: after.registry, bootID: "boot", now: .now())
        var expected = process.notices
        expected.reconnected()
        #expect(after.registry.process(process.identity)?.notices == expected)
        let another = RegistryFixture()
        try StateFile.restore(bytes, into: another.registry, bootID: "another", now: .now())
        #expect(try another.export().processes[0].hangs.count == 2)
    }
}
