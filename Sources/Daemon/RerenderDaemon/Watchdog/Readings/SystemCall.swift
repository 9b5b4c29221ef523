// SPDX-License-Identifier: MIT
// Names of the system calls in which a main loop may hang.

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
