// SPDX-License-Identifier: MIT
import Glibc
import NIOCore
import RerenderModel
import RerenderWire
import TestSupport
import Testing

@testable import RerenderDaemon
@testable import DaemonSupport

/// A journal of a registry with one process, and its file.
private final class JournalLab {
    let fixture: RegistryFixture
    let log = CapturedLog()
    let app: AppConnection
    let path: String
    let journal: StateJournal
    /// Goes on only while the lab lets time pass.
    let clock = TestClock()
    /// What the journal asked to be called for later, and when.
    private let scheduled: Scheduled

    final class Scheduled {
        var tasks: [(after: TimeAmount, work: () -> Void)] = []
    }

    init(in place: String? = nil, _ change: (inout DaemonLimits) -> Void = { _ in }) throws {
        fixture = RegistryFixture(change)
        let scheduled = Scheduled()
        self.scheduled = scheduled
        let directory = try place ?? TestFile.makeDirectory()
        path = directory + "/processes.state"
        var configuration = DaemonConfiguration(runtimeDirectory: RuntimeDirectory(path: directory))
        configuration.stateDirectory = directory
        journal = StateJournal(
            of: fixture.registry, configuration, log: log.logger, clock: { [clock] in clock.deadline }
        ) { [scheduled] in
            scheduled.tasks.append(($0, $1))
        }
        app = try fixture.connect()
        try fixture.say(.store(), .view(0, "Cart"), .totals(0, 1), on: app)
    }

    /// Hangs once for 300 ms; the coordinator's part.
    func hang(_ id: UInt64) throws {
        let process = try fixture.process(app)
        var hang = Hang(
            id: id, pid: 10, process: "shop", startedAt: Timestamp(nanosecondsSince1970: Int64(id) * 5_000_000_000),
            turn: id)
        (hang.durationNanoseconds, hang.open, hang.ended, hang.view) = (300_000_000, false, .normally, "Cart")
        fixture.registry.put(hang, of: process.identity, isNews: true)
        let cart = FlightView(storeID: 0, index: 0, epoch: 0, key: "")
        let counted = fixture.registry.count(hang, blamed: cart, of: process, isOver: false)
        journal.add(hang, of: process.identity, counted: counted)
    }

    /// Lets time pass until nothing is left to do; returns how long that took in all.
    @discardableResult
    func passTime() -> TimeAmount {
        var time = TimeAmount.zero
        while let task = scheduled.tasks.first {
            scheduled.tasks.removeFirst()
            time = time + task.after
            clock.pass(task.after)
            task.work()
        }
        return time
    }

    /// Does what is due next, which may be due again after that; returns how long that took.
    func passOne() throws -> TimeAmount {
        try #require(!scheduled.tasks.isEmpty)
        let task = scheduled.tasks.removeFirst()
        clock.pass(task.after)
        task.work()
        return task.after
    }

    func kept() throws -> RegistryFixture {
        let kept = RegistryFixture()
        try StateFile.restore(
            TestFile.read(path), into: kept.registry, bootID: ProcessTable.bootID, now: .now())
        return kept
    }

    /// Keeps the file from being written anew, or no longer.
    func breakDisk(_ isBroken: Bool) throws {
        try #require((isBroken ? mkdir(path + ".new", 0o700) : rmdir(path + ".new")) == 0)
    }
}

@Suite("The journal of the state")
struct StateJournalTests {
    @Test("keeps the file that was read where it cannot write its own")
    func failedStart() throws {
        let lab = try JournalLab()
        try TestFile.write([1, 2, 3], to: lab.path)
        try lab.breakDisk(true)
        lab.journal.begin()
        #expect(try TestFile.read(lab.path) == [1, 2, 3])
    }

    @Test("says that a store with hangs has ended, and which other is of its number now")
    func storeEnded() throws {
        let lab = try JournalLab()
        lab.journal.begin()
        try lab.fixture.say(.store(1, "side"), on: lab.app)
        try lab.hang(1)
        try lab.fixture.say(.storeEnded(storeID: 1), on: lab.app)
        #expect(try lab.kept().registry.processes[0].stores.map(\.hasEnded) == [false, true])
        try lab.fixture.say(.store(startedAt: 2), on: lab.app)
        #expect(try lab.kept().registry.processes[0].stores.map(\.hasEnded) == [true, true])
    }

    @Test("says that a store was reset after its last hang")
    func reset() throws {
        let lab = try JournalLab()
        lab.journal.begin()
        try lab.hang(1)
        try lab.fixture.say(.totals(0, 1, epoch: 1), on: lab.app)
        #expect(try lab.kept().registry.processes[0].stores.map(\.hangs) == [StoreHangs()])
        #expect(try lab.kept().registry.hangs.entries.count == 1, "the list is not cleared")
    }

    @Test("says that a process with hangs has ended, and when")
    func processEnded() throws {
        let lab = try JournalLab()
        lab.journal.begin()
        try lab.hang(1)
        #expect(try lab.kept().registry.disconnectedProcesses.count == 1)
        lab.fixture.registry.processEnded(try lab.fixture.process(lab.app), page: nil, now: .now() - .seconds(9))
        let kept = try lab.kept().registry
        #expect(kept.disconnectedProcesses.isEmpty)
        _ = kept.expire(keep: .seconds(5), maxEnded: 64, now: .now())
        #expect(kept.processes.isEmpty, "what was forgotten does not come back")
    }

    @Test("has a hang's stacks, those that come after its end too")
    func stacks() throws {
        let lab = try JournalLab()
        lab.journal.begin()
        let process = try lab.fixture.process(lab.app).identity
        lab.fixture.registry.put(
            Hang(id: 1, pid: 10, process: "shop", startedAt: Timestamp(nanosecondsSince1970: 5_000_000_000), turn: 1),
            of: process, isNews: true)
        for count in 1...2 as ClosedRange<Int> {
            let sample = StackSample(hang: 1, turn: 1, atNanoseconds: 5, frames: ["render() Cart.swift:12"])
            try lab.fixture.say(.stack(sample), on: lab.app)
            if count == 1 { try lab.hang(1) }
            #expect(try lab.kept().registry.hangs.hang(1)?.stacks.count == count)
        }
    }

    // MARK: Processes

    /// What is shown of all processes, as if none were connected.
    private func shown(_ fixture: RegistryFixture) throws -> [ProcessStats] {
        try fixture.export().processes.map {
            var process = $0
            process.connected = false
            return process
        }
    }

    @Test("has a process as it was two seconds ago, and writes nothing while nothing changes")
    func changes() throws {
        let lab = try JournalLab()
        lab.journal.begin()
        let before = try TestFile.read(lab.path)
        #expect(lab.passTime() == .zero, "what was there at the beginning is in the file")
        #expect(try TestFile.read(lab.path) == before)
        for count in 2...5 as ClosedRange<UInt64> { try lab.fixture.say(.totals(0, count), on: lab.app) }
        #expect(try TestFile.read(lab.path) == before, "not at once")
        let time = lab.passTime()
        #expect(time >= .seconds(2) && time < .seconds(3))
        #expect(try shown(lab.kept()) == shown(lab.fixture))
        #expect(try shown(lab.kept())[0].views.map(\.count) == [5])
        let after = try TestFile.read(lab.path)
        #expect(lab.passTime() == .zero && after.count > before.count)
    }

    @Test("has a process as it begins, so that the next daemon can say that it ended unheld")
    func begins() throws {
        let lab = try JournalLab()
        lab.journal.begin()
        _ = try lab.fixture.connect(pid: 11, name: "desk")
        #expect(try lab.kept().registry.disconnectedProcesses.map(\.name) == ["shop", "desk"])
    }

    @Test("has a process at its end at once, with what was lost of it")
    func end() throws {
        let lab = try JournalLab()
        lab.journal.begin()
        try lab.fixture.say(.view(1, "Row"), .totals(1, 7), .store(evaluations: 10), on: lab.app)
        lab.fixture.registry.processEnded(try lab.fixture.process(lab.app), page: nil, now: .now())
        let kept = try lab.kept()
        #expect(try shown(kept) == shown(lab.fixture))
        #expect(try shown(kept).map(\.lost) == [2] && kept.registry.disconnectedProcesses.isEmpty)
        let size = try TestFile.read(lab.path).count
        lab.passTime()
        #expect(try TestFile.read(lab.path).count == size, "there is nothing to add")
    }

    @Test(
        "has a process at its end on a full disk, and no other until there is room",
        .enabled(if: SmallDisk.isAvailable, "needs to mount a small file system"))
    func fullDisk() throws {
        let disk = try SmallDisk(bytes: 65_536)
        let lab = try JournalLab(in: disk.path) { $0.journalReserve = 16_384 }
        lab.journal.begin()
        try disk.fill(true)
        // Half of the room is used up by processes that end.
        var pid: Int32 = 100
        let half = try TestFile.read(lab.path).count + 8_192
        while try TestFile.read(lab.path).count <= half {
            pid += 1
            let app = try lab.fixture.connect(pid: pid)
            try lab.fixture.say(.store(evaluations: 10), .view(0, "Row"), .totals(0, 7), on: app)
            lab.fixture.registry.processEnded(try lab.fixture.process(app), page: nil, now: .now())
        }
        #expect(try shown(lab.kept()).filter { $0.lost == 3 }.count == Int(pid) - 100)
        try lab.fixture.say(.totals(0, 5), on: lab.app)
        let size = try TestFile.read(lab.path).count
        #expect(try lab.passOne() <= .seconds(3))
        #expect(try TestFile.read(lab.path).count == size, "what lives has its page")
        #expect(lab.journal.failures == 0)
        try disk.fill(false)
        lab.passTime()
        #expect(try shown(lab.kept()) == shown(lab.fixture))
    }

    @Test(
        "adds what it lacks where the whole cannot be saved",
        .enabled(if: SmallDisk.isAvailable, "needs to mount a small file system"))
    func rest() throws {
        let disk = try SmallDisk(bytes: 65_536)
        let lab = try JournalLab(in: disk.path) { $0.journalReserve = 16_384 }
        lab.journal.begin()
        try disk.fill(true)
        try lab.fixture.say(.totals(0, 5), on: lab.app)
        lab.journal.stop()
        #expect(lab.journal.addRest())
        #expect(try shown(lab.kept()) == shown(lab.fixture))
    }

    @Test("says that it lacks something if it does")
    func noRest() throws {
        let lab = try JournalLab { $0.savedViews = 0 }
        lab.journal.begin()
        lab.journal.stop()
        #expect(!lab.journal.addRest())
    }

    @Test("is written again once it can be, although nothing changes")
    func retry() throws {
        let lab = try JournalLab()
        try lab.breakDisk(true)
        lab.journal.begin()
        #expect(!TestFile.exists(lab.path))
        try lab.breakDisk(false)
        lab.passTime()
        #expect(try shown(lab.kept()) == shown(lab.fixture))
        #expect(lab.log.lines.contains { $0.contains("keeps the state again") })
    }

    @Test("keeps the views of both programs of a process that has replaced itself, however often they are written")
    func exec() throws {
        let lab = try JournalLab()
        lab.journal.begin()
        try lab.fixture.say(
            .store(startedAt: 2), .view(0, "Menu"), .view(1, "Item"), .totals(0, 3), .totals(1, 4), on: lab.app)
        lab.passTime()
        try lab.fixture.say(.totals(1, 5), on: lab.app)
        lab.passTime()
        #expect(try shown(lab.kept()) == shown(lab.fixture))
        let keys = Set(try shown(lab.kept()).map { Set($0.views.map(\.key)) })
        #expect(keys == [["Cart"], ["Item", "Menu"]])
    }

    @Test("keeps the hangs alone of a process with too many views")
    func manyViews() throws {
        let lab = try JournalLab { $0.savedViews = 1 }
        lab.journal.begin()
        try lab.fixture.say(.view(1, "Row"), .totals(1, 7), on: lab.app)
        try lab.hang(1)
        lab.passTime()
        let kept = try lab.kept().registry
        #expect(kept.processes[0].stores[0].hangs.hangs.count == 1)
        #expect(kept.processes[0].stores[0].views.count == 1, "as it was at the beginning")
    }

    @Test("keeps so many views of a process", arguments: around(4))
    func fewViews(count: Int) throws {
        let lab = try JournalLab { $0.savedViews = 4 }
        lab.journal.begin()
        for index in 1..<UInt32(count) {
            try lab.fixture.say(.view(index, "Row \(index)"), .totals(index, 7), on: lab.app)
        }
        lab.passTime()
        let views = try lab.kept().registry.processes[0].stores[0].views.count
        #expect(views == (count <= 4 ? count : 1), "the first is from the beginning")
    }

    @Test("goes on in a new file when one is full, and never has less than there was")
    func growth() throws {
        let lab = try JournalLab { $0.journalBytes = 2_000 }
        lab.journal.begin()
        var sizes: [Int] = []
        for count in 2...60 as ClosedRange<UInt64> {
            try lab.fixture.say(.totals(0, count), on: lab.app)
            lab.passTime()
            sizes.append(try TestFile.read(lab.path).count)
            #expect(try shown(lab.kept()) == shown(lab.fixture))
        }
        #expect(sizes.allSatisfy { $0 < 6_000 } && sizes != sizes.sorted())
    }

    @Test("writes everything as soon as it can again, counts what it could not write, and logs a fault once")
    func recovers() throws {
        let lab = try JournalLab { $0.journalBytes = 0 }
        lab.journal.begin()
        try lab.breakDisk(true)
        for id in 1...3 as ClosedRange<UInt64> { try lab.hang(id) }
        #expect(lab.journal.failures == 3)
        #expect(lab.log.lines.count { $0.contains("cannot keep the state") } == 1)
        try lab.breakDisk(false)
        lab.clock.pass(.seconds(1))
        try lab.hang(4)
        let kept = try lab.kept().registry
        #expect(kept.hangs.entries.map(\.hang.id) == [1, 2, 3, 4])
        #expect(kept.processes[0].stores[0].hangs.hangs.count == 4)
        #expect(lab.log.lines.count { $0.contains("keeps the state again") } == 1)
    }

    @Test("writes the less often the more there is to write")
    func rate() throws {
        let lab = try JournalLab {
            $0.savedBytesPerSecond = 100
            $0.journalBytes = 1 << 20
        }
        lab.journal.begin()
        try lab.fixture.say(.totals(0, 2), on: lab.app)
        let before = try TestFile.read(lab.path).count
        lab.passTime()
        let added = try TestFile.read(lab.path).count - before
        try lab.fixture.say(.totals(0, 3), on: lab.app)
        let seconds = Double(lab.passTime().nanoseconds) / 1e9
        // A pause between two pieces is in neither.
        #expect(added > 200 && abs(seconds - Double(added) / 100) < 0.01)
    }
}
