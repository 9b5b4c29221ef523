// SPDX-License-Identifier: MIT
// What the daemon does by functions that Glibc's module lacks: it waits for the end of a process, and gives back freed memory.

internal import Glibc

/// A descriptor that is readable once a process has ended: all of its threads, and whether its parent has waited for it or not.
///
/// A thousand of them are one question to the kernel. To read as much in `/proc` takes tens of milliseconds.
package final class ProcessEnd: Sendable {
    private let descriptor: Descriptor

    /// Nil where there is no such process, where the kernel or a sandbox gives no such descriptor, and where all descriptors are in use.
    ///
    /// - Parameter pid: The process's number as the kernel gave it; 0 is one of a foreign pid namespace.
    package init?(of pid: Int32) {
        guard pid > 0, let open = Self.open else { return nil }
        // The kernel closes it on `exec` without being told.
        let number = open(pid, 0)
        guard number >= 0 else { return nil }
        descriptor = Descriptor(owning: number)
    }

    package var number: CInt { descriptor.number }

    private typealias Open = @convention(c) (pid_t, UInt32) -> CInt

    /// `pidfd_open`, which Glibc's module does not have, and older C libraries neither.
    private static let open: Open? = {
        guard let symbol = unsafe dlsym(nil, "pidfd_open") else { return nil }
        // Safe: that is the function's type (pidfd_open(2)).
        return unsafe unsafeBitCast(symbol, to: Open.self)
    }()
}

/// What the C library does with freed memory. Elsewhere than in Glibc, all of this does nothing.
package enum FreedMemory {
    /// Has the process keep little of what it frees: large pieces go back to the kernel at once, and all threads share one heap.
    ///
    /// Without it, Glibc raises what it takes for large with each large piece that is freed, up to 32 MB. Such pieces then lie between
    /// small ones, and each thread's heap has gaps of its own. Before other threads are started.
    package static func keepLittle() {
        // M_MMAP_THRESHOLD, M_TRIM_THRESHOLD and M_ARENA_MAX of <malloc.h>. What is set is not raised any more.
        for (parameter, value): (CInt, CInt) in [(-3, 65_536), (-1, 131_072), (-8, 1)] {
            _ = option?(parameter, value)
        }
    }

    /// Gives the kernel the pages that were allocated and are free again, of all threads.
    ///
    /// Takes time with the size of the heap: 1 to 4 ms for 10 MB of small pieces. Any thread.
    static func giveBack() { _ = trim?(0) }

    private typealias Option = @convention(c) (CInt, CInt) -> CInt
    private typealias Trim = @convention(c) (Int) -> CInt

    // Glibc's module has neither. Safe: these are the functions' types (mallopt(3), malloc_trim(3)).
    private static let option: Option? = {
        guard let symbol = unsafe dlsym(nil, "mallopt") else { return nil }
        return unsafe unsafeBitCast(symbol, to: Option.self)
    }()
    private static let trim: Trim? = {
        guard let symbol = unsafe dlsym(nil, "malloc_trim") else { return nil }
        return unsafe unsafeBitCast(symbol, to: Trim.self)
    }()
}
