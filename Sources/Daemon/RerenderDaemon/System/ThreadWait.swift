// SPDX-License-Identifier: MIT
// A thread, its clocks, and its wait until a time or a wake-up.

internal import Glibc
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
