// SPDX-License-Identifier: MIT
import FoundationEssentials
import Glibc
import NIOHTTP1
import RerenderModel
import RerenderQuery
import RerenderWire
import TestSupport
import Testing

@testable import RerenderDaemon

/// What apps and clients may choose must not make an answer slow: costs are compared, in the processor time of one thread.
@Suite("The cost of a query")
struct QueryCostTests {
    let fixture = RegistryFixture()

    private func processorTime(_ work: () -> Void) -> Double {
        func now() -> Double {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        }
        let start = now()
        work()
        return now() - start
    }

    /// How many times as long one piece of work takes as another, at best of three.
    private func ratio(of work: () -> Void, to baseline: () -> Void) -> Double {
        let pairs = (0..<3).map { _ in (processorTime(work), processorTime(baseline)) }
        return (pairs.map(\.0).min() ?? 0) / (pairs.map(\.1).min() ?? 1)
    }

    private func fill(_ keys: [String]) throws {
        let app = try fixture.connect()
        try fixture.say(.store(), on: app)
        for (index, key) in keys.enumerated() {
            let view = ViewDeclaration(storeID: 0, index: UInt32(index), key: key, file: "a.swift", line: 1)
            try fixture.say(.view(view), .totals(UInt32(index), 1), on: app)
        }
    }

    /// Makes an answer until a view is written, and so the order of all is known.
    private func rank(_ query: StatsQuery) {
        var cursor = ExportCursor(of: fixture.registry, query)
        var bytes: [UInt8] = []
        while bytes.count < 4_000, !cursor.isDone { bytes += cursor.next(size: 4_000) }
    }

    @Test("does not grow with the length of the part that is looked for, whatever the keys are")
    func longPart() throws {
        try fill((0..<1_000).map { _ in String(repeating: "a", count: WireLimits.keyBytes) })
        let parts = [String(repeating: "a", count: 500) + "b", String(repeating: "a", count: 1_023) + "b"]
        for part in parts {
            func look(for part: String) {
                var query = StatsQuery()
                (query.match, query.limit) = (part, 10)
                rank(query)
            }
            let ratio = ratio(of: { look(for: part) }, to: { look(for: "b") })
            #expect(ratio < 20, "a part of \(part.utf8.count) bytes")
        }
    }

    @Test(
        "does not grow with marks that a comparison of texts would put in order", arguments: [StatsOrder.key, .count])
    func marks(order: StatsOrder) throws {
        let plain = QueryCostTests()
        var generator = SeededGenerator(seed: 5)
        let numbers = (0..<200).shuffled(using: &generator)
        // Marks that a comparison puts in order, and among which two keys differ.
        let ends = numbers.map { number in
            (0..<8).map { number >> $0 & 1 == 0 ? "\u{0300}" : "\u{0301}" }.joined()
        }
        try fill(ends.map { "a" + String(repeating: "\u{0301}\u{0316}", count: 240) + $0 })
        try plain.fill(numbers.map { "a" + String(repeating: "ab", count: 480) + "\($0 + 1_000)" })
        for limit in [nil, 100] {
            var query = StatsQuery()
            (query.order, query.limit) = (order, limit)
            let ratio = ratio(of: { rank(query) }, to: { plain.rank(query) })
            #expect(ratio < 40, "limit \(limit ?? 0)")
        }
    }

    @Test("a part is found where it is, by the definition", arguments: 0..<20)
    func parts(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<200 {
            let text = (0..<Int.random(in: 0...24, using: &generator)).map { _ in
                "abAB".randomElement(using: &generator)
            }
            let part = (0..<Int.random(in: 0...6, using: &generator)).map { _ in "abAB".randomElement(using: &generator)
            }
            let (key, wanted) = (String(text.compactMap { $0 }), String(part.compactMap { $0 }))
            // Ground truth: every place, one after the other.
            let (low, short) = (Array(key.lowercased()), Array(wanted.lowercased()))
            let isThere = low.indices.contains { low[$0...].starts(with: short) } || short.isEmpty
            #expect(ViewFilter(match: wanted).matches(key) == isThere, "\(wanted) in \(key)")
        }
    }

    @Test("texts are ordered as their bytes are")
    func bytes() {
        let texts = ["", "a", "ab", "b", "é", "e\u{0301}", "日本", "a much longer text than a small one", "\u{10FFFF}"]
        for left in texts {
            for right in texts {
                #expect(left.precedes(right) == Array(left.utf8).lexicographicallyPrecedes(Array(right.utf8)))
                #expect(left.isSame(as: right) == (Array(left.utf8) == Array(right.utf8)))
            }
        }
    }

    // MARK: Lists

    private func answer(_ method: HTTPMethod, _ uri: String, _ body: String = "") -> QueryAnswer {
        let router = QueryRouter(registry: fixture.registry, limits: DaemonLimits()) { HealthReport() }
        return router.answer(ReceivedRequest(method: method, uri: uri, body: Array(body.utf8)))
    }

    @Test("lists are written in pieces, with the bytes of an encoder", arguments: ["/v1/processes", "/v1/config"])
    func lists(path: String) throws {
        let gone = try fixture.connect(pid: 11, name: "gone")
        try fixture.say(.store(0, "old", startedAt: 500), on: gone)
        fixture.registry.disconnected(gone)
        let app = try fixture.connect(pid: 12, name: "sh\"op\u{1}")
        for store in 0..<UInt32(40) { try fixture.say(.store(store, "s\(store % 7)", startedAt: 900), on: app) }
        let stores = fixture.registry.stores(of: nil).compactMap { serial in
            fixture.registry.storesBySerial[serial].map { $0.store.stats(of: $0.process) }
        }
        #expect(stores.map(\.store).prefix(3) == ["old", "s0", "s1"] && stores.count == 41)
        let encoder = StatsExport.encoder()
        var settings = ConfigurationList(stores: stores.filter { $0.store != "old" }.map { .init($0) })
        settings.notify = false
        let expected =
            path == "/v1/config" ? try encoder.encode(settings) : try encoder.encode(ProcessList(processes: stores))
        guard case .list(var list) = answer(.GET, path) else { throw WireError.truncated }
        var pieces: [[UInt8]] = []
        while !list.isDone { pieces.append(list.next(size: 1_000)) }
        #expect(pieces.allSatisfy { $0.count < 3_000 } && pieces.count > 5)
        #expect(String(decoding: pieces.joined(), as: UTF8.self) == String(decoding: expected, as: UTF8.self) + "\n")
    }

    @Test("an empty list is a whole document", arguments: ["/v1/processes", "/v1/config"])
    func emptyList(path: String) throws {
        guard case .list(var list) = answer(.GET, path) else { throw WireError.truncated }
        let bytes = list.next(size: .max)
        let expected =
            path == "/v1/config"
            ? try StatsExport.encoder().encode(ConfigurationList(stores: []))
            : try StatsExport.encoder().encode(ProcessList(processes: []))
        #expect(String(decoding: bytes, as: UTF8.self) == String(decoding: expected, as: UTF8.self) + "\n")
    }

    @Test("an unknown store is answered with the first names alone")
    func unknownStore() throws {
        let app = try fixture.connect()
        for store in 0..<UInt32(90) { try fixture.say(.store(store, "s\(100 + (store &* 7) % 30)"), on: app) }
        guard case .document(.notFound, let bytes, _) = answer(.POST, "/v1/reset", #"{"store": "none"}"#) else {
            throw WireError.truncated
        }
        let names = (100..<120).map { "s\($0)" }.joined(separator: ", ")
        #expect(String(decoding: bytes, as: UTF8.self).contains("known are \(names)\""))
    }
}
