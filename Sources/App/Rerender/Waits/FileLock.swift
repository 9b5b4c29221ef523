// SPDX-License-Identifier: MIT
// Who holds a lock of a file, as the kernel tells with each descriptor of the open file that has it.

import CRerender

/// A lock of a file that a thread waits for.
///
/// The kernel's list of all locks names whoever took one. That process may have ended, and its child has the lock; so the list is
/// not used.
struct FileLock {
    private var wanted = crerender_lock()
    /// Whether it would be one of fcntl(2) that belongs to the process; its own ones do not conflict.
    private var isOfProcess = false

    /// One of flock(2), from the operation.
    init(flock operation: UInt64) {
        wanted.is_whole = true
        // LOCK_SH is 1, LOCK_EX is 2.
        wanted.is_exclusive = operation & 2 != 0
        wanted.last = .max
    }

    /// One of fcntl(2), from the command and what its argument leads to; nil if its bytes are not known.
    init?(fcntl command: UInt64, at address: UInt64) {
        // Of the bytes, only those are known that are counted from the beginning.
        guard let type = ProcText.integer(address, as: Int16.self), type == 0 || type == 1,
            ProcText.integer(address &+ 2, as: Int16.self) == 0,
            let start = ProcText.integer(address &+ 8, as: Int64.self), start >= 0,
            let length = ProcText.integer(address &+ 16, as: Int64.self), length >= 0
        else { return nil }
        wanted.is_exclusive = type == 1
        wanted.first = UInt64(start)
        wanted.last = length == 0 ? .max : UInt64(start) + UInt64(length) - 1
        isOfProcess = command == 7
    }

    /// Who holds it, in words after the lock.
    func holder(of file: OpenFile) -> String {
        // Such a lock of the very descriptor does not conflict, and others may have the same open file.
        let hasOwn = !wanted.is_whole && file.information(4_096).contains("OFDLCK")
        guard !hasOwn, let identity = file.identity else { return "; the holder is not known" }
        let wanted = wanted
        let holders = unsafe Openers { end, start, count, isComplete in
            unsafe withUnsafePointer(to: identity) { identity in
                unsafe withUnsafePointer(to: wanted) { wanted in
                    unsafe crerender_lock_holders(identity, wanted, end, start, count, isComplete)
                }
            }
        }
        guard let names = holders.names(withoutOwn: isOfProcess) else { return "; the holder is not known" }
        return " that \(names.text) \(names.count == 1 ? "holds" : "hold")"
    }
}
