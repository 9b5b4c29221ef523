// SPDX-License-Identifier: MIT
// Memory that was freed, and is still the process's.

internal import Glibc

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
