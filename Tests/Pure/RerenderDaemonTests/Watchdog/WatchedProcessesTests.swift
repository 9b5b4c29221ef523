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

    @Test("so much news waits to be taken, and what comes then is counted", arguments: around(4))
    func outbox(count: Int) {
        var outbox = WatchdogThread.Outbox(limit: 4)
        for number in 0..<count {
            let news = WatchdogThread.Message(process: process, kind: .hang(.watchTurn(UInt64(number))))
            let isFirst = outbox.add([news])
            #expect(isFirst == (number == 0))
        }
        let (taken, kept) = (outbox.take(), min(count, 4))
        #expect(taken.count == kept && outbox.dropped == UInt64(count - kept))
        #expect(outbox.take().isEmpty)
    }

    @Test("asks a process without a known loop to look for one when its size has changed, at most once a second")
    func lookForLoops() throws {
        let clock = TestClock()
        var watch = WatchedProcesses(numbers: HangNumbers(), clock: { clock.now }) {
            (_, _) throws(OpenPage.Fault) in ValuePage()
        }
        var messages: [WatchdogThread.Message] = []
        var grown: [UnsafeMutableRawPointer] = []
        defer { for memory in grown { munmap(memory, 1 << 20) } }
        try watch.begin(process, page: .blank(), &messages)
        var looked: [UInt64] = []
        let start = clock.now
        while clock.now < start + 3 * WatchedProcesses.sizePeriod {
            // This process is the one that grows.
            let memory = try #require(mmap(nil, 1 << 20, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))
            try #require(memory != MAP_FAILED)
            grown.append(memory)
            let now = clock.now
            try watch.passTime(clock, &messages)
            if messages.count(where: { $0.asksForLoops }) > looked.count { looked.append(now) }
        }
        #expect(looked == [0, 1, 2].map { start + $0 * WatchedProcesses.sizePeriod })
        let looks = watch.totals.looks
        #expect(looks > 3)
    }

    @Test("has nothing to look at, and no time to do so, while nothing is watched")
    func nothing() throws {
        let clock = TestClock()
        var watch = WatchedProcesses(numbers: HangNumbers(), clock: { clock.now }) {
            (_, _) throws(OpenPage.Fault) in ValuePage()
        }
        var messages: [WatchdogThread.Message] = []
        let before = watch.poll(&messages)
        try watch.begin(process, page: .blank(), &messages)
        let during = watch.poll(&messages)
        watch.forget(process)
        let after = watch.poll(&messages)
        #expect(before == nil && during != nil && after == nil && messages.filter { !$0.asksForLoops }.isEmpty)
        let watched = watch.totals.watched
        #expect(watched == 0)
    }

    @Test("looks every 10 ms in a turn, at the threshold itself, and less often at a loop that waits")
    func periods() throws {
        let (page, clock) = (ValuePage(), TestClock())
        var watch = WatchedProcesses(numbers: HangNumbers(), clock: { clock.now }) {
            (_, _) throws(OpenPage.Fault) in page
        }
        var messages: [WatchdogThread.Message] = []
        try watch.begin(process, page: .blank(), &messages)
        let idle = watch.poll(&messages) ?? 1
        #expect(idle == clock.now + WatchedProcesses.idlePeriod)
        // Beside the grid of the looks.
        let before = clock.now + 3_000_000
        page.current?.turn = 1
        page.current?.turnStartedAt = before
        clock.now = idle
        var looks: [UInt64] = []
        while clock.now < before + 300_000_000 {
            looks.append(clock.now)
            try watch.passTime(clock, &messages)
        }
        let threshold = before + 250_000_000
        #expect(looks.contains(threshold))
        #expect(looks.allSatisfy { $0 % WatchedProcesses.period == 0 || $0 == threshold })
        #expect(zip(looks, looks.dropFirst()).allSatisfy { $1 - $0 <= WatchedProcesses.period })
        #expect(messages.events.opened.map(\.hang.openedAfterNanoseconds) == [250_000_000])
    }

    @Test(
        "takes no more looks at loops that wait than for 125 processes, and each at those in a turn",
        arguments: [(1, 50), (125, 50), (250, 100), (1_000, 400), (1_024, 400)], [true, false])
    func crowd(count: (processes: Int, milliseconds: UInt64), hasLoop: Bool) throws {
        let (count, milliseconds) = count
        let page = ValuePage()
        if !hasLoop { page.current = nil }
        let (busy, clock) = (ValuePage(origin: 2), TestClock())
        var watch = WatchedProcesses(numbers: HangNumbers(), clock: { clock.now }) {
            (process, _) throws(OpenPage.Fault) in
            process.copy == 0 ? busy : page
        }
        var messages: [WatchdogThread.Message] = []
        for copy in 1...UInt32(count) {
            try watch.begin(
                ProcessInstance(pid: getpid(), startTicks: 1, copy: copy), page: .blank(), &messages)
        }
        let next = watch.poll(&messages) ?? 1
        #expect(next % (milliseconds * 1_000_000) == 0)
        #expect(page.asked == count)
        busy.current?.turn = 1
        busy.current?.turnStartedAt = clock.now
        try watch.begin(process, page: .blank(), &messages)
        let soon = watch.poll(&messages) ?? .max
        #expect(soon <= clock.now + WatchedProcesses.period)
    }

    @Test("tells when hangs began and ended by the app's clock, however late it looks in a crowd")
    func lateLook() throws {
        let quiet = ValuePage()
        let pages = [ValuePage(origin: 2), ValuePage(origin: 3)]
        let clock = TestClock()
        var watch = WatchedProcesses(numbers: HangNumbers(), clock: { clock.now }) {
            (process, _) throws(OpenPage.Fault) in
            process.copy < 2 ? pages[Int(process.copy)] : quiet
        }
        var messages: [WatchdogThread.Message] = []
        for copy in 0..<UInt32(1_000) {
            try watch.begin(
                ProcessInstance(pid: getpid(), startTicks: 1, copy: copy), page: .blank(), &messages)
        }
        _ = watch.poll(&messages)
        // One began and ended between two looks, and one goes on.
        clock.now += 399_000_000
        let now = clock.now
        var record = LongTurn()
        (record.number, record.turn) = (1, 1)
        (record.startedAt, record.endedAt) = (now - 300_000_000, now)
        pages[0].records = [record]
        pages[0].current?.turn = 1
        pages[0].current?.longTurns = 1
        pages[1].current?.turn = 1
        pages[1].current?.turnStartedAt = now - 200_000_000
        while messages.events.opened.count < 2 { try watch.passTime(clock, &messages) }
        let closed = try #require(messages.closed.first)
        #expect(closed.startedAt == record.startedAt && closed.hang.durationNanoseconds == 300_000_000)
        let open = try #require(messages.events.opened.first { $0.startedAt != record.startedAt })
        #expect(open.startedAt == now - 200_000_000 && open.hang.durationNanoseconds >= 250_000_000)
        #expect(messages.closed.count == 1)
    }

    @Test("of a short micro-hang threshold looks more often")
    func shortThreshold() throws {
        let page = ValuePage()
        page.current?.microHangThresholdMilliseconds = 40
        let clock = TestClock()
        var watch = WatchedProcesses(numbers: HangNumbers(), clock: { clock.now }) {
            (_, _) throws(OpenPage.Fault) in page
        }
        var messages: [WatchdogThread.Message] = []
        try watch.begin(process, page: .blank(), &messages)
        let next = watch.poll(&messages) ?? 1
        #expect(next % 20_000_000 == 0)
    }

    @Test("survives a page that cannot be read for a while")
    func unreadable() throws {
        let (page, clock) = (ValuePage(), TestClock())
        var watch = WatchedProcesses(numbers: HangNumbers(), clock: { clock.now }) {
            (_, _) throws(OpenPage.Fault) in page
        }
        var messages: [WatchdogThread.Message] = []
        try watch.begin(process, page: .blank(), &messages)
        page.current = nil
        let next = watch.poll(&messages)
        #expect(next != nil && messages.isEmpty)
    }

    @Test("counts no turn again that an earlier daemon counted, but those of another program, also on a late page")
    func resumedUnread() throws {
        let clock = TestClock()
        let mark = WatchCheckpoint(origin: 1, seenLongTurns: 1, doneTurn: 1)
        for (origin, closed) in [(UInt64(1), 0), (2, 1)] {
            let page = ValuePage(origin: origin)
            var reading = page.current
            page.current = nil
            var watch = WatchedProcesses(numbers: HangNumbers(), clock: { clock.now }) {
                (_, _) throws(OpenPage.Fault) in page
            }
            var messages: [WatchdogThread.Message] = []
            try watch.begin(process, page: .blank(), mark: mark, &messages)
            var record = LongTurn()
            (record.number, record.turn) = (1, 1)
            (record.startedAt, record.endedAt) = (clock.now - 400_000_000, clock.now - 100_000_000)
            page.records = [record]
            reading?.turn = 1
            reading?.longTurns = 1
            page.current = reading
            _ = watch.poll(&messages)
            #expect(messages.closed.count == closed)
        }
    }

    @Test("closes what was open when the process goes on as another program with another page")
    func exec() throws {
        let pages = [ValuePage(origin: 1), ValuePage(origin: 2)]
        let clock = TestClock()
        pages[0].current?.turn = 5
        pages[0].current?.turnStartedAt = clock.now - 400_000_000
        let numbers = HangNumbers()
        numbers.pass(6)
        var opened = 0
        var watch = WatchedProcesses(numbers: numbers, clock: { clock.now }) { (_, _) throws(OpenPage.Fault) in
            opened += 1
            return pages[opened - 1]
        }
        var messages: [WatchdogThread.Message] = []
        try watch.begin(process, page: .blank(), &messages)
        _ = watch.poll(&messages)
        try watch.begin(process, page: .blank(), &messages)
        #expect(messages.events.opened.map(\.hang.id) == [7] && messages.closed.map(\.hang.ended) == [.exited])
        let watched = watch.totals.watched
        #expect(watched == 1)
    }

    @Test(
        "misses the long turns that are gone of a process that began since daemons watch, and not what another one may have read",
        arguments: [true, false])
    func missed(isNew: Bool) throws {
        let page = ValuePage()
        // When this process began is by the machine's clock.
        let process = ProcessInstance(pid: getpid(), startTicks: TestFile.startTicks(of: getpid()))
        let now = process.startedAt + 60_000_000_000
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
        // The two clocks are never read at one moment.
        let since = isNew ? process.startedAt - 1_000_000 : process.startedAt + 1_000_000
        var watch = WatchedProcesses(numbers: HangNumbers(), since: since, clock: { now }) {
            (_, _) throws(OpenPage.Fault) in page
        }
        var messages: [WatchdogThread.Message] = []
        try watch.begin(process, page: .blank(), &messages)
        _ = watch.poll(&messages)
        let missed = watch.totals.missed
        #expect(missed == (isNew ? 4 : 0))
    }

    @Test("tells of a page that cannot be used")
    func fault() throws {
        var watch = WatchedProcesses(
            numbers: HangNumbers(), open: { (_, _) throws(OpenPage.Fault) in throw .unsealed })
        var messages: [WatchdogThread.Message] = []
        try watch.begin(process, page: .blank(), &messages)
        let watched = watch.totals.watched
        #expect(messages.count == 1 && watched == 0)
        if case .fault(let fault) = messages[0].kind { #expect(fault == .unsealed) }
    }
}

extension WatchdogThread.Message {
    fileprivate var asksForLoops: Bool {
        if case .hang(.lookForLoops) = kind { true } else { false }
    }
}
