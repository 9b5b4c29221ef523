// SPDX-License-Identifier: MIT
// One of many busy apps: very many views, of which some change all the time.

import Glibc
import RerenderModel
import RerenderWire
import TestSupport

/// A process whose views are evaluated at a steady pace; what it counts is known to whoever started it.
struct Fleet {
    private let app: FakeApp
    private let views: Int
    private var rounds: UInt64 = 0

    /// Views that change in one round.
    private let changing: Int

    init(socket: String, views: Int) throws {
        app = try FakeApp(socket)
        self.views = views
        changing = max(1, views / 10)
        try app.hello(name: "fleet", startTicks: TestFile.startTicks(of: getpid()))
        try app.send(.store(StoreState(storeID: 1, name: "main", startedAt: .now)))
        for index in 0..<UInt32(views) { try app.send(Self.names(index)) }
        try app.send((0..<views).map { .totals(Self.totals($0, 1)) })
    }

    /// Sends totals of a tenth of the views every so many milliseconds, until the input ends.
    mutating func run(everyMilliseconds pause: CInt) throws {
        while true {
            var input = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
            if poll(&input, 1, pause) > 0 { return }
            rounds += 1
            let first = Int(rounds) * changing
            try app.send(
                (first..<first + changing).map { .totals(Self.totals($0 % views, rounds / 10 + 2)) })
        }
    }

    private static func names(_ index: UInt32) -> [AppMessage] {
        let view = ViewDeclaration(
            storeID: 1, index: index, key: "Screen.Section.Row\(index)", file: "Fleet/Views.swift", line: index)
        let reasons = ["initial", "ticker.tick"].enumerated().map { number, text in
            AppMessage.reason(
                ReasonDeclaration(
                    storeID: 1, viewIndex: index, index: UInt8(number), text: text, attribution: .exact))
        }
        let writer = DetailDeclaration(
            storeID: 1, viewIndex: index, reason: 1, slot: 0, text: "Ticker.advance() Fleet/Ticker.swift:40")
        return [.view(view)] + reasons + [.detail(writer)]
    }

    private static func totals(_ index: Int, _ serial: UInt64) -> ViewTotals {
        var totals = ViewTotals(storeID: 1, index: UInt32(index), epoch: 0)
        totals.count = serial * UInt64(index % 97 + 2)
        totals.instances = 1
        for path in [\ViewTotals.body, \ViewTotals.total] {
            totals[keyPath: path].last = 1_000 + serial
            totals[keyPath: path].max = 90_000
            totals[keyPath: path].p50 = 1_200
            totals[keyPath: path].p95 = 4_000
            totals[keyPath: path].p99 = 20_000
            totals[keyPath: path].sum = totals.count * 1_500
        }
        totals.lastRenderedAt = .now
        totals.lastReason = 1
        totals.reasonCounts = [.init(index: 0, count: 1), .init(index: 1, count: totals.count - 1)]
        totals.details = [.init(reason: 1, slot: 0, count: totals.count - 1)]
        totals.waste.add(
            .sameOutput, isMeasured: true, nanoseconds: totals.count * 700, evaluations: totals.count / 2 + 1)
        return totals
    }
}
