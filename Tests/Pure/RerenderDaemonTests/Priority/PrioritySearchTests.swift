// SPDX-License-Identifier: MIT
import Foundation
import RerenderModel
import Synchronization
import TestSupport
import Testing

@testable import RerenderDaemon

@Suite("Priority for a thread")
struct PrioritySearchTests {
    private func obtain(_ system: FakePriorities, ownsProcess: Bool = true) -> ThreadPriority {
        PrioritySearch.obtain(from: system, ownsProcess: ownsProcess)
    }

    @Test("comes from RLIMIT_RTPRIO first, within it and at most 10", arguments: [(1, 1), (7, 7), (10, 10), (99, 10)])
    func limit(limit: Int, priority: Int) {
        let system = FakePriorities { $0.realtimeLimit = limit }
        #expect(obtain(system) == ThreadPriority(way: .limit, realtimePriority: priority))
        #expect(system.asked == ["runtime 200000", "realtime \(priority)"])
    }

    @Test("is no real-time priority where its run time cannot be bounded")
    func unbounded() {
        let system = FakePriorities {
            $0.realtimeLimit = 10
            $0.refusals = ["runtime 200000"]
        }
        let priority = obtain(system)
        #expect(priority.realtimePriority == 0 && !system.asked.contains("realtime 10"))
        #expect(priority.hindrance.contains("RLIMIT_RTTIME cannot be set: refused"))
    }

    @Test("comes from rtkit next, which wants the run time limited before")
    func kit() {
        let system = FakePriorities {
            $0.kit = .success(RealtimeKitLimits(runtimeMicroseconds: 150, priority: 4, nice: -15))
        }
        #expect(obtain(system) == ThreadPriority(way: .rtkit, realtimePriority: 4))
        #expect(
            system.asked == ["runtime 200000", "realtime 10", "connect", "limits", "runtime 150", "kit realtime 4"])
    }

    @Test("is a nice value of rtkit where it refuses more, within its limit")
    func kitNice() {
        let system = FakePriorities {
            $0.kit = .success(RealtimeKitLimits(runtimeMicroseconds: 900_000, priority: 20, nice: -5))
            $0.refusals = ["kit realtime 10"]
        }
        let priority = obtain(system)
        #expect(priority.way == .rtkit && priority.realtimePriority == 0 && priority.nice == -5)
        #expect(
            priority.hindrance.contains("RLIMIT_RTPRIO is 0; rtkit: refused. ")
                && system.asked.contains("runtime 200000"))
    }

    @Test("is a nice value where rtkit is missing and the limit allows one", arguments: [(-3, -3), (-20, -10)])
    func nice(limit: Int, value: Int) {
        let system = FakePriorities {
            $0.niceLimit = limit
            $0.refusals = limit > -10 ? ["nice -10"] : []
        }
        let priority = obtain(system)
        #expect(priority.way == .nice && priority.nice == value && priority.realtimePriority == 0)
        #expect(priority.hindrance.contains("rtkit: no bus") && priority.hindrance.contains("LimitRTPRIO=10"))
    }

    @Test("is none where nothing allows it, with everything that stood in the way and what to do")
    func none() {
        let priority = obtain(FakePriorities { $0.refusals = ["nice -10"] })
        #expect(priority.way == .none && priority.realtimePriority == 0 && priority.nice == 0)
        #expect(
            priority.hindrance
                == "RLIMIT_RTPRIO is 0; rtkit: no bus; RLIMIT_NICE allows no better nice value. "
                + ThreadPriority.advice)
    }

    @Test("is not what was granted but what the kernel has set")
    func readBack() {
        let system = FakePriorities {
            $0.realtimeLimit = 10
            $0.kit = .success(RealtimeKitLimits(runtimeMicroseconds: 200_000, priority: 20, nice: -15))
            $0.isPowerless = true
        }
        let priority = obtain(system)
        #expect(priority.way == .none)
        #expect(priority.hindrance.contains("the kernel set no real-time priority"))
        #expect(priority.hindrance.contains("it answered, and the thread has no real-time priority"))
    }

    @Test("inside another program is not asked of rtkit, whose limit all children would inherit")
    func embedded() {
        let system = FakePriorities {
            $0.kit = .success(RealtimeKitLimits(runtimeMicroseconds: 200_000, priority: 20, nice: -15))
            $0.refusals = ["nice -10"]
        }
        #expect(obtain(system, ownsProcess: false).way == .none)
        #expect(system.asked == ["realtime 10", "nice -10"])
    }

    @Test("goes into the daemon's report as it is")
    func report() {
        var report = HealthReport.Watchdog()
        ThreadPriority(way: .rtkit, realtimePriority: 4, nice: 0, hindrance: "x").write(into: &report)
        #expect(
            report.priority == "rtkit" && report.realtimePriority == 4 && report.nice == 0 && report.hindrance == "x")
    }
}

/// A system that grants what it is told to.
private final class FakePriorities: PrioritySystem, RealtimeKit {
    var scheduling = Scheduling()
    var realtimeLimit = 0
    var niceLimit = 0
    var kit: Result<RealtimeKitLimits, SystemRefusal> = .failure(SystemRefusal(text: "no bus"))
    /// What is refused, as in ``asked``.
    var refusals: Set<String> = []
    /// Says yes and does nothing.
    var isPowerless = false
    private(set) var asked: [String] = []

    init(_ change: (FakePriorities) -> Void) { change(self) }

    private func ask(_ what: String) throws(SystemRefusal) {
        asked.append(what)
        if refusals.contains(what) { throw SystemRefusal(text: "refused") }
    }

    func setRealtime(_ priority: Int) throws(SystemRefusal) {
        try ask("realtime \(priority)")
        guard realtimeLimit > 0 else { throw SystemRefusal(text: "Operation not permitted") }
        if !isPowerless { scheduling.realtimePriority = priority }
    }
    func setNice(_ value: Int) throws(SystemRefusal) {
        try ask("nice \(value)")
        if !isPowerless { scheduling.nice = value }
    }
    func limitRuntime(microseconds: Int64) throws(SystemRefusal) { try ask("runtime \(microseconds)") }
    func connectKit() throws(SystemRefusal) -> FakePriorities {
        try ask("connect")
        _ = try kit.get()
        return self
    }
    func limits() throws(SystemRefusal) -> RealtimeKitLimits {
        try ask("limits")
        return try kit.get()
    }
    func makeRealtime(_ priority: Int) throws(SystemRefusal) {
        try ask("kit realtime \(priority)")
        if !isPowerless { scheduling.realtimePriority = priority }
    }
    func makeHighPriority(_ nice: Int) throws(SystemRefusal) {
        try ask("kit nice \(nice)")
        if !isPowerless { scheduling.nice = nice }
    }
}
