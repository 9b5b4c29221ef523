// SPDX-License-Identifier: MIT
import FoundationEssentials
import NIOCore
import NIOHTTP1
import RerenderModel
import RerenderWire
import TestSupport
import Testing

@testable import RerenderDaemon

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
                        index, count, body: generator.next() >> 32,
                        waste: WasteTotals(
                            measured: generator.next() & 3, inferred: generator.next() & 3,
                            nanoseconds: generator.next() & 7)),
                    on: app)
            }
        }
    }

    @Test(
        "with a limit are the best of all, however they are ranked", arguments: StatsOrder.allCases,
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
            case .count: view.count
            case .time: view.body.totalNanoseconds
            case .wasted: view.wasted.nanoseconds * 100 + view.wasted.count
            case .hangs, .key: 0
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
            #expect(fixture.text(query).contains("\"matchingViews\" : 160,"))
        }
        #expect(seen.sorted() == all.sorted())
        (query.skip, query.limit) = (0, nil)
        #expect(!fixture.text(query).contains("matchingViews"))
    }

    @Test("are those with a part in their key when asked, whatever its case")
    func matches() throws {
        try fill(1)
        var query = StatsQuery()
        let wanted = try fixture.export().processes.flatMap(\.views).count { $0.key == "v3" }
        (query.match, query.limit) = ("V3", 100)
        let keys = try fixture.export(query).processes.flatMap(\.views).map(\.key.rawValue)
        #expect(wanted > 1 && keys == [String](repeating: "v3", count: wanted))
        #expect(fixture.text(query).contains("\"matchingViews\" : \(wanted),"))
        query.limit = 1
        #expect(fixture.text(query).contains("\"matchingViews\" : \(wanted),"))
        query.match = "no such view"
        #expect(fixture.text(query).contains("\"matchingViews\" : 0,"))
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
        #expect(ViewFilter(match: part).fits(key) == fits)
    }

    @Test(
        "parameters out of their range are refused",
        arguments: [("skip", "5"), ("skip", "-1"), ("skip", "x"), ("match", String(repeating: "a", count: 2_000))])
    func refused(name: String, value: String) {
        #expect(throws: QueryError.self) {
            try StatsQuery(parameters: [(name, value)], limits: 1...100_000)
        }
    }

    @Test("do not change under a stream that has begun with their store")
    func stable() throws {
        let app = try fixture.connect()
        try fixture.say(.store(), on: app)
        for index in 0..<UInt32(50) {
            try fixture.say(.view(index, "v\(index)"), .totals(index, 100 - UInt64(index)), on: app)
        }
        var cursor = ExportCursor(of: fixture.registry, StatsQuery())
        var bytes = cursor.next(size: 2_000)
        for index in 0..<UInt32(50) { try fixture.say(.totals(index, 1_000 + UInt64(index)), on: app) }
        while !cursor.isDone { bytes += cursor.next(size: 2_000) }
        let export = try JSONDecoder().decode(StatsExport.self, from: Data(bytes))
        #expect(export.processes[0].views.map(\.count) == (51...100).reversed().map(UInt64.init))
    }

    @Test("are the same bytes as the document that they decode to")
    func bytes() throws {
        try fill(3)
        var cursor = ExportCursor(of: fixture.registry, StatsQuery())
        var bytes: [UInt8] = []
        while !cursor.isDone { bytes += cursor.next(size: 1) }
        let document = try JSONDecoder().decode(StatsExport.self, from: Data(bytes))
        #expect(try Array(document.json()) + [0x0A] == bytes)
    }
}

@Suite("Requests")
struct RouterTests {
    let fixture = RegistryFixture()

    private func ask(_ method: HTTPMethod, _ uri: String, _ body: String = "") -> (status: Int, text: String) {
        let router = QueryRouter(registry: fixture.registry, limits: DaemonLimits()) { HealthReport() }
        switch router.answer(QueryRequest(method: method, uri: uri, body: Array(body.utf8))) {
        case .document(let status, let bytes, _): return (Int(status.code), String(decoding: bytes, as: UTF8.self))
        case .export(let query): return (200, "\(query)")
        case .hangs(let hangs): return (200, "\(hangs.map(\.id))")
        case .events: return (200, "events")
        case .command(let plan): return (200, "\(plan.targets.count)")
        }
    }

    @Test(
        "with wrong parameters are told what is allowed",
        arguments: [
            ("/v1/stats?limit=x", "0 to 100000"), ("/v1/stats?limit=-1", "0 to 100000"),
            ("/v1/stats?limit=99999999999999999999", "0 to 100000"),
            ("/v1/stats?sort=size", "count, wasted, time, hangs, key"),
            ("/v1/stats?sorted=count", "sort, limit, process, key"), ("/v1/stats?limit=", "leave it out"),
        ])
    func badParameters(uri: String, hint: String) {
        let answer = ask(.GET, uri)
        #expect(answer.status == 400 && answer.text.contains(hint), "\(answer)")
    }

    @Test("for unknown paths get the list of known ones")
    func unknownPath() throws {
        let answer = ask(.GET, "/v2/stats")
        #expect(answer.status == 404)
        let error = try JSONDecoder().decode(QueryError.self, from: Data(answer.text.utf8))
        #expect(error.paths == QueryPath.allCases.map(\.rawValue))
    }

    @Test(
        "by another method are told which one",
        arguments: [
            (HTTPMethod.POST, "/v1/stats", "GET"), (.GET, "/v1/reset", "POST"),
            (.DELETE, "/v1/config", "GET, HEAD, POST"),
        ])
    func methods(method: HTTPMethod, uri: String, allowed: String) {
        let answer = ask(method, uri)
        #expect(answer.status == 405 && answer.text.contains(allowed))
    }

    @Test("for an unknown process or store get the list of known ones")
    func unknownProcess() throws {
        let app = try fixture.connect(pid: 4_711)
        try fixture.say(.store(0, "main"), on: app)
        #expect(ask(.GET, "/v1/stats?process=desk").text.contains("shop (4711)"))
        for answer in [ask(.GET, "/v1/stats?process=desk"), ask(.POST, "/v1/reset", #"{"process": "desk"}"#)] {
            #expect(answer.status == 404 && answer.text.contains("shop (4711)"))
        }
        let store = ask(.POST, "/v1/pulse", #"{"key": "Cart", "store": "nowhere"}"#)
        #expect(store.status == 404 && store.text.contains("main"))
    }

    @Test(
        "with a body that is wrong are told what one looks like",
        arguments: [
            ("/v1/config", "{}", "nothing to change"), ("/v1/config", "nonsense", "such as"),
            ("/v1/config", #"{"hangThresholdMilliseconds": 0}"#, "1 to 3600000"), ("/v1/pulse", "", "such as"),
            ("/v1/config", #"{"hangThresholdMilliseconds": -5}"#, "such as"), ("/v1/reset", "[]", "such as"),
            ("/v1/reset", #"{"prcess": "shop"}"#, "use process, store"),
            ("/v1/pulse", #"{"key": "A", "proces": "shop"}"#, "use key, process, store"),
            ("/v1/config", #"{"enabled": false, "hangThreshold": 9}"#, "hangThresholdMilliseconds"),
        ])
    func badBodies(path: String, body: String, hint: String) {
        let answer = ask(.POST, path, body)
        #expect(answer.status == 400 && answer.text.contains(hint), "\(answer)")
    }

    @Test("decode percent signs and plus signs, and survive broken ones")
    func decoding() {
        let target = RequestTarget("/v1/stats?key=a%20b%2Fc+d%C3%A9&process=100%&x=%zz%4")
        #expect(target.path == "/v1/stats")
        #expect(target.parameters.map(\.value) == ["a b/c dé", "100%", "%zz%4"])
    }

    @Test("for commands reach the stores that are meant and connected")
    func commands() throws {
        let shop = try fixture.connect(pid: 1)
        try fixture.say(.store(0, "main"), .store(1, "main"), .store(2, "tools"), on: shop)
        let desk = try fixture.connect(pid: 2, name: "desk")
        try fixture.say(.store(0, "main"), on: desk)
        let gone = try fixture.connect(pid: 3, name: "gone")
        fixture.registry.disconnected(gone)
        #expect(ask(.POST, "/v1/reset").text == "2")
        #expect(ask(.POST, "/v1/reset", #"{"process": "1"}"#).text == "1")
        #expect(ask(.POST, "/v1/reset", #"{"store": "main"}"#).text == "3")
        #expect(ask(.POST, "/v1/reset", #"{"process": "gone"}"#).text == "0")
    }
}

@Suite("Commands on their way")
struct CommandBookTests {
    private let targets: [CommandPlan.Target] = [
        .init(connection: 1, storeID: 0), .init(connection: 1, storeID: 1), .init(connection: 2, storeID: nil),
    ]

    @Test("are complete when every app has answered everything")
    func complete() {
        var book = CommandBook()
        let (command, requests) = book.open(targets)
        #expect(book.done(.init(request: requests[0], reached: 1), from: 1) == nil)
        #expect(book.done(.init(request: requests[2], reached: 4), from: 2) == nil)
        #expect(book.done(.init(request: requests[1], reached: 1), from: 1) == command)
        #expect(book.close(command) == CommandReport(sent: 2, confirmed: 2, reached: 6))
    }

    @Test("take no answer twice, from another app, or after they are closed")
    func strangers() {
        var book = CommandBook()
        let (command, requests) = book.open(targets)
        #expect(book.done(.init(request: requests[2], reached: 1), from: 2) == nil)
        #expect(book.done(.init(request: requests[2], reached: 1), from: 2) == nil)
        #expect(book.done(.init(request: requests[0], reached: 9), from: 2) == nil)
        #expect(book.done(.init(request: 4_000, reached: 9), from: 1) == nil)
        #expect(book.close(command) == CommandReport(sent: 2, confirmed: 1, reached: 1))
        #expect(book.done(.init(request: requests[0], reached: 1), from: 1) == nil)
        #expect(book.close(command) == nil)
    }

    @Test("do not wait for an app that is gone")
    func disconnected() {
        var book = CommandBook()
        let (command, requests) = book.open(targets)
        _ = book.done(.init(request: requests[2], reached: 1), from: 2)
        #expect(book.disconnected(1) == [command])
        #expect(book.close(command) == CommandReport(sent: 2, confirmed: 1, reached: 1))
    }
}

@Suite("Events for one reader")
struct EventQueueTests {
    let fixture = RegistryFixture()

    private func lines(_ queue: inout EventQueue, size: Int = 1 << 20) throws -> [LiveEvent] {
        let text = String(decoding: queue.lines(size: size, of: fixture.registry).bytes, as: UTF8.self)
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

    @Test("tell a slow reader how many lines it missed, and then the latest totals")
    func slow() throws {
        let app = try fixture.connect()
        try fixture.say(.store(), .view(0, "Cart"), .totals(0, 1), on: app)
        fixture.registry.recordChanges(true)
        var queue = EventQueue(of: fixture.registry, backlog: 100)
        _ = try lines(&queue)
        for count in UInt64(2)...6 {
            try fixture.say(.totals(0, count), on: app)
            queue.add(fixture.registry.takeChanges(), of: fixture.registry)
        }
        let told = try lines(&queue)
        #expect(told.map(\.event) == [.dropped, .view])
        #expect(told[0].count == 4 && told[1].view?.count == 6)
    }

    @Test("start over when a reader is too far behind, and hold no more than the backlog")
    func backlog() throws {
        let app = try fixture.connect()
        try fixture.say(.store(), on: app)
        fixture.registry.recordChanges(true)
        var queue = EventQueue(of: fixture.registry, backlog: 10)
        _ = try lines(&queue)
        for index in 0..<UInt32(30) { try fixture.say(.view(index, "v\(index)"), .totals(index, 1), on: app) }
        queue.add(fixture.registry.takeChanges(), of: fixture.registry)
        let told = try lines(&queue)
        #expect(told.first?.event == .dropped && told.first?.count == 30)
        #expect(Set(told.compactMap(\.view?.key)).count == 30, "nothing is missing in the end")
        #expect(queue.isEmpty)
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
