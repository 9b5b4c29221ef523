// SPDX-License-Identifier: MIT
// What the daemon keeps of marks.

import FoundationEssentials
import NIOHTTP1
import RerenderModel
import RerenderWire
import TestSupport
import Testing

@testable import RerenderDaemon
@testable import DaemonSupport

@Suite("Marks in the daemon")
struct MarkBookTests {
    private func snapshot(_ name: String, pid: Int32 = 1, views: Int = 1, bytes: Int = 1) -> MarkBook.Snapshot {
        let store = ProcessStats(pid: pid, name: "shop", store: "main", storeNumber: 0, startedAt: .now)
        let view = ViewEntry(ViewDeclaration(storeID: 0, index: 0, key: "Cart", file: "", line: 1))
        return MarkBook.Snapshot(
            name: name, at: .now, pid: pid, stores: [(store, Array(repeating: view, count: views))], left: 0,
            bytes: bytes)
    }

    @Test("the last eight of a process are kept, and the latest of a name is meant")
    func latest() throws {
        var book = MarkBook(limits: DaemonLimits())
        for number in 0..<10 { book.add(snapshot("mark \(number)", views: number + 1)) }
        book.add(snapshot("other", pid: 2))
        #expect(book.names(of: [1]) == (2..<10).reversed().map { "mark \($0)" } && book.names(of: [2]) == ["other"])
        #expect(book.latest("mark 1", of: [1]) == nil && book.latest("mark 9", of: [2]) == nil)
        book.add(snapshot("mark 9", views: 3))
        let lines = try #require(book.latest("mark 9", of: [1, 2])).lines.map { $0 }
        #expect(lines.map { $0.view?.key } == [nil, "Cart", "Cart", "Cart"] && lines[0].process?.pid == 1)
    }

    @Test("so many of a process are kept, the latest", arguments: around(DaemonLimits().marks))
    func marks(count: Int) {
        var book = MarkBook(limits: DaemonLimits())
        for number in 0..<count { book.add(snapshot("mark \(number)")) }
        let first = max(0, count - DaemonLimits().marks)
        #expect(book.names(of: [1]) == (first..<count).reversed().map { "mark \($0)" })
    }

    @Test("so many views are in one, and the number of the others is known", arguments: around(4))
    func viewsOfOne(count: Int) throws {
        let fixture = RegistryFixture { $0.markedViews = 4 }
        let app = try fixture.connect(pid: 4_711)
        try fixture.say(.store(0), on: app)
        for number in 0..<UInt32(count) {
            try fixture.say(.view(number, "\(number)"), .totals(number, UInt64(number) + 1), on: app)
        }
        fixture.registry.mark("tap", by: try fixture.process(app))
        let kept = try #require(fixture.registry.marks.latest("tap", of: [4_711]))
        #expect(kept.stores.flatMap(\.views).count == min(count, 4) && kept.left == max(0, count - 4))
    }

    @Test("all together take no more memory than their limit", arguments: [3, 4])
    func memory(bytes: Int) {
        var limits = DaemonLimits()
        limits.markedBytes = 4
        var book = MarkBook(limits: limits)
        book.add(snapshot("first", pid: 1, bytes: 2))
        book.add(snapshot("second", pid: 2, bytes: bytes))
        #expect(book.names(of: [1, 2]) == ["second"])
        // The memory of marks that went is free again.
        book.add(snapshot("third", pid: 3, bytes: 2))
        book.add(snapshot("fourth", pid: 4, bytes: 2))
        #expect(book.names(of: [2]).isEmpty && book.names(of: [3]) == ["third"] && book.names(of: [4]) == ["fourth"])
    }

    @Test("one mark has an eighth of the memory: views of fewest evaluations are left out, whatever store has them")
    func views() throws {
        let fixture = RegistryFixture { $0.markedBytes = 8 * 16_384 }
        let app = try fixture.connect(pid: 4_711)
        try fixture.say(.store(0), .store(1, "other"), on: app)
        for number in 0..<20 as Range<UInt32> {
            let (store, key) = (number % 2, "\(number)" + String(repeating: "x", count: 900))
            let view = ViewDeclaration(storeID: store, index: number / 2, key: key, file: "", line: 1)
            try fixture.say(.view(view), .totals(number / 2, UInt64(number) + 1, store: store), on: app)
        }
        let process = try fixture.process(app)
        fixture.registry.mark("tap", by: process)
        let kept = try #require(fixture.registry.marks.latest("tap", of: [4_711]))
        let counts = kept.stores.flatMap { $0.views.map(\.totals.count) }.sorted()
        #expect((2..<15).contains(counts.count) && kept.left == 20 - counts.count && kept.bytes <= 16_384)
        #expect(counts == Array(UInt64(kept.left + 1)...20))
        // A mark without all stores would take those that it lacks for new ones.
        for store in 2..<20 as Range<UInt32> { try fixture.say(.store(store, "\(store)"), on: app) }
        let router = QueryRouter(registry: fixture.registry, limits: fixture.registry.limits) { HealthReport() }
        let request = ReceivedRequest(method: .POST, uri: "/v1/mark", body: Array(#"{"name": "late"}"#.utf8))
        var answer: [UInt8] = []
        if case .document(_, let bytes, _) = router.answer(request) { answer = bytes }
        let report = try JSONDecoder().decode(MarkReport.self, from: Data(answer))
        #expect(report.processes.isEmpty && report.left == 1)
        #expect(fixture.registry.marks.names(of: [4_711]) == ["tap"])
    }

    @Test("a program's own mark keeps what it told before, and further ones at once have the same counts")
    func ownMark() throws {
        let fixture = RegistryFixture()
        var told: [String] = []
        fixture.registry.onMark = { told.append($0) }
        fixture.registry.onOwnMark = { [registry = fixture.registry] in registry.mark($1, by: $0) }
        let app = try fixture.connect(pid: 4_711)
        try fixture.say(
            .store(evaluations: 9), .view(0, "Cart"), .totals(0, 9), .mark("shown"), .totals(0, 11), .mark("tapped"),
            .mark(""), on: app)
        #expect(told == ["shown", "tapped"] && fixture.registry.marks.names(of: [4_711]) == ["tapped", "shown"])
        let kept = try #require(fixture.registry.marks.latest("shown", of: [4_711]))
        #expect(kept.stores.map(\.views.count) == [1] && kept.left == 0)
        #expect(fixture.registry.marks.latest("tapped", of: [4_711])?.at == kept.at)
        var book = fixture.registry.marks
        let later = Timestamp(nanosecondsSince1970: kept.at.nanosecondsSince1970 + 100_000_000)
        let isRepeated = [
            book.repeatLatest(of: 4_711, as: "late", at: later), book.repeatLatest(of: 5, as: "other", at: kept.at),
        ]
        #expect(isRepeated == [false, false])
    }

    @Test("a mark of more processes than it may have says how many it has not", arguments: around(2))
    func manyProcesses(count: Int) throws {
        let fixture = RegistryFixture { $0.markedProcesses = 2 }
        for pid in 1...Int32(count) { try fixture.say(.store(), on: fixture.connect(pid: pid)) }
        let router = QueryRouter(registry: fixture.registry, limits: fixture.registry.limits) { HealthReport() }
        let request = ReceivedRequest(method: .POST, uri: "/v1/mark", body: Array(#"{"name": "tap"}"#.utf8))
        var answer: [UInt8] = []
        if case .document(_, let bytes, _) = router.answer(request) { answer = bytes }
        let report = try JSONDecoder().decode(MarkReport.self, from: Data(answer))
        #expect(report.processes.map(\.pid) == Array(1...Int32(min(count, 2))) && report.left == max(0, count - 2))
    }

    @Test("a mark has the views of most evaluations, says how many it has not, and is found by name and process")
    func router() throws {
        let fixture = RegistryFixture { $0.markedViews = 1 }
        var told: [String] = []
        fixture.registry.onMark = { told.append($0) }
        let router = QueryRouter(registry: fixture.registry, limits: fixture.registry.limits) { HealthReport() }
        func ask(_ request: ReceivedRequest) throws -> (status: UInt, bytes: [UInt8]) {
            switch router.answer(request) {
            case .document(let status, let bytes, _): return (status.code, bytes)
            case .text(let text):
                #expect(text.elements > fixture.registry.limits.shortElements, "it needs a place")
                return (200, try text.piece(size: .max))
            default: return (0, [])
            }
        }
        let app = try fixture.connect(pid: 4_711)
        try fixture.say(
            .store(evaluations: 14), .view(0, "Cart"), .view(1, "Badge"), .totals(0, 9), .totals(1, 5), on: app)
        let gone = try fixture.connect(pid: 3, name: "gone")
        try fixture.say(.store(), on: gone)
        fixture.registry.disconnected(gone)
        let posted = try ask(ReceivedRequest(method: .POST, uri: "/v1/mark", body: Array(#"{"name": "tap"}"#.utf8)))
        let report = try JSONDecoder().decode(MarkReport.self, from: Data(posted.bytes))
        #expect(report.processes == [MarkReport.Process(pid: 4_711, name: "shop", views: 1, left: 1)])
        #expect(report.left == 0)
        #expect(told == ["tap"])
        try fixture.say(.totals(0, 20), on: app)
        let answer = try ask(ReceivedRequest(method: .GET, uri: "/v1/mark?name=tap&process=shop"))
        let counts = try JSONDecoder().decode(MarkedCounts.self, from: Data(answer.bytes))
        #expect(counts.left == 1 && counts.processes.map(\.pid) == [4_711])
        #expect(counts.processes[0].views.map(\.key) == ["Cart"] && counts.processes[0].views[0].count == 9)
        let unknown = try ask(ReceivedRequest(method: .GET, uri: "/v1/mark?name=tip&process=shop"))
        #expect(unknown.status == 404 && String(decoding: unknown.bytes, as: UTF8.self).contains("known are"))
        for (uri, hint) in [("/v1/mark", "name is missing"), ("/v1/mark?mark=tap", "use name, process")] {
            let wrong = try ask(ReceivedRequest(method: .GET, uri: uri))
            #expect(wrong.status == 400 && String(decoding: wrong.bytes, as: UTF8.self).contains(hint))
        }
        for body in [#"{"name": ""}"#, #"{"name": "a", "proces": "shop"}"#, "{}"] {
            #expect(try ask(ReceivedRequest(method: .POST, uri: "/v1/mark", body: Array(body.utf8))).status == 400)
        }
    }
}
