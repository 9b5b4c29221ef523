// SPDX-License-Identifier: MIT
// Hangs that end by themselves after 600 ms, in one call that signals would end early.

import CAllocationCount
import CRerender
import Foundation
import Synchronization

let hangMilliseconds: Int32 = 600
/// When the hang began.
let began = Atomic<UInt64>(0)

/// Hangs once it may begin; says how long it took and what the call said.
@inline(never)
func timed(_ kind: String) {
    guard let prepared = Wait(kind) else { return say("unknown kind: \(kind)") }
    say("ready")
    while !mayBegin.load(ordering: .relaxed) { usleep(100) }
    let start = monotonic()
    began.store(start, ordering: .relaxed)
    let result = prepared.hangHere()
    let milliseconds = (monotonic() - start) / 1_000_000
    isOver.store(true, ordering: .relaxed)
    while !isSaid.load(ordering: .relaxed) { usleep(100) }
    say("\(result) \(milliseconds)")
}

/// One way to wait, with what it needs.
struct Wait {
    let kind: String
    var descriptor: Int32 = -1
    let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    init?(_ kind: String) {
        self.kind = kind
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(condition, nil)
        switch kind {
        case "usleep", "nanosleep", "poll", "select", "pselect", "waitpid", "spin600", "timedwait", "semaphore": break
        case "pipe", "recv":
            var ends: [Int32] = [0, 0]
            if kind == "pipe" { pipe(&ends) } else { socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) }
            descriptor = ends[0]
            let other = ends[1]
            Self.later { write(other, "x", 1) }
        case "mutex":
            let (mutex, isHeld) = (Shared(mutex), DispatchSemaphore(value: 0))
            Thread.detachNewThread {
                pthread_mutex_lock(mutex.value)
                isHeld.signal()
                Self.waitToBegin()
                pthread_mutex_unlock(mutex.value)
            }
            isHeld.wait()
        case "condition":
            let (mutex, condition) = (Shared(mutex), Shared(condition))
            Self.later {
                pthread_mutex_lock(mutex.value)
                pthread_cond_signal(condition.value)
                pthread_mutex_unlock(mutex.value)
            }
        case "fsync":
            var path = Array("/var/tmp/hanging-XXXXXX".utf8CString)
            descriptor = mkstemp(&path)
            unlink(path)
        default: return nil
        }
    }

    private struct Shared<Value>: @unchecked Sendable {
        let value: UnsafeMutablePointer<Value>
        init(_ value: UnsafeMutablePointer<Value>) { self.value = value }
    }

    private static func waitToBegin() {
        while began.load(ordering: .relaxed) == 0 { usleep(100) }
        let end = began.load(ordering: .relaxed) + UInt64(hangMilliseconds) * 1_000_000
        while monotonic() < end { usleep(1_000) }
    }

    private static func later(_ work: @escaping @Sendable () -> Void) {
        Thread.detachNewThread {
            waitToBegin()
            work()
        }
    }

    /// Returns what the call said, and `errno` where it failed.
    @inline(never)
    func hangHere() -> String {
        errno = 0
        let milliseconds = hangMilliseconds
        switch kind {
        case "usleep": return answer(usleep(UInt32(milliseconds) * 1_000))
        case "nanosleep":
            var time = timespec(tv_sec: 0, tv_nsec: Int(milliseconds) * 1_000_000)
            return answer(nanosleep(&time, nil))
        case "poll": return answer(poll(nil, 0, milliseconds))
        case "select":
            var time = timeval(tv_sec: 0, tv_usec: Int(milliseconds) * 1_000)
            return answer(select(0, nil, nil, nil, &time))
        case "pselect":
            var time = timespec(tv_sec: 0, tv_nsec: Int(milliseconds) * 1_000_000)
            return answer(pselect(0, nil, nil, nil, &time, nil))
        case "waitpid":
            var child: pid_t = 0
            var arguments = [strdup("sleep"), strdup("0.6"), nil]
            posix_spawnp(&child, "sleep", nil, nil, &arguments, environ)
            var status: Int32 = 0
            return answer(waitpid(child, &status, 0) == child ? 0 : -1)
        case "pipe", "recv":
            var byte: UInt8 = 0
            let count = kind == "pipe" ? read(descriptor, &byte, 1) : recv(descriptor, &byte, 1, 0)
            return answer(count == 1 ? 0 : -1)
        case "mutex": return answer(pthread_mutex_lock(mutex))
        case "condition":
            pthread_mutex_lock(mutex)
            return answer(pthread_cond_wait(condition, mutex))
        case "timedwait", "semaphore":
            var until = timespec()
            clock_gettime(CLOCK_REALTIME, &until)
            let nanoseconds = until.tv_nsec + Int(milliseconds) * 1_000_000
            (until.tv_sec, until.tv_nsec) = (
                until.tv_sec + nanoseconds / 1_000_000_000, nanoseconds % 1_000_000_000
            )
            if kind == "semaphore" {
                var semaphore = sem_t()
                sem_init(&semaphore, 0, 0)
                return answer(sem_timedwait(&semaphore, &until) == -1 && errno == ETIMEDOUT ? 0 : -1)
            }
            pthread_mutex_lock(mutex)
            return answer(pthread_cond_timedwait(condition, mutex, &until) == ETIMEDOUT ? 0 : -1)
        case "fsync":
            let end = monotonic() + UInt64(milliseconds) * 1_000_000
            let bytes = [UInt8](repeating: 7, count: 1 << 20)
            while monotonic() < end {
                _ = write(descriptor, bytes, bytes.count)
                if fsync(descriptor) != 0 { return answer(-1) }
            }
            return answer(0)
        default:
            let end = monotonic() + UInt64(milliseconds) * 1_000_000
            while monotonic() < end { sum &+= 1 }
            return answer(0)
        }
    }

    private func answer(_ result: Int32) -> String { "\(kind) \(result) \(result == 0 ? 0 : errno)" }
}

/// Short runs and short waits in turn until it is over. Returns how many waits there were, how many of them a signal ended,
/// and how many were too short.
@inline(never)
func mixed() -> String {
    var (waits, interrupted, short) = (0, 0, 0)
    var random = SystemRandomNumberGenerator()
    while !isOver.load(ordering: .relaxed) {
        let end = monotonic() + UInt64.random(in: 0..<200_000, using: &random)
        while monotonic() < end { sum &+= 1 }
        let start = monotonic()
        errno = 0
        switch waits % 4 {
        case 0: usleep(1_000)
        case 1: poll(nil, 0, 1)
        case 2:
            var time = timeval(tv_sec: 0, tv_usec: 1_000)
            select(0, nil, nil, nil, &time)
        default:
            var time = timespec(tv_sec: 0, tv_nsec: 1_000_000)
            nanosleep(&time, nil)
        }
        if errno == EINTR { interrupted += 1 }
        if monotonic() - start < 999_000 { short += 1 }
        waits += 1
    }
    return "\(waits) waits, \(interrupted) interrupted, \(short) short"
}
