// SPDX-License-Identifier: MIT
import NIOCore
import RerenderModel
import RerenderWire
import Testing
import TestSupport

@testable import RerenderDaemon
@testable import DaemonSupport

@Suite("What a dead process had not sent")
struct LostAccountingTests {
    let fixture = RegistryFixture()

    private func page(_ stores: (UInt32, String, UInt32, UInt64)...) throws -> FlightPage {
        var page = FakeFlightPage(pid: 10, startTicks: 1)
        page.stores = stores.map { (storeID: $0.0, name: $0.1, epoch: $0.2, evaluations: $0.3) }
        let bytes = page.bytes
        return try FlightPage(bytes.span.bytes)
    }

    private func end(_ app: AppConnection, _ page: FlightPage?) throws -> [ProcessStats] {
        let process = try fixture.process(app)
        fixture.registry.disconnected(app)
        fixture.registry.processEnded(process, page: page, now: .now())
        return try fixture.export().processes
    }

    @Test("is the page's number less what was received and dropped")
    func sameEpoch() throws {
        let app = try fixture.connect()
        try fixture.say(
            .store(evaluations: 12, dropped: 2), .view(0, "a"), .view(1, "b"), .totals(0, 6), .totals(1, 4), on: app)
        let process = try end(app, try page((0, "main", 0, 100)))[0]
        #expect(process.lost == 88 && process.evaluations == 100 && process.dropped == 2)
        #expect(process.views.map(\.count) == [6, 4])
        #expect(!process.connected)
    }

    @Test("is nothing when everything had arrived")
    func nothing() throws {
        let app = try fixture.connect()
        try fixture.say(.store(evaluations: 6), .view(0, "a"), .totals(0, 6), .goodbye, on: app)
        let process = try end(app, try page((0, "main", 0, 6)))[0]
        #expect(process.lost == 0 && process.evaluations == 6)
    }

    @Test("is everything since a reset that the daemon never heard of")
    func newerEpoch() throws {
        let app = try fixture.connect()
        try fixture.say(.store(evaluations: 6, dropped: 1), .view(0, "a"), .totals(0, 5), on: app)
        let process = try end(app, try page((0, "main", 1, 40)))[0]
        #expect(process.lost == 40 && process.evaluations == 40 && process.dropped == 0)
        #expect(process.views.isEmpty, "the views of the epoch before are void")
    }

    @Test("is not believed of a page that is older than what was received")
    func olderEpoch() throws {
        let app = try fixture.connect()
        try fixture.say(.store(epoch: 2, evaluations: 6), .view(0, "a"), .totals(0, 5, epoch: 2), on: app)
        let process = try end(app, try page((0, "main", 1, 4_000)))[0]
        #expect(process.lost == 1 && process.evaluations == 6)
    }

    @Test("is never less than nothing")
    func tooSmall() throws {
        let app = try fixture.connect()
        try fixture.say(.store(evaluations: 6), .view(0, "a"), .totals(0, 6), on: app)
        let process = try end(app, try page((0, "main", 0, 2)))[0]
        #expect(process.lost == 0 && process.evaluations == 6)
    }

    @Test("is what the store's own number says where there is no page")
    func withoutPage() throws {
        let app = try fixture.connect()
        try fixture.say(.store(evaluations: 20), .view(0, "a"), .totals(0, 6), on: app)
        let process = try end(app, nil)[0]
        #expect(process.lost == 14 && process.evaluations == 20)
    }

    @Test("includes stores of which nothing was ever heard")
    func unconnectedStore() throws {
        let app = try fixture.connect()
        try fixture.say(.store(0, evaluations: 1), .view(0, "a"), .totals(0, 1), on: app)
        let processes = try end(app, try page((0, "main", 0, 1), (1, "tools", 3, 9)))
        #expect(processes.map(\.store).sorted() == ["main", "tools"])
        let tools = try #require(processes.first { $0.store == "tools" })
        #expect(tools.lost == 9 && tools.evaluations == 9 && tools.views.isEmpty)
    }

    @Test("is forgotten again when the process turns out to live")
    func reopened() throws {
        let app = try fixture.connect()
        try fixture.say(.store(evaluations: 20), on: app)
        _ = try end(app, nil)
        let again = try fixture.connect()
        try fixture.say(.store(evaluations: 20), .view(0, "a"), .totals(0, 20), on: again)
        let process = try fixture.export().processes[0]
        #expect(process.lost == 0 && process.connected && process.evaluations == 20)
    }
}

@Suite("Ended processes")
struct EndedProcessTests {
    private func ended(_ count: Int, in fixture: RegistryFixture, from start: NIODeadline) throws {
        for index in 0..<count {
            let app = try fixture.connect(pid: Int32(100 + index))
            let process = try fixture.process(app)
            fixture.registry.disconnected(app)
            fixture.registry.processEnded(process, page: nil, now: start + .seconds(Int64(index)))
        }
    }

    @Test("are forgotten after their time, and the next time is told")
    func keep() throws {
        let fixture = RegistryFixture()
        let start = NIODeadline.now()
        try ended(3, in: fixture, from: start)
        let registry = fixture.registry
        #expect(registry.expire(keep: .seconds(60), maxEnded: 64, now: start + .seconds(2)) == start + .seconds(60))
        #expect(registry.expire(keep: .seconds(60), maxEnded: 64, now: start + .seconds(61)) == start + .seconds(62))
        #expect(registry.processes.map(\.identity.pid) == [102])
        #expect(registry.expire(keep: .seconds(60), maxEnded: 64, now: start + .seconds(62)) == nil)
        #expect(registry.drops.endedProcesses == 0 && registry.forgotten == 3)
    }

    @Test("beyond the number to keep leave oldest first, and are counted")
    func maxEnded() throws {
        let fixture = RegistryFixture()
        let start = NIODeadline.now()
        try ended(5, in: fixture, from: start)
        _ = try fixture.connect(pid: 1)
        _ = fixture.registry.expire(keep: .hours(1), maxEnded: 2, now: start + .seconds(9))
        #expect(fixture.registry.processes.map(\.identity.pid) == [103, 104, 1])
        #expect(fixture.registry.drops.endedProcesses == 3 && fixture.registry.forgotten == 3)
    }

    @Test("beyond the number to keep are as many as that, the latest", arguments: around(4))
    func fewEnded(count: Int) throws {
        let (fixture, start) = (RegistryFixture(), NIODeadline.now())
        try ended(count, in: fixture, from: start)
        _ = fixture.registry.expire(keep: .hours(1), maxEnded: 4, now: start + .seconds(9))
        #expect(fixture.registry.processes.map(\.identity.pid) == (max(0, count - 4)..<count).map { Int32(100 + $0) })
        #expect(fixture.registry.drops.endedProcesses == UInt64(max(0, count - 4)))
    }

    @Test("that are only disconnected are bounded too", arguments: around(3))
    func disconnected(count: Int) throws {
        let fixture = RegistryFixture { $0.disconnectedProcesses = 3 }
        for pid in 1...count { fixture.registry.disconnected(try fixture.connect(pid: Int32(pid))) }
        #expect(fixture.registry.processes.count == min(count, 3))
        #expect(fixture.registry.drops.endedProcesses == UInt64(max(0, count - 3)))
    }
}
