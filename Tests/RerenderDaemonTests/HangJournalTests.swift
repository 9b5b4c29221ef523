// SPDX-License-Identifier: MIT
import Glibc
import NIOCore
import RerenderModel
import RerenderWire
import TestSupport
import Testing

@testable import RerenderDaemon

/// A journal of a registry with one process, and its file.
private final class JournalLab {
    let fixture: RegistryFixture
    let log = CapturedLog()
    let app: AppConnection
    let path: String
    let journal: HangJournal

    init(_ change: (inout DaemonLimits) -> Void = { _ in }) throws {
        fixture = RegistryFixture(change)
        let directory = try TestFile.makeDirectory()
        path = directory + "/processes.state"
        var configuration = DaemonConfiguration(runtimeDirectory: RuntimeDirectory(path: directory))
        configuration.stateDirectory = directory
        journal = HangJournal(of: fixture.registry, configuration, log: log.logger)
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

@Suite("The journal of hangs")
struct HangJournalTests {
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

    @Test("writes everything as soon as it can again, counts what it could not write, and logs a fault once")
    func recovers() throws {
        let lab = try JournalLab { $0.journalBytes = 0 }
        lab.journal.begin()
        try lab.breakDisk(true)
        for id in 1...3 as ClosedRange<UInt64> { try lab.hang(id) }
        #expect(lab.journal.failures == 3)
        #expect(lab.log.lines.count { $0.contains("cannot keep the hangs") } == 1)
        try lab.breakDisk(false)
        usleep(1_000_000)
        try lab.hang(4)
        let kept = try lab.kept().registry
        #expect(kept.hangs.entries.map(\.hang.id) == [1, 2, 3, 4])
        #expect(kept.processes[0].stores[0].hangs.hangs.count == 4)
        #expect(lab.log.lines.count { $0.contains("keeps the hangs again") } == 1)
    }
}
