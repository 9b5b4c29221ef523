// SPDX-License-Identifier: MIT
// Turns of a main queue that is asked by pings, as the page has them.

import Foundation
import RerenderModel
import RerenderWire
import TestSupport
import Testing

@testable import Rerender

private let millisecond: UInt64 = 1_000_000

@Suite("The record of pinged turns")
struct LoopPingRecordTests {
    @Test("a pinged turn begins with the ping, whoever notices, and ends with the answer")
    func ping() throws {
        let bench = try LoopBench(.ping)
        let view = bench.view("View")
        bench.began(view, 1_000)
        bench.record.pingSent(at: 2_000)
        var reading = try bench.reading()
        #expect(reading.turn == 1 && reading.turnStartedAt == 2_000 && reading.evaluations == 0)
        #expect(reading.running?.key == "View" && reading.runningSince == 2_000)
        bench.record.pingSent(at: 2_500)
        #expect(try bench.reading().turnStartedAt == 2_000)
        bench.ended(view, 3_000)
        reading = try bench.reading()
        #expect(reading.turn == 1 && reading.turnStartedAt == 2_000 && reading.evaluations == 1)
        #expect(try bench.times() == ["View": 1_000])
        bench.record.pingAnswered(at: 2_000 + 300 * millisecond)
        reading = try bench.reading()
        #expect(reading.turn == 1 && reading.turnStartedAt == 0)
        let turn = try #require(try bench.longTurns().first)
        #expect(turn.turn == 1 && turn.startedAt == 2_000 && turn.endedAt == 2_000 + 300 * millisecond)
        #expect(turn.shares.map(\.nanoseconds) == [1_000])
        // Without any evaluation the answer notices.
        bench.record.pingSent(at: 900 * millisecond)
        #expect(try bench.reading().turn == 2)
        bench.record.pingAnswered(at: 1_200 * millisecond)
        #expect(try bench.longTurns().map(\.turn) == [1, 2])
        bench.record.pingAnswered(at: 1_300 * millisecond)
        #expect(try bench.longTurns().count == 2)
        #expect(try bench.reading().turnStartedAt == 0)
    }

    @Test("a pinged turn says how much earlier it may have begun, and its record does")
    func slack() throws {
        let bench = try LoopBench(.ping)
        bench.record.pingSent(at: 100 * millisecond, notBefore: 95 * millisecond)
        #expect(try bench.reading().turnSlack == 5 * millisecond)
        bench.record.pingAnswered(at: 400 * millisecond)
        #expect(try bench.reading().turnSlack == 0)
        bench.record.pingSent(at: 500 * millisecond, notBefore: 1)
        #expect(try bench.reading().turnSlack == 100 * millisecond, "not before it was free")
        bench.record.pingAnswered(at: 700 * millisecond)
        // One that may have been as long as a long turn is kept.
        bench.record.pingSent(at: 800 * millisecond, notBefore: 790 * millisecond)
        bench.record.pingAnswered(at: 895 * millisecond)
        bench.record.pingSent(at: 900 * millisecond, notBefore: 899 * millisecond)
        bench.record.pingAnswered(at: 998 * millisecond)
        #expect(try bench.longTurns().map(\.slack) == [5, 100, 10].map { $0 * millisecond })
    }

    @Test("a ping is open until its answer, also one whose time is from before the queue was last free")
    func latePing() throws {
        let bench = try LoopBench(.ping)
        bench.record.pingSent(at: 100 * millisecond)
        bench.record.pingAnswered(at: 300 * millisecond)
        bench.record.pingSent(at: 250 * millisecond, notBefore: 250 * millisecond)
        #expect(try bench.reading().turnStartedAt == 300 * millisecond + 1)
        bench.record.pingAnswered(at: 700 * millisecond)
        #expect(try bench.longTurns().map(\.endedAt) == [300, 700].map { $0 * millisecond })
        // The same for a body that a thread began just before it was seen that another one had left the queue free.
        bench.record.pingSent(at: 800 * millisecond)
        bench.record.pingSent(at: 750 * millisecond)
        #expect(try bench.reading().turnStartedAt == 800 * millisecond)
    }

    @Test("work that nobody looked at counts if it may have been a hang of the main queue")
    func unseen() throws {
        let bench = try LoopBench(.ping)
        bench.record.pingSent(at: 1 * millisecond)
        bench.record.pingAnswered(at: 100 * millisecond)
        bench.record.noteUnseen(from: 10 * millisecond, to: 349 * millisecond)
        bench.record.noteUnseen(from: 400 * millisecond, to: 300 * millisecond)
        #expect(try bench.reading().unseen == 0, "it was free until 100 ms")
        bench.record.noteUnseen(from: 10 * millisecond, to: 350 * millisecond)
        #expect(try bench.reading().unseen == 1)
        bench.record.setThresholds(hangMilliseconds: 50, microHangMilliseconds: 20)
        bench.record.noteUnseen(from: 400 * millisecond, to: 549 * millisecond)
        #expect(try bench.reading().unseen == 1, "less than between two pings")
        bench.record.noteUnseen(from: 400 * millisecond, to: 550 * millisecond)
        #expect(try bench.reading().unseen == 2)
    }

    @Test("a ping that a hook overtook makes no long turn")
    func overtakenPing() throws {
        let bench = try LoopBench(.ping)
        bench.record.pingSent(at: 1_000)
        bench.began(bench.view("View"), 2_000)
        bench.record.setMonitor(.glib, threadID: 4_712)
        bench.record.turnBegan(at: 500 * millisecond)
        #expect(try bench.reading().turnStartedAt == 500 * millisecond)
        bench.record.pingAnswered(at: 600 * millisecond)
        #expect(try bench.reading().turnStartedAt == 500 * millisecond)
        #expect(try bench.longTurns().isEmpty)
    }
}
