// SPDX-License-Identifier: MIT
// Which processes have a file open, and which hold a lock of it, in words.

import CRerender
import Glibc
import RerenderModel

/// A process, as texts name it.
struct ProcessName {
    let process: Int32
    init(_ process: Int32) { self.process = process }

    var text: String { ProcText.name(ofProcess: process).map { "\($0)[\(process)]" } ?? "[\(process)]" }
}

/// The processes that have something open.
///
/// Proof of the unsafe parts: each call gets room of the size that it is told.
struct Openers {
    private let processes: [Int32]
    private let count: Int
    /// Whether all processes were looked at.
    private let isComplete: Bool

    /// Names in one text.
    private static let named = 3
    /// How long to look: a machine has some hundred processes.
    private static let nanoseconds: UInt64 = 30_000_000

    init(_ file: OpenFile, access: Int) {
        self.init(file.link, PathName.isAbsolute(file.link) ? file.identity : nil, access)
    }

    init(_ link: String, _ identity: crerender_file?, _ access: Int) {
        unsafe self.init { end, start, count, isComplete in
            guard let identity else {
                // A file that is to be told by its identity is not told by its name.
                guard !PathName.isAbsolute(link) else { return 0 }
                return unsafe crerender_openers(link, nil, CInt(access), end, start, count, isComplete)
            }
            return unsafe withUnsafePointer(to: identity) {
                unsafe crerender_openers(link, $0, CInt(access), end, start, count, isComplete)
            }
        }
    }

    init(
        _ find: (UInt64, UnsafeMutablePointer<pid_t>, CInt, UnsafeMutablePointer<Bool>) -> CInt
    ) {
        let room = 8
        var (found, isComplete): (CInt, Bool) = (0, false)
        processes = unsafe Array(unsafeUninitializedCapacity: room) { buffer, count in
            guard let start = buffer.baseAddress else { return }
            let end = MonotonicClock.now + Self.nanoseconds
            found = DescriptorTable.run { unsafe find(end, start, CInt(room), &isComplete) } ?? 0
            count = min(max(0, Int(found)), room)
        }
        count = Int(found)
        self.isComplete = isComplete
    }

    /// The names, this process first, and how many there are; nil for none.
    func names(withoutOwn isWithoutOwn: Bool = false) -> (text: String, count: Int)? {
        let own = getpid()
        let hasOwn = processes.contains(own)
        let count = isWithoutOwn && hasOwn ? count - 1 : count
        guard count > 0 else { return nil }
        let others = processes.filter { $0 != own }.map { ProcessName($0).text }
        let names = ((hasOwn && !isWithoutOwn ? ["this process"] : []) + others).prefix(Self.named)
        let rest = count - names.count
        let text = names.joined(separator: " and ") + (rest > 0 ? " and \(rest) more" : "")
        return (text + (isComplete ? "" : ", perhaps among others,"), count)
    }

    /// In words after what they are.
    var text: String {
        guard let names = names() else { return "is not known" }
        return "is " + (isComplete ? names.text : String(names.text.dropLast()))
    }
}

/// A lock of a file that a thread waits for.
///
/// The kernel's list of all locks names the process that took one. That process may have ended, and its child has the lock; so the list is
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
