// SPDX-License-Identifier: MIT
import Glibc
import RerenderModel
import RerenderWire
import TestSupport
import Testing

@testable import RerenderDaemon
@testable import DaemonSupport

/// A page of values.
final class ValuePage: PageSource {
    var current: LoopReading? = LoopReading()
    var records: [LongTurn] = []
    var asked = 0
    var origin: UInt64

    init(origin: UInt64 = 1) { self.origin = origin }

    func reading() -> LoopReading? {
        asked += 1
        return current
    }

    func shares() -> TurnShares? { nil }
    func longTurns(after number: UInt64) -> [LongTurn] { records.filter { $0.number > number } }
    func end(_: OpenPage) {}
}

@Suite("The watchdog's watch")
struct WatchedProcessesTests {
    private let process = ProcessInstance(pid: getpid(), startTicks: 1)

    @Test("tells of a page that cannot be used")
    func fault() {
        var watch = WatchedProcesses(numbers: HangNumbers()) { (_, _) throws(FlightPages.Fault) in throw .notAFile }
        var messages: [WatchdogThread.Message] = []
        watch.begin(process, page: PagePlace(name: "1.page"), &messages)
        let watched = watch.totals.watched
        #expect(messages.count == 1 && watched == 0)
        if case .fault(let fault) = messages[0].kind { #expect(fault == .notAFile) }
    }
}

extension [WatchdogThread.Message] {
    var events: [DetectorEvent] { compactMap { if case .hang(let event) = $0.kind { event } else { nil } } }
    var closed: [HangReport] { events.closed }
}

extension WatchdogThread.Message {
    fileprivate var asksForLoops: Bool {
        if case .hang(.lookForLoops) = kind { true } else { false }
    }
}
