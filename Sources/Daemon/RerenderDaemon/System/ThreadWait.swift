// SPDX-License-Identifier: MIT
// A thread, its clocks, and its wait until a time or a wake-up.

import CShared
import Glibc
package import RerenderModel
import Synchronization

/// Clocks in nanoseconds.
enum Clocks {
    static var monotonic: UInt64 { UInt64(max(0, read(CLOCK_MONOTONIC))) }
    /// A time of the monotonic clock by the real-time clock, if neither the machine has slept nor the clock was set since.
    static func realTime(of time: UInt64) -> Int64 { Int64(clamping: time) &+ ahead(CLOCK_REALTIME) }
    /// What the machine has slept, during which only the boot clock counts.
    static var bootAhead: UInt64 { UInt64(max(0, ahead(CLOCK_BOOTTIME))) }

    /// How far a clock is ahead of the monotonic one.
    ///
    /// Both are read once more if we were kept from running between the two, so that it is right to a microsecond or so.
    private static func ahead(_ clock: clockid_t) -> Int64 {
        var (ahead, least) = (Int64(0), UInt64.max)
        for _ in 0..<4 where least > 2_000 {
            let first = monotonic
            let other = read(clock)
            let took = monotonic.saturatingDifference(first)
            if took < least { (ahead, least) = (other &- Int64(clamping: first &+ took / 2), took) }
        }
        return ahead
    }

    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        // Proof: `clock_gettime` fills the value that it is given.
        unsafe clock_gettime(clock, &time)
        return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
}

/// A mutex and a condition on the monotonic clock. One thread waits; any may wake it.
///
/// A condition with a deadline is timer and wake-up in one call, without a descriptor. The timer is absolute, so the
/// cost of an observation does not delay the next one.
@safe final class ThreadWait: Sendable {
    // Proof: both are made once, never moved, and only used by the functions below, which any thread may call.
    private nonisolated(unsafe) let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private nonisolated(unsafe) let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    /// Changed and read only with the mutex held.
    private let isWoken = Atomic(false)

    init() {
        var attributes = pthread_condattr_t()
        // Proof: memory of the right size is handed to the functions that initialise it.
        unsafe pthread_condattr_init(&attributes)
        unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        unsafe pthread_cond_init(condition, &attributes)
        unsafe pthread_condattr_destroy(&attributes)
        unsafe pthread_mutex_init(mutex, nil)
    }

    deinit {
        // Proof: a thread that waits or wakes holds a reference, so there is none.
        unsafe pthread_cond_destroy(condition)
        unsafe pthread_mutex_destroy(mutex)
        unsafe condition.deallocate()
        unsafe mutex.deallocate()
    }

    /// Ends the wait that is under way, or the next one.
    func wake() {
        // Proof: initialised in `init`; locked and unlocked here.
        unsafe pthread_mutex_lock(mutex)
        isWoken.store(true, ordering: .relaxed)
        unsafe pthread_cond_signal(condition)
        unsafe pthread_mutex_unlock(mutex)
    }

    /// Waits until `deadline`, or without end; returns whether it was woken.
    func wait(until deadline: UInt64?) -> Bool {
        // Proof: as above; the condition is waited on with its mutex held.
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        while !isWoken.load(ordering: .relaxed) {
            if let deadline {
                var time = timespec(
                    tv_sec: Int(deadline / 1_000_000_000), tv_nsec: Int(deadline % 1_000_000_000))
                if unsafe pthread_cond_timedwait(condition, mutex, &time) == ETIMEDOUT { break }
            } else {
                unsafe pthread_cond_wait(condition, mutex)
            }
        }
        return isWoken.exchange(false, ordering: .relaxed)
    }
}

/// A thread that can be joined.
final class JoinableThread: Sendable {
    private let number: pthread_t

    private final class Body: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Starts a thread that tools show by `name`, of which the kernel keeps 15 bytes; nil if the system gives none.
    init?(name: String, _ body: @escaping @Sendable () -> Void) {
        var number = pthread_t()
        let named = Body {
            Self.nameThisThread(name)
            body()
        }
        let retained = unsafe Unmanaged.passRetained(named).toOpaque()
        // Proof: the reference passed is taken over by the thread, or released here if there is none.
        let result = unsafe pthread_create(
            &number, nil,
            { pointer in
                guard let pointer = unsafe pointer else { return nil }
                let body = unsafe Unmanaged<Body>.fromOpaque(pointer).takeRetainedValue()
                body.run()
                return nil
            }, retained)
        guard result == 0 else {
            unsafe Unmanaged<Body>.fromOpaque(retained).release()
            return nil
        }
        self.number = number
    }

    /// Names the calling thread, without `pthread_setname_np`, which the platform's module does not have. The kernel keeps 15 bytes.
    static func nameThisThread(_ name: String) {
        // Proof: the text lives while the call lasts; the descriptor is ours.
        let file = unsafe open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        _ = unsafe write(file, name, name.utf8.count)
        close(file)
    }

    /// Waits for its end. The thread was made joinable; to be called once.
    func join() {
        pthread_join(number, nil)
    }
}

// What the daemon does by functions that Glibc's module lacks: it waits for the end of a process, and gives back freed memory.

/// A descriptor that is readable once a process has ended: all of its threads, and whether its parent has waited for it or not.
///
/// A thousand of them are one question to the kernel. To read as much in `/proc` takes tens of milliseconds.
package final class ProcessEnd: Sendable {
    private let descriptor: Descriptor

    /// Nil where there is no such process, where the kernel or a sandbox gives no such descriptor, and where all descriptors are in use.
    ///
    /// - Parameter pid: The process's number as the kernel gave it; 0 is one of a foreign pid namespace.
    package init?(of pid: Int32) {
        guard pid > 0, let open = Self.open else { return nil }
        // The kernel closes it on `exec` without being told.
        let number = open(pid, 0)
        guard number >= 0 else { return nil }
        descriptor = Descriptor(owning: number)
    }

    package var number: CInt { descriptor.number }

    private typealias Open = @convention(c) (pid_t, UInt32) -> CInt

    /// `pidfd_open`, which Glibc's module does not have, and older C libraries neither.
    private static let open: Open? = {
        guard let symbol = unsafe dlsym(nil, "pidfd_open") else { return nil }
        // Safe: that is the function's type (pidfd_open(2)).
        return unsafe unsafeBitCast(symbol, to: Open.self)
    }()
}

/// What the C library does with freed memory. Elsewhere than in Glibc, all of this does nothing.
package enum FreedMemory {
    /// Has the process keep little of what it frees: large pieces go back to the kernel at once, and all threads share one heap.
    ///
    /// Without it, Glibc raises what it takes for large with each large piece that is freed, up to 32 MB. Such pieces then lie between
    /// small ones, and each thread's heap has gaps of its own. Before other threads are started.
    package static func keepLittle() {
        // M_MMAP_THRESHOLD, M_TRIM_THRESHOLD and M_ARENA_MAX of <malloc.h>. What is set is not raised any more.
        for (parameter, value): (CInt, CInt) in [(-3, 65_536), (-1, 131_072), (-8, 1)] {
            _ = option?(parameter, value)
        }
    }

    /// Gives the kernel the pages that were allocated and are free again, of all threads.
    ///
    /// Takes time with the size of the heap: 1 to 4 ms for 10 MB of small pieces. Any thread.
    static func giveBack() { _ = trim?(0) }

    private typealias Option = @convention(c) (CInt, CInt) -> CInt
    private typealias Trim = @convention(c) (Int) -> CInt

    // Glibc's module has neither. Safe: these are the functions' types (mallopt(3), malloc_trim(3)).
    private static let option: Option? = {
        guard let symbol = unsafe dlsym(nil, "mallopt") else { return nil }
        return unsafe unsafeBitCast(symbol, to: Option.self)
    }()
    private static let trim: Trim? = {
        guard let symbol = unsafe dlsym(nil, "malloc_trim") else { return nil }
        return unsafe unsafeBitCast(symbol, to: Trim.self)
    }()
}

// The priority that a thread obtained, how, and what prevented more; that of the watchdog's thread is kept for the health report.

/// The outcome of asking for real-time priority.
package struct ThreadPriority: Hashable, Codable, Sendable {
    /// Where priority came from.
    package enum Way: String, Hashable, Codable, Sendable, CaseIterable {
        /// The process may take it itself: by this limit, or by a capability.
        case limit = "RLIMIT_RTPRIO"
        /// The rtkit service gave it.
        case rtkit
        /// There is none.
        case none
    }

    package var way = Way.none
    /// The real-time priority; 0 if it has none.
    package var realtimePriority = 0
    /// What stood in the way of real-time priority and what to do, for people; empty if it was obtained.
    package var hindrance = ""

    /// Above ordinary threads and below what sound servers take (rtkit grants 20), which must not wait for us.
    private static let wanted: CInt = 10
    /// rtkit's own maximum. One poll of all flight pages takes a hundredth of it.
    private static let runtimeMicroseconds: Int64 = 200_000
    /// What a thread starts does not inherit its priority: SCHED_RESET_ON_FORK of sched(7), which Glibc's module lacks.
    private static let resetOnFork: CInt = 0x4000_0000

    /// Obtains real-time priority for the calling thread, and says what it has then.
    ///
    /// By RLIMIT_RTPRIO (or a capability), or else by rtkit. Blocks for seconds, where rtkit does not answer; so call it
    /// on the thread itself and never on an event loop. Threads and processes that the thread starts do not inherit it.
    ///
    /// - Parameter ownsProcess: Whether limits of the whole process may be set, which programs that it starts inherit. One that has
    ///   real-time threads of its own would be killed by them. Only then is the run time of real-time threads bounded (RLIMIT_RTTIME), and
    ///   rtkit asked, which demands that.
    package static func obtain(ownsProcess: Bool) -> ThreadPriority {
        // A thread that runs away with real-time priority leaves nothing for others, on one processor nothing at all. In another
        // program it has only the kernel's bound for all real-time threads.
        let bound = ownsProcess ? cmessagebus_limit_rttime(UInt64(runtimeMicroseconds)) : 0
        guard bound == 0 else { return refused("RLIMIT_RTTIME cannot be set: \(SystemRefusal(errno: bound).text)") }
        let limit = realtimeLimit
        // Without a limit it works with a capability alone, and costs one system call to find out.
        var parameters = sched_param(sched_priority: limit > 0 ? min(limit, wanted) : wanted)
        // Safe: the kernel reads the value that it is given.
        _ = unsafe sched_setscheduler(0, SCHED_RR | resetOnFork, &parameters)
        if kernelPriority > 0 { return ThreadPriority(way: .limit, realtimePriority: kernelPriority) }
        let byLimit = "RLIMIT_RTPRIO is \(limit)" + (limit > 0 ? ", and the kernel refused" : "")
        guard ownsProcess else { return refused("\(byLimit); rtkit is not asked by a daemon inside another program") }
        var fault = cmessagebus_fault()
        // Safe: `fault` outlives the call.
        let isGranted = unsafe cmessagebus_ask_rtkit(wanted, runtimeMicroseconds, &fault)
        if kernelPriority > 0 { return ThreadPriority(way: .rtkit, realtimePriority: kernelPriority) }
        let byKit = isGranted ? "it answered, and the thread has no real-time priority" : text(of: fault)
        return refused("\(byLimit); rtkit: \(byKit)")
    }

    private static func refused(_ hindrance: String) -> ThreadPriority {
        ThreadPriority(hindrance: hindrance + ". " + advice)
    }

    /// What the kernel has set for the calling thread; 0 for one that is not real-time.
    private static var kernelPriority: Int {
        var parameters = sched_param()
        // Safe: the kernel fills the value.
        _ = unsafe sched_getparam(0, &parameters)
        return Int(parameters.sched_priority)
    }

    private static var realtimeLimit: CInt {
        var limit = rlimit()
        // Safe: the kernel fills the value that it is given.
        _ = unsafe getrlimit(__rlimit_resource_t(__RLIMIT_RTPRIO.rawValue), &limit)
        return CInt(clamping: limit.rlim_cur)
    }

    private static func text(of fault: cmessagebus_fault) -> String {
        // The array is of bytes, and C ends the text with 0 in every case.
        let bytes = unsafe withUnsafeBytes(of: fault.text) { unsafe Array($0.prefix { $0 != 0 }) }
        return Printable.text(String(decoding: bytes, as: UTF8.self))
    }

    /// What the thread has now, where it may have lost what it obtained: the kernel's limit for real-time threads makes it
    /// an ordinary one.
    package var current: ThreadPriority {
        guard realtimePriority > 0, cmessagebus_was_demoted() else { return self }
        return ThreadPriority(
            hindrance: "it ran longer without waiting than RLIMIT_RTTIME allows, and is an ordinary thread since")
    }

    /// Puts it into the daemon's report.
    package func write(into report: inout HealthReport.Watchdog) {
        report.priority = way.rawValue
        report.realtimePriority = realtimePriority
        report.hindrance = hindrance
    }

    /// How a user gets real-time priority. The limit of the user's manager bounds that of its services.
    package static let advice =
        "Install rtkit; or put LimitRTPRIO=10 under [Service] in /etc/systemd/system/user@.service.d/rerender.conf, or "
        + "\"USER - rtprio 10\" in /etc/security/limits.d/rerender.conf for a daemon started in a terminal, and log out "
        + "and in again"
}

/// Keeps what the thread obtained.
package final class WatchdogPriority: Sendable {
    private let obtained = Mutex(ThreadPriority())

    /// Obtains it for the calling thread, which may take seconds: see ``ThreadPriority/obtain(ownsProcess:)``.
    func obtain(ownsProcess: Bool) {
        let priority = ThreadPriority.obtain(ownsProcess: ownsProcess)
        obtained.withLock { $0 = priority }
    }

    /// Says it in a report; before there is a thread, that it has none.
    func fill(_ report: inout HealthReport.Watchdog) { obtained.withLock { $0 }.current.write(into: &report) }
}
