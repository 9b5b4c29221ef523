// SPDX-License-Identifier: MIT
import FoundationEssentials
import Glibc
import NIOHTTP1
import RerenderModel
import RerenderWire
import TestSupport
import Testing

@testable import RerenderDaemon
@testable import DaemonSupport

/// What apps and clients may choose must not make an answer slow: costs are compared, in the processor time of one thread.
@Suite("The cost of a query")
struct QueryCostTests {
    let fixture = RegistryFixture()

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

    @Test("a list is written in pieces, with the bytes of an encoder")
    func lists() throws {
        let gone = try fixture.connect(pid: 11, name: "gone")
        try fixture.say(.store(0, "old", startedAt: 500), on: gone)
        fixture.registry.disconnected(gone)
        let app = try fixture.connect(pid: 12, name: "sh\"op\u{1}")
        for store in 0..<UInt32(40) { try fixture.say(.store(store, "s\(store % 7)", startedAt: 900), on: app) }
        let stores = fixture.registry.stores(of: nil).compactMap { serial in
            fixture.registry.storesBySerial[serial].map { $0.store.stats(of: $0.process) }
        }
        #expect(stores.map(\.store).prefix(3) == ["old", "s0", "s1"] && stores.count == 41)
        let expected = try StatsExport.encoder().encode(ProcessList(processes: stores))
        guard case .text(let list) = answer(.GET, "/v1/processes") else { throw WireError.truncated }
        var pieces: [[UInt8]] = []
        while !list.isDone { pieces.append(try list.piece(size: 1_000)) }
        #expect(pieces.allSatisfy { $0.count < 3_000 } && pieces.count > 5)
        #expect(String(decoding: pieces.joined(), as: UTF8.self) == String(decoding: expected, as: UTF8.self) + "\n")
    }

    @Test("an empty list is a whole document")
    func emptyList() throws {
        guard case .text(let list) = answer(.GET, "/v1/processes") else { throw WireError.truncated }
        let bytes = try list.piece(size: .max)
        let expected = try StatsExport.encoder().encode(ProcessList(processes: []))
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
