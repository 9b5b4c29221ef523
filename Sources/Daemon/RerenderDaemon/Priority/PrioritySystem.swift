// SPDX-License-Identifier: MIT
// The system calls and services that priority depends on, as protocols.

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
