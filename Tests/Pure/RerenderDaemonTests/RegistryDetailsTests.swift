// SPDX-License-Identifier: MIT
import NIOCore
import RerenderModel
import RerenderWire
import TestSupport
import Testing

@testable import RerenderDaemon
@testable import DaemonSupport

@Suite("Waste, writers and chains in the registry")
struct RegistryDetailsTests {
    let fixture = RegistryFixture()

    private func reasons() throws -> [ReasonCount] {
        try #require(try fixture.export().processes.first?.views.first).reasons
    }

    @Test("views that were not seen are in an export, beside the rows of a table, and gone once they are evaluated")
    func notSeen() throws {
        let fixture = RegistryFixture()
        let app = try fixture.connect(pid: 1)
        try fixture.say(
            .store(evaluations: 7), .view(0, "Row"), .view(1, "Badge"), .view(2, "Card"), .notSeen(0), .notSeen(1),
            .totals(2, 7), on: app)
        func store(_ query: StatsQuery = StatsQuery()) throws -> ProcessStats {
            try #require(try fixture.export(query).processes.first)
        }
        var few = StatsQuery()
        few.limit = 10
        #expect(try store().views.map(\.key) == ["Card", "Badge", "Row"])
        #expect(try store().views.map(\.notSeen) == [nil, true, true])
        #expect(try store(few).views.map(\.key) == ["Card"])
        #expect(try fixture.text(few).contains("\"matchingViews\" : 1"))
        for query in [StatsQuery(), few] {
            #expect(try store(query).notSeenViews?.keys == ["Badge", "Row"] && store(query).notSeenViews?.count == 2)
        }
        try fixture.say(.notSeen(1, commits: 1), on: app)
        #expect(try store(few).views.map(\.key) == ["Card", "Badge"], "what was committed is shown")
        try fixture.say(.totals(1, 1), on: app)
        #expect(try store().notSeenViews?.keys == ["Row"])
        #expect(try store(few).views.map(\.key) == ["Card", "Badge"])
        try fixture.say(.view(0, "Other"), on: app)
        #expect(try store().notSeenViews == nil, "a view of another name starts from nothing")
        try fixture.say(.notSeen(0), on: app)
        #expect(try store().notSeenViews?.keys == ["Other"])
        try fixture.say(.store(epoch: 1), on: app)
        #expect(try store().notSeenViews == nil && store().views.isEmpty)
    }

    @Test("cycles are in an export as the app told them last, in any query, until their epoch ends")
    func cycles() throws {
        let fixture = RegistryFixture()
        let app = try fixture.connect(pid: 1)
        func cycles(_ query: StatsQuery = StatsQuery()) throws -> [Cycle]? {
            try #require(try fixture.export(query).processes.first).cycles
        }
        try fixture.say(.store(evaluations: 7), .view(0, "Row"), .totals(0, 7), on: app)
        #expect(try cycles() == nil)
        try fixture.say(.cycle(0, ["Row", "Side"], rounds: 10), .cycle(2, ["A"], rounds: 10), on: app)
        try fixture.say(.cycle(0, ["Row", "Side"], rounds: 71), .cycle(1, ["B"], rounds: 10, epoch: 3), on: app)
        var few = StatsQuery()
        few.limit = 0
        for query in [StatsQuery(), few] {
            #expect(try cycles(query)?.map(\.rounds) == [71] && cycles(query)?.first?.perSecond == 60)
            #expect(try fixture.text(query).contains("\"writer\" : \"set() Shop/Side.swift:9\""))
        }
        try fixture.say(.store(epoch: 1), on: app)
        #expect(try cycles() == nil)
    }

    @Test("what a main loop did is in an export as the app told it last, until its epoch ends, and over a restart")
    func loop() throws {
        let fixture = RegistryFixture()
        let app = try fixture.connect(pid: 1)
        func loop(_ fixture: RegistryFixture) throws -> LoopStats? {
            try #require(try fixture.export().processes.first).loop
        }
        var (totals, row, fact) = (LoopTotals(), LoopRow(.idle, name: "stay()"), WidgetFact(.asker, view: "GtkSpinner"))
        totals.turns = 7
        let thread = ThreadTime(name: "worker", count: 2, atFirst: 1, processor: 9)
        try fixture.say(
            .store(evaluations: 7), .row(ItemMessage(storeID: 0, epoch: 0, index: 0, item: row)),
            .row(ItemMessage(storeID: 0, epoch: 0, index: 2, item: row)),
            .fact(ItemMessage(storeID: 0, epoch: 0, index: 0, item: fact)),
            .threads(ThreadsMessage(storeID: 0, epoch: 0, threads: [thread])), on: app)
        #expect(try loop(fixture) == nil, "the loop itself is not known")
        (row.numbers.count, fact.numbers.count) = (71, 3)
        try fixture.say(
            .loop(LoopMessage(storeID: 0, epoch: 0, totals: totals)),
            .loop(LoopMessage(storeID: 0, epoch: 3, totals: LoopTotals())),
            .row(ItemMessage(storeID: 0, epoch: 0, index: 0, item: row)),
            .fact(ItemMessage(storeID: 0, epoch: 0, index: 0, item: fact)), on: app)
        let expected = LoopStats(totals, rows: [row], facts: [fact], threads: [thread])
        #expect(try loop(fixture) == expected)
        let bytes = Array(
            StateFile.parts(of: fixture.registry, bootID: "boot", limit: 1 << 20, now: .now()).joined())
        let after = RegistryFixture()
        try StateFile.restore(bytes, into: after.registry, bootID: "boot", now: .now())
        var restored = try loop(after)
        #expect(restored?.endedAt != nil, "its process has ended")
        restored?.endedAt = nil
        #expect(restored == expected)
        try fixture.say(.store(epoch: 1), on: app)
        #expect(try loop(fixture) == nil)
    }

    @Test("a loop that slept until its process ended was counted until then")
    func sleeps() throws {
        func at(_ seconds: UInt64) -> NIODeadline { .uptimeNanoseconds(seconds * 1_000_000_000) }
        var entry = LoopEntry(), totals = LoopTotals()
        totals.counted = 20_000_000
        entry.receive(totals, now: at(1))
        let end = Timestamp(nanosecondsSince1970: 1_800_000_000_000_000_000)
        entry.end(now: at(11), at: end)
        entry.end(now: at(12), at: .now)
        let stats = try #require(entry.stats(isAlive: false, now: at(99)))
        #expect(stats.totals.counted == 10_020_000_000 && stats.endedAt == end)
        entry.receive(totals, now: at(100))
        #expect(entry.stats(isAlive: true, now: at(100))?.endedAt == nil)
    }

    @Test("what goes on without input is in an export as the app told it last, in any query, until its epoch ends")
    func idleWork() throws {
        let fixture = RegistryFixture()
        let app = try fixture.connect(pid: 1)
        func work(_ query: StatsQuery = StatsQuery()) throws -> [IdleWork]? {
            try #require(try fixture.export(query).processes.first).idleWork
        }
        try fixture.say(.store(evaluations: 7), .view(0, "Row"), .totals(0, 7), on: app)
        #expect(try work() == nil)
        try fixture.say(.work(0, "Row", own: 61), .work(2, "A", own: 10), on: app)
        try fixture.say(.work(0, "Row", own: 71), .work(1, "B", own: 10, epoch: 3), on: app)
        var few = StatsQuery()
        few.limit = 0
        for query in [StatsQuery(), few] {
            let told = try #require(try work(query))
            #expect(told.map(\.all.own) == [71] && told[0].perSecond == 60 && told[0].allPerSecond == 120)
            #expect(try fixture.text(query).contains("\"writer\" : \"set() Shop/Row.swift:9\""))
        }
        try fixture.say(.store(epoch: 1), on: app)
        #expect(try work() == nil)
    }

    @Test("are shown as the app counted them, most frequent first and the others last")
    func shows() throws {
        let app = try fixture.connect()
        try fixture.say(
            .store(), .view(0, "Row"), .reason(0, "ticker.tick"), .reason(1, "parent: List"), .detail(0, "b()"),
            .detail(1, "a()"), .detail(2, "c()"), .detail(5, "List ← ticker.tick", reason: 1),
            .totals(
                0, 40, reasons: [0: 30, 1: 10],
                details: [
                    .init(reason: 0, slot: 0, count: 5), .init(reason: 0, slot: 1, count: 5),
                    .init(reason: 0, slot: 2, count: 6), .init(reason: 0, slot: 3, count: 14),
                    .init(reason: 1, slot: 5, count: 9), .init(reason: 1, slot: 7, count: 1),
                ], waste: .of([.sameOutput: (3, 90), .parentOnly: (10, 9)]),
                forgotten: 2), on: app)
        let view = try #require(try fixture.export().processes.first?.views.first)
        #expect(view.forgotten == 2)
        #expect(view.wasted.count == 13 && view.wasted.measured == 3 && view.wasted.inferred == 10)
        #expect(view.wasted.nanoseconds == 99 && view.wasted.kinds == [.sameOutput: 3, .parentOnly: 10])
        #expect(view.wasted.kindNanoseconds == [.sameOutput: 90, .parentOnly: 9])
        let expected = [
            ReasonCount(
                reason: "ticker.tick", count: 30, attribution: .announced,
                writers: [
                    .init(writer: "c()", count: 6), .init(writer: "a()", count: 5), .init(writer: "b()", count: 5),
                    .init(writer: "other", count: 14),
                ]),
            ReasonCount(
                reason: "parent: List", count: 10, attribution: .announced,
                chains: [.init(chain: "List ← ticker.tick", count: 9), .init(chain: "other", count: 1)]),
        ]
        #expect(view.reasons == expected)
    }

    @Test("are replaced by the next totals, and what these leave out is zero")
    func cumulative() throws {
        let app = try fixture.connect()
        try fixture.say(
            .store(), .view(0, "Row"), .reason(0, "tick"), .detail(0, "a()"), .detail(1, "b()"),
            .totals(
                0, 5, reasons: [0: 5],
                details: [
                    .init(reason: 0, slot: 0, count: 2), .init(reason: 0, slot: 1, count: 2),
                    .init(reason: 0, slot: 3, count: 1),
                ]),
            .totals(0, 6, reasons: [0: 6], details: [.init(reason: 0, slot: 1, count: 6)]), on: app)
        #expect(try reasons()[0].writers == [.init(writer: "b()", count: 6)])
    }

    @Test("of slots without a name, and of reasons without a text, count as other")
    func undeclared() throws {
        let app = try fixture.connect()
        try fixture.say(
            .store(), .view(0, "Row"), .reason(0, "tick"), .detail(0, "too early", reason: 9), .detail(0, "x", view: 8),
            .detail(0, "x", store: 8), .detail(0, "a()"),
            .totals(
                0, 9, reasons: [0: 4, 9: 3, 255: 2],
                details: [
                    .init(reason: 9, slot: 0, count: 3), .init(reason: 0, slot: 2, count: 1),
                    .init(reason: 0, slot: 0, count: 2), .init(reason: 0, slot: 3, count: 1),
                    .init(reason: 0, slot: 6, count: 1), .init(reason: 255, slot: 5, count: 2),
                ]), on: app)
        let reasons = try reasons()
        #expect(reasons.map(\.reason) == ["other", "tick"])
        #expect(reasons[0].writers == [.init(writer: "other", count: 3)])
        #expect(reasons[0].chains == [.init(chain: "other", count: 2)])
        #expect(reasons[1].writers == [.init(writer: "a()", count: 2), .init(writer: "other", count: 2)])
        #expect(reasons[1].chains == [.init(chain: "other", count: 1)])
    }

    @Test("arrive in any order")
    func anyOrder() throws {
        var generator = SeededGenerator(seed: 5)
        let app = try fixture.connect()
        try fixture.say(.store(), .view(0, "Row"), on: app)
        for reason in UInt8(0)..<8 { try fixture.say(.reason(reason, "r\(reason)"), on: app) }
        let named = (UInt8(0)..<8).flatMap { reason in DetailSlot.writers.map { (reason, $0) } }
        for (reason, slot) in named.shuffled(using: &generator) {
            try fixture.say(.detail(slot, "w\(slot)", reason: reason), on: app)
        }
        let counts = named.map { DetailCount(reason: $0.0, slot: $0.1, count: UInt64($0.0) * 10 + UInt64($0.1) + 1) }
        let all = Dictionary(uniqueKeysWithValues: (UInt8(0)..<8).map { ($0, UInt64(100) - UInt64($0)) })
        try fixture.say(.totals(0, 900, reasons: all, details: counts.shuffled(using: &generator)), on: app)
        for (number, reason) in try reasons().enumerated() {
            let expected = (0..<3).map { WriterCount(writer: "w\(2 - $0)", count: UInt64(number * 10 + 3 - $0)) }
            #expect(reason.writers == expected, "\(reason.reason)")
        }
    }

    @Test("go to zero with an epoch and keep their names; a reason that gets another text forgets them")
    func epochs() throws {
        let app = try fixture.connect()
        try fixture.say(
            .store(), .view(0, "Row"), .reason(0, "tick"), .detail(0, "a()"),
            .totals(
                0, 5, reasons: [0: 5], details: [.init(reason: 0, slot: 0, count: 5)],
                waste: .of([.sameOutput: (1, 0)]), forgotten: 3), .store(epoch: 1),
            .totals(0, 1, epoch: 1, reasons: [0: 1]),
            on: app)
        let view = try #require(try fixture.export().processes.first?.views.first)
        #expect(view.wasted == Waste() && view.forgotten == 0 && view.reasons[0].writers.isEmpty)
        let one = [DetailCount(reason: 0, slot: 0, count: 1)]
        try fixture.say(.totals(0, 1, epoch: 1, reasons: [0: 1], details: one), on: app)
        #expect(try reasons()[0].writers == [.init(writer: "a()", count: 1)])
        try fixture.say(.reason(0, "price"), .totals(0, 1, epoch: 1, reasons: [0: 1], details: one), on: app)
        #expect(try reasons()[0].writers == [.init(writer: "other", count: 1)], "a() wrote tick and not price")
    }

    @Test("keep within the budget of memory, and what has no room counts as other")
    func memory() throws {
        let fixture = RegistryFixture { $0.registryBytes = 50_000 }
        let app = try fixture.connect()
        try fixture.say(.store(), on: app)
        for view in UInt32(0)..<30 {
            try fixture.say(.view(view, "v\(view)"), .reason(0, "tick", view: view), on: app)
        }
        // All views have room, and the writers of some: whatever a record takes, those of the last have none.
        for view in UInt32(0)..<30 {
            for slot in DetailSlot.writers {
                try fixture.say(
                    .detail(slot, String(repeating: "\(slot)", count: 256), reason: 0, view: view),
                    .detail(slot, String(repeating: "\(slot)", count: 256), reason: 255, view: view), on: app)
            }
        }
        #expect(fixture.registry.bytes <= 50_000)
        let details = [DetailCount(reason: 0, slot: 2, count: 8)]
        try fixture.say(
            .totals(0, 9, reasons: [0: 9], details: details), .totals(29, 8, reasons: [0: 8], details: details), on: app
        )
        let writers = try #require(try fixture.export().processes.first).views.map { $0.reasons.flatMap(\.writers) }
        #expect(
            writers == [
                [.init(writer: String(repeating: "2", count: 256), count: 8)], [.init(writer: "other", count: 8)],
            ])
    }

    @Test("are counted in place: totals copy no storage, however many come")
    func inPlace() throws {
        let app = try fixture.connect()
        try fixture.say(
            .store(), .view(0, "Row"), .reason(0, "tick"), .detail(0, "a()"), .detail(4, "List ← tick"), on: app)
        let store = fixture.registry.processes[0].stores[0]
        func storage() -> [UInt] {
            let view = store.views[0]
            return [
                store.views.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) },
                view.reasons.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) },
                view.details.records.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) },
            ]
        }
        let before = storage()
        #expect(!before.contains(0))
        for count in UInt64(1)...1_000 {
            try fixture.say(
                .totals(
                    0, count, reasons: [0: count],
                    details: [.init(reason: 0, slot: 0, count: count), .init(reason: 0, slot: 4, count: 1)]), on: app)
        }
        #expect(storage() == before)
        #expect(try reasons()[0].writers == [.init(writer: "a()", count: 1_000)])
    }

    @Test("of any numbers do not trap")
    func hostile() throws {
        let app = try fixture.connect()
        try fixture.say(
            .store(), .view(0, "Row"), .reason(0, "tick"),
            .totals(
                0, .max, reasons: [0: .max],
                details: [
                    .init(reason: 0, slot: 0, count: .max), .init(reason: 0, slot: 0, count: .max),
                    .init(reason: 0, slot: 3, count: .max),
                ], waste: .of([.sameOutput: (.max, .max), .sameValue: (.max, .max)]), forgotten: .max), on: app)
        #expect(try fixture.export().processes[0].views[0].wasted.count == .max)
    }
}
