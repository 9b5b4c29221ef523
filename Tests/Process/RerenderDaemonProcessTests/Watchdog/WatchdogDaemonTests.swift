// SPDX-License-Identifier: MIT
import FoundationEssentials
import Glibc
import RerenderModel
import RerenderWire
import TestSupport
import TestTraits
import Testing

@testable import RerenderDaemon
@testable import DaemonSupport

@Suite("A daemon that watches a main loop")
struct WatchdogDaemonTests {
    private let ticks = TestFile.startTicks(of: getpid())
    private let cart = FlightView(storeID: 0, index: 0, epoch: 0, key: "Ca")

    private func watched(
        _ change: (inout DaemonConfiguration) -> Void = { _ in }, ticks: UInt64? = nil
    ) async throws -> (RunningDaemon, FakeApp, LivePage) {
        let running = try await RunningDaemon.start(change)
        let page = try LivePage(startTicks: ticks ?? self.ticks)
        let app = try running.app()
        _ = try app.greet(startTicks: ticks ?? self.ticks, page: page.file)
        try app.send(.store(), .view(0, "Cart"))
        try await eventually("the watch") { try running.health().watchdog.watched == 1 ? () : nil }
        return (running, app, page)
    }

    /// The next message that is a notice of a hang.
    private func notice(_ app: FakeApp) throws -> HangNotice {
        while let message = try app.receive() {
            if case .hangEnded(let notice) = message { return notice }
        }
        throw NeverHappened(description: "the connection ended")
    }

    /// The next message that is of counts alone.
    private func counts(_ app: FakeApp) throws -> HangNotice {
        while let message = try app.receive() {
            if case .hangCounts(let notice) = message { return notice }
        }
        throw NeverHappened(description: "the connection ended")
    }

    @Test("lists a hang while it lasts, and with the app's duration when it ended, and tells the app", .promise)
    func life() async throws {
        let (running, app, page) = try await watched()
        let events = try EventLines(running)
        page.loop.reading.running = cart
        page.loop.reading.runningSince = Clocks.monotonic
        page.begin(turn: 9)
        let open = try await running.http.eventually("the hang") { try running.hangs().first }
        #expect(open.open && open.turn == 9 && open.durationNanoseconds >= 250_000_000 && open.ended == nil)
        #expect(open.view == "Cart" && open.attribution == .inBody, "by the registry's name, not the page's short one")
        #expect(open.pid == getpid() && open.process == "shop")
        _ = try await running.http.eventually("its growth") {
            try running.hangs().first.flatMap { $0.durationNanoseconds > open.durationNanoseconds ? $0 : nil }
        }
        _ = try events.hangs { $0.contains { $0.open } }
        let duration = page.end {
            $0.inBody = cart
            $0.last = cart
        }
        let closed = try await running.http.eventually("its end") {
            try running.hangs().first.flatMap { $0.open ? nil : $0 }
        }
        #expect(closed.durationNanoseconds == duration && closed.ended == .normally && closed.id == open.id)
        #expect(closed.shares.reduce(closed.unattributedNanoseconds ?? 0) { $0 + $1.nanoseconds } == duration)
        #expect(closed.lastRendered == "Cart")
        let told = try notice(app)
        var hang = told.hang
        #expect(hang.startedAtNanoseconds == closed.startedAtNanoseconds && open.guess && !closed.guess)
        var listed = closed
        (hang.startedAt, listed.startedAt) = (closed.startedAt, closed.startedAt)  // JSON has milliseconds there.
        #expect(hang == listed && told.counts.hangs.lastNanoseconds == duration && !told.isMicroHang)
        #expect(closed.view == "Cart" && told.blamed == .init(index: 0, hangs: told.counts.hangs))
        #expect(try running.stats().processes[0].hangs == told.counts.hangs)
        let lines = try events.hangs { $0.contains { !$0.open } }
        #expect(lines.first?.open == true && lines.last == closed)
        let health = try running.health().watchdog
        #expect(
            health.hangs == 1 && health.looks > 0 && health.latenessMaxNanoseconds >= health.latenessP50Nanoseconds)
        try await running.stop()
    }

    @Test("counts micro-hangs, tells the app, and lists none")
    func micro() async throws {
        let (running, app, page) = try await watched()
        page.begin(turn: 1, agoMilliseconds: 120)
        page.end { $0.endedAt = $0.startedAt + 120_000_000 }
        let told = try notice(app)
        #expect(told.isMicroHang && told.counts.microHangs == 1 && told.hang.durationNanoseconds < 250_000_000)
        #expect(try running.stats().processes[0].microHangs == 1)
        // The daemon counts the looks that find a turn in the future.
        page.loop.reading.turn = 2
        page.loop.reading.turnStartedAt = Clocks.monotonic + 1_000_000_000_000
        page.write()
        try await eventually("the count") { try running.health().watchdog.ignoredReadings > 1 ? () : nil }
        #expect(try running.hangs().isEmpty)
        try await running.stop()
    }

    @Test("takes stacks of the hang that it asked for, and of no other")
    func stacks() async throws {
        let (running, app, page) = try await watched()
        page.begin(turn: 3, agoMilliseconds: 250)
        var asked: (UInt64, UInt64)?
        while asked == nil, let message = try app.receive() {
            if case .sampleStack(let hang, let turn) = message { asked = (hang, turn) }
        }
        let (hang, turn) = try #require(asked)
        #expect(turn == 3)
        for (hang, turn) in [(hang, turn), (hang + 1, turn), (hang, turn + 1)] {
            let sample = StackSample(hang: hang, turn: turn, atNanoseconds: 5, frames: ["render() Cart.swift:12"])
            try app.send(.stack(sample))
        }
        let listed = try await running.http.eventually("the stack") {
            try running.hangs().first.flatMap { $0.stacks.isEmpty ? nil : $0 }
        }
        #expect(listed.stacks.map(\.frames) == [["render() Cart.swift:12"]])
        page.end()
        let closed = try await running.http.eventually("its end") {
            try running.hangs().first.flatMap { $0.open ? nil : $0 }
        }
        #expect(closed.stacks.count == 1, "they stay when it ends")
        try await running.stop()
    }

    @Test("the end of a hang waits until the app has answered each look that it was asked for")
    func looks() async throws {
        let (running, app, page) = try await watched()
        page.begin(turn: 3, agoMilliseconds: 250)
        var asked: [UInt64] = []
        while asked.count < 2, let message = try app.receive() {
            if case .sampleStack(let hang, 3) = message { asked.append(hang) }
        }
        let hang = try #require(asked.first)
        try app.send(.stack(StackSample(hang: hang, turn: 3, atNanoseconds: 5, frames: [], activity: "runs")))
        let before = try running.health().watchdog.looks
        page.end()
        try await running.http.eventually("its end is seen") {
            try running.health().watchdog.looks > before + 1 ? () : nil
        }
        try app.send(.stack(StackSample(hang: hang, turn: 3, atNanoseconds: 6, frames: ["render() Cart.swift:12"])))
        #expect(try notice(app).hang.source == "render() Cart.swift:12")
        try await running.stop()
    }

    @Test("asks a GLib app whether the loop was left")
    func watchTurn() async throws {
        let (running, app, page) = try await watched()
        page.loop.reading.monitor = .glib
        page.begin(turn: 5, agoMilliseconds: 250)
        while let message = try app.receive(), message != .watchTurn(turn: 5) {}
        page.loop.reading.leftTurn = 5
        page.loop.reading.leftAt = page.loop.reading.turnStartedAt + 10_000_000
        page.write()
        try await running.http.eventually("the hang that was none") { try running.hangs().isEmpty ? () : nil }
        try await running.stop()
    }

    @Test("closes the hang of a process that was killed in it, and counts it in its totals", .promise)
    func killed() async throws {
        // A start that no living process has: it is dead as soon as its connection is gone.
        let (running, app, page) = try await watched(ticks: 1)
        page.loop.reading.running = cart
        page.loop.reading.runningSince = Clocks.monotonic - 300_000_000
        page.begin(turn: 5, agoMilliseconds: 300)
        _ = try await running.http.eventually("the hang") { try running.hangs().first }
        app.close()
        let closed = try await running.http.eventually("its end") {
            try running.hangs().first.flatMap { $0.open ? nil : $0 }
        }
        #expect(closed.ended == .killed && closed.view == "Cart" && closed.durationNanoseconds >= 300_000_000)
        #expect(
            closed.shares.reduce(closed.unattributedNanoseconds ?? 0) { $0 + $1.nanoseconds }
                == closed.durationNanoseconds)
        try await eventually("the watch's end") { try running.health().watchdog.watched == 0 ? () : nil }
        try await running.stop()
    }

    @Test("counts a hang that the app was told of and died before it could say that it had counted it")
    func toldAndDead() async throws {
        let (running, app, page) = try await watched(ticks: 1)
        page.begin(turn: 5, agoMilliseconds: 300)
        page.end { $0.inBody = self.cart }
        #expect(try notice(app).hang.turn == 5)
        app.close()
        let process = try await running.http.eventually("the end") {
            try running.stats().processes.first.flatMap { $0.hangs.count > 0 ? $0 : nil }
        }
        #expect(process.hangs.count == 1 && process.views.map(\.hangs.count) == [1])
        try await running.stop()
    }

    @Test("tells an app of its hangs in their order, also where one waits for the name of its view")
    func order() async throws {
        let (running, app, page) = try await watched()
        page.begin(turn: 1, agoMilliseconds: 900)
        page.end { $0.inBody = FlightView(storeID: 0, index: 7, epoch: 0, key: "") }
        // At once: an event comes when the hang has waited for the name.
        _ = try await eventually("the hang") { try running.health().watchdog.hangs == 1 ? () : nil }
        page.begin(turn: 2, agoMilliseconds: 260)
        page.end()
        let told = try [notice(app), notice(app)]
        #expect(told.map(\.hang.turn) == [1, 2] && told.map(\.counts.hangs.count) == [1, 2])
        try await running.stop()
    }

    @Test("tells an app that did not read what had room, in order, and counts what found none")
    func slowReader() async throws {
        let (running, app, page) = try await watched()
        // Its notices are large, so that they fill the socket.
        let names = (0..<8).map { FlightView(storeID: 0, index: UInt32($0 + 1), epoch: 0, key: "") }
        try app.send(names.map { .view($0.index, String(repeating: "k", count: 1_000) + "\($0.index)") })
        var turn: UInt64 = 0
        while try running.health().watchdog.dropped == 0 {
            turn += 1
            page.begin(turn: turn, agoMilliseconds: 300)
            page.end { $0.shares = names.map { FlightShare(view: $0, nanoseconds: 1_000) } }
            // A hang is listed before it is counted, and its notice is made as it is counted.
            _ = try await running.http.eventually("turn \(turn)") {
                try running.stats().processes.first.flatMap { $0.hangs.count == turn ? $0 : nil }
            }
        }
        // Reading is all that happens from here on.
        let dropped = try running.health().watchdog.dropped
        let told = try (0..<turn - dropped).map { _ in try notice(app).hang.turn }
        #expect(told == Array(1...turn - dropped) && dropped == 1)
        try await running.stop()
    }

    @Test("tells an app what its stores count when it connects")
    func counts() async throws {
        let (running, app, page) = try await watched()
        #expect(try counts(app).counts == StoreHangs(), "an app of another daemon may have had hangs")
        page.begin(turn: 1, agoMilliseconds: 300)
        page.end { $0.inBody = self.cart }
        #expect(try notice(app).counts.hangs.count == 1)
        app.close()
        try await running.eventually("the loss of the connection") { $0.processes.first?.connected == false }
        for turn in 2...4 as ClosedRange<UInt64> {
            page.begin(turn: turn, agoMilliseconds: 300)
            page.end { $0.inBody = self.cart }
            _ = try await running.http.eventually("turn \(turn)") {
                try running.hangs().first { $0.turn == turn && !$0.open }
            }
        }
        let again = try running.app()
        _ = try again.hello(startTicks: ticks, page: page.file)
        try again.send(.store())
        let told = try [counts(again), counts(again)]
        #expect(told.map(\.counts.hangs.count) == [4, 4] && Set(told.map(\.blamed?.hangs.count)) == [nil, 4])
        // Another program of the same process has its stores' own.
        try again.send(.store(startedAt: 2_000_000_000))
        #expect(try counts(again).counts == StoreHangs())
        try await running.stop()
    }

    @Test("tells all stores of an app, however many they are")
    func manyStores() async throws {
        let (running, app, page) = try await watched()
        try app.send((1..<100).map { .store($0) })
        try await running.eventually("the stores") { $0.processes.count == 100 }
        page.begin(turn: 1, agoMilliseconds: 300)
        page.end()
        let told = try (0..<100).map { _ in try notice(app).storeID }
        #expect(told == Array(0..<100))
        #expect(try running.health().watchdog.dropped == 0)
        try await running.stop()
    }

    @Test("closes the hang of a process that said goodbye as exited")
    func exited() async throws {
        let (running, app, page) = try await watched(ticks: 1)
        page.begin(turn: 5, agoMilliseconds: 300)
        _ = try await running.http.eventually("the hang") { try running.hangs().first }
        try app.send(.goodbye)
        app.close()
        let closed = try await running.http.eventually("its end") {
            try running.hangs().first.flatMap { $0.open ? nil : $0 }
        }
        #expect(closed.ended == .exited)
        try await running.stop()
    }

    @Test("goes on with a process that reconnects, and tells it then what its stores count")
    func reconnected() async throws {
        let (running, app, page) = try await watched()
        page.begin(turn: 5, agoMilliseconds: 300)
        _ = try await running.http.eventually("the hang") { try running.hangs().first }
        app.close()
        try await running.eventually("the loss of the connection") { $0.processes.first?.connected == false }
        page.end()
        _ = try await running.http.eventually("its end") { try running.hangs().first.flatMap { $0.open ? nil : $0 } }
        let again = try running.app()
        _ = try again.hello(startTicks: ticks, page: page.file)
        try again.send(.store())
        #expect(try counts(again).counts.hangs.count == 1)
        #expect(try running.hangs().count == 1)
        try await running.stop()
    }

    @Test("finds hangs of the time before it was there, once")
    func before() async throws {
        let running = try await RunningDaemon.start()
        let page = try LivePage(startTicks: ticks)
        page.begin(turn: 5, agoMilliseconds: 300)
        page.end()
        let app = try running.app()
        _ = try app.greet(startTicks: ticks, page: page.file)
        try app.send(.store())
        let told = try notice(app)
        #expect(told.hang.turn == 5 && told.hang.verdict == .unknown && told.counts.hangs.count == 1)
        #expect(try running.hangs().map(\.turn) == [5])
        try await running.stop()
    }
}

/// Lines of `/v1/events`, read as they come.
private final class EventLines {
    private let socket: CInt
    private var received: [UInt8] = []

    init(_ running: RunningDaemon) throws {
        socket = try UnixStream.connect(running.directory.querySocket)
        try UnixStream.send(Array("GET /v1/events HTTP/1.0\r\n\r\n".utf8), on: socket)
        while received.firstRange(of: Array("connected".utf8)) == nil {
            received += try UnixStream.receive(on: socket, within: WaitLimit.seconds)
        }
    }

    deinit { close(socket) }

    /// The hangs of all lines, as soon as they fit.
    func hangs(_ fits: ([Hang]) -> Bool) throws -> [Hang] {
        while true {
            let lines = received.split(separator: UInt8(ascii: "\n"))
            let whole = received.last == UInt8(ascii: "\n") ? lines[...] : lines.dropLast()
            let hangs = whole.compactMap { try? JSONDecoder().decode(LiveEvent.self, from: Data($0)).hang }
            if fits(hangs) { return hangs }
            received += try UnixStream.receive(on: socket, within: WaitLimit.seconds)
        }
    }
}
