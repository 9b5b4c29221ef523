// SPDX-License-Identifier: MIT
import NIOCore
import RerenderModel
import RerenderWire
import TestSupport
import Testing

@testable import RerenderDaemon
@testable import DaemonSupport

@Suite("The state file")
struct StateFileTests {
    private func filled() throws -> RegistryFixture {
        let fixture = RegistryFixture()
        let app = try fixture.connect(pid: 1)
        try fixture.say(
            .store(evaluations: 20, dropped: 3), .view(0, "Cart"), .view(1, "Unseen"), .reason(0, "initial"),
            .detail(1, "advance()"), .detail(4, "List ← tick"), .detail(0, "of others", reason: 255),
            .totals(
                0, 9, body: 77, reasons: [0: 5, 255: 4], passes: [0: 3, 255: 1],
                details: [
                    .init(reason: 0, slot: 1, count: 3), .init(reason: 0, slot: 3, count: 1),
                    .init(reason: 0, slot: 4, count: 2), .init(reason: 255, slot: 0, count: 1),
                    .init(reason: 255, slot: 7, count: 2),
                ], waste: .of([.sameOutput: (3, 19), .parentOnly: (1, 1)]), forgotten: 6),
            .store(1, "tools"), .storeEnded(storeID: 1), on: app)
        var short = hang(7, open: true)
        short.stacks = []
        fixture.registry.put(short, of: ProcessInstance(pid: 1, startTicks: 1), isNews: true)
        fixture.registry.processEnded(try fixture.process(app), page: nil, now: .now() - .seconds(10))
        let live = try fixture.connect(pid: 2, name: "desk")
        try fixture.say(
            .store(evaluations: 4), .view(0, "Row"), .totals(0, 4), .view(1, "Badge"), .notSeen(1),
            .cycle(0, ["Row", "Badge"], rounds: 12), .work(0, "Row", own: 13), on: live)
        let desk = try fixture.process(live)
        desk.progress = mark
        return fixture
    }

    private func restored(_ bytes: [UInt8], boot: String = "boot") throws -> RegistryFixture {
        let fixture = RegistryFixture()
        try StateFile.restore(bytes, into: fixture.registry, bootID: boot, now: .now())
        return fixture
    }

    @Test("gives back what was known, ended processes as ended and the others as not connected")
    func roundTrip() throws {
        let before = try filled()
        let bytes = StateFile.joined(of: before.registry, bootID: "boot", limit: 1 << 20, now: .now())
        let after = try restored(bytes)
        var expected = try before.export().processes
        for index in expected.indices { expected[index].connected = false }
        #expect(try after.export().processes == expected)
        let view = try #require(expected[0].views.first)
        #expect(view.wasted.count == 4 && view.forgotten == 6)
        #expect(expected.compactMap(\.notSeenViews).map(\.keys) == [["Badge"]])
        #expect(expected.compactMap(\.cycles).map { $0.map(\.rounds) } == [[12]])
        #expect(expected.compactMap(\.idleWork).map { $0.map(\.all.own) } == [[13]])
        #expect(view.passes == 4 && view.reasons.map(\.passes) == [3, 1])
        #expect(view.wasted.kindNanoseconds == [.sameOutput: 19, .parentOnly: 1])
        #expect(view.reasons.flatMap(\.writers).map(\.writer) == ["advance()", "other", "of others"])
        #expect(view.reasons.flatMap(\.chains).map(\.chain) == ["List ← tick", "other"])
        #expect(expected[0].lost == 8, "the account is kept as it was settled")
        #expect(after.registry.disconnectedProcesses.map(\.identity.pid) == [2])
        #expect(after.registry.totalsReceived == 0 && after.registry.actions.isEmpty)
        let desk = try after.connect(pid: 2, name: "desk")
        try after.say(.store(evaluations: 5), .view(0, "Row"), .totals(0, 5), on: desk)
        #expect(try after.export().processes.count == 3, "a process that lived on continues its entry")
    }

    private func hang(_ id: UInt64, open: Bool) -> Hang {
        var hang = Hang(
            id: id, pid: 2, process: "desk", startedAt: Timestamp(nanosecondsSince1970: 5_000_000_000 * Int64(id)),
            turn: 10 * id)
        hang.durationNanoseconds = 400_000_000
        hang.open = open
        hang.ended = open ? nil : .exited
        (hang.view, hang.attribution, hang.lastRendered) = ("Row", .share, "Cart")
        (hang.verdict, hang.waitingOn, hang.trace) = (.blocked, "futex", "/tmp/trace")
        hang.shares = [.init(view: "Row", nanoseconds: 300_000_000)]
        hang.unattributedNanoseconds = 100_000_000
        (hang.viewAtThreshold, hang.starvedNanoseconds, hang.guess) = ("Cart", 9, open)
        (hang.openedAfterNanoseconds, hang.watchdogLatenessNanoseconds) = (250_000_001, nil)
        hang.counts = open
        let frames = (0..<64).map { "frame \($0) " + String(repeating: "x", count: 200) }
        hang.stacks = (0..<8).map { .init(atNanoseconds: $0, frames: frames) }
        return hang
    }

    private let mark = WatchCheckpoint(origin: 77, seenLongTurns: 5, doneTurn: 9)

    @Test("gives back hangs that are over with everything that is known of them, and up to where they are counted")
    func hangs() throws {
        let before = try filled()
        before.registry.removeHang(7)
        let desk = ProcessInstance(pid: 2, startTicks: 1)
        for (id, open) in [(1, false), (3, true), (4, false)] as [(UInt64, Bool)] {
            before.registry.put(hang(id, open: open), of: desk, isNews: true)
        }
        let bytes = StateFile.joined(of: before.registry, bootID: "boot", limit: 1 << 20, now: .now())
        let after = try restored(bytes).registry
        // The one that goes on is found again on its page.
        let expected = before.registry.hangs.entries.map(\.hang).filter { !$0.open }
        #expect(expected.count == 2 && expected.allSatisfy { $0.stacks.count == 8 })
        #expect(after.hangs.entries.map(\.hang) == expected && after.hangs.latestID == 4)
        #expect(after.process(desk)?.progress == mark)
        let another = try restored(bytes, boot: "another").registry
        #expect(another.hangs.entries.map(\.hang) == expected && another.process(desk)?.progress == nil)
    }

    @Test("keeps the newest hangs if not all fit")
    func hangLimit() throws {
        let fixture = RegistryFixture()
        for id in 1...9 as ClosedRange<UInt64> {
            var short = hang(id, open: false)
            short.stacks = []
            fixture.registry.put(short, of: ProcessInstance(pid: 2, startTicks: 1), isNews: true)
        }
        let bytes = StateFile.joined(of: fixture.registry, bootID: "boot", limit: 2_000, now: .now())
        #expect(bytes.count <= 2_000)
        let kept = try restored(bytes).registry.hangs.entries.map(\.hang.id)
        #expect(!kept.isEmpty && kept.count < 9 && kept == Array((10 - UInt64(kept.count))...9))
    }

    @Test("keeps the age of what ended")
    func age() throws {
        let bytes = StateFile.joined(of: try filled().registry, bootID: "boot", limit: 1 << 20, now: .now())
        let registry = try restored(bytes).registry
        _ = registry.expire(keep: .seconds(5), maxEnded: 64, now: .now())
        #expect(registry.processes.map(\.identity.pid) == [2])
    }

    @Test("knows that nothing lives on from another boot")
    func otherBoot() throws {
        let bytes = StateFile.joined(of: try filled().registry, bootID: "boot", limit: 1 << 20, now: .now())
        let registry = try restored(bytes, boot: "another").registry
        #expect(registry.disconnectedProcesses.isEmpty && registry.processes.count == 2)
    }

    @Test("stays within its limit by leaving out the oldest")
    func limit() throws {
        let registry = try filled().registry
        let all = StateFile.joined(of: registry, bootID: "boot", limit: 1 << 20, now: .now())
        for limit in around(all.count) {
            let some = StateFile.joined(of: registry, bootID: "boot", limit: limit, now: .now())
            #expect(some.count <= limit && (some.count == all.count) == (limit >= all.count))
            let pids = try restored(some).registry.processes.map(\.identity.pid)
            #expect(pids.sorted() == (limit >= all.count ? [1, 2] : [2]))
        }
    }

    @Test("cut anywhere or with flipped bits is an error or a part, and never a trap", arguments: 0..<8)
    func hostile(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let bytes = StateFile.joined(of: try filled().registry, bootID: "boot", limit: 1 << 20, now: .now())
        for _ in 0..<200 {
            var broken = bytes
            for _ in 0..<Int.random(in: 0...4, using: &generator) {
                broken[Int.random(in: 0..<broken.count, using: &generator)] ^=
                    1 << UInt8.random(in: 0..<8, using: &generator)
            }
            broken.removeLast(Int.random(in: 0..<broken.count, using: &generator))
            let fixture = RegistryFixture()
            try? StateFile.restore(broken, into: fixture.registry, bootID: "boot", now: .now())
            #expect(fixture.registry.processes.allSatisfy { $0.connection == nil })
            _ = try fixture.export()
        }
    }

    @Test("of another version or of none is refused")
    func refused() {
        #expect(throws: WireError.self) { try restored([1, 2, 3]) }
        var writer = WireWriter()
        writer.message(kind: 200) {
            $0.integer(StateFile.version + 1)
            $0.string("boot", limit: 100)
        }
        #expect(throws: WireError.versionMismatch(ours: StateFile.version, theirs: StateFile.version + 1)) {
            try restored(writer.bytes)
        }
    }
}

extension StateFile {
    static func joined(of registry: Registry, bootID: String, limit: Int, now: NIODeadline) -> [UInt8] {
        Array(parts(of: registry, bootID: bootID, limit: limit, now: now).joined())
    }
}
