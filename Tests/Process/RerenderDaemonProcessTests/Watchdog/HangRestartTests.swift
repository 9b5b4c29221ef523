// SPDX-License-Identifier: MIT
import Glibc
import NIOCore
import RerenderModel
import RerenderWire
import TestSupport
import TestTraits
import Testing

@testable import RerenderDaemon
@testable import DaemonSupport

/// The real daemon in one directory, again and again, and a page that outlives it.
private final class RestartLab {
    let directory: RuntimeDirectory
    let page: LivePage
    private let ticks: UInt64
    private let state: String
    private(set) var daemon: DaemonProcess
    private(set) var app: FakeApp

    /// - Parameter greets: whether the first daemon is told of the app.
    init(ticks: UInt64, greets: Bool = true, _ prepare: (LivePage) -> Void = { _ in }) async throws {
        self.ticks = ticks
        state = try TestFile.makeDirectory()
        daemon = try await DaemonProcess(["--state-dir", state])
        directory = RuntimeDirectory(path: daemon.directory)
        page = try LivePage(startTicks: ticks)
        prepare(page)
        app = try FakeApp(directory.pushSocket)
        if greets { try greet() }
    }

    private func greet() throws {
        _ = try app.greet(startTicks: ticks, page: page.file)
        try app.send(.store(), .view(0, "Cart"))
    }

    func stop(_ signal: Int32 = SIGTERM) async throws {
        daemon.process.send(signal)
        _ = try await daemon.process.wait()
        app.close()
    }

    func start(connects: Bool = true) async throws {
        daemon = try await DaemonProcess(directory: directory.path, ["--state-dir", state])
        guard connects else { return }
        app = try FakeApp(directory.pushSocket)
        try greet()
    }

    func hangs() throws -> [Hang] { try daemon.http.get("/v1/hangs").json(HangList.self).hangs }

    func hang(_ turn: UInt64, where fits: @escaping (Hang) -> Bool = { !$0.open }) async throws -> Hang {
        try await daemon.http.eventually("the hang of turn \(turn)", seen: { try self.hangs() }) {
            try self.hangs().first { $0.turn == turn && fits($0) }
        }
    }

    /// Hangs a turn from beginning to end; returns the app's duration.
    func hang(turn: UInt64) -> UInt64 {
        page.begin(turn: turn, agoMilliseconds: 300)
        return page.end()
    }

    /// What the state file says now.
    func kept() throws -> RegistryFixture {
        let fixture = RegistryFixture()
        let bytes = try TestFile.read(state + "/processes.state")
        try StateFile.restore(bytes, into: fixture.registry, bootID: ProcessTable.bootID, now: .now())
        return fixture
    }

    func stats() throws -> [ProcessStats] { try daemon.http.get("/v1/stats").json(StatsExport.self).processes }

    func notice() throws -> HangNotice {
        while let message = try app.receive() {
            if case .hangEnded(let notice) = message { return notice }
        }
        throw NeverHappened(description: "the connection ended")
    }
}

@Suite("Hangs over a restart of the daemon")
struct HangRestartTests {
    private let ticks = TestFile.startTicks(of: getpid())
    private let cart = FlightView(storeID: 0, index: 0, epoch: 0, key: "Cart")

    @Test("stay listed under their numbers, and an open one and those of the time between are found, each once")
    func listed() async throws {
        let lab = try await RestartLab(ticks: ticks)
        _ = lab.hang(turn: 1)
        let before = try await lab.hang(1)
        let told = try lab.notice()
        #expect(told.hang.turn == 1)
        lab.page.loop.reading.running = cart
        lab.page.loop.reading.runningSince = Clocks.monotonic
        lab.page.begin(turn: 2)
        _ = try await lab.hang(2) { $0.open }
        try await lab.stop()
        let second = lab.page.end { $0.inBody = self.cart }
        let third = lab.hang(turn: 3)
        try await lab.start()
        let closed = try await lab.hang(2)
        let between = try await lab.hang(3)
        #expect(closed.id > before.id && closed.durationNanoseconds == second && closed.ended == .normally)
        #expect(closed.view == "Cart" && closed.attribution == .inBody)
        #expect(between.id > closed.id && between.durationNanoseconds == third)
        #expect(try lab.hangs().map(\.turn) == [3, 2, 1] && lab.hangs().last == before)
        #expect(
            try [lab.notice(), lab.notice()].map(\.hang.turn) == [2, 3], "what the app was told it is not told again")
        _ = lab.hang(turn: 4)
        #expect(try await lab.hang(4).id > between.id)
        #expect(try lab.notice().hang.turn == 4)
    }

    @Test("that go on are found again with all of their length once the app comes back")
    func goesOn() async throws {
        let lab = try await RestartLab(ticks: ticks)
        lab.page.begin(turn: 2)
        let open = try await lab.hang(2) { $0.open }
        try await lab.stop()
        try await lab.start()
        let later = try await lab.hang(2) { $0.open && $0.durationNanoseconds > open.durationNanoseconds }
        let duration = lab.page.end()
        let closed = try await lab.hang(2)
        #expect(closed.id == later.id && closed.durationNanoseconds == duration)
        #expect(try lab.hangs().count == 1)
    }

    @Test(
        "and their counts survive a daemon that is killed, whether the app lives on or not", .promise,
        arguments: [UInt64(0), 1])
    func killed(ticks: UInt64) async throws {
        let isAlive = ticks == 0
        let lab = try await RestartLab(ticks: isAlive ? self.ticks : ticks)
        for turn in 1...2 as ClosedRange<UInt64> {
            lab.page.begin(turn: turn, agoMilliseconds: 300)
            lab.page.end { $0.inBody = self.cart }
            #expect(try lab.notice().blamed?.hangs.count == turn)
        }
        let (hangs, before) = (try lab.hangs(), try lab.stats()[0])
        #expect(hangs.map(\.turn) == [2, 1] && before.hangs.count == 2 && before.views.map(\.hangs.count) == [2])
        try await lab.stop(SIGKILL)
        try await lab.start(connects: isAlive)
        #expect(try lab.hangs() == hangs)
        #expect(try lab.stats().map(\.hangs) == [before.hangs])
        guard isAlive else { return }
        let views = try await lab.daemon.http.eventually("the view") { try lab.stats()[0].views.first }
        #expect(views.hangs == before.views[0].hangs)
        _ = lab.hang(turn: 3)
        #expect(try lab.notice().counts.hangs.count == 3, "counting goes on from there")
        #expect(try await lab.hang(3).id > hangs[0].id)
        lab.page.begin(turn: 4, agoMilliseconds: 120)
        lab.page.end { $0.endedAt = $0.startedAt + 120_000_000 }
        #expect(try lab.notice().isMicroHang)
        // And once more, with what this daemon wrote: neither is counted again.
        try await lab.stop(SIGKILL)
        try await lab.start()
        #expect(try lab.hangs().map(\.turn) == [3, 2, 1] && lab.stats()[0].hangs.count == 3)
        _ = lab.hang(turn: 5)
        #expect(try lab.notice().counts.hangs.count == 4)
        #expect(try lab.stats()[0].microHangs == 1)
    }

    @Test("of an app that began while no daemon ran are found, each once", arguments: [SIGTERM, SIGKILL])
    func bornBetween(signal: Int32) async throws {
        let lab = try await RestartLab(ticks: ticks, greets: false)
        try await lab.stop(signal)
        let durations = (1...3).map { lab.hang(turn: $0) }
        try await lab.start()
        _ = try await lab.hang(3)
        #expect(try lab.hangs().map(\.durationNanoseconds) == durations.reversed())
        #expect(try lab.notice().hang.turn == 1)
        try await lab.stop(signal)
        let last = lab.hang(turn: 4)
        try await lab.start()
        #expect(try await lab.hang(4).durationNanoseconds == last)
        #expect(try lab.hangs().map(\.turn) == [4, 3, 2, 1] && lab.stats()[0].hangs.count == 4)
    }

    @Test("are in the state file when the app is told of them")
    func writtenFirst() async throws {
        let lab = try await RestartLab(ticks: ticks)
        for turn in 1...20 as ClosedRange<UInt64> {
            lab.page.begin(turn: turn, agoMilliseconds: 300)
            lab.page.end()
            #expect(try lab.notice().counts.hangs.count == turn)
            #expect(try lab.kept().registry.processes[0].stores[0].hangs.hangs.count == turn)
        }
    }

    @Test("are not listed where the process died in one while no daemon ran, which the daemon says")
    func died() async throws {
        // A start that no living process has.
        let lab = try await RestartLab(ticks: 1)
        lab.page.begin(turn: 2, agoMilliseconds: 300)
        _ = try await lab.hang(2) { $0.open }
        try await lab.stop()
        try await lab.start(connects: false)
        #expect(try lab.hangs().isEmpty && lab.stats()[0].hangs.count == 0)
        let health = try lab.daemon.http.get("/v1/health").json(HealthReport.self)
        #expect(health.dropped.flightPages == 1)
    }

    @Test("and that ended while no daemon ran are found after a kill as well, each once", arguments: [true, false])
    func betweenKills(hangsBefore: Bool) async throws {
        let lab = try await RestartLab(ticks: ticks)
        try await eventually("the watch") {
            try lab.daemon.http.get("/v1/health").json(HealthReport.self).watchdog.watched == 1 ? () : nil
        }
        var (turn, hangs): (UInt64, UInt64) = (0, 0)
        if hangsBefore {
            (turn, hangs) = (1, 1)
            _ = lab.hang(turn: turn)
            #expect(try lab.notice().hang.turn == 1)
        }
        for _ in 1...4 {
            try await lab.stop(SIGKILL)
            // One in the page's ring, and one whose loop was left in it.
            (turn, hangs) = (turn + 1, hangs + 1)
            _ = lab.hang(turn: turn)
            turn += 1
            lab.page.begin(turn: turn, agoMilliseconds: 120)
            lab.page.loop.reading.leftTurn = turn
            lab.page.loop.reading.leftAt = lab.page.loop.reading.turnStartedAt + 120_000_000
            lab.page.write()
            try await lab.start()
            try await lab.daemon.http.eventually("turn \(turn)", seen: { try lab.stats() }) {
                let stats = try lab.stats()[0]
                return stats.hangs.count + stats.microHangs == turn ? () : nil
            }
        }
        try await lab.stop(SIGKILL)
        try await lab.start()
        _ = lab.hang(turn: turn + 1)
        #expect(try lab.notice().counts.hangs.count == hangs + 1)
        let stats = try lab.stats()[0]
        #expect(stats.hangs.count + stats.microHangs == turn + 1)
        #expect(try lab.hangs().count == Int(stats.hangs.count))
    }
}
