// SPDX-License-Identifier: MIT
// Recordings that go to the bounds of what a report keeps: one below, the bound, one above, and twice as many.

import CShared
import RerenderModel
@testable import RerenderTrace
import TestSupport
import Testing

@Suite("Recordings at the bounds of what a report keeps")
struct BoundRecordingTests {
    @Test(
        "a hang has the view that took most of it, wherever that ran in the turn, and its parts add up to it",
        arguments: around(TraceLimits.sharesPerHang) + around(256),
        [false, true])
    func shares(others: Int, isFirst: Bool) throws {
        let script = EventScript()
        script.turn(1, length: 450_000_000) {
            if isFirst { script.evaluate("Most", body: 400_000_000, turn: 1) }
            for number in 0..<others { script.evaluate("Other\(number)", body: 20, turn: 1) }
            if !isFirst { script.evaluate("Most", body: 400_000_000, turn: 1) }
        }
        let report = try script.report()
        let hang = try #require(report.hangs.first)
        #expect(report.hangs.count == 1 && hang.view == "Most")
        #expect(hang.shares.first?.view == "Most" && hang.shares.first?.nanoseconds == 400_000_000)
        #expect(hang.shares.count == min(others + 1, TraceLimits.sharesPerHang))
        let all = hang.shares.reduce(hang.unattributedNanoseconds ?? 0) { $0 + $1.nanoseconds }
        #expect(all == hang.durationNanoseconds)
    }

    @Test("a hang has the views with most time, however often and in what order these ran", arguments: 0..<60)
    func parts(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let count = (around(TraceLimits.sharesPerHang) + [1])[seed % 5]
        // No two have the same time in all.
        var bodies = (0..<count).map { (view: $0, nanoseconds: UInt64($0 + 1) * 1_000_000) }
        bodies.append((Int.random(in: 0..<count, using: &random), 300_000_000))
        for view in 0..<count where Bool.random(using: &random) {
            bodies.append((view, UInt64.random(in: 1..<1_000_000, using: &random)))
        }
        bodies.shuffle(using: &random)
        let script = EventScript()
        script.turn(1, length: 450_000_000) {
            for body in bodies { script.evaluate("View \(body.view)", body: body.nanoseconds, turn: 1) }
        }
        let truth = Dictionary(bodies.map { ("View \($0.view)", $0.nanoseconds) }) { $0 + $1 }
        let sorted = truth.sorted { $0.value > $1.value }
        let places = count > TraceLimits.sharesPerHang ? TraceLimits.sharesPerHang - 1 : count
        var expected = sorted.prefix(places).map { "\($0.key): \($0.value)" }
        let others = sorted.dropFirst(places).reduce(0) { $0 + $1.value }
        if others > 0 { expected.append("\(ViewKey.otherViews.rawValue): \(others)") }
        let hang = try #require(try script.report().hangs.first)
        #expect(hang.view?.rawValue == sorted.first?.key)
        #expect(hang.shares.map { "\($0.view.rawValue): \($0.nanoseconds)" } == expected)
        let all = truth.values.reduce(hang.unattributedNanoseconds ?? 0) { $0 + $1 }
        #expect(all == hang.durationNanoseconds)
    }

    @Test("writers have their writes, however these vary from one evaluation to the next", arguments: 0..<60)
    func writers(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        // As many lists of writers as are kept, and names as are told apart, and others.
        let evaluations = (around(TraceLimits.writerLists) + [3])[seed % 5]
        let names = (1...[1, 2, 3, 4, 6, 13][seed / 5 % 6]).map { "write\($0)() Shop/Cart.swift:\($0)" }
        let script = EventScript()
        var (order, truth) = ([String](), [String: UInt64]())
        for _ in 0..<evaluations {
            let writers = names.shuffled(using: &random).prefix(Int.random(in: 1...3, using: &random))
            var parts: [String] = []
            for name in writers {
                let writes = UInt64.random(in: 1...90, using: &random)
                parts.append(writes == 1 ? name : "\(name) ×\(writes)")
                if !order.contains(name) { order.append(name) }
                truth[name, default: 0] += writes
            }
            script.evaluate("Row", reason: "cart.total", writers: parts.joined(separator: "; "))
        }
        var expected: [String: UInt64] = [:]
        for (place, name) in order.enumerated() {
            expected[place < TraceLimits.writersPerReason ? name : Reason.other, default: 0] += truth[name] ?? 0
        }
        let report = try script.report()
        let row = try #require(report.export.processes.flatMap(\.views).first { $0.key == "Row" })
        let reason = try #require(row.reasons.first { $0.reason == "cart.total" })
        let said = Dictionary(reason.writers.map { ($0.writer, $0.count) }) { $0 + $1 }
        #expect(reason.count == UInt64(evaluations) && said == expected)
    }
}
