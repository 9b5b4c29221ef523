// SPDX-License-Identifier: MIT
import Glibc
import RerenderModel
import RerenderWire
import TestSupport
import Testing

@testable import RerenderDaemon
@testable import DaemonSupport

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
