// SPDX-License-Identifier: MIT
// A process that pushes totals as an app would, with a flight page, and then waits to be killed or told to end. It calls itself
// `wire-app`.
//
// daemon-lab wire RUNTIME-DIRECTORY SENT UNSENT: SENT evaluations are pushed, UNSENT are only on the flight page; see `Cart`.
// With "child" as a fourth argument it starts a child that holds the connection, and prints "child PID".
// With "hang" its main loop had one of 300 ms and began a turn that never ends, and the end of its input makes it `exec` another
// program.
// Prints "ready" once everything is sent; says goodbye when its input ends.
// daemon-lab wire refused SOCKET: ends with 0 if the daemon closes the connection without a word.
// daemon-lab wire crowd SOCKET COUNT KEPT: connects COUNT times, keeps the last KEPT connections, prints "ready FAILURES" and
// waits for the end of its input. Not in the process of the tests: while that has more than 1,365 files open,
// `Foundation.Process` can crash it (it copies 256 bytes of each name in /proc/self/fd, past the end of the buffer).
// daemon-lab wire fleet SOCKET VIEWS MILLISECONDS: has so many views, and evaluates a tenth of them every so many milliseconds until
// its input ends; prints "ready" once all of them are sent.

import Glibc
import RerenderModel
import RerenderWire
import TestSupport

enum WireApp {
    static func run(_ arguments: [String]) throws {
        switch arguments[0] {
        case "fleet":
            var fleet = try Fleet(socket: arguments[1], views: Int(arguments[2]) ?? 1)
            write(1, "ready\n", 6)
            try fleet.run(everyMilliseconds: CInt(arguments[3]) ?? 100)
        case "refused":
            let socket = try UnixStream.connect(arguments[1])
            exit(try UnixStream.receive(on: socket, within: WaitLimit.seconds).isEmpty ? 0 : 1)
        case "crowd": try Crowd(arguments).run()
        default:
            try push(
                to: arguments[0], sent: UInt64(arguments[1]) ?? 0, unsent: UInt64(arguments[2]) ?? 0,
                mode: arguments.count > 3 ? arguments[3] : "")
        }
    }

    private static func push(to directory: String, sent: UInt64, unsent: UInt64, mode: String) throws {
        let ticks = TestFile.startTicks(of: getpid())
        var flight = FakeFlightPage(pid: getpid(), startTicks: ticks)
        flight.processName = "wire-app"
        flight.stores = [(0, "main", 0, sent + unsent)]
        if mode == "hang" { flight.loop = hangingLoop() }
        let page = try HeldPage.mapped(flight.bytes)

        let app = try FakeApp(directory + "/push.sock")
        try app.hello(name: "wire-app", startTicks: ticks, page: page.file)
        var store = StoreState(storeID: 0, name: "main", startedAt: .now)
        store.evaluations = sent
        try app.send([.store(store)] + Cart(evaluations: sent).messages)
        if mode == "child" {
            app.letChildrenInherit()
            var child: pid_t = 0
            var words = [strdup("sleep"), strdup("600"), nil]
            posix_spawn(&child, "/bin/sleep", nil, nil, &words, nil)
            let line = Array("child \(child)\n".utf8)
            write(1, line, line.count)
        }
        write(1, "ready\n", 6)

        var byte: UInt8 = 0
        while read(0, &byte, 1) > 0 {}
        if mode == "hang" {
            var words = [strdup("sleep"), strdup("600"), nil]
            // Connected until it is another program.
            withExtendedLifetime(app) { _ = execv("/bin/sleep", &words) }
            exit(71)
        }
        flight.isClosed = true
        page.write(flight.bytes)
        try app.send(.goodbye)
    }

    /// A main loop that had a hang, and hangs.
    private static func hangingLoop() -> FakeLoopPart {
        var loop = FakeLoopPart()
        loop.reading.monitor = .cfrunloop
        loop.reading.threadID = getpid()
        loop.reading.turn = 3
        loop.reading.turnStartedAt = Stall.monotonic()
        var first = LongTurn()
        (first.number, first.turn) = (1, 2)
        (first.startedAt, first.endedAt) = (loop.reading.turnStartedAt - 300_000_000, loop.reading.turnStartedAt)
        loop.longTurns = [first]
        loop.reading.longTurns = 1
        return loop
    }
}
