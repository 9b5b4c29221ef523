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
        journal = StateJournal(of: fixture.registry, configuration, log: log.logger) { [scheduled] in
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
            task.work()
        }
        return time
    }

    /// Does what is due next, which may be due again after that; returns how long that took.
    func passOne() throws -> TimeAmount {
        try #require(!scheduled.tasks.isEmpty)
        let task = scheduled.tasks.removeFirst()
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
    @Test("writes everything as soon as it can again, counts what it could not write, and logs a fault once")
    func recovers() throws {
        let lab = try JournalLab { $0.journalBytes = 0 }
        lab.journal.begin()
        try lab.breakDisk(true)
        for id in 1...3 as ClosedRange<UInt64> { try lab.hang(id) }
        #expect(lab.journal.failures == 3)
        #expect(lab.log.lines.count { $0.contains("cannot keep the state") } == 1)
        try lab.breakDisk(false)
        usleep(1_000_000)
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
        let start = Clocks.monotonic
        lab.passTime()
        let added = try TestFile.read(lab.path).count - before
        try lab.fixture.say(.totals(0, 3), on: lab.app)
        let seconds = Double(lab.passTime().nanoseconds) / 1e9
        // What the test itself takes between the two is none of what is left to wait.
        let own = Double(Clocks.monotonic - start) / 1e9
        #expect(added > 200 && seconds + own > Double(added) / 100 - 0.1 && seconds < Double(added) / 100 + 1)
    }
}
