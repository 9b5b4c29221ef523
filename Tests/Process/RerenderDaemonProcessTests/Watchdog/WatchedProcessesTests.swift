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

    @Test("asks a process without a known loop to look for one when its size has changed, at most once a second")
    func lookForLoops() {
        var watch = WatchedProcesses(numbers: HangNumbers()) { (_, _) throws(FlightPages.Fault) in ValuePage() }
        var messages: [WatchdogThread.Message] = []
        var grown: [UnsafeMutableRawPointer] = []
        defer { for memory in grown { munmap(memory, 1 << 20) } }
        let start = Clocks.monotonic
        watch.begin(process, page: PagePlace(name: "1.page"), &messages)
        var looked = 0
        while looked < 2 {
            // This process is the one that grows.
            if grown.count < 1_000, let memory = mmap(nil, 1 << 20, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) {
                grown.append(memory)
            }
            _ = watch.poll(&messages)
            looked = messages.count { $0.asksForLoops }
            let seconds = Int((Clocks.monotonic - start) / WatchedProcesses.sizePeriod)
            #expect(looked <= 1 + seconds)
        }
        #expect(watch.totals.looks > looked)
    }

    @Test("has nothing to look at, and no time to do so, while nothing is watched")
    func nothing() {
        var watch = WatchedProcesses(numbers: HangNumbers()) { (_, _) throws(FlightPages.Fault) in ValuePage() }
        var messages: [WatchdogThread.Message] = []
        let before = watch.poll(&messages)
        watch.begin(process, page: PagePlace(name: "1.page"), &messages)
        let during = watch.poll(&messages)
        watch.forget(process)
        let after = watch.poll(&messages)
        #expect(before == nil && during != nil && after == nil && messages.filter { !$0.asksForLoops }.isEmpty)
        let watched = watch.totals.watched
        #expect(watched == 0)
    }

    @Test("looks every 10 ms in a turn, at the threshold itself, and less often at a loop that waits")
    func periods() {
        let page = ValuePage()
        var watch = WatchedProcesses(numbers: HangNumbers()) { (_, _) throws(FlightPages.Fault) in page }
        var messages: [WatchdogThread.Message] = []
        watch.begin(process, page: PagePlace(name: "1.page"), &messages)
        let idle = watch.poll(&messages) ?? 1
        #expect(idle % WatchedProcesses.idlePeriod == 0)
        let before = Clocks.monotonic
        page.current?.turn = 1
        page.current?.turnStartedAt = before
        watch.begin(process, page: PagePlace(name: "1.page"), &messages)
        while watch.totals.looks < 2 { _ = watch.poll(&messages) }
        let busy = watch.poll(&messages) ?? .max
        #expect(busy <= Clocks.monotonic + WatchedProcesses.period)
        #expect(busy % WatchedProcesses.period == 0 || busy == before + 250_000_000)
    }

    @Test(
        "takes no more looks at loops that wait than for 125 processes, and each at those in a turn",
        arguments: [(1, 50), (125, 50), (250, 100), (1_000, 400), (1_024, 400)], [true, false])
    func crowd(count: (processes: Int, milliseconds: UInt64), hasLoop: Bool) {
        let (count, milliseconds) = count
        let page = ValuePage()
        if !hasLoop { page.current = nil }
        let busy = ValuePage(origin: 2)
        var watch = WatchedProcesses(numbers: HangNumbers()) { (process, _) throws(FlightPages.Fault) in
            process.copy == 0 ? busy : page
        }
        var messages: [WatchdogThread.Message] = []
        for copy in 1...UInt32(count) {
            watch.begin(
                ProcessInstance(pid: getpid(), startTicks: 1, copy: copy), page: PagePlace(name: "1.page"), &messages)
        }
        let next = watch.poll(&messages) ?? 1
        #expect(next % (milliseconds * 1_000_000) == 0)
        #expect(page.asked == count)
        busy.current?.turn = 1
        busy.current?.turnStartedAt = Clocks.monotonic
        watch.begin(process, page: PagePlace(name: "1.page"), &messages)
        let soon = watch.poll(&messages) ?? .max
        #expect(soon <= Clocks.monotonic + WatchedProcesses.period)
    }

    @Test("tells when hangs began and ended by the app's clock, however late it looks in a crowd")
    func lateLook() throws {
        let quiet = ValuePage()
        let pages = [ValuePage(origin: 2), ValuePage(origin: 3)]
        var watch = WatchedProcesses(numbers: HangNumbers()) { (process, _) throws(FlightPages.Fault) in
            process.copy < 2 ? pages[Int(process.copy)] : quiet
        }
        var messages: [WatchdogThread.Message] = []
        for copy in 0..<UInt32(1_000) {
            watch.begin(
                ProcessInstance(pid: getpid(), startTicks: 1, copy: copy), page: PagePlace(name: "1.page"), &messages)
        }
        _ = watch.poll(&messages)
        // One began and ended between two looks, and one goes on.
        let now = Clocks.monotonic
        var record = LongTurn()
        (record.number, record.turn) = (1, 1)
        (record.startedAt, record.endedAt) = (now - 300_000_000, now)
        pages[0].records = [record]
        pages[0].current?.turn = 1
        pages[0].current?.longTurns = 1
        pages[1].current?.turn = 1
        pages[1].current?.turnStartedAt = now - 200_000_000
        let wait = ThreadWait()
        while messages.events.opened.count < 2 { _ = wait.wait(until: watch.poll(&messages)) }
        let closed = try #require(messages.closed.first)
        #expect(closed.startedAtMonotonic == record.startedAt && closed.duration == 300_000_000)
        let open = try #require(messages.events.opened.first { $0.startedAtMonotonic != record.startedAt })
        #expect(open.startedAtMonotonic == now - 200_000_000 && open.duration >= 250_000_000)
        #expect(messages.closed.count == 1)
    }

    @Test("of a short micro-hang threshold looks more often")
    func shortThreshold() {
        let page = ValuePage()
        page.current?.microHangThresholdMilliseconds = 40
        var watch = WatchedProcesses(numbers: HangNumbers()) { (_, _) throws(FlightPages.Fault) in page }
        var messages: [WatchdogThread.Message] = []
        watch.begin(process, page: PagePlace(name: "1.page"), &messages)
        let next = watch.poll(&messages) ?? 1
        #expect(next % 20_000_000 == 0)
    }

    @Test("survives a page that cannot be read for a while")
    func unreadable() {
        let page = ValuePage()
        var watch = WatchedProcesses(numbers: HangNumbers()) { (_, _) throws(FlightPages.Fault) in page }
        var messages: [WatchdogThread.Message] = []
        watch.begin(process, page: PagePlace(name: "1.page"), &messages)
        page.current = nil
        let next = watch.poll(&messages)
        #expect(next != nil && messages.isEmpty)
    }

    @Test("goes on with an open hang where the page cannot be read at first, and ends it where it is another program's")
    func resumedUnread() {
        var mark = WatchCheckpoint(origin: 1, seenLongTurns: 0, doneTurn: 4)
        mark.open = WatchCheckpoint.Open(
            id: 9, turn: 5, startedAt: Clocks.monotonic - 400_000_000, realStart: .now, threshold: 250_000_000,
            lastSeen: Clocks.monotonic, openedAfter: 0, lateness: 0, stacks: 0, inBody: nil)
        for (origin, closed) in [(UInt64(1), 0), (2, 1)] {
            let page = ValuePage(origin: origin)
            page.current = nil
            var watch = WatchedProcesses(numbers: HangNumbers()) { (_, _) throws(FlightPages.Fault) in page }
            var messages: [WatchdogThread.Message] = []
            watch.begin(process, page: PagePlace(name: "1.page"), mark: mark, &messages)
            _ = watch.poll(&messages)
            #expect(messages.closed.count == closed)
        }
    }

    @Test("closes what was open when the process goes on as another program with another page")
    func exec() {
        let pages = [ValuePage(origin: 1), ValuePage(origin: 2)]
        pages[0].current?.turn = 5
        pages[0].current?.turnStartedAt = Clocks.monotonic - 400_000_000
        let numbers = HangNumbers()
        numbers.pass(6)
        var opened = 0
        var watch = WatchedProcesses(numbers: numbers) { (_, _) throws(FlightPages.Fault) in
            opened += 1
            return pages[opened - 1]
        }
        var messages: [WatchdogThread.Message] = []
        watch.begin(process, page: PagePlace(name: "1.page"), &messages)
        _ = watch.poll(&messages)
        watch.begin(process, page: PagePlace(name: "1.page"), &messages)
        let events = messages.compactMap { if case .hang(let event) = $0.kind { event } else { nil } }
        #expect(events.opened.map(\.id) == [7] && events.closed.map(\.ended) == [.exited])
        let watched = watch.totals.watched
        #expect(watched == 1)
    }

    @Test(
        "misses the long turns that are gone of a process that began since daemons watch, and not what another one may have read",
        arguments: [true, false])
    func missed(isNew: Bool) {
        let page = ValuePage()
        let now = Clocks.monotonic
        page.current?.longTurns = 20
        page.current?.turn = 20
        page.records = (5...20 as ClosedRange<UInt64>).map {
            var record = LongTurn()
            (record.number, record.turn) = ($0, $0)
            (record.startedAt, record.endedAt) = (
                now - (21 - $0) * 300_000_000, now - (21 - $0) * 300_000_000 + 260_000_000
            )
            return record
        }
        let process = ProcessInstance(pid: getpid(), startTicks: TestFile.startTicks(of: getpid()))
        // The two clocks are never read at one moment.
        let since = isNew ? process.startedAt - 1_000_000 : process.startedAt + 1_000_000
        var watch = WatchedProcesses(numbers: HangNumbers(), since: since) { (_, _) throws(FlightPages.Fault) in page }
        var messages: [WatchdogThread.Message] = []
        watch.begin(process, page: PagePlace(name: "1.page"), &messages)
        _ = watch.poll(&messages)
        let missed = watch.totals.missed
        #expect(missed == (isNew ? 4 : 0))
    }

    @Test("sees a real process that was stopped, and that it is no hang of the app")
    func stopped() async throws {
        let child = try PlainChild("/bin/sh", ["-c", "while :; do :; done"])
        let sampler = ThreadSampler(pid: child.pid)
        child.send(SIGSTOP)
        try await eventually("the stop") {
            if case .sample(let sample) = sampler.sample(child.pid), sample.state == .stopped { () } else { nil }
        }
        let page = ValuePage()
        let start = Clocks.monotonic
        page.current?.turn = 1
        page.current?.turnStartedAt = start
        page.current?.threadID = child.pid
        // Well over what a busy machine can let pass before the first look, which is no stop that anyone saw.
        page.current?.hangThresholdMilliseconds = 1_000
        var watch = WatchedProcesses(numbers: HangNumbers()) { (_, _) throws(FlightPages.Fault) in page }
        let process = ProcessInstance(pid: child.pid, startTicks: 1)
        var messages: [WatchdogThread.Message] = []
        watch.begin(process, page: PagePlace(name: "1.page"), &messages)
        let wait = ThreadWait()
        while Clocks.monotonic < start + 1_300_000_000 { _ = wait.wait(until: watch.poll(&messages)) }
        page.current?.turnStartedAt = 0
        page.current?.longTurns = 1
        var record = LongTurn()
        record.number = 1
        record.turn = 1
        record.startedAt = start
        record.endedAt = Clocks.monotonic
        record.inBody = .watched(1)
        page.records = [record]
        child.send(SIGCONT)
        while messages.closed.isEmpty { _ = wait.wait(until: watch.poll(&messages)) }
        let hang = try #require(messages.closed.first)
        #expect(hang.verdict == .stopped && !hang.counts && hang.view == nil)
        #expect(hang.duration == record.endedAt - start)
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
