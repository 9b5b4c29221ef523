// SPDX-License-Identifier: MIT
// Tries the ways to obtain priority in order, and records why each failed. The system is a protocol here.

import RerenderModel

/// One search for priority, of the thread that it runs on.
struct PrioritySearch<System: PrioritySystem> {
    let system: System
    /// Whether RLIMIT_RTTIME may be set. Programs that this process starts inherit it, and are killed by it if they have
    /// real-time threads: only a process that starts none may.
    let ownsProcess: Bool
    /// What stood in the way so far.
    private var hindrances: [String] = []

    /// The best that can be had, set.
    static func obtain(from system: System, ownsProcess: Bool) -> ThreadPriority {
        var search = PrioritySearch(system: system, ownsProcess: ownsProcess)
        return search.byLimit() ?? search.byKit() ?? search.byNice() ?? search.outcome(.none)
    }

    private mutating func byLimit() -> ThreadPriority? {
        let limit = system.realtimeLimit
        // Without a limit it works with a capability alone, and costs one system call to find out.
        let wanted = limit > 0 ? min(limit, PriorityLimits.realtime) : PriorityLimits.realtime
        // A thread that runs away with real-time priority leaves nothing for others, on one processor nothing at all.
        guard isBounded() else { return nil }
        do throws(SystemRefusal) {
            try system.setRealtime(wanted)
            if system.scheduling.realtimePriority > 0 { return outcome(.limit) }
            hindrances.append("the kernel set no real-time priority")
        } catch {
            hindrances.append(
                limit > 0 ? "RLIMIT_RTPRIO is \(limit), and the kernel refused: \(error.text)" : "RLIMIT_RTPRIO is 0")
        }
        return nil
    }

    /// Bounds the run time where the process is ours; another one's has only the kernel's bound for all real-time threads.
    private mutating func isBounded() -> Bool {
        guard ownsProcess else { return true }
        do throws(SystemRefusal) {
            try system.limitRuntime(microseconds: PriorityLimits.runtimeMicroseconds)
            return true
        } catch {
            hindrances.append("RLIMIT_RTTIME cannot be set: \(error.text)")
            return false
        }
    }

    private mutating func byKit() -> ThreadPriority? {
        guard ownsProcess else {
            hindrances.append("rtkit is not asked by a daemon inside another program")
            return nil
        }
        do throws(SystemRefusal) {
            let kit = try system.connectKit()
            let limits = try kit.limits()
            do throws(SystemRefusal) {
                try realtime(kit, limits)
                return outcome(.rtkit)
            } catch {
                hindrances.append("rtkit: \(error.text)")
            }
            try kit.makeHighPriority(max(limits.nice, PriorityLimits.nice))
            if system.scheduling.nice < 0 { return outcome(.rtkit) }
        } catch {
            let text = "rtkit: \(error.text)"
            if hindrances.last != text { hindrances.append(text) }
        }
        return nil
    }

    private func realtime(_ kit: System.Kit, _ limits: RealtimeKitLimits) throws(SystemRefusal) {
        guard limits.priority > 0, limits.runtimeMicroseconds > 0 else {
            throw SystemRefusal(text: "it grants no real-time priority")
        }
        try system.limitRuntime(microseconds: min(limits.runtimeMicroseconds, PriorityLimits.runtimeMicroseconds))
        try kit.makeRealtime(min(limits.priority, PriorityLimits.realtime))
        guard system.scheduling.realtimePriority > 0 else {
            throw SystemRefusal(text: "it answered, and the thread has no real-time priority")
        }
    }

    private mutating func byNice() -> ThreadPriority? {
        let limit = system.niceLimit
        // One that is better than ours already is kept; then without a limit, which works with a capability.
        guard system.scheduling.nice > PriorityLimits.nice else { return outcome(.nice) }
        for value in [PriorityLimits.nice, max(limit, PriorityLimits.nice)] where value < system.scheduling.nice {
            guard (try? system.setNice(value)) != nil else { continue }
            if system.scheduling.nice == value { return outcome(.nice) }
        }
        hindrances.append("RLIMIT_NICE allows no better nice value")
        return nil
    }

    private func outcome(_ way: ThreadPriority.Way) -> ThreadPriority {
        let scheduling = system.scheduling
        let isRealtime = scheduling.realtimePriority > 0
        return ThreadPriority(
            way: way, realtimePriority: scheduling.realtimePriority, nice: way == .none ? 0 : scheduling.nice,
            hindrance: isRealtime ? "" : hindrances.joined(separator: "; ") + ". " + ThreadPriority.advice)
    }
}

/// How much priority is asked for.
enum PriorityLimits {
    /// Above ordinary threads and below what sound servers take (rtkit grants 20), which must not wait for us.
    static let realtime = 10
    /// What PipeWire asks for, rounded; better than all programs of a desktop.
    static let nice = -10
    /// rtkit's own maximum. One poll of all flight pages takes a hundredth of it.
    static let runtimeMicroseconds: Int64 = 200_000
    /// How long the bus and rtkit may take for everything: the thread that asks has nothing to watch until then.
    static let busMilliseconds: UInt64 = 1_000
}

/// What rtkit grants at most.
struct RealtimeKitLimits: Hashable {
    /// How long a real-time thread may run without waiting, in microseconds; the process must limit itself to it.
    var runtimeMicroseconds: Int64
    var priority: Int
    /// The least, which is the best, nice value.
    var nice: Int
}

/// The calling thread's scheduling, by the kernel.
struct Scheduling: Hashable {
    var realtimePriority = 0
    var nice = 0
}

/// The system as far as the calling thread's priority depends on it; tests answer in its place.
protocol PrioritySystem {
    associatedtype Kit: RealtimeKit

    /// What is really set.
    var scheduling: Scheduling { get }
    /// RLIMIT_RTPRIO.
    var realtimeLimit: Int { get }
    /// The best nice value that RLIMIT_NICE allows.
    var niceLimit: Int { get }
    func setRealtime(_ priority: Int) throws(SystemRefusal)
    func setNice(_ value: Int) throws(SystemRefusal)
    /// Bounds how long real-time threads of this process run without waiting, and makes ours an ordinary one then.
    func limitRuntime(microseconds: Int64) throws(SystemRefusal)
    /// Connects to rtkit's bus.
    func connectKit() throws(SystemRefusal) -> Kit
}

/// The rtkit service, for the calling thread.
protocol RealtimeKit {
    func limits() throws(SystemRefusal) -> RealtimeKitLimits
    func makeRealtime(_ priority: Int) throws(SystemRefusal)
    func makeHighPriority(_ nice: Int) throws(SystemRefusal)
}
