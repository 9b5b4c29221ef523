// SPDX-License-Identifier: MIT
// When recordings are told of stores and the main loop, under a clock of the test's own.

import Testing

@testable import Rerender

@Suite("Telling recordings")
struct LoopTraceTests {
    private let second: UInt64 = 1_000_000_000

    @Test("nothing is due without a session, whatever is counted, and with one at once")
    func session() {
        var trace = LoopTrace()
        trace.changed()
        #expect(trace.dueAt(isRecorded: false) == nil && trace.dueAt(isRecorded: true) == 0)
    }

    @Test("what is counted is told a second later at most, and nothing wakes anybody when nothing is")
    func paced() {
        var trace = LoopTrace()
        _ = trace.told(at: 5 * second)
        #expect(trace.dueAt(isRecorded: true) == nil)
        trace.changed()
        trace.changed()
        #expect(trace.dueAt(isRecorded: true) == 6 * second)
        _ = trace.told(at: 6 * second)
        #expect(trace.dueAt(isRecorded: true) == nil)
    }

    @Test("other threads are told of each ten seconds, and at the end")
    func threads() {
        var trace = LoopTrace()
        #expect(trace.told(at: 1 * second) && !trace.told(at: 2 * second) && !trace.told(at: 10 * second))
        #expect(trace.told(at: 11 * second) && trace.told(at: 12 * second, isEnding: true))
    }
}
