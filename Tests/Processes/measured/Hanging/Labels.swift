// SPDX-License-Identifier: MIT
// Waits whose words are known: the process itself says what is to be said of it, by numbers that it got from the system.

import CRerender
import Dispatch
import Foundation
import Synchronization

/// Says the words and then waits in that way for ever, until the process is killed.
func label(_ kind: String) {
    guard let wait = Labels.all[kind] else { return say("unknown kind: \(kind)") }
    say("ready")
    wait()
}

func expects(_ words: String) { say(words) }

enum Labels {
    nonisolated(unsafe) static let all = [threads, files, polls, others].reduce(into: [:]) { all, labels in
        all.merge(labels) { _, _ in preconditionFailure("two labels have one name") }
    }
}

extension Labels {
    /// Waits for time, children, debuggers and memory.
    nonisolated(unsafe) static let others: [String: () -> Void] = [
        "runs": {
            expects("runs")
            while true { sum &+= 1 }
        },
        "sleep": {
            expects("sleeps for 30000 ms")
            sleep(30)
        },
        "usleep": {
            expects("sleeps for 20000 ms")
            usleep(20_000_000)
        },
        "child": {
            let child = spawn("sleep", "30")
            expects("waits for child sleep[\(child)]")
            var status: Int32 = 0
            waitpid(child, &status, 0)
        },
        "any-child": {
            _ = spawn("sleep", "30")
            expects("waits for any child")
            var status: Int32 = 0
            waitpid(-1, &status, 0)
        },
        "debugger": {
            nonisolated(unsafe) let mutex = makeMutex()
            let other = onThread("spins") {
                pthread_mutex_lock(mutex)
            } then: {
                while true { sum &+= 1 }
            }
            other.goOn.signal()
            let words = isStopped(other.id) ? "is stopped by a debugger" : "runs"
            expects("waits for a mutex that thread spins[\(other.id)] holds, which \(words)")
            pthread_mutex_lock(mutex)
        },
        "restarted": {
            // A process that has ended and is not waited for takes signals, too.
            let lives = "grep -q '^State:.[^Z]' /proc/\(getpid())/status"
            _ = spawn(
                "sh", "-c",
                "while sleep 0.2 && \(lives) && kill -STOP \(getpid()) && kill -CONT \(getpid()); do :; done")
            // The kernel tells the call no more, only that it goes on with one.
            expects("is in restart_syscall")
            sleep(30)
        },
        "pause": {
            expects("waits for a signal")
            pause()
        },
        "thread": {
            hangOnThread {
                expects("sleeps for 30000 ms")
                sleep(30)
            }
        },
        "page-faults": {
            var path = Array("/var/tmp/hanging-XXXXXX".utf8CString)
            let file = mkstemp(&path)
            unlink(path)
            let bytes = [UInt8](repeating: 7, count: 1 << 20)
            for _ in 0..<64 { write(file, bytes, bytes.count) }
            fsync(file)
            let size = 64 << 20
            guard let memory = mmap(nil, size, PROT_READ, MAP_SHARED, file, 0) else { return }
            madvise(memory, size, Int32(MADV_RANDOM))
            expects("waits for major page faults")
            while true {
                // The kernel drops what it has of the file, so that each page is read from the disk anew.
                madvise(memory, size, Int32(MADV_DONTNEED))
                posix_fadvise(file, 0, off_t(size), Int32(POSIX_FADV_DONTNEED))
                for page in 0..<size / 4_096 {
                    sum &+= UInt64(memory.load(fromByteOffset: page * 4_096, as: UInt8.self))
                }
            }
        },
    ]
}
