// SPDX-License-Identifier: MIT
import Glibc
import RerenderModel
import RerenderWire
import TestSupport
import TestTraits
import Testing

@testable import RerenderDaemon
@testable import DaemonSupport

@Suite("A hostile flight page")
struct HostileFlightPageTests {
    private let ticks = TestFile.startTicks(of: getpid())

    @Test("of another process is refused and counted, and what its app says is taken in")
    func anotherProcess() async throws {
        let running = try await RunningDaemon.start()
        let name = "\(getpid()).page"
        try FakeFlightPage(pid: getpid(), startTicks: ticks + 1).write(
            to: running.directory.flightDirectory + "/" + name)
        let app = try running.app()
        _ = try app.greet(startTicks: ticks, flightPage: name)
        try app.send(.store(evaluations: 1), .view(0, "Cart"), .totals(0, 1))
        try await eventually("the count") { try running.health().dropped.flightPages == 1 ? () : nil }
        try await running.eventually("the totals") { $0.processes.first?.views.first?.count == 1 }
        #expect(try running.health().watchdog.watched == 0 && running.hangs().isEmpty)
        app.close()
        try await running.stop()
    }

    @Test("that shrinks, grows, changes at random and is removed while it is read harms nothing", .promise)
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
