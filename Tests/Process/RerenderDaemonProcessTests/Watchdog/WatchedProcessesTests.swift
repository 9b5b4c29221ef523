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
    @Test("sees a real process that was stopped, and that it is no hang of the app")
    func stopped() async throws {
        let child = try PlainChild("/bin/sh", ["-c", "while :; do :; done"])
        let sampler = ThreadSampler(pid: child.pid)
        child.send(SIGSTOP)
        try await eventually("the stop") {
            if case .sample(let sample) = sampler.sample(child.pid), sample.state == .stopped { () } else { nil }
        }
        let (page, clock) = (ValuePage(), TestClock())
        let start = clock.now
        page.current?.turn = 1
        page.current?.turnStartedAt = start
        page.current?.threadID = child.pid
        page.current?.hangThresholdMilliseconds = 1_000
        var watch = WatchedProcesses(numbers: HangNumbers(), clock: { clock.now }) {
            (_, _) throws(OpenPage.Fault) in page
        }
        let process = ProcessInstance(pid: child.pid, startTicks: 1)
        var messages: [WatchdogThread.Message] = []
        try watch.begin(process, page: .blank(), &messages)
        while clock.now < start + 1_300_000_000 { try watch.passTime(clock, &messages) }
        page.current?.turnStartedAt = 0
        page.current?.longTurns = 1
        var record = LongTurn()
        record.number = 1
        record.turn = 1
        record.startedAt = start
        record.endedAt = clock.now
        record.inBody = .watched(1)
        page.records = [record]
        child.send(SIGCONT)
        while messages.closed.isEmpty { try watch.passTime(clock, &messages) }
        let seen = try #require(messages.closed.first)
        #expect(seen.hang.verdict == .stopped && !seen.hang.counts && seen.blamed == nil)
        #expect(seen.hang.durationNanoseconds == record.endedAt - start)
    }
}
