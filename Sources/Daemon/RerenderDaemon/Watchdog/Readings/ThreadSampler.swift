// SPDX-License-Identifier: MIT
// Samples a thread of another process through /proc: its state at one moment, and the system call in which it may hang.

internal import Glibc

/// Samples one thread of one process. Costs two small files a sample, four while the thread waits.
struct ThreadSampler: Sendable {
    let pid: Int32
    /// Where the code of the process's program lies, as far as that may be read: another one has taken its place if it moves.
    private let startCode: UInt64?

    /// A line of `stat` is at most some hundred bytes.
    private static let statBytes = 1_024
    /// The other files are one short line.
    private static let lineBytes = 256

    /// Samples threads of the program that the process runs now.
    init(pid: Int32) {
        self.pid = pid
        startCode = ProcessTable.startCode(of: pid)
    }

    /// Samples the thread with the app's number for it; the process's first thread if there is none.
    ///
    /// An app in a pid namespace of its own knows other numbers than we do; nearly always its loop runs on the first thread. Gone
    /// are all threads of a program that has become another one by `exec`.
    func sample(_ thread: Int32) -> ThreadObservation {
        // No thread serves a pinged queue right now.
        if thread == 0 { return .unknown }
        if thread != pid {
            let own = sample(in: "/proc/\(pid)/task/\(thread)/")
            if own != .gone { return own }
        }
        return sample(in: "/proc/\(pid)/task/\(pid)/")
    }

    /// How many pages the process has mapped; nil if that cannot be read.
    func size() -> UInt64? {
        guard let text = try? Self.read("/proc/\(pid)/statm", limit: Self.lineBytes) else { return nil }
        return UInt64(String(decoding: text.prefix { $0 != UInt8(ascii: " ") }, as: UTF8.self))
    }

    private func sample(in directory: String) -> ThreadObservation {
        do {
            let stat = try Self.read(directory + "stat", limit: Self.statBytes)
            let schedstat = try Self.read(directory + "schedstat", limit: Self.lineBytes)
            guard var sample = ThreadSample(stat: stat, schedstat: schedstat) else { return .unknown }
            if sample.state == .ended { return .gone }
            if let startCode, let now = ProcessTable.startCode(inStat: stat), now != startCode { return .gone }
            if sample.state == .waiting {
                // Both are refused for a process that may not be traced; one of them is enough.
                let wchan = (try? Self.read(directory + "wchan", limit: Self.lineBytes)) ?? []
                if ThreadSample.isFrozen(wchan: wchan) {
                    sample.state = .stopped
                } else {
                    sample.waitingOn = ThreadSample.waitingOn(
                        syscall: (try? Self.read(directory + "syscall", limit: Self.lineBytes)) ?? [], wchan: wchan)
                }
            }
            return .sample(sample)
        } catch .system(_, let number, _) where number == ENOENT || number == ESRCH {
            return .gone
        } catch {
            return .unknown
        }
    }

    private static func read(_ path: String, limit: Int) throws(DaemonError) -> [UInt8] {
        let file = try Descriptor(path: path, flags: O_RDONLY)
        return try file.read(limit: limit)
    }
}

/// The result of sampling a thread.
enum ThreadObservation: Hashable, Sendable {
    case sample(ThreadSample)
    /// There is no such thread, or it has ended.
    case gone
    /// The files could not be read or understood.
    case unknown
}

/// A thread at one moment.
struct ThreadSample: Hashable, Sendable {
    /// What it does, as far as the detector distinguishes it.
    enum RunState: Hashable, Sendable {
        /// On a processor, or waiting for one.
        case runnable
        case waiting
        /// By a signal, a debugger, or because its control group is frozen.
        case stopped
        case ended
    }

    var state: RunState
    /// Nanoseconds on a processor so far.
    var ran: UInt64
    /// Nanoseconds that it could have run and did not; added only when it gets a processor again.
    var queued: UInt64
    /// System call and wait channel while it waits, as far as they are known.
    var waitingOn: String?
}

extension ThreadSample {
    /// Reads `stat` and `schedstat`; nil if they are not what the kernel writes.
    init?(stat: [UInt8], schedstat: [UInt8]) {
        guard let letter = ProcessTable.field(3, inStat: stat)?.first, let state = RunState(letter: letter) else {
            return nil
        }
        let separators: [UInt8] = [UInt8(ascii: " "), UInt8(ascii: "\n")]
        let numbers = schedstat.split { separators.contains($0) }
        guard numbers.count == 3, let ran = UInt64(String(decoding: numbers[0], as: UTF8.self)),
            let queued = UInt64(String(decoding: numbers[1], as: UTF8.self))
        else { return nil }
        self.init(state: state, ran: ran, queued: queued)
    }

    /// What the thread waits on, in the words of `syscall` and `wchan`; nil if neither says anything.
    static func waitingOn(syscall: [UInt8], wchan: [UInt8]) -> String? {
        let call = syscall.split(separator: UInt8(ascii: " ")).first
            .flatMap { Int(String(decoding: $0, as: UTF8.self)) }.flatMap(SystemCall.name)
        let channel = Self.word(wchan)
        guard let channel else { return call }
        return call.map { "\($0) (\(channel))" } ?? channel
    }

    /// Whether a thread in this wait channel is stopped, because its control group is frozen (version 1 and 2).
    static func isFrozen(wchan: [UInt8]) -> Bool { ["__refrigerator", "do_freezer_trap"].contains(word(wchan)) }

    /// A wait channel's name; nil for the `0` that stands for none and for what cannot be one.
    private static func word(_ bytes: [UInt8]) -> String? {
        let text = bytes.prefix { $0 > 0x20 && $0 < 0x7F }
        guard !text.isEmpty, text.count <= 64, text.first != UInt8(ascii: "0") else { return nil }
        return String(decoding: text, as: UTF8.self)
    }
}

extension ThreadSample.RunState {
    fileprivate init?(letter: UInt8) {
        switch letter {
        case UInt8(ascii: "R"): self = .runnable
        case UInt8(ascii: "T"), UInt8(ascii: "t"): self = .stopped
        case UInt8(ascii: "Z"), UInt8(ascii: "X"), UInt8(ascii: "x"): self = .ended
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): self = .waiting
        default: return nil
        }
    }
}

/// System calls by number. Only those that can wait; the others are left to the wait channel.
enum SystemCall {
    /// The name of a number as `/proc/PID/syscall` gives it; nil if it is not among the usual ones.
    static func name(_ number: Int) -> String? { names[number] }

    #if arch(x86_64)
        private static let names: [Int: String] = [
            0: "read", 1: "write", 2: "open", 3: "close", 4: "stat", 5: "fstat", 6: "lstat", 7: "poll", 16: "ioctl",
            17: "pread64", 18: "pwrite64", 19: "readv", 20: "writev", 23: "select", 26: "msync", 34: "pause",
            35: "nanosleep", 42: "connect", 43: "accept", 44: "sendto", 45: "recvfrom", 46: "sendmsg", 47: "recvmsg",
            61: "wait4", 65: "semop", 72: "fcntl", 73: "flock", 74: "fsync", 75: "fdatasync", 82: "rename",
            87: "unlink", 128: "rt_sigtimedwait", 130: "rt_sigsuspend", 202: "futex", 217: "getdents64",
            230: "clock_nanosleep", 232: "epoll_wait", 247: "waitid", 257: "openat", 262: "newfstatat", 270: "pselect6",
            271: "ppoll", 277: "sync_file_range", 281: "epoll_pwait", 288: "accept4", 299: "recvmmsg",
            306: "syncfs", 332: "statx", 426: "io_uring_enter", 441: "epoll_pwait2", 449: "futex_waitv",
        ]
    #elseif arch(arm64)
        private static let names: [Int: String] = [
            22: "epoll_pwait", 25: "fcntl", 29: "ioctl", 32: "flock", 56: "openat", 57: "close", 61: "getdents64",
            63: "read", 64: "write", 65: "readv", 66: "writev", 67: "pread64", 68: "pwrite64", 72: "pselect6",
            73: "ppoll", 79: "newfstatat", 82: "fsync", 83: "fdatasync", 95: "waitid", 98: "futex", 101: "nanosleep",
            115: "clock_nanosleep", 133: "rt_sigsuspend", 137: "rt_sigtimedwait", 202: "accept", 203: "connect",
            206: "sendto", 207: "recvfrom", 211: "sendmsg", 212: "recvmsg", 227: "msync", 242: "accept4",
            243: "recvmmsg", 260: "wait4", 267: "syncfs", 291: "statx", 426: "io_uring_enter", 441: "epoll_pwait2",
            449: "futex_waitv",
        ]
    #else
        private static let names: [Int: String] = [:]
    #endif
}
