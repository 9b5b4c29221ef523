// SPDX-License-Identifier: MIT
// A thread that is known from moment to moment, seen only through the kernel's counters.

import TestSupport
import Testing

@testable import RerenderDaemon

private enum Part { case runs, isQueued, waits }

/// What a thread does over and over; times in microseconds.
private struct ScriptedThread {
    let parts: [(part: Part, from: Int, to: Int)]

    init(_ pattern: [(Part, Int)], until end: Int) {
        var parts: [(Part, Int, Int)] = []
        var time = 0
        while time < end {
            for (part, length) in pattern {
                parts.append((part, time, time + length))
                time += length
            }
        }
        self.parts = parts
    }

    /// As the kernel tells it: time in the queue when it is over, time on a processor at ticks of 4 ms and when it is over.
    func mark(at time: Int) -> TurnTimes.Mark {
        var sample = ThreadSample(state: .runnable, ran: 0, queued: 0)
        for (part, from, to) in parts where from <= time {
            switch part {
            case .runs: sample.ran += UInt64(max(0, (time < to ? time / 4_000 * 4_000 : to) - from) * 1_000)
            case .isQueued: sample.queued += time < to ? 0 : UInt64((to - from) * 1_000)
            case .waits: if time < to { (sample.state, sample.waitingOn) = (.waiting, "read") }
            }
        }
        return TurnTimes.Mark(at: UInt64(time * 1_000), thread: sample, bootAhead: 0, view: nil)
    }

    /// The truth.
    func time(_ part: Part, from first: Int, to last: Int) -> Int {
        parts.reduce(0) { $1.part == part ? $0 + max(0, min($1.to, last) - max($1.from, first)) : $0 }
    }

    /// As the watchdog sees a turn: from 30 ms on, each 10 ms, and once a moment after its end.
    func times(of turn: Int) -> TurnTimes {
        var times = TurnTimes()
        for time in stride(from: 30_000, to: turn, by: 10_000) { times.add(mark(at: time), wasLate: false) }
        times.end(at: UInt64(turn * 1_000), mark(at: turn + 3_000), wasLate: false)
        return times
    }
}

@Suite("The times of a turn")
struct TurnTimesTests {
    /// What two observations and two ticks may leave open, in nanoseconds.
    private static let margin = 18_000_000

    private func expect(_ told: UInt64, _ true: Int, _ pattern: [(Part, Int)], _ name: Comment) {
        #expect(abs(Int(told) - `true` * 1_000) <= Self.margin, "\(name) of \(pattern)")
    }

    @Test(
        "are the kernel's own where the thread has to wait for its processor, and none of it was blocked",
        arguments: [(3_000, 3_000), (3_000, 6_000), (3_000, 9_000), (2_800, 8_400), (4_000, 12_000), (3_000, 12_000)])
    func competition(run: Int, queue: Int) {
        let thread = ScriptedThread([(.runs, run), (.isQueued, queue)], until: 1_100_000)
        let times = thread.times(of: 1_000_000)
        expect(times.starved, thread.time(.isQueued, from: 30_000, to: 1_000_000), [], "\(run) and \(queue)")
        expect(times.running, thread.time(.runs, from: 30_000, to: 1_000_000), [], "\(run) and \(queue)")
        #expect(times.blocked == 0 && times.waitingOn == nil)
    }

    @Test("stay within two observations of the truth, whatever the thread does, and add up")
    func patterns() {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<300 {
            let length = Int.random(in: 200...1_200, using: &generator) * 1_000
            let pattern: [(Part, Int)] = (0..<Int.random(in: 1...5, using: &generator)).flatMap { _ in
                let wait: Part = Bool.random(using: &generator) ? .isQueued : .waits
                return [
                    (.runs, Int.random(in: 500...15_000, using: &generator)),
                    (wait, Int.random(in: 200...50_000, using: &generator)),
                    (.isQueued, Int.random(in: 1...4_000, using: &generator)),
                ]
            }
            let thread = ScriptedThread(pattern, until: length + 100_000)
            let times = thread.times(of: length)
            expect(times.starved, thread.time(.isQueued, from: 30_000, to: length), pattern, "starved")
            expect(times.blocked, thread.time(.waits, from: 30_000, to: length), pattern, "blocked")
            expect(times.running, thread.time(.runs, from: 30_000, to: length), pattern, "running")
            let sum = times.running + times.blocked + times.starved + times.stopped + times.unknown
            #expect(sum == UInt64((length - 30_000) * 1_000), "\(pattern)")
        }
    }
}
