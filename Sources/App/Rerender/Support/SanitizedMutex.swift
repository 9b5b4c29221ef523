// SPDX-License-Identifier: MIT
// A mutex that Thread Sanitizer understands. It does not see the futex calls of Synchronization's, and would report
// races in everything that those guard. Only in builds with `-DRERENDER_TSAN`, which `Scripts/corpus` makes.

#if RERENDER_TSAN
    import Glibc

    /// Hides Synchronization's in this module, and in no other.
    typealias Mutex<Value: ~Copyable> = SanitizedMutex<Value>

    /// `Synchronization.Mutex`, as far as this package uses it in an app.
    ///
    /// Proof of the unchecked and unsafe parts: the value is reached only between locking and unlocking, and both pointers
    /// are made with the mutex and freed with it, which cannot happen while it is locked.
    @safe
    @_spi(Bridge)
    public struct SanitizedMutex<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
        private let lock: UnsafeMutablePointer<pthread_mutex_t>
        private let value: UnsafeMutablePointer<Value>

        /// A mutex around a value.
        public init(_ value: consuming sending Value) {
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

        /// Calls `body` with the value while no other thread has it.
        public borrowing func withLock<Result: ~Copyable, Failure: Error>(
            _ body: (inout sending Value) throws(Failure) -> sending Result
        ) throws(Failure) -> sending Result {
            _ = unsafe pthread_mutex_lock(lock)
            defer { _ = unsafe pthread_mutex_unlock(lock) }
            return unsafe try body(&value.pointee)
        }
    }
#endif
