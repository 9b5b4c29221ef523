// SPDX-License-Identifier: MIT
import FoundationEssentials
import Glibc
import NIOCore
import RerenderModel
import RerenderQuery
import RerenderWire
import TestSupport
import Testing

@testable import RerenderDaemon
@testable import DaemonSupport

@Suite("A hostile flight page")
struct HostileFlightPageTests {
    private let ticks = TestFile.startTicks(of: getpid())

    /// A daemon that is told of a page which `make` puts there.
    private func daemon(
        _ make: (_ path: String) throws -> Void
    ) async throws -> (RunningDaemon, FakeApp) {
        let running = try await RunningDaemon.start()
        try make(running.directory.flightDirectory + "/\(getpid()).page")
        let app = try running.app()
        _ = try app.greet(startTicks: ticks, flightPage: "\(getpid()).page")
        try app.send(.store(evaluations: 1), .view(0, "Cart"), .totals(0, 1))
        return (running, app)
    }

    private func expectRefused(_ make: (_ path: String) throws -> Void) async throws {
        let (running, app) = try await daemon(make)
        try await eventually("the count") { try running.health().dropped.flightPages == 1 ? () : nil }
        try await running.eventually("the totals") { $0.processes.first?.views.first?.count == 1 }
        #expect(try running.health().watchdog.watched == 0 && running.hangs().isEmpty)
        app.close()
        try await running.stop()
    }

    private func page() -> FakeFlightPage { FakeFlightPage(pid: getpid(), startTicks: ticks) }

    @Test("of random bytes is refused")
    func randomBytes() async throws {
        var generator = SeededGenerator(seed: 1)
        let bytes = (0..<FlightPageLayout.byteCount).map { _ in UInt8.random(in: 0...255, using: &generator) }
        try await expectRefused { try TestFile.write(bytes, to: $0) }
    }

    @Test("of another version is refused")
    func version() async throws {
        var bytes = page().bytes
        bytes[FlightPageLayout.versionOffset] = 99
        try await expectRefused { try TestFile.write(bytes, to: $0) }
    }

    @Test("of another process is refused")
    func anotherProcess() async throws {
        let bytes = FakeFlightPage(pid: getpid(), startTicks: ticks + 1).bytes
        try await expectRefused { try TestFile.write(bytes, to: $0) }
    }

    @Test("that is too short is refused")
    func short() async throws {
        let bytes = Array(page().bytes.prefix(5_000))
        try await expectRefused { try TestFile.write(bytes, to: $0) }
    }

    @Test("that is a directory is refused")
    func directory() async throws { try await expectRefused { mkdir($0, 0o700) } }

    @Test("that is a pipe is refused, and nobody waits for its other end")
    func pipe() async throws { try await expectRefused { mkfifo($0, 0o600) } }

    @Test("that is a link is refused")
    func link() async throws {
        let target = try TestFile.makeDirectory() + "/target"
        try TestFile.write(page().bytes, to: target)
        try await expectRefused { symlink(target, $0) }
    }

    @Test("that is not there is refused")
    func absent() async throws { try await expectRefused { _ in } }

    @Test("of another user is refused", .enabled(if: getuid() == 0, "only root can give files away"))
    func foreign() async throws {
        let bytes = page().bytes
        try await expectRefused {
            try TestFile.write(bytes, to: $0)
            chown($0, 12_345, 12_345)
        }
    }

    @Test("with times in the future is no hang, and counted")
    func future() async throws {
        var fake = page()
        var loop = FakeLoopPart()
        loop.reading.monitor = .glib
        loop.reading.turn = 1
        loop.reading.turnStartedAt = Clocks.monotonic + 1_000_000_000_000
        fake.loop = loop
        let bytes = fake.bytes
        let (running, app) = try await daemon { try TestFile.write(bytes, to: $0) }
        try await eventually("the count") { try running.health().watchdog.ignoredReadings > 3 ? () : nil }
        #expect(try running.hangs().isEmpty)
        app.close()
        try await running.stop()
    }

    @Test("full of hangs that never were pushes out no other process's")
    func flood() async throws {
        let running = try await RunningDaemon.start { $0.limits.hangs = 20 }
        let page = try LivePage(running.directory, startTicks: ticks)
        let app = try running.app()
        _ = try app.greet(startTicks: ticks, flightPage: page.name)
        try app.send(.store())
        try await eventually("the watch") { try running.health().watchdog.watched == 1 ? () : nil }
        page.begin(turn: 1, agoMilliseconds: 300)
        page.end()
        let own = try await eventually("the hang") { try running.hangs().first { !$0.open } }
        // Another process, by its start, whose page has a new ring full of them at each look.
        unlink(page.path)
        let hostile = try LivePage(running.directory, startTicks: ticks + 1)
        let other = try running.app()
        _ = try other.greet(startTicks: ticks + 1, flightPage: hostile.name)
        try other.send(.store())
        var first: UInt64 = 1
        try await eventually("more than there is room for") {
            let now = Clocks.monotonic
            hostile.loop.longTurns = (first..<first + 16).map { number in
                var record = LongTurn()
                (record.number, record.turn) = (number, number)
                (record.startedAt, record.endedAt) = (now - 400_000_000 + number, now)
                return record
            }
            first += 16
            hostile.loop.reading.longTurns = first - 1
            hostile.loop.reading.turn = first - 1
            hostile.write()
            return try running.health().watchdog.hangsForgotten > 100 ? () : nil
        }
        let listed = try running.hangs()
        #expect(listed.count == 20 && listed.contains(own))
        app.close()
        other.close()
        try await running.stop()
    }

    @Test("that shrinks, grows, changes at random and is removed while it is read harms nothing")
    func changing() async throws {
        let running = try await RunningDaemon.start()
        let page = try LivePage(running.directory, startTicks: ticks)
        let app = try running.app()
        _ = try app.greet(startTicks: ticks, flightPage: page.name)
        try app.send(.store())
        try await eventually("the watch") { try running.health().watchdog.watched == 1 ? () : nil }
        var generator = SeededGenerator(seed: 7)
        page.begin(turn: 1, agoMilliseconds: 100)
        for round in 0..<60 {
            let looks = try running.health().watchdog.looks
            page.truncate(to: Int.random(in: 0...FlightPageLayout.byteCount, using: &generator))
            if round % 3 == 0 { page.write() }
            if round == 50 { unlink(page.path) }
            try await eventually("another look") { try running.health().watchdog.looks > looks ? () : nil }
        }
        page.loop.reading.turnStartedAt = 0
        page.write()
        #expect(try running.stats().processes.count == 1)
        app.close()
        try await running.stop()
    }
}
