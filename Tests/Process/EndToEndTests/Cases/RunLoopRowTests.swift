// SPDX-License-Identifier: MIT
// Timers and blocks of CoreFoundation's run loops are counted as a program counts them itself.

import RerenderModel
import TestSupport
import Testing

@Suite("Rows of CoreFoundation's main loop") struct RunLoopRowTests {
    @Test("are those of timers by function, of Foundation's timers by interval, and of blocks by function")
    func counts() async throws {
        let run = try await CaseRun([ChildProcess.product("loops"), "cfrunloop", "rows"], [])
        #expect(run.output == "timers=20 foundation=30 blocks=40\n")
        let rows = try #require(run.loop).rows.filter { $0.kind == .runLoop }
        func only(_ isMeant: (LoopRow) -> Bool) throws -> LoopRow {
            let meant = rows.filter(isMeant)
            try #require(meant.count == 1, "\(rows)")
            return meant[0]
        }
        let timer = try only { $0.numbers.interval == 3_000_000 }
        #expect(timer.numbers.count == 20 && timer.thread == nil, "\(timer)")
        let foundation = try only { $0.function == "a timer of Foundation (every 2 ms)" }
        #expect(foundation.numbers.count == 30 && foundation.numbers.interval == 2_000_000, "\(foundation)")
        let block = try only { $0.numbers.count == 40 }
        #expect(block.numbers.interval == 0 && block.function.contains("RunLoopCases"), "\(block)")
        #expect(rows.allSatisfy { $0.numbers.wall > 0 }, "\(rows)")
    }
}
