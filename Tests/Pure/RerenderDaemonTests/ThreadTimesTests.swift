// SPDX-License-Identifier: MIT
// Other threads of processes, as files say that the tests write in the place of the kernel's.

import Glibc
import NIOCore
import NIOHTTP1
import RerenderModel
import RerenderWire
import TestSupport
import Testing

@testable import RerenderDaemon
@testable import DaemonSupport

@Suite("Other threads of a process")
struct ThreadTimesTests {
    private static let second: UInt64 = 1_000_000_000
    private let fixture = RegistryFixture()
    private let directory: String

    init() throws { directory = try TestFile.makeDirectory() }

    private func write(_ text: String, to path: String) throws { try TestFile.write(Array(text.utf8), to: path) }

    /// Writes a thread of process 10, and how long all of its threads have run.
    private func add(_ number: Int32, _ name: String, ran: UInt64, all ticks: UInt64) throws {
        for part in ["10", "10/task", "10/task/\(number)"] where mkdir("\(directory)/\(part)", 0o700) != 0 {
            try #require(errno == EEXIST)
        }
        try write("10 (sh) op) S 4 5 6 7 8 9 10 11 12 13 \(ticks - 1) 1 16 17\n", to: "\(directory)/10/stat")
        try write("\(name)\n", to: "\(directory)/10/task/\(number)/comm")
        try write("\(ran) 5 6\n", to: "\(directory)/10/task/\(number)/schedstat")
    }

    /// A process whose main loop was counted for ten seconds.
    private func connect() throws {
        let app = try fixture.connect()
        var totals = LoopTotals()
        totals.counted = 10 * Self.second
        try fixture.say(.store(), .loop(LoopMessage(storeID: 0, epoch: 0, totals: totals)), on: app)
    }

    private func threads() throws -> [ThreadTime] {
        try #require(try fixture.export().processes.first?.loop).threads
    }

    private func times(loopThread: Int32 = 10) -> ThreadTimes {
        ThreadTimes(directory: directory) { _ in loopThread }
    }

    @Test("are told by their names, with how many there were at first, without ours and those of LTTng-UST")
    func names() throws {
        let times = times()
        fixture.registry.onLoop = times.lookFirst
        try add(10, "shop", ran: 3 * Self.second, all: 400)
        try add(11, "gldisplay-event", ran: 0, all: 400)
        try connect()
        try add(11, "gldisplay-event", ran: 4 * Self.second, all: 900)
        try add(12, "gldisplay-event", ran: Self.second, all: 900)
        try add(13, "(worker) 7", ran: Self.second / 2, all: 900)
        try add(14, "rerender-uplink", ran: Self.second, all: 900)
        try add(15, "shop-ust", ran: Self.second, all: 900)
        times.read(for: "shop", in: fixture.registry)
        #expect(
            try threads() == [
                ThreadTime(name: "gldisplay-event", count: 2, atFirst: 1, processor: 5 * Self.second),
                ThreadTime(name: "(worker) *", count: 1, atFirst: 0, processor: Self.second / 2),
            ])
    }

    @Test("are not told where all of them took less than a twentieth of a core, and not of another process")
    func idle() throws {
        try add(10, "shop", ran: 3 * Self.second, all: 340)
        try add(11, "worker", ran: Self.second * 4 / 10, all: 340)
        try connect()
        times().read(for: nil, in: fixture.registry)
        #expect(try threads().isEmpty)
        try add(11, "worker", ran: 9 * Self.second, all: 1_200)
        times().read(for: "another", in: fixture.registry, now: .now() + .seconds(5))
        #expect(try threads().isEmpty)
        times().read(for: "10", in: fixture.registry, now: .now() + .seconds(5))
        #expect(try threads().map(\.name) == ["worker"])
    }

    @Test("are told since the store was reset, as the loop is")
    func reset() throws {
        let times = times()
        fixture.registry.onLoop = times.lookFirst
        fixture.registry.onLoopReset = times.lookAgain
        try add(10, "shop", ran: 3 * Self.second, all: 4_000)
        try add(11, "worker", ran: 30 * Self.second, all: 4_000)
        let app = try fixture.connect()
        var totals = LoopTotals()
        totals.counted = 10 * Self.second
        try fixture.say(
            .store(), .loop(LoopMessage(storeID: 0, epoch: 0, totals: totals)), .store(epoch: 1), on: app)
        // A loop that turns seldom tells of itself late.
        try add(11, "worker", ran: 31 * Self.second, all: 4_200)
        try fixture.say(.loop(LoopMessage(storeID: 0, epoch: 1, totals: totals)), on: app)
        try add(12, "other", ran: 2 * Self.second, all: 4_200)
        times.read(for: nil, in: fixture.registry)
        #expect(try threads().map(\.name) == ["other", "worker"])
        #expect(try threads().map(\.processor) == [2 * Self.second, Self.second])
    }

    @Test("are not told where a daemon did not see the reset, and not what an earlier one had told of them")
    func resetBefore() throws {
        let times = times()
        (fixture.registry.onLoop, fixture.registry.onLoopReset) = (times.lookFirst, times.lookAgain)
        try add(10, "shop", ran: 3 * Self.second, all: 4_000)
        try add(11, "worker", ran: 30 * Self.second, all: 4_000)
        let app = try fixture.connect()
        var totals = LoopTotals()
        totals.counted = 10 * Self.second
        let told = [ThreadTime(name: "worker", count: 1, atFirst: 1, processor: Self.second)]
        try fixture.say(
            .store(epoch: 1), .loop(LoopMessage(storeID: 0, epoch: 1, totals: totals)),
            .threads(ThreadsMessage(storeID: 0, epoch: 1, threads: told)), on: app)
        #expect(try threads() == told)
        try add(11, "worker", ran: 31 * Self.second, all: 4_200)
        times.read(for: nil, in: fixture.registry)
        #expect(try threads().isEmpty)
        // The next reset is seen.
        try fixture.say(.store(epoch: 2), .loop(LoopMessage(storeID: 0, epoch: 2, totals: totals)), on: app)
        try add(11, "worker", ran: 33 * Self.second, all: 4_400)
        times.read(for: nil, in: fixture.registry, now: .now() + .seconds(5))
        #expect(try threads().map(\.processor) == [2 * Self.second])
    }

    @Test("are a part of the time since the loop was first told of, also while the loop sleeps and tells nothing")
    func asleep() {
        var (entry, totals) = (LoopEntry(), LoopTotals())
        totals.counted = 10 * Self.second
        let told = NIODeadline.now()
        entry.receive(totals, now: told)
        #expect(entry.stats(isAlive: true, now: told + .milliseconds(1_999))?.totals == totals)
        #expect(entry.stats(isAlive: false, now: told + .hours(1))?.totals == totals, "it has ended")
        #expect(entry.stats(isAlive: true, now: told + .hours(1))?.totals.counted == 3_610 * Self.second)
        entry.receive(totals, now: told + .hours(1))
        #expect(entry.stats(isAlive: true, now: told + .hours(1))?.totals == totals)
    }

    @Test("are the others, also where the loop is not on the first thread")
    func otherLoop() throws {
        try add(10, "shop", ran: 2 * Self.second, all: 900)
        try add(11, "ui", ran: 6 * Self.second, all: 900)
        try connect()
        times(loopThread: 11).read(for: nil, in: fixture.registry)
        #expect(try threads().map(\.name) == ["shop"])
        // In a namespace of its own the app says numbers that are not here.
        times(loopThread: 4_711).read(for: nil, in: fixture.registry, now: .now() + .seconds(5))
        #expect(try threads().map(\.name) == ["ui"])
    }

    @Test("are read once a second")
    func pause() throws {
        try add(10, "shop", ran: Self.second, all: 500)
        try add(11, "worker", ran: 4 * Self.second, all: 500)
        try connect()
        let now = NIODeadline.now()
        times().read(for: nil, in: fixture.registry, now: now)
        try add(11, "worker", ran: 5 * Self.second, all: 600)
        times().read(for: nil, in: fixture.registry, now: now + .milliseconds(900))
        #expect(try threads().map(\.processor) == [4 * Self.second])
        times().read(for: nil, in: fixture.registry, now: now + .milliseconds(1_100))
        #expect(try threads().map(\.processor) == [5 * Self.second])
    }

    @Test(
        "are in a program's mark if they were just read, and are read for a mark that is asked for",
        arguments: [(Int64(0), true), (5, false)])
    func marks(secondsAgo: Int64, isKept: Bool) throws {
        try add(10, "shop", ran: 2 * Self.second, all: 900)
        try add(11, "worker", ran: 6 * Self.second, all: 900)
        try connect()
        times().read(for: nil, in: fixture.registry, now: .now() - .seconds(secondsAgo))
        func marked(_ name: String) -> [String]? {
            fixture.registry.marks.latest(name, of: [10])?.stores.first?.stats.loop?.threads.map(\.name)
        }
        fixture.registry.mark("own", by: try #require(fixture.registry.processes.first))
        #expect(marked("own") == (isKept ? ["worker"] : []))
        let router = QueryRouter(registry: fixture.registry, limits: fixture.registry.limits, threads: times()) {
            HealthReport()
        }
        _ = router.answer(ReceivedRequest(method: .POST, uri: "/v1/mark", body: Array(#"{"name": "asked"}"#.utf8)))
        #expect(marked("asked") == ["worker"])
    }

    @Test("whose files hold anything else are none")
    func hostile() {
        func ticks(_ stat: String) -> UInt64? { ThreadTimes.time(inStat: Array(stat.utf8)) }
        #expect(ticks("1 (a) b) (c) S 4 5 6 7 8 9 10 11 12 13 3 2 16") == 50_000_000)
        for stat in [
            "", "1 (a)", "1 (a) S 4 5", "1 (a) S 4 5 6 7 8 9 10 11 12 13 x 2", "1 (a) S 4 5 6 7 8 9 10 11 12 13 -1 2",
        ] {
            #expect(ticks(stat) == nil, "\(stat)")
        }
        #expect(ticks("1 (a) S 4 5 6 7 8 9 10 11 12 13 18446744073709551615 18446744073709551615") == nil)
        for schedstat in ["", "x 1 2", "-1 2 3", "99999999999999999999 1 1"] {
            #expect(ThreadTimes.time(inSchedstat: Array(schedstat.utf8)) == nil, "\(schedstat)")
        }
    }
}
