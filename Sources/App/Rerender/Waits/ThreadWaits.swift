// SPDX-License-Identifier: MIT
// What is known of a thread that waits: its system call, whether it has waited without a break, and its page faults.

/// A system call, by what it waits for.
enum WaitCall: Hashable, Sendable {
    /// From or to the descriptor in its first argument.
    case read, write, accept, connect
    /// For a file's data to be on disk, or another call on the descriptor in its first argument.
    case onFile(String)
    /// On the path in the argument of that number.
    case onPath(String, argument: Int)
    case poll, select, epoll
    case futex
    case wait4, waitid
    case sleep, clockSleep
    case fileLock, recordLock
    case signal
    /// Starts a process, and waits until it runs its program.
    case startsProcess
    case other(String)

    init?(_ number: Int64) {
        guard let call = Self.calls[number] else { return nil }
        self = call
    }

    #if arch(x86_64)
        private static let calls: [Int64: WaitCall] = [
            0: .read, 17: .read, 19: .read, 45: .read, 47: .read, 299: .read, 295: .read, 1: .write, 18: .write,
            20: .write, 44: .write, 46: .write, 307: .write, 296: .write, 43: .accept, 288: .accept, 42: .connect,
            74: .onFile("fsync"), 75: .onFile("fdatasync"), 306: .onFile("syncfs"), 277: .onFile("sync_file_range"),
            16: .onFile("ioctl"), 5: .onFile("fstat"), 217: .onFile("getdents64"),
            77: .onFile("ftruncate"), 285: .onFile("fallocate"), 40: .onFile("sendfile"),
            2: .onPath("open", argument: 0), 4: .onPath("stat", argument: 0), 6: .onPath("lstat", argument: 0),
            82: .onPath("rename", argument: 0), 87: .onPath("unlink", argument: 0),
            257: .onPath("open", argument: 1), 262: .onPath("stat", argument: 1), 332: .onPath("stat", argument: 1),
            263: .onPath("unlink", argument: 1), 316: .onPath("rename", argument: 1),
            7: .poll, 271: .poll, 23: .select, 270: .select, 232: .epoll, 281: .epoll, 441: .epoll, 202: .futex,
            61: .wait4, 247: .waitid, 35: .sleep, 230: .clockSleep, 73: .fileLock, 72: .recordLock, 34: .signal,
            128: .signal, 130: .signal, 56: .startsProcess, 58: .startsProcess, 435: .startsProcess,
            26: .other("msync"), 162: .other("sync"), 65: .other("semop"), 220: .other("semtimedop"),
            69: .other("msgsnd"), 70: .other("msgrcv"), 426: .other("io_uring_enter"), 449: .other("futex_waitv"),
            3: .other("close"), 219: .other("restart_syscall"), 9: .other("mmap"), 11: .other("munmap"),
            10: .other("mprotect"), 59: .other("execve"),
        ]
    #elseif arch(arm64)
        private static let calls: [Int64: WaitCall] = [
            63: .read, 65: .read, 67: .read, 207: .read, 212: .read, 243: .read, 64: .write, 66: .write, 68: .write,
            206: .write, 211: .write, 202: .accept, 242: .accept, 203: .connect, 82: .onFile("fsync"),
            83: .onFile("fdatasync"), 267: .onFile("syncfs"), 29: .onFile("ioctl"), 61: .onFile("getdents64"),
            56: .onPath("open", argument: 1), 79: .onPath("stat", argument: 1), 35: .onPath("unlink", argument: 1),
            73: .poll, 72: .select, 22: .epoll, 441: .epoll, 98: .futex, 260: .wait4, 95: .waitid, 101: .sleep,
            115: .clockSleep, 32: .fileLock, 25: .recordLock, 133: .signal, 137: .signal, 220: .startsProcess,
            435: .startsProcess, 57: .other("close"), 128: .other("restart_syscall"),
        ]
    #else
        private static let calls: [Int64: WaitCall] = [:]
    #endif
}

/// Threads that wait, each with the moment at which it was looked at.
///
/// A thread's wait is one thing and the memory that its arguments lead to is another, read later. The two belong together only
/// if the thread has not run in between. The kernel counts how often it has run.
final class SeenThreads {
    private struct Moment: Hashable {
        /// How long the thread has run, how long it has waited for a processor, and how often it got one.
        let runs: String
        /// The system call with its arguments.
        let call: String

        /// Kernels that do not count say 0.
        var isKnown: Bool { !runs.isEmpty && !runs.hasPrefix("0 0 0") }

        init(_ thread: Int32) {
            runs = ProcText.file("/proc/self/task/\(thread)/schedstat", limit: 128)
            call = ProcText.file("/proc/self/task/\(thread)/syscall", limit: 256)
        }
    }

    /// The lock of an interpreter that the first of them waits for, and who has it; nil where that is not known.
    var lock: InterpreterLock?
    private var moments: [Int32: Moment] = [:]
    private var hasMoved = false

    func look(at thread: Int32) { moments[thread] = Moment(thread) }
    func has(_ thread: Int32) -> Bool { moments[thread] != nil }
    /// Forgets a thread that runs.
    func forget(_ thread: Int32) { moments[thread] = nil }
    /// Something was seen to change.
    func noteMove() { hasMoved = true }

    /// Whether all that was read since is of one moment.
    var areUnmoved: Bool {
        !hasMoved && moments.allSatisfy { $0.value.isKnown && Moment($0.key) == $0.value }
    }
}

/// How many major page faults a thread has had.
struct MajorFaults: Hashable {
    let thread: Int32
    /// Nil if that is not known.
    let count: UInt64?

    init(of thread: Int32) {
        self.thread = thread
        let fields = ProcText.stat(ofThread: thread)
        count = fields.count > 9 ? UInt64(fields[9]) : nil
    }

    func isMore(than earlier: MajorFaults?) -> Bool {
        guard let earlier, earlier.thread == thread, let count, let before = earlier.count else { return false }
        return count > before
    }

    /// What is certain of a thread that is blocked outside of a system call.
    static let certain = "waits outside of a system call"

    /// What a thread waits for that is blocked outside of a system call: mostly memory.
    func wait(since earlier: MajorFaults?) -> String {
        let channel = ProcText.file("/proc/self/task/\(thread)/wchan", limit: 64)
        if channel.contains("userfault") { return "waits in a page fault that a program has to handle" }
        let isReading = ["folio", "filemap", "io_schedule", "blk_", "page_wait", "wait_on_page"].contains {
            channel.contains($0)
        }
        return isReading || isMore(than: earlier) ? "waits for major page faults" : Self.certain
    }
}

// A wait for a mutex of GLib, whose memory has no holder.

/// A `GMutex`: a word that is 0, 1, or 2 where a thread waits. Who holds it is nowhere.
enum GLibMutex {
    /// What a thread does that waits for one, in words.
    static let wait = "waits for a mutex of GLib"
    /// The expected value of such a wait.
    static let awaited: UInt64 = 2

    /// Whether the innermost functions of a thread that waits for that value say so. They are named as in `WaitText`.
    ///
    /// `g_mutex_lock` jumps to a function that waits, so that the program's function is the next one. In a stripped GLib that function has no
    /// name. Others of GLib that wait by futex(2) have one, or are called by one of GLib's.
    static func isAwaited(by functions: [String]) -> Bool {
        guard functions.count > 2, functions[0].hasPrefix("syscall in libc.so"), isOfGLib(functions[1]) else {
            return false
        }
        return functions[1].hasPrefix("g_mutex_lock") || (functions[1].hasPrefix(" in ") && !isOfGLib(functions[2]))
    }

    private static func isOfGLib(_ function: String) -> Bool { function.contains(" in libglib-2.0.so") }

    /// The functions on the stack of such a thread, with a name for the one that has none.
    static func named(_ frames: [String]) -> [String] {
        let nameless = "unknown in "
        guard frames.count > 1, frames[1].hasPrefix(nameless + "libglib-2.0.so") else { return frames }
        var frames = frames
        frames[1] = "g_mutex_lock() in \(frames[1].dropFirst(nameless.count))"
        return frames
    }
}
