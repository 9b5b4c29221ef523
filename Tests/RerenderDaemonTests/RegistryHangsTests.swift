// SPDX-License-Identifier: MIT
import NIOCore
import RerenderModel
import RerenderQuery
import RerenderWire
import Testing

@testable import RerenderDaemon

@Suite("Hangs in the registry")
struct RegistryHangsTests {
    let fixture = RegistryFixture()

    @Test("shows what stores and views say of hangs, and ranks by them")
    func shows() throws {
        let app = try fixture.connect()
        try fixture.say(
            hung(3, micro: 7), .view(0, "A"), .view(1, "B"), .view(2, "C"), .totals(0, 9), hung(1, view: 1),
            hung(2, view: 2), on: app)
        var query = StatsQuery()
        query.order = .hangs
        let process = try fixture.export(query).processes[0]
        #expect(process.hangs.count == 3 && process.hangs.worstNanoseconds == 3 && process.microHangs == 7)
        #expect(process.stacks)
        #expect(process.views.map(\.key.rawValue) == ["C", "B", "A"])
        #expect(process.views.map(\.hangs.count) == [2, 1, 0])
        #expect(process.views[0].count == 0, "a view may hang before its first evaluation ends")
    }

    @Test("a new epoch has none")
    func epochs() throws {
        let app = try fixture.connect()
        try fixture.say(hung(3, micro: 7), .view(0, "A"), hung(1, view: 0), .totals(0, 4, epoch: 1), on: app)
        let process = try fixture.export().processes[0]
        #expect(process.hangs.count == 0 && process.microHangs == 0)
        #expect(process.views.map(\.hangs.count) == [0])
    }

    @Test("they are kept over a clean restart")
    func kept() throws {
        let app = try fixture.connect()
        try fixture.say(hung(3, micro: 7), .view(0, "A"), hung(2, view: 0), on: app)
        let parts = StateFile.parts(of: fixture.registry, bootID: "boot", limit: 1 << 20, now: .now())
        let after = RegistryFixture()
        try StateFile.restore(Array(parts.joined()), into: after.registry, bootID: "boot", now: .now())
        let process = try after.export().processes[0]
        #expect(process.hangs.count == 3 && process.microHangs == 7 && process.stacks)
        #expect(process.views.map(\.hangs.count) == [2])
    }

    @Test("readers of events are told")
    func events() throws {
        let app = try fixture.connect()
        try fixture.say(.store(), .view(0, "A"), .totals(0, 1), on: app)
        fixture.registry.recordChanges(true)
        var queue = EventQueue(of: fixture.registry, backlog: 100)
        _ = queue.lines(size: 1 << 20, of: fixture.registry)
        try fixture.say(hung(1, micro: 2), hung(1, view: 0), on: app)
        queue.add(fixture.registry.takeChanges(), of: fixture.registry)
        let lines = String(decoding: queue.lines(size: 1 << 20, of: fixture.registry).bytes, as: UTF8.self)
            .split(separator: "\n")
        #expect(lines.contains { $0.contains(#""event":"store""#) && $0.contains(#""microHangs":2"#) })
        #expect(lines.contains { $0.contains(#""event":"view""#) && $0.contains(#""hangs":{"count":1"#) })
    }

    @Test("readers of events are told of a hang that was none, and of a trace that was saved after the end")
    func later() throws {
        _ = try fixture.connect()
        let registry = fixture.registry
        registry.recordChanges(true)
        var queue = EventQueue(of: registry, backlog: 100)
        func lines() -> [String] {
            queue.add(registry.takeChanges(), of: registry)
            let bytes = queue.lines(size: 1 << 20, of: registry).bytes
            return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        }
        let process = ProcessInstance(pid: 10, startTicks: 1)
        for id in 1...2 as ClosedRange<UInt64> {
            let start = Timestamp(nanosecondsSince1970: Int64(id) * 5_000_000_000)
            registry.put(Hang(id: id, pid: 10, process: "shop", startedAt: start, turn: id), of: process, isNews: true)
        }
        #expect(lines().count == 2)
        registry.removeHang(1)
        registry.removeHang(1)
        let dropped = lines()
        #expect(dropped.count == 1 && dropped[0].contains(#""event":"hangDropped","hangID":1,"pid":10"#))
        registry.noteTrace("/tmp/trace", ofHang: 2)
        registry.noteTrace("/tmp/trace", ofHang: 2)
        let traced = lines()
        #expect(traced.count == 1 && traced[0].contains(#""trace":"/tmp/trace""#))
    }

    private func hung(_ count: Int, micro: UInt64) -> AppMessage {
        var state = StoreState(storeID: 0, name: "main", startedAt: Timestamp(nanosecondsSince1970: 1_000_000_000))
        for number in 1...count { state.hangs.add(nanoseconds: UInt64(number)) }
        state.microHangs = micro
        state.recordsHangStacks = true
        return .store(state)
    }

    private func hung(_ count: Int, view: UInt32) -> AppMessage {
        var totals = ViewTotals(storeID: 0, index: view, epoch: 0)
        for _ in 0..<count { totals.hangs.add(nanoseconds: 300_000_000) }
        return .totals(totals)
    }
}
