// SPDX-License-Identifier: MIT
// Memory that was freed, and is still the process's.

internal import Glibc

enum FreedMemory {
    /// Gives the kernel the pages that were allocated and are free again, of all threads.
    ///
    /// Takes time with the size of the heap: 1 to 4 ms for 10 MB of small pieces. Any thread. Does nothing where the C library has no such function.
    static func giveBack() { _ = trim?(0) }

    private typealias Trim = @convention(c) (Int) -> CInt

    /// `malloc_trim`, which Glibc's module does not have, and other C libraries neither.
    private static let trim: Trim? = {
        guard let symbol = unsafe dlsym(nil, "malloc_trim") else { return nil }
        // Safe: that is the function's type (malloc_trim(3)).
        return unsafe unsafeBitCast(symbol, to: Trim.self)
    }()
}
