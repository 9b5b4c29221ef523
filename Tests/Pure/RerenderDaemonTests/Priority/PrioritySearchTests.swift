// SPDX-License-Identifier: MIT
import RerenderModel
import Testing

@testable import RerenderDaemon

@Suite("Priority for a thread")
struct PrioritySearchTests {
    @Test("goes into the daemon's report as it is")
    func report() {
        var report = HealthReport.Watchdog()
        ThreadPriority(way: .rtkit, realtimePriority: 4, hindrance: "x").write(into: &report)
        #expect(report.priority == "rtkit" && report.realtimePriority == 4 && report.hindrance == "x")
    }
}
