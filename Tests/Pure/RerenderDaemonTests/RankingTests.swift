// SPDX-License-Identifier: MIT
import FoundationEssentials
import RerenderModel
import RerenderWire
import TestSupport
import Testing

@testable import RerenderDaemon
@testable import DaemonSupport

@Suite("Ranked views")
struct RankingTests {
    let fixture = RegistryFixture()

    private func fill(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for pid in 1...4 {
            let app = try fixture.connect(pid: Int32(pid), name: pid < 3 ? "shop" : "desk")
            try fixture.say(.store(startedAt: Int64(pid)), on: app)
            for index in 0..<UInt32(40) {
                let count = UInt64.random(in: 1...15, using: &generator)
                try fixture.say(
                    .view(index, "v\(UInt8.random(in: 0...9, using: &generator))"),
                    .totals(
                        index, count, body: generator.next() >> 32, own: generator.next() >> 33,
                        waste: .of([
                            .sameOutput: (generator.next() & 3, generator.next() & 3),
                            .sameInputs: (generator.next() & 3, generator.next() & 3),
                        ])),
                    on: app)
            }
        }
    }

    @Test("the verdict is of all views, whichever an answer lists, and it is what the export comes to")
    func verdict() throws {
        let fixture = RegistryFixture()
        let app = try fixture.connect()
        try fixture.say(.store(evaluations: 900), on: app)
        for number in 0..<600 {
            let waste = WasteTotals.of([.sameOutput: (1, UInt64(number) * 10_000)])
            try fixture.say(
                .view(UInt32(number), "View \(number)"), .totals(UInt32(number), 1, waste: waste), on: app)
        }
        let all = try fixture.export()
        let verdict = try #require(all.verdict)
        #expect(verdict.findings.map(\.view) == ["View 599"] && verdict.first?.count == 599 && verdict.more == 0)
        #expect(verdict == VerdictBuilder.verdict(of: all.processes))
        var query = StatsQuery()
        (query.order, query.limit, query.match) = (.key, 2, "View 1")
        let some = try fixture.export(query)
        #expect(some.processes[0].views.count == 2 && some.verdict == verdict)
        #expect(try RegistryFixture().export().verdict == nil)
    }

    @Test(
        "with a limit are the best of all, however they are ranked by numbers",
        arguments: [.cost, .count, .wasted, .time, .hangs, .key, .share, .average] as [StatsOrder],
        [0, 1, 7, 50, 1_000])
    func best(order: StatsOrder, limit: Int) throws {
        try fill(UInt64(limit))
        var query = StatsQuery()
        query.order = order
        let all = try fixture.export(query)
        query.limit = limit
        let best = try fixture.export(query)
        #expect(best.processes.count == 4, "processes without views are listed all the same")
        #expect(best.processes.reduce(0) { $0 + $1.views.count } == min(limit, 160))
        // Ground truth: all views of all processes, sorted as a whole.
        let rank: (Stats) -> UInt64 = { view in
            switch order {
            // Nobody asked for rates before, so that none is known.
            case .count, .rate: view.count
            // Nothing was found, and each evaluation has a cause of its own.
            case .cost, .time: view.selfNanoseconds ?? 0
            case .wasted: view.wasted.nanoseconds * 100 + view.wasted.count
            case .share: view.wasted.count * 1_000_000 / view.count * 100 + view.wasted.count
            case .average: view.body.averageNanoseconds
            case .hangs, .key, .process, .reason, .place: 0
            }
        }
        let sorted = all.processes.flatMap(\.views).sorted {
            rank($0) != rank($1) ? rank($0) > rank($1) : $0.key < $1.key
        }.prefix(limit)
        let shown = best.processes.flatMap(\.views)
        #expect(shown.map(rank).sorted() == sorted.map(rank).sorted())
        #expect(shown.map(\.key).sorted() == sorted.map(\.key).sorted())
        for process in best.processes {
            let ranks = process.views.map(rank)
            #expect(ranks == ranks.sorted(by: >), "each process's views are sorted")
        }
    }

    /// The keys of the first views, with their processes: one window for each, since an answer lists them by store.
    private func first(_ number: Int, _ order: StatsOrder, isReversed: Bool = false) throws -> [RankedKey] {
        try (0..<number).compactMap { rank in
            var query = StatsQuery()
            (query.order, query.isReversed, query.limit, query.skip) = (order, isReversed, 1, rank)
            return try fixture.export(query).processes.compactMap { store in
                store.views.first.map { RankedKey(process: store.name, view: $0) }
            }.first
        }
    }

    private struct RankedKey {
        let process: String
        let view: Stats
    }

    @Test("reversed, what was last comes first")
    func reversed() throws {
        try fill(3)
        let counts = try first(160, .count).map(\.view.count)
        #expect(counts == counts.sorted(by: >) && counts.first != counts.last)
        #expect(try first(160, .count, isReversed: true).map(\.view.count) == counts.reversed())
        let keys = try first(160, .key).map(\.view.key.rawValue)
        #expect(keys == keys.sorted())
        #expect(try first(160, .key, isReversed: true).map(\.view.key.rawValue) == keys.reversed())
    }

    @Test("by text, equal ones stand by key")
    func texts() throws {
        try fill(4)
        let processes = try first(160, .process).map(\.process)
        #expect(processes == processes.sorted() && Set(processes) == ["desk", "shop"])
        #expect(try first(160, .process, isReversed: true).map(\.process) == processes.reversed())
        let app = try fixture.connect(pid: 9, name: "zoo")
        try fixture.say(.store(startedAt: 9), on: app)
        for (index, reason) in ["zebra", "ant", "bee"].enumerated() {
            let index = UInt32(index)
            try fixture.say(
                .view(index, "animal \(index)"), .reason(0, reason, view: index),
                .totals(index, 5, reasons: [0: 5]), on: app)
        }
        var query = StatsQuery()
        (query.order, query.limit, query.match) = (.reason, 3, "animal")
        #expect(
            try fixture.export(query).processes.flatMap(\.views).map(\.key) == ["animal 1", "animal 2", "animal 0"])
        query.isReversed = true
        #expect(
            try fixture.export(query).processes.flatMap(\.views).map(\.key) == ["animal 0", "animal 2", "animal 1"])
    }

    @Test("by reason, views stand by the main reasons that their exports have")
    func mainReasons() throws {
        let app = try fixture.connect()
        try fixture.say(.store(), on: app)
        let counts: [[UInt8: UInt64]] = [[0: 5, 1: 3], [0: 3, 1: 5], [0: 4, 1: 4], [1: 2, 255: 6], [0: 1]]
        for (number, reasons) in counts.enumerated() {
            let index = UInt32(number)
            try fixture.say(
                .view(index, "view \(number)"), .reason(0, Reason.initial, view: index),
                .reason(1, "tick", view: index),
                .totals(index, reasons.values.reduce(0, +), reasons: reasons), on: app)
        }
        var query = StatsQuery()
        (query.order, query.limit) = (.reason, 9)
        let views = try fixture.export(query).processes.flatMap(\.views)
        #expect(views.map(\.key) == ["view 0", "view 4", "view 3", "view 1", "view 2"])
        #expect(views.map { $0.mainReason?.reason.reason } == ["initial", "initial", "other", "tick", "tick"])
    }

    @Test("are those of one process or key when asked")
    func filters() throws {
        try fill(1)
        var query = StatsQuery()
        query.process = "desk"
        #expect(try fixture.export(query).processes.map(\.pid) == [3, 4])
        query.process = "2"
        #expect(try fixture.export(query).processes.map(\.pid) == [2])
        query.process = nil
        query.key = "v3"
        query.limit = 3
        let keys = try fixture.export(query).processes.flatMap(\.views).map(\.key.rawValue)
        #expect(keys == ["v3", "v3", "v3"])
    }

    @Test("in windows are all of them once, in one order, and say how many there are", arguments: StatsOrder.allCases)
    func windows(order: StatsOrder) throws {
        try fill(2)
        var query = StatsQuery()
        query.order = order
        let all = try fixture.export(query).processes.flatMap { store in
            store.views.map { "\(store.pid) \($0.key.rawValue)" }
        }
        var seen: [String] = []
        for skip in stride(from: 0, to: 200, by: 30) {
            (query.skip, query.limit) = (skip, 30)
            let window = try fixture.export(query).processes
            seen += window.flatMap { store in store.views.map { "\(store.pid) \($0.key.rawValue)" } }
            #expect(window.reduce(0) { $0 + $1.views.count } == max(0, min(30, 160 - skip)))
            #expect(try fixture.text(query).contains("\"matchingViews\" : 160,"))
        }
        #expect(seen.sorted() == all.sorted())
        (query.skip, query.limit) = (0, nil)
        #expect(try !fixture.text(query).contains("matchingViews"))
    }

    @Test("are those with a part in their key when asked, whatever its case")
    func matches() throws {
        try fill(1)
        var query = StatsQuery()
        let wanted = try fixture.export().processes.flatMap(\.views).count { $0.key == "v3" }
        (query.match, query.limit) = ("V3", 100)
        let keys = try fixture.export(query).processes.flatMap(\.views).map(\.key.rawValue)
        #expect(wanted > 1 && keys == [String](repeating: "v3", count: wanted))
        #expect(try fixture.text(query).contains("\"matchingViews\" : \(wanted),"))
        query.limit = 1
        #expect(try fixture.text(query).contains("\"matchingViews\" : \(wanted),"))
        query.match = "no such view"
        #expect(try fixture.text(query).contains("\"matchingViews\" : 0,"))
    }

    @Test(
        "a part is found anywhere in a key and nowhere else",
        arguments: [
            ("CartTotal", "carttotal", true), ("CartTotal", "TOTAL", true), ("CartTotal", "tt", true),
            ("Cart", "Carts", false),
            ("", "a", false), ("", "", true), ("aab", "ab", true), ("Größe", "öß", true), ("Größe", "ÖSS", false),
            ("a\u{1F600}b", "\u{1F600}", true),
        ])
    func parts(key: String, part: String, fits: Bool) {
        #expect(ViewFilter(match: part).matches(key) == fits)
    }

    @Test(
        "parameters out of their range are refused",
        arguments: [
            ("skip", "5"), ("skip", "-1"), ("skip", "x"), ("match", String(repeating: "a", count: 2_000)),
            ("reverse", "yes"), ("sort", "rate"),
        ])
    func refused(name: String, value: String) {
        #expect(throws: QueryError.self) {
            try StatsQuery(parameters: [(name, value)], limits: 1...100_000)
        }
    }

    @Test("keep their order in an answer that has begun, and each is as it is when its turn comes")
    func stable() throws {
        let app = try fixture.connect()
        try fixture.say(.store(), on: app)
        for index in 0..<UInt32(50) {
            try fixture.say(.view(index, "v\(index)"), .totals(index, 100 - UInt64(index)), on: app)
        }
        let answer = fixture.answer()
        var bytes = try answer.piece(size: 2_000)
        for index in 0..<UInt32(50) { try fixture.say(.totals(index, 1_000 + UInt64(index)), on: app) }
        bytes += try answer.whole(pieces: 2_000)
        let views = try JSONDecoder().decode(StatsExport.self, from: Data(bytes)).processes[0].views
        #expect(views.map(\.key.rawValue) == (0..<50).map { "v\($0)" })
        #expect(views.first?.count == 100 && views.last?.count == 1_049)
    }

    @Test("are the same bytes as the document that they decode to, and as lines the same values")
    func bytes() throws {
        try fill(3)
        let now = Timestamp(nanosecondsSince1970: 1_800_000_000_000_000_000)
        let bytes = try fixture.answer(at: now).whole(pieces: 1)
        let document = try JSONDecoder().decode(StatsExport.self, from: Data(bytes))
        #expect(try Array(document.json()) + [0x0A] == bytes)
        let lines = try fixture.answer(at: now, isLines: true).whole(pieces: 1).split(separator: 0x0A).map {
            try JSONDecoder().decode(ExportLine.self, from: Data($0))
        }
        var export = try #require(lines.first?.export)
        for line in lines.dropFirst() { export.add(line) }
        #expect(export == document && export.processes.count == 4)
    }
}
