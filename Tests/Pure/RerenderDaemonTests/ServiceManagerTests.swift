// SPDX-License-Identifier: MIT
import Foundation
import Glibc
import Logging
import NIOCore
import NIOPosix
import RerenderModel
import RerenderWire
import TestSupport
import Testing

@testable import RerenderDaemon
@testable import DaemonSupport

@Suite("Under a service manager")
struct ServiceManagerTests {
    @Test("asks the watchdog's questions only of the process that they are meant for")
    func inherited() {
        func notifier(_ environment: [String: String]) -> ServiceNotifier {
            .inherited(environment: { environment[$0] }, pid: 42)
        }
        #expect(notifier([:]) == .none)
        #expect(notifier(["NOTIFY_SOCKET": "relative"]) == .none)
        #expect(notifier(["NOTIFY_SOCKET": "/n", "WATCHDOG_USEC": "2000000"]).watchdog == .seconds(2))
        #expect(notifier(["NOTIFY_SOCKET": "/n", "WATCHDOG_USEC": "2000000", "WATCHDOG_PID": "41"]).watchdog == nil)
        for text in ["0", "-5", "x", "99999999999999999999"] {
            #expect(notifier(["NOTIFY_SOCKET": "@n", "WATCHDOG_USEC": text]).watchdog == nil)
        }
        #expect(notifier(["NOTIFY_SOCKET": "/n", "WATCHDOG_USEC": "9223372036854775807"]).watchdog != nil)
    }

    @Test("makes its own sockets when the ones in the environment are for someone else")
    func notForUs() throws {
        let environment = ["LISTEN_FDS": "2", "LISTEN_PID": "1", "LISTEN_FDNAMES": "push:query"]
        #expect(try SocketSource.inherited(environment: { environment[$0] }) == .own)
        #expect(try SocketSource.inherited(environment: { _ in nil }) == .own)
        for count in ["0", "-1", "x", "65"] {
            let environment = ["LISTEN_FDS": count, "LISTEN_PID": "7", "LISTEN_FDNAMES": "push:query"]
            #expect(throws: DaemonError.self) { try SocketSource.inherited(environment: { environment[$0] }, pid: 7) }
        }
    }

    @Test(
        "says what is wrong with the sockets that it is given",
        arguments: [
            ("push:other", "what systemd named \"push\" is not a listening Unix stream socket"),
            ("other:query", "systemd gave no socket named \"push\""),
        ])
    func wrongNames(names: String, fault: String) throws {
        let environment = ["LISTEN_FDS": "2", "LISTEN_PID": "7", "LISTEN_FDNAMES": names]
        let error = #expect(throws: DaemonError.self) {
            try SocketSource.inherited(environment: { environment[$0] }, pid: 7)
        }
        #expect(error == .activation(fault) && error?.exitStatus == 78)
        #expect(error?.description.contains("FileDescriptorName=push") == true)
    }
}

@Suite("The daemon's log")
struct DaemonLogTests {
    @Test("has the priorities of the journal, one line for each event")
    func journal() {
        let log = CapturedLog()
        log.logger.error("a\nb", metadata: ["reason": "x\u{1b}"])
        log.logger.info("fine")
        #expect(log.lines == ["<3>a\\u{a}b reason=x\\u{1b}\n", "<6>fine\n"])
    }

    @Test("lets a peer write a few lines of a kind in a while")
    func share() {
        let (captured, clock) = (CapturedLog(), TestClock())
        let log = PeerLog(captured.logger, clock: { clock.deadline })
        for _ in 0..<1_000 { log.write(.malformed, "x") }
        #expect(captured.lines.count == PeerLog.linesPerPeriod)
        log.write(.refusedConnection, "y")
        #expect(captured.lines.count == PeerLog.linesPerPeriod + 1, "kinds do not share their allowance")
        clock.pass(.seconds(10))
        log.write(.malformed, "x")
        #expect(captured.lines.count == PeerLog.linesPerPeriod + 3)
        #expect(captured.lines.contains { $0.contains("990 more lines like the following were left out") })
    }

    @Test("says after a period how many lines it suppressed in it")
    func suppressed() {
        var limit = RateLimit(count: 10, period: 100)
        #expect((0..<1_000).count { _ in limit.admit(now: 5) != nil } == 10)
        #expect(limit.admit(now: 104) == nil)
        #expect(limit.admit(now: 105) == 991)
        #expect(limit.admit(now: 106) == 0)
    }
}

private let keepTimes: [(text: String, seconds: Int64)] = [
    ("90s", 90), ("30m", 1_800), ("1h", 3_600), ("2d", 172_800), ("5", 5), ("0", 0),
]

@Suite("Times to keep")
struct KeepTimeTests {
    @Test("are read with and without a unit", arguments: keepTimes)
    func valid(text: String, seconds: Int64) {
        #expect(RetentionTime(argument: text)?.duration == .seconds(seconds))
    }

    @Test(
        "are refused when they are none",
        arguments: ["", "h", "-1h", "1w", "1.5h", "soon", "9999999999999999999d", "400d", "1 h"])
    func invalid(text: String) {
        #expect(RetentionTime(argument: text) == nil)
    }

    @Test("of waiting for programs are what a test sets, up to a minute")
    func waits() {
        func limits(_ text: String?) -> DaemonLimits {
            var limits = DaemonLimits()
            limits.wait(seconds: text)
            return limits
        }
        #expect(limits("60").commandTimeout == .seconds(60) && limits("60").drainTimeout == .seconds(60))
        for text in [nil, "", "0", "61", "-1", "1.5"] { #expect(limits(text).commandTimeout == .seconds(3)) }
    }
}
