// SPDX-License-Identifier: MIT
// The lock of Python's interpreter in memory that is written byte by byte: who waits for it, and who has it.

import CRerender
import Testing

@testable import Rerender

@Suite("The lock of Python's interpreter")
struct PythonLockTests {
    /// An interpreter with the threads 7 and 8, and its lock.
    private struct LockedPython {
        var image: PythonImage
        let lock: UInt
        let thread: UInt

        /// Thread 8 has the lock, which has gone from thread to thread five times.
        init(_ version: UInt64) throws {
            var image = PythonImage(try #require(PythonFramesTests.layout(version)))
            let layout = image.layout, other = image.thread(0, number: 7)
            thread = image.thread(0, number: 8, next: other)
            let interpreter = image.allocate(8_192)
            image.put(interpreter, at: PythonImage.base + UInt(layout.interpreters))
            image.put(thread, at: interpreter + UInt(layout.threads))
            lock = layout.has_locks ? image.allocate(256) : PythonImage.base + UInt(layout.lock)
            if layout.has_locks { image.put(lock, at: interpreter + UInt(layout.lock)) }
            image.put(thread, at: lock + UInt(CRERENDER_LOCK_HOLDER))
            image.put(Int32(1), at: lock + UInt(CRERENDER_LOCK_TAKEN))
            image.put(UInt64(5), at: lock + UInt(CRERENDER_LOCK_SWITCHES))
            self.image = image
        }

        func lock(at address: UInt) -> UInt { image.read { crerender_python_lock($0, address) } }
        var holder: crerender_python_holder { image.read { crerender_python_find_holder($0, lock) } }
    }

    @Test("is waited for at any address in its condition, and at no other", arguments: PythonFramesTests.versions)
    func waits(version: UInt64) throws {
        var interpreter = try LockedPython(version)
        let lock = interpreter.lock
        #expect([32, 36, 72, 79].map { interpreter.lock(at: lock + $0) } == [lock, lock, lock, lock])
        #expect([lock, lock + 31, lock + 80, 0, 40, .max].allSatisfy { interpreter.lock(at: $0) == 0 })
        // The search through interpreters has an end.
        let layout = interpreter.image.layout
        guard layout.has_locks else { return }
        let first = PythonImage.base + UInt(layout.interpreters)
        interpreter.image.put(first - UInt(layout.next_interpreter), at: first)
        #expect(interpreter.lock(at: lock + 32) == 0)
    }

    @Test(
        "has the holder that its interpreters know, and none while no thread has it",
        arguments: PythonFramesTests.versions)
    func holders(version: UInt64) throws {
        let interpreter = try LockedPython(version)
        let (holder, lock, thread) = (interpreter.holder, interpreter.lock, interpreter.thread)
        #expect(holder.thread == thread && holder.number == 8 && holder.switches == 5)
        for taken: Int32 in [0, -1, 2] {
            var free = interpreter
            free.image.put(taken, at: lock + UInt(CRERENDER_LOCK_TAKEN))
            #expect(free.holder.thread == 0 && free.holder.number == 0, "\(taken)")
        }
        var other = interpreter
        let unlisted = other.image.thread(0, number: 9)
        for none in [0, 8, 0xDEAD_0000, unlisted] {
            other.image.put(none, at: lock + UInt(CRERENDER_LOCK_HOLDER))
            #expect(other.holder.thread == 0, "\(none)")
        }
        for number in [0, 1 << 31, .max] as [UInt] {
            var wrong = interpreter
            wrong.image.put(number, at: thread + UInt(wrong.image.layout.thread_number))
            #expect(wrong.holder.thread == 0, "\(number)")
        }
    }

    @Test("is not looked for in a build whose lock is another one: its functions are known nevertheless")
    func others() throws {
        for version in PythonFramesTests.versions.suffix(2) {
            let words = try #require(PythonFramesTests.offsets[version])
            let place = version >> 16 == 0x030E ? 15 : 14
            let changes: [(Int, UInt64)] = [(place, 1 << 40), (place + 3, words[place + 3] + 8), (place + 4, 0)]
            for (word, value) in changes {
                var wrong = words
                wrong[word] = value
                let layout = try #require(PythonFramesTests.layout(version, wrong))
                #expect(layout.lock == 0 && layout.threads == 7_344, "word \(word)")
            }
        }
    }

    @Test("is known by the functions that wait for it, of a version that is not known")
    func symbols() {
        let wait = ["__futex_abstimed_wait_common in libc.so.6", "pthread_cond_timedwait in libc.so.6"]
        let stack = wait + [" in python3.10", "PyEval_RestoreThread in python3.10", "PyGILState_Ensure in python3.10"]
        #expect(InterpreterLock.isAwaited(by: stack))
        #expect(InterpreterLock.isAwaited(by: wait + ["take_gil in libpython3.15.so.1.0"]))
        let others: [[String]] = [
            [" in python3.10", "_PyEval_EvalFrameDefault in python3.10"],
            ["wait_for_job in app", "PyEval_RestoreThread in python3.10"],
            Array(repeating: " in python3.10", count: 4) + ["PyEval_RestoreThread in python3.10"], [],
        ]
        for callers in others { #expect(!InterpreterLock.isAwaited(by: wait + callers), "\(callers)") }
        #expect(!InterpreterLock.isAwaited(by: Array(stack.dropFirst(2))) && !InterpreterLock.isAwaited(by: []))
    }
}
