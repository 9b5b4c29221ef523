// SPDX-License-Identifier: MIT
// A counter that knows nothing of the library, in a mapped file that outlives the process.

import Glibc
import Synchronization

/// Two words of each thread: evaluations that it has begun, and those of them that have ended.
///
/// A thread that is killed in an evaluation has begun one more than have ended; the library may have counted it or not.
struct OwnCounter: Sendable {
    static let most = 8

    private let words: SendablePointer

    init?(_ path: String, threads: Int) {
        guard threads > 0, threads <= Self.most else { return nil }
        let file = open(path, O_RDWR | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        let size = Self.most * 2 * MemoryLayout<UInt64>.size
        guard let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0), memory != MAP_FAILED else {
            return nil
        }
        words = SendablePointer(start: memory.assumingMemoryBound(to: Atomic<UInt64>.self))
    }

    func begin(_ thread: Int) { words.start[2 * thread].add(1, ordering: .sequentiallyConsistent) }
    func end(_ thread: Int) { words.start[2 * thread + 1].add(1, ordering: .sequentiallyConsistent) }
}

/// Atomic words, which any thread may use.
private struct SendablePointer: @unchecked Sendable {
    let start: UnsafeMutablePointer<Atomic<UInt64>>
}
