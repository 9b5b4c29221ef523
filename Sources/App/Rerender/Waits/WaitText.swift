// SPDX-License-Identifier: MIT
// What a thread of this process waits for, in words: from its system call, the memory that its arguments lead to, and /proc.

import CRerender

/// Puts a thread's wait in words, with whoever holds it up.
///
/// The words begin with a verb, so that they also tell what a holder does. What is not known is said; nothing is guessed: a
/// holder is named only where the kernel's own rules, or the C library's functions on the thread's stack, prove what is in memory.
struct WaitText {
    /// The functions on the thread's stack, innermost first, as far as they decide.
    var functions: [String]
    /// The threads whose waits led here.
    private var chain: [Int32]
    /// The functions of another thread, asked for where a holder waits, too.
    private let functionsOf: (Int32) -> [String]

    /// Holders that are followed: a chain is hardly ever longer, and a text must end.
    private static let longestChain = 4

    init(thread: Int32, functions: [String], functionsOf: @escaping (Int32) -> [String]) {
        chain = [thread]
        self.functions = functions
        self.functionsOf = functionsOf
    }

    func text(_ wait: crerender_wait) -> String {
        if wait.call < 0 { return "waits in a page fault" }
        let arguments = wait.arguments
        let a = [arguments.0, arguments.1, arguments.2, arguments.3]
        var file: OpenFile { OpenFile(Int32(truncatingIfNeeded: a[0])) }
        guard let call = WaitCall(wait.call) else { return "is in system call \(wait.call)" }
        switch call {
        case .read: return "reads from " + file.text(.writer)
        case .write: return "writes to " + file.text(.reader)
        case .accept: return "accepts a connection on " + file.text(.any)
        case .connect: return connect(a)
        case .onFile(let name): return "is in \(name) of " + file.name
        case .onPath(let name, let argument):
            let path = ProcText.string(a[argument])
            return "is in \(name)" + (path.isEmpty ? "" : " of " + ProcText.fileName(path))
        case .poll: return poll(a)
        case .select: return select(a)
        case .epoll: return waitsFor(file.watched, by: "epoll \(file.descriptor)")
        case .futex: return futex(a)
        case .wait4: return child(Int32(truncatingIfNeeded: a[0]))
        case .waitid: return waitid(a)
        case .sleep: return sleep(a[0])
        case .clockSleep: return a[1] & 1 == 1 ? "sleeps until a given time" : sleep(a[2])
        case .fileLock: return "waits for the lock of \(file.name)" + FileLocks.holder(of: file)
        case .recordLock:
            let waits = [7, 38].contains(a[1])
            return waits
                ? "waits for a lock in \(file.name)" + FileLocks.holder(of: file) : "is in fcntl of \(file.name)"
        case .signal: return "waits for a signal"
        case .startsProcess: return "starts a process"
        case .other(let name): return "is in \(name)"
        }
    }

    private func connect(_ a: [UInt64]) -> String {
        let address = ProcText.memory(a[1], count: min(Int(clamping: a[2]), 110))
        let peer = SocketAddress.text(address) ?? SocketAddress.path(address)
        return "connects " + (peer.map { "to \($0)" } ?? "socket \(Int32(truncatingIfNeeded: a[0]))")
    }

    // MARK: Several descriptors

    /// Descriptors that are told apart.
    private static let named = 3

    private func waitsFor(_ descriptors: [Int32], by call: String) -> String {
        if descriptors.isEmpty { return "waits in \(call)" }
        let names = descriptors.prefix(Self.named).map { OpenFile($0).text(descriptors.count == 1 ? .writer : .any) }
        let rest = descriptors.count - names.count
        return "waits in \(call) for " + names.joined(separator: " or ") + (rest > 0 ? " or \(rest) more" : "")
    }

    private func poll(_ a: [UInt64]) -> String {
        let count = Int(clamping: a[1] & 0xFFFF_FFFF)
        let entries = ProcText.memory(a[0], count: min(count, 64) * 8)
        let descriptors = stride(from: 0, to: entries.count - 7, by: 8).map { at in
            Int32(bitPattern: entries[at..<at + 4].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
        }
        return waitsFor(descriptors.filter { $0 >= 0 }, by: "poll")
    }

    private func select(_ a: [UInt64]) -> String {
        let count = min(Int(clamping: a[0] & 0xFFFF_FFFF), 1_024)
        let sets = [a[1], a[2]].map { ProcText.memory($0, count: (count + 7) / 8) }
        let descriptors = (0..<count).filter { number in
            sets.contains { $0.count > number / 8 && $0[number / 8] >> UInt8(number % 8) & 1 == 1 }
        }
        return waitsFor(descriptors.map { Int32($0) }, by: "select")
    }

    // MARK: Children and time

    private func child(_ process: Int32) -> String {
        if process == -1 || process == 0 { return "waits for any child" }
        if process < 0 { return "waits for a child of group \(-process)" }
        return "waits for child \(ProcessName(process).text)"
    }

    private func waitid(_ a: [UInt64]) -> String {
        switch a[0] {
        case 1: return child(Int32(truncatingIfNeeded: a[1]))
        case 2: return child(-Int32(truncatingIfNeeded: a[1] & 0x7FFF_FFFF))
        case 3: return "waits for " + OpenFile(Int32(truncatingIfNeeded: a[1])).text(.any)
        default: return "waits for any child"
        }
    }

    private func sleep(_ address: UInt64) -> String {
        guard let seconds = ProcText.integer(address, as: Int64.self),
            let nanoseconds = ProcText.integer(address &+ 8, as: Int64.self), seconds >= 0, nanoseconds >= 0
        else { return "sleeps" }
        let milliseconds = seconds.multipliedReportingOverflow(by: 1_000).partialValue &+ nanoseconds / 1_000_000
        return milliseconds > 0 ? "sleeps for \(milliseconds) ms" : "sleeps for less than 1 ms"
    }

    // MARK: Locks

    /// Commands of futex(2), without the flags, and the bits of a word that are its owner.
    private enum Futex {
        static let wait: UInt64 = 0, lockPI: UInt64 = 6, waitBits: UInt64 = 9, lockPI2: UInt64 = 13
        static let command: UInt64 = 0x7F
        static let isPrivate: UInt64 = 0x80
        static let owner: UInt32 = 0x3FFF_FFFF
    }

    private func futex(_ a: [UInt64]) -> String {
        let command = a[1] & Futex.command
        if command == Futex.lockPI || command == Futex.lockPI2 {
            // The kernel itself goes by the number in the word.
            let owner = ProcText.integer(a[0], as: UInt32.self).map { Int32(bitPattern: $0 & Futex.owner) } ?? 0
            return "waits for a mutex" + holder(owner)
        }
        guard command == Futex.wait || command == Futex.waitBits else {
            return "waits in futex; the holder is not known"
        }
        // Only a mutex is waited for in this way by those functions; 2 stands for one that somebody waits for.
        let isLock = command == Futex.wait && a[2] & 0xFFFF_FFFF == 2
        if isLock, isIn(["pthread_mutex_", "pthread_cond_"]) {
            return "waits for a mutex" + holder(crerender_mutex_holder(UInt(truncatingIfNeeded: a[0])))
        }
        if let thread = joined(a) { return join(thread) }
        for (prefixes, text) in Self.waits where isIn(prefixes) { return text }
        return "waits in futex; the holder is not known"
    }

    /// Functions that wait for something that no thread holds, or of which it is not known who does.
    private static let waits: [([String], String)] = [
        (["pthread_cond_", "cnd_"], "waits for a condition variable, which no thread holds"),
        (["dispatch_semaphore_wait"], "waits for a semaphore of libdispatch, which no thread holds"),
        (["dispatch_group_wait"], "waits for a group of libdispatch; what it waits for is not known"),
        (
            ["dispatch_sync", "dispatch_barrier_sync", "dispatch_async_and_wait"],
            "waits for a queue of libdispatch; what that runs is not known"
        ),
        (["dispatch_once"], "waits for another thread's dispatch_once; the thread is not known"),
        (
            ["sem_wait", "sem_timedwait", "sem_clockwait", "new_sem_wait"],
            "waits for a semaphore, which no thread holds"
        ),
        (["pthread_rwlock_"], "waits for a read-write lock; the holder is not known"),
        (["pthread_barrier_"], "waits for other threads at a barrier"),
        (["pthread_once"], "waits for another thread's pthread_once; the thread is not known"),
    ]

    /// Whether one of the functions on the stack begins so; those of the C library and libdispatch alone.
    private func isIn(_ names: [String]) -> Bool {
        functions.contains { function in
            guard function.contains(" in libc.so") || function.contains(" in libdispatch.so") else { return false }
            let name = function.drop { $0 == "_" }
            return names.contains { name.hasPrefix($0) }
        }
    }

    /// The thread whose end is waited for. The C library waits for that on a word that has the thread's number until the kernel
    /// clears it, and by a futex that is not private, because the kernel wakes no other. It uses no such futex for its locks.
    private func joined(_ a: [UInt64]) -> Int32? {
        let thread = Int32(truncatingIfNeeded: a[2])
        guard a[1] & Futex.isPrivate == 0, functions.first?.contains(" in libc.so") == true, thread > 0,
            thread != chain.last, ProcText.integer(a[0], as: Int32.self) == thread,
            ProcText.name(ofThread: thread) != nil
        else { return nil }
        return thread
    }

    private func join(_ thread: Int32) -> String {
        "waits for thread \(ProcText.name(ofThread: thread) ?? "")[\(thread)] to end" + doing(thread)
    }

    /// Who holds what is waited for, and what that thread does.
    private func holder(_ thread: Int32) -> String {
        guard thread > 0 else { return "; the holder is not known" }
        if thread == chain[0], chain.count == 1 { return " that it holds itself (a deadlock)" }
        guard let name = ProcText.name(ofThread: thread) else { return "; the holder is no thread of this process" }
        return " that thread \(name)[\(thread)] holds" + doing(thread)
    }

    private func doing(_ thread: Int32) -> String {
        if chain.contains(thread) { return " (a deadlock)" }
        guard chain.count < Self.longestChain else { return "" }
        var wait = crerender_wait()
        switch unsafe crerender_wait_of(thread, &wait) {
        case CRERENDER_RUNNING: return ", which runs"
        case CRERENDER_BLOCKED:
            var next = self
            next.chain.append(thread)
            next.functions = functionsOf(thread)
            return ", which " + next.text(wait)
        default: return ""
        }
    }

    /// The thread that holds what the given one waits for; nil if that is not known.
    func holder(of wait: crerender_wait) -> Int32? {
        guard WaitCall(wait.call) == .futex else { return nil }
        let arguments = wait.arguments
        let command = arguments.1 & Futex.command
        if command == Futex.lockPI || command == Futex.lockPI2 {
            return ProcText.integer(arguments.0, as: UInt32.self).map { Int32(bitPattern: $0 & Futex.owner) }
        }
        guard command == Futex.wait, arguments.2 & 0xFFFF_FFFF == 2, isIn(["pthread_mutex_", "pthread_cond_"]) else {
            return nil
        }
        let thread = crerender_mutex_holder(UInt(truncatingIfNeeded: arguments.0))
        return thread > 0 ? thread : nil
    }
}
