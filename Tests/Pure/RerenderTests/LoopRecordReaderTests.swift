// SPDX-License-Identifier: MIT
// What a reader of the page sees at any moment of the writer.

import CRerender
import Foundation
import RerenderModel
import RerenderWire
import Synchronization
import TestSupport
import Testing

@testable import Rerender

private let millisecond: UInt64 = 1_000_000

/// A time that goes on by a microsecond with each look of the writer.
private final class Stamps: Sendable {
    private let nanoseconds = Atomic<UInt64>(millisecond)

    /// The time that was last given.
    var latest: UInt64 { nanoseconds.load(ordering: .sequentiallyConsistent) }

    func next() -> UInt64 { nanoseconds.add(1_000, ordering: .sequentiallyConsistent).newValue }
}

@Suite("The record of the main loop, read while it is written", .timeLimit(.minutes(10)))
struct LoopRecordReaderTests {
    @Test(
        "a writer stopped at any of its stores, in whatever order they arrive, leaves the old or the new",
        arguments: 0..<4)
    func stopped(seed: UInt64) throws {
        let bench = try LoopBench()
        var generator = SeededGenerator(seed: seed)
        let views = (0..<3).map { bench.view("View \($0)") }
        var now: UInt64 = 1_000
        var stack: [ViewRecord] = []
        var isInTurn = false
        var before = try bench.bytes()
        for _ in 0..<150 {
            now += .random(in: 0...(60 * millisecond), using: &generator)
            step(bench, &isInTurn, &stack, views, now, &generator)
            let after = try bench.bytes()
            let changed = stride(from: 0, to: after.count, by: 8).filter { before[$0..<$0 + 8] != after[$0..<$0 + 8] }
            let (old, new) = (try LoopReading(page: before.span.bytes), try LoopReading(page: after.span.bytes))
            let turns = try Set(bench.longTurns(in: before) + bench.longTurns(in: after))
            for _ in 0..<12 {
                var torn = before
                for word in changed where Bool.random(using: &generator) {
                    torn.replaceSubrange(word..<word + 8, with: after[word..<word + 8])
                }
                let reading = try LoopReading(page: torn.span.bytes)
                #expect([state(old), state(new)].contains(state(reading)))
                let shares = try TurnShares(page: torn.span.bytes, of: reading)
                let views = shares.views(at: now, of: reading).reduce(0) { $0 + $1.nanoseconds }
                #expect(views <= (reading.turnStartedAt > 0 ? now - reading.turnStartedAt : 0))
                #expect(try Set(bench.longTurns(in: torn)).isSubset(of: turns))
            }
            before = after
        }
        #expect(try bench.longTurns().count > 3)
    }

    @Test("a reader beside the writer sees one moment or none")
    func concurrentReader() throws {
        let bench = try LoopBench()
        bench.record.setThresholds(hangMilliseconds: 1, microHangMilliseconds: 1)
        let views = (0..<70).map { bench.view("View \($0)") }
        let (isAsked, isDone, rounds, stamps) = (Counter(), Counter(), Counter(), Stamps())
        let writer = Thread {
            var number = 0
            while isAsked.value == 0 {
                let turn = Int(bench.record.turnBegan(at: stamps.next()))
                // A turn has views of its own kind only.
                for _ in 0..<(turn % 40 == 0 ? 3_000 : 5) {
                    let outer = views[(number % 35) * 2 + turn % 2]
                    let inner = views[(number * 7 % 35) * 2 + turn % 2]
                    bench.began(outer, stamps.next())
                    bench.began(inner, stamps.next())
                    bench.ended(inner, stamps.next(), in: outer)
                    bench.ended(outer, stamps.next())
                    number += 1
                }
                bench.record.turnEnded(at: stamps.next())
                rounds.add()
            }
            isDone.add()
        }
        writer.start()
        var (seen, turn, running) = (0, UInt64(0), 0)
        // At the end of the time limit it is cancelled, which ends no loop by itself.
        while !Task.isCancelled, seen < 3_000 || rounds.value < 200 || running == 0 {
            let bytes = try bench.bytes()
            let now = stamps.latest
            guard let reading = try? LoopReading(page: bytes.span.bytes) else { continue }
            seen += 1
            #expect(reading.turn >= turn && reading.turnStartedAt <= now && reading.runningSince <= now)
            turn = reading.turn
            let parity = UInt32(turn % 2)
            if let view = reading.running {
                running += 1
                #expect(view.index % 2 == parity)
                #expect(view.key.isEmpty || view.key == "View \(view.index)")
            }
            // Never throws: slices of one turn do not overlap, whenever each was read.
            let shares = try TurnShares(page: bytes.span.bytes, of: reading)
            #expect(shares.until <= now)
            for share in shares.views {
                #expect(share.view.index % 2 == parity)
                #expect(share.view.key.isEmpty || share.view.key == "View \(share.view.index)")
            }
            for long in try LongTurn.list(in: bytes.span.bytes, after: 0) {
                #expect(long.endedAt <= now && long.shares.allSatisfy { UInt64($0.view.index % 2) == long.turn % 2 })
            }
        }
        isAsked.add()
        while !Task.isCancelled, isDone.value == 0 { sched_yield() }
        #expect(turn > 1)
    }

    @Test("a reader never sees the busy time of a pinged loop in two turns")
    func pingedTurns() throws {
        let bench = try LoopBench(.ping)
        let isDone = Counter()
        let writer = Thread {
            for turn in UInt64(1)...200_000 {
                bench.record.pingSent(at: turn * 1_000)
                bench.record.pingAnswered(at: turn * 1_000 + 500)
            }
            isDone.add()
        }
        writer.start()
        let words = bench.page.loopWords
        let slots = [LoopLayout.slotsOffset / 8, LoopLayout.slotsOffset / 8 + LoopLayout.slotBytes / 8]
        var seen = 0
        while !Task.isCancelled, isDone.value == 0 {
            // As a reader that looks at the slot first: one in which nothing was written meanwhile.
            let slot = words.acquire(slots[0]) > words.acquire(slots[1]) ? slots[0] : slots[1]
            var check = PageCheck()
            let copy = (0..<9).map { words.acquire(slot + $0) }
            for word in copy { check.add(word) }
            let (sequence, turn, startedAt) = (copy[0], copy[1], copy[2])
            let sentAt = words.acquire(LoopLayout.pingSentOffset / 8)
            let isAnswered = words.acquire(LoopLayout.pingAnsweredOffset / 8) >= sentAt
            guard !isAnswered, check.value == words.acquire(slot + 9), words.acquire(slot) == sequence,
                slots.allSatisfy({ words.acquire($0) <= sequence })
            else { continue }
            seen += 1
            #expect((sentAt == startedAt ? turn : turn + 1) == sentAt / 1_000)
        }
        #expect(seen > 0)
    }

    /// Something that a loop's thread may do next.
    private func step(
        _ bench: LoopBench, _ isInTurn: inout Bool, _ stack: inout [ViewRecord], _ views: [ViewRecord], _ now: UInt64,
        _ generator: inout SeededGenerator
    ) {
        switch Int.random(in: 0..<6, using: &generator) {
        case 0, 1:
            if isInTurn { bench.record.turnEnded(at: now) } else { bench.record.turnBegan(at: now) }
            isInTurn.toggle()
        case 2, 3:
            let view = views[Int.random(in: views.indices, using: &generator)]
            stack.append(view)
            bench.began(view, now)
        default:
            guard let view = stack.popLast() else { return }
            bench.ended(view, now, in: stack.last)
        }
    }

    /// What the slots say; the head's other fields are one word each.
    private func state(_ reading: LoopReading) -> LoopReading {
        var reading = reading
        reading.longTurns = 0
        reading.running?.key = ""
        reading.last?.key = ""
        return reading
    }
}
