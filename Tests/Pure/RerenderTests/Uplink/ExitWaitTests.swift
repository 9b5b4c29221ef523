// SPDX-License-Identifier: MIT
import Testing

@testable import Rerender

@Suite("The wait at exit")
struct ExitWaitTests {
    @Test("is what the environment says in milliseconds, if that is sensible")
    func reads() {
        #expect(ExitWait.nanoseconds("5000") == 5_000_000_000)
        #expect(ExitWait.nanoseconds("60000") == 60_000_000_000)
        for text in [nil, "", "0", "-1", "60001", "1.5", "x", "99999999999999999999"] {
            #expect(ExitWait.nanoseconds(text) == StoreLimits.exitNanoseconds)
        }
    }
}
