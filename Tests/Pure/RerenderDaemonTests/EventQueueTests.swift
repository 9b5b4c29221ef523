// SPDX-License-Identifier: MIT
import FoundationEssentials
import RerenderModel
import RerenderWire
import TestSupport
import Testing

@testable import RerenderDaemon
@testable import DaemonSupport

@Suite("Events for one reader")
struct EventQueueTests {
    let fixture = RegistryFixture()

    private func lines(_ queue: inout EventQueue, size: Int = 1 << 20) throws -> [LiveEvent] {
        let text = String(decoding: queue.lines(size: size, of: fixture.registry), as: UTF8.self)
        return try text.split(separator: "\n").map { try JSONDecoder().decode(LiveEvent.self, from: Data($0.utf8)) }
    }

    @Test("begin with everything and go on with what changes")
    func snapshot() throws {
        let app = try fixture.connect(pid: 7)
        try fixture.say(.store(), .view(0, "Cart"), .view(1, "Unseen"), .totals(0, 5), on: app)
        fixture.registry.recordChanges(true)
        var queue = EventQueue(of: fixture.registry, backlog: 100)
        let first = try lines(&queue)
        #expect(first.map(\.event) == [.connected, .view])
        #expect(first[0].process?.evaluations == 5 && first[1].view?.count == 5 && first[1].pid == 7)
        #expect(first[1].view?.handle == "v\(fixture.registry.stores(of: nil)[0]).1")
        #expect(queue.isEmpty)
        try fixture.say(.totals(0, 6), .totals(0, 7), .store(evaluations: 7), .view(2, "New"), .totals(2, 1), on: app)
        queue.add(fixture.registry.takeChanges(), of: fixture.registry)
        let second = try lines(&queue)
        #expect(second.map(\.event) == [.store, .view, .view])
        #expect(second.compactMap(\.view?.count) == [7, 1], "changes of one view are merged")
        fixture.registry.disconnected(app)
        queue.add(fixture.registry.takeChanges(), of: fixture.registry)
        #expect(try lines(&queue).map(\.event) == [.disconnected])
    }

    @Test("merge what changes before it is read")
    func merged() throws {
        let app = try fixture.connect()
        try fixture.say(.store(), .view(0, "Cart"), .totals(0, 1), on: app)
        fixture.registry.recordChanges(true)
        var queue = EventQueue(of: fixture.registry, backlog: 100)
        _ = try lines(&queue)
        for count in UInt64(2)...6 {
            try fixture.say(.totals(0, count), on: app)
            queue.add(fixture.registry.takeChanges(), of: fixture.registry)
        }
        #expect(try lines(&queue).map(\.view?.count) == [6])
    }

    @Test("start over when a reader is too far behind, and say where more hangs wait than it may leave")
    func backlog() throws {
        let app = try fixture.connect()
        try fixture.say(.store(), on: app)
        fixture.registry.recordChanges(true)
        var queue = EventQueue(of: fixture.registry, backlog: 10)
        _ = try lines(&queue)
        for index in 0..<UInt32(30) { try fixture.say(.view(index, "v\(index)"), .totals(index, 1), on: app) }
        queue.add(fixture.registry.takeChanges(), of: fixture.registry)
        let told = try lines(&queue)
        #expect(told.first?.event == .connected && !queue.isBehind)
        #expect(Set(told.compactMap(\.view?.key)).count == 30, "nothing is missing in the end")
        #expect(queue.isEmpty)
        var changes = ChangeLog()
        changes.droppedHangs = (1...11).map { ChangeLog.DroppedHang(id: $0, pid: 1) }
        queue.add(changes, of: fixture.registry)
        #expect(queue.isBehind)
    }

    @Test("name so many views for a reader that is behind, and then start over", arguments: around(10))
    func fewViews(count: Int) throws {
        let app = try fixture.connect()
        try fixture.say(.store(), on: app)
        fixture.registry.recordChanges(true)
        var queue = EventQueue(of: fixture.registry, backlog: 10)
        _ = try lines(&queue)
        for index in 0..<UInt32(count) { try fixture.say(.view(index, "v\(index)"), .totals(index, 1), on: app) }
        queue.add(fixture.registry.takeChanges(), of: fixture.registry)
        let told = try lines(&queue)
        #expect(told.contains { $0.event == .connected } == (count > 10))
        #expect(Set(told.compactMap(\.view?.key)).count == count)
    }

    @Test("come in pieces of about the size asked for")
    func pieces() throws {
        let app = try fixture.connect()
        try fixture.say(.store(), on: app)
        for index in 0..<UInt32(40) { try fixture.say(.view(index, "v\(index)"), .totals(index, 1), on: app) }
        var queue = EventQueue(of: fixture.registry, backlog: 100)
        var events: [LiveEvent] = []
        var rounds = 0
        while !queue.isEmpty {
            events += try lines(&queue, size: 1)
            rounds += 1
        }
        #expect(events.count == 41 && rounds >= 41)
    }

    @Test("show views going to zero at a reset")
    func reset() throws {
        let app = try fixture.connect()
        try fixture.say(.store(), .view(0, "Cart"), .totals(0, 5), on: app)
        fixture.registry.recordChanges(true)
        var queue = EventQueue(of: fixture.registry, backlog: 100)
        _ = try lines(&queue)
        try fixture.say(.store(epoch: 1), on: app)
        queue.add(fixture.registry.takeChanges(), of: fixture.registry)
        let told = try lines(&queue)
        #expect(told.map(\.event) == [.store, .view] && told[1].view?.count == 0)
    }

    @Test("cost nothing when nobody reads")
    func off() throws {
        let app = try fixture.connect()
        try fixture.say(.store(), .view(0, "Cart"), .totals(0, 5), on: app)
        #expect(fixture.registry.changes == nil)
        fixture.registry.recordChanges(true)
        try fixture.say(.totals(0, 6), on: app)
        fixture.registry.recordChanges(false)
        fixture.registry.recordChanges(true)
        try fixture.say(.totals(0, 7), on: app)
        #expect(fixture.registry.takeChanges().views.count == 1, "a new list begins empty and notes the view again")
    }
}
