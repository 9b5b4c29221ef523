// SPDX-License-Identifier: MIT
// Times of calls that are inside of one another, as those of a framework's bodies, layouts and commits are.

import Testing

@testable import RerenderInject

private func work() {
    let start = ContinuousClock.now
    while ContinuousClock.now - start < .milliseconds(20) {}
}

@Suite("Times of calls inside of one another")
struct NestedTimesTests {
    /// What each of three calls took by itself, and what a clock around all of them says.
    private struct Times {
        let outer: UInt64
        let middle: UInt64
        let inner: UInt64
        let all: Duration
    }

    /// Measured once in a process, since the state is of the first thread that asks for it.
    private static let measured: Times? = {
        guard let state = SwiftCrossUIState.ofThisThread else { return nil }
        var middle: UInt64 = 0
        var inner: UInt64 = 0
        let start = ContinuousClock.now
        let outer = state.timed {
            middle = state.timed {
                inner = state.timed { work() }
            }
        }
        let all = ContinuousClock.now - start
        return Times(outer: outer, middle: middle, inner: inner, all: all)
    }()

    @Test("have no nanosecond in two calls, however deep the calls are")
    func depth() throws {
        let times = try #require(Self.measured)
        #expect(times.inner > 19_000_000)
        // Two clocks differ by less than half of the work, and a call that is counted twice adds all of it.
        let sum = Duration.nanoseconds(Int64(times.outer + times.middle + times.inner))
        #expect(sum < times.all + .milliseconds(10), "\(times)")
    }
}
