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
        let page = try LivePage(startTicks: ticks + 1)
        let app = try running.app()
        _ = try app.greet(startTicks: ticks, page: page.file)
        try app.send(.store(evaluations: 1), .view(0, "Cart"), .totals(0, 1))
        try await eventually("the count") { try running.health().dropped.flightPages == 1 ? () : nil }
        try await running.eventually("the totals") { $0.processes.first?.views.first?.count == 1 }
        #expect(try running.health().watchdog.watched == 0 && running.hangs().isEmpty)
        app.close()
        try await running.stop()
    }

    @Test("that is no sealed memory is refused and counted, and what its app says is taken in")
    func unsealed() async throws {
        let running = try await RunningDaemon.start()
        let file = open(try TestFile.makeDirectory() + "/page", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(file) }
        let app = try running.app()
        #expect(try app.greet(startTicks: ticks, page: file) == .welcome(version: WireProtocol.version, copy: 0))
        try app.send(.store(evaluations: 1), .view(0, "Cart"), .totals(0, 1))
        try await running.eventually("the totals") { $0.processes.first?.views.first?.count == 1 }
        #expect(try running.health().dropped.flightPages == 1 && running.health().watchdog.watched == 0)
        app.close()
        try await running.stop()
    }

    @Test("that changes at random while it is read, and that nobody can cut off, harms nothing", .promise)
    func changing() async throws {
        let running = try await RunningDaemon.start()
        let page = try LivePage(startTicks: ticks)
        let app = try running.app()
        _ = try app.greet(startTicks: ticks, page: page.file)
        try app.send(.store())
        try await eventually("the watch") { try running.health().watchdog.watched == 1 ? () : nil }
        var generator = SeededGenerator(seed: 7)
        page.begin(turn: 1, agoMilliseconds: 100)
        for round in 0..<60 {
            let looks = try running.health().watchdog.looks
            #expect(ftruncate(page.file, off_t(Int.random(in: 0..<4_096, using: &generator))) == -1)
            let noise = (0..<64).map { _ in UInt8.random(in: 0...255, using: &generator) }
            let offset = Int.random(in: 0..<FlightPageLayout.byteCount - 64, using: &generator)
            #expect(pwrite(page.file, noise, noise.count, off_t(offset)) == noise.count)
            if round % 3 == 0 { page.write() }
            try await eventually("another look") { try running.health().watchdog.looks > looks ? () : nil }
        }
        page.loop.reading.turnStartedAt = 0
        page.write()
        #expect(try running.stats().processes.count == 1)
        app.close()
        try await running.stop()
    }
}
