// SPDX-License-Identifier: MIT
// Waits for what other threads hold or do.

import CRerender
import Dispatch
import Foundation
import Synchronization

extension Labels {
    /// Waits for mutexes, conditions, queues and threads.
    nonisolated(unsafe) static let threads: [String: () -> Void] = [
        "mutex-read": {
            lockedMutex { holder in
                let ends = openPipe()
                holder("reads from pipe \(ends[0]), whose writer is this process") {
                    var byte: UInt8 = 0
                    read(ends[0], &byte, 1)
                }
            }
        },
        "mutex-sleep": { lockedMutex { holder in holder("sleeps for 30000 ms") { sleep(30) } } },
        "mutex-child": {
            lockedMutex { holder in
                let child = spawn("sleep", "30")
                holder("waits for child sleep[\(child)]") {
                    var status: Int32 = 0
                    waitpid(child, &status, 0)
                }
            }
        },
        "mutex-runs": { lockedMutex { holder in holder("runs") { while true { sum &+= 1 } } } },
        "mutex-itself": {
            let mutex = makeMutex()
            pthread_mutex_lock(mutex)
            expects("waits for a mutex that it holds itself (a deadlock)")
            pthread_mutex_lock(mutex)
        },
        "deadlock": {
            nonisolated(unsafe) let (first, second) = (makeMutex(), makeMutex())
            let other = onThread("other") {
                pthread_mutex_lock(second)
            } then: {
                pthread_mutex_lock(first)
            }
            pthread_mutex_lock(first)
            other.goOn.signal()
            let own = threadName(getpid())
            expects(
                "waits for a mutex that thread other[\(other.id)] holds, which waits for a mutex that thread "
                    + "\(own)[\(getpid())] holds (a deadlock)")
            pthread_mutex_lock(second)
        },
        "swift-mutex": {
            let other = onThread("swift-holder") {
            } then: {
                lock.withLock { _ in
                    swiftMutexIsHeld.store(true, ordering: .releasing)
                    sleep(30)
                }
            }
            other.goOn.signal()
            while !swiftMutexIsHeld.load(ordering: .acquiring) { usleep(100) }
            expects("waits for a mutex that thread swift-holder[\(other.id)] holds, which sleeps for 30000 ms")
            lock.withLock { _ in }
        },
        "condition": {
            let (mutex, condition) = (makeMutex(), UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1))
            pthread_cond_init(condition, nil)
            pthread_mutex_lock(mutex)
            expects("waits for a condition variable")
            pthread_cond_wait(condition, mutex)
        },
        "semaphore": {
            let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
            sem_init(semaphore, 0, 0)
            // It waits in a static function of the C library, which only Debian's package with its debug information names.
            let isNamed = access("/usr/share/doc/libc6-dbg", F_OK) == 0
            expects(isNamed ? "waits for a semaphore" : "waits in futex; the holder is not known")
            sem_wait(semaphore)
        },
        "rwlock": {
            let lock = UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1)
            pthread_rwlock_init(lock, nil)
            pthread_rwlock_wrlock(lock)
            nonisolated(unsafe) let shared = lock
            hangOnThread {
                expects("waits for a read-write lock; the holder is not known")
                pthread_rwlock_rdlock(shared)
            }
        },
        "barrier": {
            let barrier = UnsafeMutablePointer<pthread_barrier_t>.allocate(capacity: 1)
            pthread_barrier_init(barrier, nil, 2)
            expects("waits for other threads at a barrier")
            pthread_barrier_wait(barrier)
        },
        "join": {
            let other = onThread("worker") {
            } then: {
                sleep(30)
            }
            other.goOn.signal()
            expects("waits for thread worker[\(other.id)] to end, which sleeps for 30000 ms")
            pthread_join(other.thread, nil)
        },
        "dispatch-semaphore": {
            expects("waits for a semaphore of libdispatch")
            DispatchSemaphore(value: 0).wait()
        },
        "dispatch-group": {
            let group = DispatchGroup()
            group.enter()
            expects("waits for a group of libdispatch; what it waits for is not known")
            group.wait()
        },
        "dispatch-queue": {
            let queue = DispatchQueue(label: "queue")
            queue.async { sleep(30) }
            expects("waits for a queue of libdispatch; what that runs is not known")
            queue.sync {}
        },
        "queue-own-block": {
            // It runs the block itself.
            expects("waits for a semaphore of libdispatch")
            let queue = DispatchQueue(label: "queue", attributes: .concurrent)
            queue.sync { DispatchSemaphore(value: 0).wait() }
        },
        "once-own": {
            expects("reads from pipe \(readEnd), whose writer is this process")
            _ = Once.value
        },
        "once-own-word": {
            expects("waits in futex; the holder is not known")
            _ = Once.word
        },
        "word-of-owner": {
            let other = onThread("owner") {
            } then: {
                sleep(30)
            }
            other.goOn.signal()
            let word = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
            word.initialize(to: other.id)
            expects("waits in futex; the holder is not known")
            futexWait(word, other.id)
        },
        "odd-name": {
            nonisolated(unsafe) let mutex = makeMutex()
            let other = onThread("a] holds\u{202E}") {
                pthread_mutex_lock(mutex)
            } then: {
                sleep(30)
            }
            other.goOn.signal()
            expects(
                "waits for a mutex that thread \"a] holds\\u{202e}\"[\(other.id)] holds, which sleeps for 30000 ms")
            pthread_mutex_lock(mutex)
        },
        "shared-mutex": {
            let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
            var attributes = pthread_mutexattr_t()
            pthread_mutexattr_init(&attributes)
            pthread_mutexattr_setpshared(&attributes, Int32(PTHREAD_PROCESS_SHARED))
            pthread_mutex_init(mutex, &attributes)
            nonisolated(unsafe) let shared = mutex
            _ = onThread("holder") {
                pthread_mutex_lock(shared)
            } then: {
            }
            expects("waits for a mutex; the holder is not known")
            pthread_mutex_lock(mutex)
        },
        // Two threads take a mutex in turn for ever: neither ever holds itself up, nor sleeps for long.
        "turns": {
            nonisolated(unsafe) let mutex = makeMutex()
            let other = onThread("turns") {
            } then: {
                while true {
                    pthread_mutex_lock(mutex)
                    usleep(300)
                    pthread_mutex_unlock(mutex)
                    usleep(20)
                }
            }
            other.goOn.signal()
            expects("turns")
            while true {
                pthread_mutex_lock(mutex)
                usleep(300)
                pthread_mutex_unlock(mutex)
                usleep(10)
            }
        },
    ]
}

let swiftMutexIsHeld = Atomic<Bool>(false)
