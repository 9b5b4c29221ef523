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
        _ = try? fixture.answer(query).piece(size: 4_000)
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
            Figure.note("cost of a part of \(part.utf8.count) bytes", ratio, "times a byte's")
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
            Figure.note("cost of keys with marks by \(order), limit \(limit ?? 0)", ratio, "times letters'")
            #expect(ratio < 40, "limit \(limit ?? 0)")
        }
    }
}
