// SPDX-License-Identifier: MIT
// A lock that Thread Sanitizer sees, in place of Synchronization's, whose futex calls it does not: without this, it takes
// all that locks guard for races. Only in builds with `-DRERENDER_TSAN`, which `Scripts/corpus` makes.

#if RERENDER_TSAN
    import Glibc

    /// `Synchronization.Mutex`, as far as it is used here.
    ///
    /// Proof of the unchecked and unsafe parts: the value is reached only between locking and unlocking, and both pointers
    /// are made with the mutex and freed with it, which nobody can do who still holds it.
    @safe
    struct Mutex<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
        private let lock: UnsafeMutablePointer<pthread_mutex_t>
        private let value: UnsafeMutablePointer<Value>

        init(_ value: consuming sending Value) {
            unsafe lock = .allocate(capacity: 1)
            unsafe self.value = .allocate(capacity: 1)
            unsafe self.value.initialize(to: value)
            _ = unsafe pthread_mutex_init(lock, nil)
        }

        deinit {
            _ = unsafe pthread_mutex_destroy(lock)
            unsafe value.deinitialize(count: 1)
            unsafe value.deallocate()
            unsafe lock.deallocate()
        }

        borrowing func withLock<Result: ~Copyable, Failure: Error>(
            _ body: (inout sending Value) throws(Failure) -> sending Result
        ) throws(Failure) -> sending Result {
            _ = unsafe pthread_mutex_lock(lock)
            defer { _ = unsafe pthread_mutex_unlock(lock) }
            return unsafe try body(&value.pointee)
        }
    }
#endif
