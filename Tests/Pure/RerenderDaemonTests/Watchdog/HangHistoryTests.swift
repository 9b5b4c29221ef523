// SPDX-License-Identifier: MIT
import NIOCore
import RerenderModel
import RerenderWire
import TestSupport
import Testing

@testable import RerenderDaemon
@testable import DaemonSupport

@Suite("The book of hangs")
struct HangHistoryTests {
    private let process = ProcessInstance(pid: 10, startTicks: 1)

    private func hang(_ id: UInt64, turn: UInt64 = 1, startedAt: Int64 = 5_000_000_000) -> Hang {
        Hang(
            id: id, pid: 10, process: "shop", startedAt: Timestamp(nanosecondsSince1970: startedAt), turn: turn)
    }

    @Test("knows a hang that a daemon before it had told of")
    func again() {
        var book = HangHistory(limits: DaemonLimits())
        var isNew: [Bool] = []
        book.restore(hang(1), of: process)
        // More is known of it.
        isNew.append(book.put(hang(1), of: process))
        // The same turn under another number.
        isNew.append(book.put(hang(2, startedAt: 5_000_900_000), of: process))
        // Another program's turn of that number.
        isNew.append(book.put(hang(3, startedAt: 9_000_000_000), of: process))
        isNew.append(book.put(hang(4), of: ProcessInstance(pid: 10, startTicks: 2)))
        // A program that the process has become since, within the same second.
        var another = hang(5, startedAt: 9_000_900_000)
        another.durationNanoseconds = 1
        isNew.append(book.put(another, of: process))
        another.id = 6
        isNew.append(book.put(another, of: process))
        #expect(isNew == [true, false, true, true, true, false], "the last is the same, read again")
        #expect(book.entries.map(\.hang.id) == [1, 3, 4, 5] && book.latestID == 5)
    }

    /// What one copy of the library tells: its views with their milliseconds, of which it blames the first.
    private func report(_ id: UInt64, _ milliseconds: UInt64, _ views: (ViewKey, UInt64)?, isOpen: Bool = false) -> Hang
    {
        var hang = hang(id, turn: id)
        hang.durationNanoseconds = milliseconds * 1_000_000
        hang.open = isOpen
        hang.ended = isOpen ? nil : .normally
        if let (view, time) = views {
            hang.shares = [Hang.Share(view: view, nanoseconds: time * 1_000_000)]
            (hang.view, hang.attribution) = (view, .inBody)
        }
        hang.unattributedNanoseconds = hang.durationNanoseconds - (views?.1 ?? 0) * 1_000_000
        return hang
    }

    @Test("lists once what the copies of the library in a process tell of the same time")
    func copies() throws {
        var book = HangHistory(limits: DaemonLimits())
        var isTaken: [Bool] = []
        let plugIn = ProcessInstance(pid: 10, startTicks: 1, copy: 1)
        isTaken.append(book.put(report(1, 300, nil, isOpen: true), of: process))
        isTaken.append(book.put(report(2, 290, ("Meter", 200), isOpen: true), of: plugIn))
        isTaken.append(book.put(report(1, 400, nil), of: process))
        #expect(book.entries.count == 1 && book.hang(1)?.open == true, "the other copy has not told of its end")
        isTaken.append(book.put(report(2, 390, ("Meter", 300)), of: plugIn))
        let hang = try #require(book.hang(2))
        #expect(hang.id == 1 && !hang.open && hang.ended == .normally && hang.turn == 1)
        // As the copy with the largest share says.
        #expect(hang.view == "Meter" && hang.durationNanoseconds == 390_000_000)
        #expect(hang.unattributedNanoseconds == 90_000_000)
        // Another process's, and one at another time.
        isTaken.append(book.put(report(3, 400, nil), of: ProcessInstance(pid: 11, startTicks: 1, copy: 1)))
        var later = report(4, 400, nil)
        later.startedAt = Timestamp(nanosecondsSince1970: 5_300_000_000)
        isTaken.append(book.put(later, of: plugIn))
        #expect(book.entries.map(\.hang.id) == [1, 3, 4])
        #expect(isTaken == Array(repeating: true, count: 6))
        // What turned out to be none for one copy is still one for the other.
        let isGone = [book.remove(2), book.remove(1)]
        #expect(isGone == [false, true] && book.entries.map(\.hang.id) == [3, 4])
    }

    @Test("names the view that one copy sees, and not the source that all of them are in")
    func sourceOfCopies() throws {
        let plugIn = ProcessInstance(pid: 10, startTicks: 1, copy: 1)
        // The other copy's body is in the source, which took longer than that body alone.
        var outer = report(1, 403, nil)
        outer.sourceNanoseconds = 403_000_000
        var inner = report(2, 403, ("Window", 400))
        inner.sourceNanoseconds = 402_000_000
        for (first, second) in [(outer, inner), (inner, outer)] {
            var book = HangHistory(limits: DaemonLimits())
            let isTaken = [book.put(first, of: process), book.put(second, of: plugIn)]
            #expect(isTaken == [true, true] && book.hang(first.id)?.view == "Window")
            #expect(book.hang(first.id)?.shares == inner.shares)
        }
    }

    @Test("puts a bounded number of reports together, and lists the others as hangs of their own")
    func manyReports() {
        var book = HangHistory(limits: DaemonLimits())
        let plugIn = ProcessInstance(pid: 10, startTicks: 1, copy: 1)
        var isTaken: [Bool] = [book.put(report(1, 400, nil, isOpen: true), of: process)]
        for id in 2...100 { isTaken.append(book.put(report(UInt64(id), 400, nil), of: plugIn)) }
        #expect(isTaken == Array(repeating: true, count: 100))
        #expect(book.entries.count == 1 + 100 - 32)
        #expect(book.hang(32)?.id == 1 && book.hang(33)?.id == 33 && book.latestID == 100)
    }

    @Test("puts what another copy tells beside a hang of an earlier daemon, which stays without it")
    func restoredCopies() throws {
        var book = HangHistory(limits: DaemonLimits())
        let plugIn = ProcessInstance(pid: 10, startTicks: 1, copy: 1)
        let kept = report(5, 400, ("Meter", 300))
        book.restore(kept, of: process)
        var isTaken: [Bool] = []
        isTaken.append(book.put(report(6, 390, ("Meter", 290), isOpen: true), of: plugIn))
        #expect(book.hang(5)?.open == true && book.latestID == 6)
        isTaken.append(book.put(report(6, 400, ("Meter", 290)), of: plugIn))
        let hang = try #require(book.hang(5))
        #expect(isTaken == [true, true] && hang.shares == kept.shares && hang.view == "Meter")
        #expect(!hang.open && hang.ended == .normally)
        let isGone = book.remove(6)
        #expect(!isGone && book.hang(5) != nil)
    }

    @Test(
        "blames the view of the copy that knows the largest share",
        arguments: [
            (300, 50, "Window"), (50, 300, "Meter"), (400, 300, "Window"), (200, 150, "Window"), (400, 0, "Window"),
        ] as [(UInt64, UInt64, ViewKey)])
    func blameOfCopies(window: UInt64, meter: UInt64, blamed: ViewKey) throws {
        var book = HangHistory(limits: DaemonLimits())
        _ = book.put(report(1, 400, ("Window", window)), of: process)
        _ = book.put(
            report(2, 400, meter > 0 ? ("Meter", meter) : nil), of: ProcessInstance(pid: 10, startTicks: 1, copy: 1))
        let hang = try #require(book.hang(1))
        #expect(hang.view == blamed && hang.attribution == .inBody)
        let sum = hang.shares.reduce(hang.unattributedNanoseconds ?? 0) { $0 + $1.nanoseconds }
        #expect(sum == hang.durationNanoseconds)
    }

    @Test("takes no more than its memory, and forgets the oldest that has ended first")
    func bounded() {
        var limits = DaemonLimits()
        limits.hangBytes = 20_000
        limits.stacksPerHang = 2
        var book = HangHistory(limits: limits)
        _ = book.put(hang(1, turn: 1), of: process)
        var ended = hang(2, turn: 2)
        ended.open = false
        _ = book.put(ended, of: process)
        _ = book.put(hang(3, turn: 3), of: process)
        let frames = [String](repeating: String(repeating: "f", count: 256), count: 24)
        for round in 0..<4 {
            let added = book.add(StackSample(hang: 3, turn: 3, atNanoseconds: 1, frames: frames), of: process)
            #expect(added == (round < 2))
        }
        _ = book.put(hang(4, turn: 4), of: process)
        #expect(book.bytes <= 20_000 && book.forgotten == 0)
        let isAdded = book.add(StackSample(hang: 4, turn: 4, atNanoseconds: 1, frames: frames), of: process)
        #expect(isAdded)
        #expect(book.entries.map(\.hang.id).contains(2) == false && book.forgotten >= 1 && book.bytes <= 20_000)
    }

    @Test("lists the newest, and counts how many others it had", arguments: around(10))
    func listed(count: Int) {
        var limits = DaemonLimits()
        limits.hangs = 10
        var book = HangHistory(limits: limits)
        for id in 1...UInt64(count) {
            var one = hang(id, turn: id)
            one.open = false
            _ = book.put(one, of: process)
        }
        let forgotten = UInt64(max(0, count - 10))
        #expect(book.entries.map(\.hang.id) == Array(forgotten + 1...UInt64(count)) && book.forgotten == forgotten)
    }

    @Test("has so many stacks of a hang, and looks at its thread", arguments: around(DaemonLimits().stacksPerHang))
    func looks(count: Int) {
        var book = HangHistory(limits: DaemonLimits())
        for id in UInt64(1)...2 { _ = book.put(hang(id, turn: id), of: process) }
        for number in 0..<UInt64(count) {
            let stack = StackSample(hang: 1, turn: 1, atNanoseconds: number, frames: ["f"])
            let look = StackSample(hang: 2, turn: 2, atNanoseconds: number, frames: [], activity: "runs")
            let isAdded = [book.add(stack, of: process), book.add(look, of: process)]
            let hasRoom = number < DaemonLimits().stacksPerHang
            #expect(isAdded == [hasRoom, hasRoom])
        }
        let kept = min(count, DaemonLimits().stacksPerHang)
        #expect(book.hang(1)?.stacks.count == kept)
        #expect(book.hang(2)?.activities == [Hang.Activity(text: "runs", count: UInt32(kept))])
    }

    @Test("takes no stack from another process")
    func foreignStack() {
        var book = HangHistory(limits: DaemonLimits())
        _ = book.put(hang(1), of: process)
        let sample = StackSample(hang: 1, turn: 1, atNanoseconds: 1, frames: ["x"])
        let foreign = book.add(sample, of: ProcessInstance(pid: 11, startTicks: 1))
        let otherTurn = book.add(StackSample(hang: 1, turn: 2, atNanoseconds: 1, frames: ["x"]), of: process)
        #expect(!foreign && !otherTurn)
    }

    @Test("counts what the thread was seen doing, most often first, in as many looks as stacks are asked for")
    func activities() {
        var book = HangHistory(limits: DaemonLimits())
        _ = book.put(hang(1), of: process)
        func look(_ activity: String) -> Bool {
            book.add(StackSample(hang: 1, turn: 1, atNanoseconds: 1, frames: [], activity: activity), of: process)
        }
        #expect(look("runs") && look("reads from pipe 7") && look("reads from pipe 7"))
        #expect(!look(""), "nothing was seen")
        for _ in 0..<20 { _ = look("sleeps") }
        #expect(!look("is in a made-up call"))
        _ = book.put(hang(1), of: process)
        let expected: [Hang.Activity] = [
            .init(text: "sleeps", count: 5), .init(text: "reads from pipe 7", count: 2), .init(text: "runs", count: 1),
        ]
        #expect(book.hang(1)?.activities == expected)
        #expect(book.hang(1)?.stacks == [])
    }

    @Test("names the function that most looks were in, by their stacks, or else by what the app says")
    func sources() {
        var book = HangHistory(limits: DaemonLimits())
        let stack = ["read() in libc.so.6", "on_clicked() cases.c:44", "g_closure_invoke() in libgobject-2.0.so.0"]
        func look(_ id: UInt64, _ activity: String, frames: [String] = [], source: String = "") {
            let sample = StackSample(
                hang: id, turn: id, atNanoseconds: 1, frames: frames, activity: activity, source: source)
            _ = book.add(sample, of: process)
        }
        for id in UInt64(1)...3 { _ = book.put(hang(id, turn: id), of: process) }
        look(1, "runs", source: "tick() cases.c:9")
        #expect(book.hang(1)?.source == "tick() cases.c:9" && book.hang(1)?.call == nil)
        for _ in 0..<2 { look(1, "reads from pipe 7", frames: stack, source: "tick() cases.c:9") }
        #expect(book.hang(1)?.source == "on_clicked() cases.c:44" && book.hang(1)?.call == "read()")
        // It was blocked in a small part of the looks, and the app does not say what ran in the others.
        for _ in 0..<3 { look(2, "runs") }
        look(2, "reads from pipe 7", frames: stack)
        #expect(book.hang(2)?.source == nil && book.hang(2)?.call == nil)
        // The function that a thread is in, or is about to call, is no cause where another thread has Python's lock.
        let lock = "\(HangCulprit.interpreterLock) held by busy() gil.py:8"
        for _ in 0..<2 { look(3, "waits for Python's lock (the GIL)", frames: stack, source: lock) }
        look(3, "runs", source: "tick() cases.c:9")
        #expect(book.hang(3)?.source == lock && book.hang(3)?.call == nil)
        // Who held the mutex stands behind the call.
        _ = book.put(hang(5, turn: 5), of: process)
        let locked: [String] = ["pthread_mutex_lock() in libc.so.6"] + stack.dropFirst()
        for doing in ["sleeps for 900 ms", "runs"] {
            look(5, "waits for a mutex that thread indexer[12] holds, which \(doing)", frames: locked)
        }
        #expect(book.hang(5)?.call == "pthread_mutex_lock() for the mutex that thread indexer[12] held")
        for _ in 0..<2 { look(5, "runs", frames: locked) }
        #expect(book.hang(5)?.call == "pthread_mutex_lock()", "of half of the looks")
        // What an earlier daemon found stays.
        var restored = hang(4, turn: 4)
        restored.source = "tick() cases.c:9"
        book.restore(restored, of: process)
        book.restore(StackSample(hang: 4, turn: 4, atNanoseconds: 1, frames: stack))
        #expect(book.hang(4)?.source == "tick() cases.c:9")
        _ = book.put(hang(1, turn: 1), of: process)
        #expect(book.hang(1)?.source == "on_clicked() cases.c:44", "it stays where the watchdog tells more")
    }

    @Test("names the source that an app tells of after a hang that was over before it could look")
    func lateSource() {
        var book = HangHistory(limits: DaemonLimits())
        for id in UInt64(1)...2 { _ = book.put(hang(id, turn: id), of: process) }
        func tell(_ id: UInt64, _ activity: String, _ source: String) -> Bool {
            book.add(
                StackSample(hang: id, turn: id, atNanoseconds: 0, frames: [], activity: activity, source: source),
                of: process)
        }
        #expect(tell(1, "", "on_load() slow.py:20"))
        #expect(book.hang(1)?.source == "on_load() slow.py:20" && book.hang(1)?.activities == [])
        #expect(tell(2, "runs", "") && tell(2, "runs", ""))
        #expect(tell(2, "", "on_load() slow.py:20"))
        #expect(book.hang(2)?.source == nil, "most looks saw no source")
    }

    @Test("forgets where a trace was that has been deleted, and no other")
    func traces() {
        var book = HangHistory(limits: DaemonLimits())
        for (id, trace) in [(1, "/traces/a"), (2, "/traces/b"), (3, "/elsewhere/c")] as [(UInt64, String)] {
            _ = book.put(hang(id, turn: id), of: process)
            _ = book.note(trace: trace, of: id)
        }
        book.forgetTraces(in: "/traces", except: ["/traces/b"])
        #expect(book.entries.map(\.hang.trace) == [nil, "/traces/b", "/elsewhere/c"])
    }

    @Test("of a process with very many forgets that process's and not those of others")
    func share() {
        var limits = DaemonLimits()
        limits.hangs = 10
        var book = HangHistory(limits: limits)
        let other = ProcessInstance(pid: 11, startTicks: 1)
        for id in 1...3 as ClosedRange<UInt64> { _ = book.put(hang(id, turn: id), of: other) }
        for id in 4...500 as ClosedRange<UInt64> {
            var one = hang(id, turn: id)
            one.open = id == 4
            _ = book.put(one, of: process)
        }
        #expect(book.entries.filter { $0.process == other }.map(\.hang.id) == [1, 2, 3])
        #expect(book.entries.filter { $0.process == process }.map(\.hang.id) == [4] + Array(495...500))
        #expect(book.forgotten == 490)
        // Of its bytes, too.
        limits.hangBytes = 4_000
        var narrow = HangHistory(limits: limits)
        _ = narrow.put(hang(1), of: other)
        for id in 2...9 as ClosedRange<UInt64> {
            var one = hang(id, turn: id)
            (one.open, one.waitingOn) = (false, String(repeating: "w", count: 1_000))
            _ = narrow.put(one, of: process)
        }
        #expect(narrow.entries.first?.hang.id == 1 && narrow.bytes <= 4_000)
    }

    @Test("counts a hang for a dead process by each store's own thresholds")
    func dead() throws {
        let fixture = RegistryFixture()
        let app = try fixture.connect()
        var slow = StoreState(storeID: 1, name: "slow", startedAt: Timestamp(nanosecondsSince1970: 1))
        slow.hangThresholdMilliseconds = 1_000
        try fixture.say(.store(0), .store(slow), .view(0, "Cart"), .totals(0, 3), on: app)
        let process = try fixture.process(app)
        fixture.registry.disconnected(app)
        fixture.registry.processEnded(process, page: nil, now: .now())
        func count(view: UInt32, epoch: UInt32 = 0, startedAt: Int64 = 1_000_000_000) {
            var hang = Hang(
                id: 1, pid: 10, process: "shop", startedAt: Timestamp(nanosecondsSince1970: startedAt), turn: 1)
            (hang.durationNanoseconds, hang.view) = (300_000_000, "Cart")
            let blamed = FlightView(storeID: 0, index: view, epoch: epoch, key: "Cart")
            _ = fixture.registry.count(hang, blamed: blamed, of: process, isOver: true)
        }
        count(view: 0)
        #expect(process.stores.map(\.hangs.hangs.count) == [1, 0] && process.stores.map(\.hangs.microHangs) == [0, 1])
        #expect(process.stores[0].views[0].hangs.worstNanoseconds == 300_000_000)
        count(view: 0, epoch: 1)
        #expect(process.stores[0].hangs.hangs.count == 2)
        #expect(process.stores[0].views[0].hangs.count == 1, "it is of another epoch")
        count(view: 0, startedAt: 600_000_000)
        #expect(process.stores[0].hangs.hangs.count == 2, "the store was made by a later program")
    }
}
