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

    @Test("a pinged turn says how much earlier it may have begun, and its length is what was seen of it")
    func slack() throws {
        let bench = try LoopBench(.ping)
        bench.record.pingSent(at: 100 * millisecond)
        #expect(try bench.reading().turnSlack == 0, "nothing is known of before")
        bench.record.pingAnswered(at: 400 * millisecond)
        #expect(try bench.reading().turnSlack == 0)
        bench.record.pingSent(at: 500 * millisecond)
        #expect(try bench.reading().turnSlack == 100 * millisecond, "not before it was free")
        bench.record.pingAnswered(at: 700 * millisecond)
        // One that may have been as long as a long turn, and is not known to have been, is not kept.
        bench.record.pingSent(at: 790 * millisecond)
        bench.record.pingAnswered(at: 885 * millisecond)
        #expect(try bench.longTurns().map(\.slack) == [0, 100].map { $0 * millisecond })
    }

    @Test("a ping is open until its answer, also one whose time is from before the queue was last free")
    func latePing() throws {
        let bench = try LoopBench(.ping)
        bench.record.pingSent(at: 100 * millisecond)
        bench.record.pingAnswered(at: 300 * millisecond)
        bench.record.pingSent(at: 250 * millisecond)
        #expect(try bench.reading().turnStartedAt == 300 * millisecond + 1)
        bench.record.pingAnswered(at: 700 * millisecond)
        #expect(try bench.longTurns().map(\.endedAt) == [300, 700].map { $0 * millisecond })
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
