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
        for index in 0..<UInt32(views) {
            try app.send(FleetView.declarations(index, key: "Screen.Section.Row\(index)", app: "Fleet"))
        }
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

    private static func totals(_ index: Int, _ serial: UInt64) -> TotalsMessage {
        var totals = FleetView.totals(index, count: serial * UInt64(index % 97 + 2), serial: serial)
        totals.waste.add(
            .sameOutput, nanoseconds: totals.count * 700, evaluations: totals.count / 2 + 1)
        return totals
    }
}
