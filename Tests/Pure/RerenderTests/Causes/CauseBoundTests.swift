// SPDX-License-Identifier: MIT
// What goes beyond a bound of causes, writers and reports is counted, and nothing is inferred from it.

import Observation
import RerenderModel
import RerenderWire
import TestSupport
import Testing

@testable import Rerender

@Observable private final class Pair {
    var first = 0
    var second = 0
}

private struct PairsView {
    let pairs: [Pair]
}

private struct TitledView {
    var title = "a"
}

@Observable private final class Score {
    var points = 0
}

/// Writes in one place, and is called from many.
@inline(never) private func raise(_ score: Score) { score.points += 1 }

@Suite("Bounds of causes")
struct CauseBoundTests {
    private let store = RerenderStore(name: "bounds")

    private func view(_ key: String) throws -> Stats { try #require(store.stats.first { $0.key.rawValue == key }) }

    /// The last reason of a view that was evaluated twice, and how many writes its writers are said to have made.
    private func latest(_ key: String) throws -> (reason: String, writes: UInt64) {
        let reason = try #require(try view(key).reasons.first { $0.reason != Reason.initial })
        return (reason.reason, reason.writers.reduce(0) { $0 + $1.count })
    }

    @Test(
        "all who wrote a property that is found to differ are its writers, or none where there were too many",
        arguments: around(StoreLimits.pendingCauses))
    func noted(count: Int) {
        var pending = PendingCauses()
        for number in 0..<count {
            for _ in 0..<2 {
                pending.note(writer: Writer(function: .told("writer \(number)"), origin: .none), of: "place")
            }
        }
        let writers = pending.writers(of: "title, place.x")
        #expect(writers.count == (count > StoreLimits.pendingCauses ? 0 : count))
        #expect(writers.allSatisfy { $0.count == 2 })
        #expect(pending.writers(of: "places").isEmpty && pending.announced.isEmpty)
    }

    @Test("where one who wrote a property is not known, or where its name may be part of another's, none is its writer")
    func unknownWriters() {
        var pending = PendingCauses()
        for property in ["place", "title"] {
            pending.note(writer: Writer(function: .told("move"), origin: .none), of: property)
        }
        #expect(pending.writers(of: "place").count == 1 && pending.writers(of: "place.x, title").count == 2)
        #expect(pending.writers(of: "`a, place, b`").isEmpty)
        pending.note(writer: nil, of: "place")
        #expect(pending.writers(of: "place").isEmpty && pending.writers(of: "place.x, title").isEmpty)
        #expect(pending.writers(of: "title").count == 1)
    }

    @Test(
        "a reason says how many causes there were beside those that it names",
        arguments: around(StoreLimits.namedCauses) + [20])
    func named(count: Int) throws {
        store.evaluate("View", instance: 1) {}
        for number in 0..<count { store.invalidate("View", instance: 1, cause: "cause \(number)", writer: "w") }
        store.evaluate("View", instance: 1) {}
        let latest = try latest("View")
        let more = count - StoreLimits.namedCauses
        #expect(
            more > 0 ? latest.reason.hasSuffix(", cause 7, +\(more)") : latest.reason.hasSuffix("cause \(count - 1)"))
        #expect(latest.writes == UInt64(count))
    }

    /// As many announced causes of an instance as have a number.
    private static let counted = StoreLimits.pendingCauses + StoreLimits.causesBeyond

    @Test(
        "announced causes beyond the bound are said by their number, and their writers counted",
        arguments: around(StoreLimits.pendingCauses) + around(counted))
    func announced(count: Int) throws {
        store.evaluate("View", instance: 1) {}
        for number in 0..<count { store.invalidate("View", instance: 1, cause: "cause \(number)", writer: "w") }
        store.evaluate("View", instance: 1) {}
        let latest = try latest("View")
        let kept = min(count, StoreLimits.pendingCauses)
        let ending = count > Self.counted ? ", maybe more" : ""
        #expect(latest.reason.hasSuffix("cause 7, +\(min(count, Self.counted) - StoreLimits.namedCauses)\(ending)"))
        #expect(latest.writes == UInt64(count))
        let writers = try view("View").reasons.first { $0.reason == latest.reason }?.writers ?? []
        #expect(writers.first { $0.writer == "w" }?.count == UInt64(kept))
        #expect(
            writers.first { $0.writer == WriterStacks.unknown }?.count == (count > kept ? UInt64(count - kept) : nil))
    }

    @Test("announced causes beyond the bound that are announced again, or by another writer, are no further ones")
    func announcedAgain() throws {
        store.evaluate("View", instance: 1) {}
        let count = StoreLimits.pendingCauses + 10
        for writer in ["w", "v"] {
            for number in 0..<count { store.invalidate("View", instance: 1, cause: "cause \(number)", writer: writer) }
        }
        store.evaluate("View", instance: 1) {}
        #expect(try latest("View").reason.hasSuffix("cause 7, +\(count - StoreLimits.namedCauses)"))
        #expect(try latest("View").writes == UInt64(2 * count))
        // Three causes of many writers are no more than three.
        for writer in 0..<count {
            for cause in ["a", "b", "c"] { store.invalidate("View", instance: 1, cause: cause, writer: "\(writer)") }
        }
        store.evaluate("View", instance: 1) {}
        #expect(try view("View").lastReason == "a, b, c")
    }

    @Test("writes beyond the bound are counted", arguments: around(StoreLimits.pendingCauses))
    func observed(count: Int) throws {
        let view = PairsView(pairs: (0..<StoreLimits.modelsToldApart).map { _ in Pair() })
        func evaluate() {
            store.evaluate("View", of: view, instance: 1) {
                for pair in view.pairs { _ = (pair.first, pair.second) }
            }
        }
        evaluate()
        for number in 0..<count {
            let pair = view.pairs[number / 2]
            if number % 2 == 0 { pair.first += 1 } else { pair.second += 1 }
        }
        evaluate()
        let latest = try latest("View")
        let ending = count > StoreLimits.pendingCauses ? ", maybe more" : ""
        #expect(latest.reason == "pairs[].first, pairs[].second" + ending)
        #expect(latest.writes == UInt64(count))
    }

    @Test(
        "a commit that changed nothing is one of all evaluations since the last",
        arguments: around(StoreLimits.openVerdicts))
    func commits(count: Int) throws {
        for _ in 0..<2 {
            for _ in 0..<count { store.evaluate("View", instance: 1) {} }
            store.committed("View", changed: false, instance: 1)
        }
        let stats = try view("View")
        #expect(stats.wasted.measured == UInt64(2 * count) && stats.wasted.inferred == 0)
        #expect(stats.wasted.unjudged == 0 && stats.wasted.nanoseconds == stats.selfNanoseconds)
    }

    @Test("one function that is called from twenty places is one writer")
    func oneWriter() throws {
        let score = Score()
        let callers: [(Score) -> Void] = [
            { raise($0) }, { raise($0) }, { raise($0) }, { raise($0) }, { raise($0) }, { raise($0) }, { raise($0) },
            { raise($0) }, { raise($0) }, { raise($0) }, { raise($0) }, { raise($0) }, { raise($0) }, { raise($0) },
            { raise($0) }, { raise($0) }, { raise($0) }, { raise($0) }, { raise($0) }, { raise($0) },
        ]
        func evaluate(_ key: String) { store.evaluate(key, instance: 1) { _ = score.points } }
        evaluate("Each")
        evaluate("All")
        for call in callers {
            call(score)
            evaluate("Each")
        }
        evaluate("All")
        for key in ["Each", "All"] {
            let reason = try #require(try view(key).reasons.first { $0.reason != Reason.initial })
            #expect(reason.writers.count == 1, "\(key)")
            #expect(reason.writers.first?.count == 20)
            #expect(reason.writers.first?.writer.contains("raise") == true)
        }
    }

    @Test(
        "stacks beyond the bound of a reason have an unknown writer",
        arguments: around(StoreLimits.stacksPerReason))
    func stacksOfReason(count: Int) {
        var details = ReasonDetails()
        for number in 1...count {
            let origin = WriteOrigin(stack: StackID(rawValue: UInt32(number)), handler: nil)
            details.count(Writer(function: .told("raise(_:)"), origin: origin), 1)
        }
        let kept = min(count, StoreLimits.stacksPerReason)
        var expected = [WriterCount(writer: "raise(_:)", count: UInt64(kept))]
        if count > kept { expected.append(WriterCount(writer: WriterStacks.unknown, count: UInt64(count - kept))) }
        #expect(details.named().writerCounts == expected)
    }

    @Test(
        "stacks beyond the bound of a cause are counted", arguments: around(StoreLimits.stacksPerCause))
    func stacksOfCause(count: Int) throws {
        let host = Host(Score())
        host.evaluate { _ = $0.points }
        host.view.points = 1
        let write = try #require(host.writes.first)
        var pending = PendingCauses()
        for number in 1...count {
            pending.note(write, WriteOrigin(stack: StackID(rawValue: UInt32(number)), handler: nil))
        }
        let origins = try #require(pending.observed.first).origins
        #expect(pending.observed.count == 1 && !pending.areWritesCut)
        #expect(origins.counts.count == min(count, StoreLimits.stacksPerCause))
        #expect(origins.others == UInt64(max(0, count - StoreLimits.stacksPerCause)))
    }

    @Test(
        "writers and chains beyond the bound of a reason are counted with the others",
        arguments: around(WireLimits.writersPerReason))
    func detailsOfReason(count: Int) {
        var details = ReasonDetails()
        for number in 0..<count {
            let origin = WriteOrigin(stack: StackID(rawValue: UInt32(number + 1)), handler: nil)
            details.count(Writer(function: .told("write\(number)()"), origin: origin), 2)
            details.count(chain: "List ← cause \(number)")
        }
        let (named, kept) = (details.named(), min(count, WireLimits.writersPerReason))
        #expect(named.writers.counts.map(\.element) == (0..<kept).map { "write\($0)()" })
        #expect(named.writers.others == UInt64(2 * (count - kept)))
        #expect(named.chains.counts.map(\.element) == (0..<kept).map { "List ← cause \($0)" })
        #expect(named.chains.others == UInt64(count - kept))
    }

    @Test("writers that have no room in an event are counted in it", arguments: around(StoreLimits.tracedWriterBytes))
    func tracedWriters(bytes: Int) {
        // Each is followed by two bytes, and the second one has what is left.
        let names = [String(repeating: "a", count: 98), String(repeating: "b", count: bytes - 102)]
        let writers = names.enumerated().map { number, name -> (writer: Writer, count: UInt64) in
            let origin = WriteOrigin(stack: StackID(rawValue: UInt32(number + 1)), handler: nil)
            return (Writer(function: .told(name), origin: origin), 1)
        }
        let isWhole = bytes <= StoreLimits.tracedWriterBytes
        #expect(writers.traceText == names[0] + "; " + (isWhole ? names[1] : Reason.other))
    }

    @Test("of a chain the nearest levels are kept", arguments: around(StoreLimits.chainLevels))
    func levels(count: Int) {
        let levels = (0..<count).map { "V\($0)" }
        var reason = ParentReason()
        reason.update(parent: "V0", cause: levels.dropFirst().joined(separator: " ← "), link: nil, work: nil)
        let kept = levels.prefix(StoreLimits.chainLevels).joined(separator: " ← ")
        #expect(reason.chain == kept + (count > StoreLimits.chainLevels ? " ← …" : ""))
    }

    /// The process may have one, too, of another test.
    private var ownGaps: [String] { store.core.allGaps.filter { !$0.hasPrefix("some functions of scripts") } }

    @Test("so many sentences say what may be missing from the counts", arguments: around(WireLimits.gapsPerStore))
    func gaps(count: Int) {
        for number in 0..<count { store.core.noteGap("\(number)", "gap \(number)") }
        #expect(ownGaps == (0..<min(count, WireLimits.gapsPerStore)).map { "gap \($0)" })
    }

    @Test("one that is too long is cut", arguments: around(WireLimits.gapBytes))
    func longGap(bytes: Int) {
        store.core.noteGap("long", String(repeating: "x", count: bytes))
        #expect(ownGaps == [String(repeating: "x", count: min(bytes, WireLimits.gapBytes))])
    }

    @Test(
        "nothing is inferred from a report of reads that was dropped",
        arguments: around(StoreLimits.reportedReads)
    )
    func reports(count: Int) throws {
        let scores = (0..<count).map { _ in Score() }
        func evaluate() { store.evaluate("View", of: TitledView(), instance: 1) {} }
        evaluate()
        for score in scores { store.reading("View", instance: 1) { _ = score.points } }
        scores[0].points += 1
        evaluate()
        let stats = try view("View")
        #expect(stats.wasted.count == 0)
        if count > StoreLimits.reportedReads {
            #expect(stats.lastReason == Reason.externalSignal)
            #expect(stats.wasted.unjudged ?? 0 > 0)
        } else {
            #expect(stats.lastReason == "Score.points")
        }
        // What was dropped is of that evaluation alone.
        evaluate()
        #expect(try view("View").wasted.count == 1)
    }

    @Test(
        "a property of more models than are told apart was written in one or more",
        arguments: around(StoreLimits.modelsToldApart))
    func crowd(count: Int) throws {
        let scores = (0..<count).map { _ in Score() }
        func evaluate() {
            store.evaluate("View", instance: 1) {
                for score in scores { _ = score.points }
            }
        }
        evaluate()
        for score in scores.prefix(10) { score.points += 1 }
        evaluate()
        let latest = try latest("View")
        let ending = count > StoreLimits.modelsToldApart ? " (1 or more of \(count))" : ""
        #expect(latest.reason == "Score.points" + ending)
        #expect(latest.writes == 10)
    }
}
