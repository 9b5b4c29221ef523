// SPDX-License-Identifier: MIT
import Foundation
import RerenderModel
@testable import RerenderShow
@testable import RerenderTool
import TestSupport
import Testing
@testable import ToolSupport

@Suite("What the daemon forgot while a command ran")
struct DaemonMemoryTests {
    private func health(forgotten: UInt64, startedAt: Int64 = 5) -> HealthReport {
        var health = HealthReport()
        health.startedAt = Timestamp(nanosecondsSince1970: startedAt)
        health.forgottenProcesses = forgotten
        return health
    }

    private func forgotten(before: HealthReport?, _ known: [Int32], now: HealthReport, _ left: [Int32]) -> UInt64 {
        let memory = DaemonMemory(before, known.map { Sample.store(pid: $0) })
        return memory.forgotten(now: now, left.map { Sample.store(pid: $0) })
    }

    @Test("is what it forgot since, without the processes that it knew before")
    func counting() {
        let before = health(forgotten: 3)
        #expect(forgotten(before: before, [1, 2], now: health(forgotten: 3), [1, 2, 7]) == 0)
        #expect(forgotten(before: before, [1, 2], now: health(forgotten: 5), [7]) == 0)
        #expect(forgotten(before: before, [1, 2], now: health(forgotten: 8), [2, 7]) == 4)
        #expect(forgotten(before: nil, [], now: health(forgotten: 2), []) == 2)
    }

    @Test("of a daemon that was started anew meanwhile is all that the new one forgot")
    func anotherDaemon() {
        let now = health(forgotten: 2, startedAt: 6)
        #expect(forgotten(before: health(forgotten: 9), [1, 2], now: now, []) == 2)
    }

    @Test("is a gap in what was counted, as are evaluations that came too late")
    func gaps() {
        let export = Sample.export([])
        #expect(RunHost.Harvest(export: export, health: nil, isComplete: true).gaps.isEmpty)
        let gaps = RunHost.Harvest(export: export, health: nil, isComplete: false, forgotten: 1).gaps
        #expect(gaps.count == 2)
        #expect(gaps.last == "the daemon dropped 1 process that ended meanwhile: some of the command's may be missing")
    }
}
