// SPDX-License-Identifier: MIT
// What a thread of this process waits for, in words: from its system call, the memory that its arguments lead to, and /proc.

import CRerender
import RerenderModel

/// Puts a thread's wait in words, with whoever holds it up.
///
/// The words begin with a verb, so that they also tell what a holder does. What is not known is said; nothing is guessed: a
/// holder is named only where the kernel's own rules, or the C library's functions on the thread's stack, prove what is in memory.
struct WaitText {
    /// The functions on the thread's stack, innermost first, as far as they decide.
    var functions: [String]
    /// Whom the thread calls over D-Bus; nil where that is not known.
    private var busPeer: String?
    /// The threads whose waits led here.
    private var chain: [Int32]
    /// The functions of another thread, asked for where a holder waits, too.
    private let functionsOf: (Int32) -> [String]

    /// When each of the threads was looked at.
    private let seen: SeenThreads
    /// How many threads are followed.
    private let depth: Int

    /// A chain is hardly ever longer, and a text must end.
    static let longestChain = 4

    /// - Parameters:
    ///   - depth: How many threads to follow; 1 tells who holds the thread up, and not what that one does.
    ///   - seen: Has the thread already, from before its wait was read.
    init(
        thread: Int32, functions: [String], busPeer: String?, depth: Int, seen: SeenThreads,
        functionsOf: @escaping (Int32) -> [String]
    ) {
        chain = [thread]
        (self.functions, self.busPeer) = (functions, busPeer)
        self.depth = depth
        self.seen = seen
        self.functionsOf = functionsOf
    }

    /// What is certain of a wait whatever has happened since: it names nothing that had to be read later.
    static func certain(_ wait: crerender_wait) -> String {
        if wait.call < 0 { return MajorFaults.certain }
        guard let call = WaitCall(wait.call) else { return "is in system call \(wait.call)" }
        let number = Int32(truncatingIfNeeded: wait.arguments.0)
        return switch call {
        case .read: "reads from descriptor \(number)"
        case .write: "writes to descriptor \(number)"
        case .accept: "accepts a connection on descriptor \(number)"
        case .connect: "connects descriptor \(number)"
        case .onFile(let name), .onPath(let name, _), .other(let name): "is in \(name)"
        case .poll: "waits in poll"
        case .select: "waits in select"
        case .epoll: "waits in epoll \(number)"
        case .futex:
            InterpreterLock(wait, of: 0) == nil ? "waits in futex; the holder is not known" : InterpreterLock.wait
        case .wait4, .waitid: "waits for a child"
        case .sleep, .clockSleep: "sleeps"
        case .fileLock: "waits for the lock of a file; the holder is not known"
        case .recordLock: "is in fcntl"
        case .signal: "waits for a signal"
        case .startsProcess: "starts a process"
        }
    }

    /// What stops a thread that is not to go on; nil if nothing does.
    static func stop(of thread: Int32) -> String? {
        switch ProcText.stat(ofThread: thread).first {
        case "t": "is stopped by a debugger"
        case "T": "is stopped"
        default: nil
        }
    }

    private var thread: Int32 { chain[chain.count - 1] }

    private func file(_ descriptor: UInt64) -> OpenFile {
        OpenFile(Int32(truncatingIfNeeded: descriptor), of: thread)
    }

    func text(_ wait: crerender_wait) -> String {
        if let stop = Self.stop(of: thread) { return stop }
        if wait.call < 0 { return MajorFaults(of: thread).wait(since: nil) }
        let arguments = wait.arguments
        let a = [arguments.0, arguments.1, arguments.2, arguments.3]
        var file: OpenFile { self.file(a[0]) }
        guard let call = WaitCall(wait.call) else { return "is in system call \(wait.call)" }
        if let text = MessageBusWait.text(call, functions, peer: busPeer) { return text }
        switch call {
        case .read: return "reads from " + (isOther(file) ? "descriptor \(file.descriptor)" : file.text(.writer))
        case .write: return "writes to " + (isOther(file) ? "descriptor \(file.descriptor)" : file.text(.reader))
        case .accept: return "accepts a connection on " + file.text(.any)
        case .connect: return connect(a)
        case .onFile(let name): return "is in \(name) of " + file.name
        case .onPath(let name, let argument):
            let path = ProcText.string(a[argument])
            return "is in \(name)" + (path.isEmpty ? "" : " of " + ProcText.fileName(path))
        case .poll: return poll(a)
        case .select: return select(a)
        case .epoll: return file.watched.text(in: "epoll \(file.descriptor)")
        case .futex: return interpreter(wait) ?? futex(a)
        case .wait4: return child(Int32(truncatingIfNeeded: a[0]))
        case .waitid: return waitid(a)
        case .sleep: return sleep(a[0])
        case .clockSleep: return a[1] & 1 == 1 ? "sleeps until a given time" : sleep(a[2])
        case .fileLock: return "waits for the lock of \(file.name)" + FileLock(flock: a[1]).holder(of: file)
        case .recordLock:
            guard [7, 38].contains(a[1]) else { return "is in fcntl of \(file.name)" }
            let lock = FileLock(fcntl: a[1], at: a[2])
            return "waits for a lock in \(file.name)" + (lock?.holder(of: file) ?? "; the holder is not known")
        case .signal: return "waits for a signal"
        case .startsProcess: return "starts a process"
        case .other(let name): return "is in \(name)"
        }
    }

    /// Whether the thread cannot wait for that file: another thread has closed the one that it waits for, and the number is used
    /// again. A signal ends no wait for a regular file, and would end this one.
    private func isOther(_ file: OpenFile) -> Bool {
        file.identity?.is_regular == true && ProcText.stat(ofThread: thread).first == "S"
    }

    private func connect(_ a: [UInt64]) -> String {
        let address = ProcText.memory(a[1], count: min(Int(clamping: a[2]), 110))
        let peer = SocketAddress.text(address) ?? SocketAddress.path(address)
        return "connects " + (peer.map { "to \($0)" } ?? "socket \(Int32(truncatingIfNeeded: a[0]))")
    }

    // MARK: Several descriptors

    /// Entries that are read.
    private static let entries = 4_096

    private func watched(_ files: [(descriptor: UInt64, side: OpenFile.Side)], isWhole: Bool = true) -> WatchedFiles {
        let first = files.prefix(WatchedFiles.named).map {
            WatchedFile(file: file($0.descriptor), side: $0.side)
        }
        return WatchedFiles(first: first, count: files.count, isWhole: isWhole)
    }

    private func poll(_ a: [UInt64]) -> String {
        let count = Int(clamping: a[1] & 0xFFFF_FFFF)
        let bytes = ProcText.memory(a[0], count: min(count, Self.entries) * 8)
        let files = stride(from: 0, to: bytes.count - 7, by: 8).compactMap { at in
            // Those with a number below zero are left out by the kernel, too.
            let entry = bytes[at..<at + 6].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            return entry & 0x8000_0000 == 0
                ? (descriptor: entry & 0xFFFF_FFFF, side: OpenFile.Side(events: entry >> 32)) : nil
        }
        return watched(files, isWhole: bytes.count == count * 8).text(in: "poll")
    }

    private func select(_ a: [UInt64]) -> String {
        let count = min(Int(clamping: a[0] & 0xFFFF_FFFF), 65_536)
        let sets = a[1...3].map { ProcText.memory($0, count: (count + 7) / 8) }
        let files = (0..<count).compactMap { number in
            let isIn = sets.map { $0.count > number / 8 && $0[number / 8] >> UInt8(number % 8) & 1 == 1 }
            guard isIn.contains(true) else { return nil as (descriptor: UInt64, side: OpenFile.Side)? }
            let side: OpenFile.Side = isIn[0] == isIn[1] ? .any : isIn[0] ? .writer : .reader
            return (descriptor: UInt64(number), side: side)
        }
        return watched(files).text(in: "select")
    }

    // MARK: Children and time

    private func child(_ process: Int32) -> String {
        if process == -1 || process == 0 { return "waits for any child" }
        if process < 0 { return "waits for a child of group \(process.magnitude)" }
        return "waits for child \(ProcessName(process).text)"
    }

    private func waitid(_ a: [UInt64]) -> String {
        switch a[0] {
        case 1: return child(Int32(truncatingIfNeeded: a[1]))
        case 2: return child(-Int32(truncatingIfNeeded: a[1] & 0x7FFF_FFFF))
        case 3: return "waits for " + file(a[1]).text(.any)
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

    /// What is waited for in futex(2), as far as it has a holder.
    private enum Lock {
        /// 0 if its holder is not known.
        case mutex(Int32)
        case other
    }

    private func lock(_ a: [UInt64]) -> Lock {
        let command = a[1] & Futex.command
        let isPrivate = a[1] & Futex.isPrivate != 0
        if command == Futex.lockPI || command == Futex.lockPI2 {
            // The kernel itself goes by the number in the word, which is the number here where it is not shared.
            guard isPrivate, let word = ProcText.integer(a[0], as: UInt32.self) else { return .mutex(0) }
            return .mutex(Int32(bitPattern: word & Futex.owner))
        }
        // Only a mutex is waited for in this way by those functions; 2 stands for one that somebody waits for.
        guard command == Futex.wait, a[2] & 0xFFFF_FFFF == 2, isIn(["pthread_mutex_", "pthread_cond_"]) else {
            return .other
        }
        return .mutex(isPrivate ? crerender_mutex_holder(UInt(truncatingIfNeeded: a[0])) : 0)
    }

    /// Of a wait for the lock of an interpreter; nil for others.
    private func interpreter(_ wait: crerender_wait) -> String? {
        guard let lock = InterpreterLock(wait, of: thread) else {
            return InterpreterLock.isAwaited(by: functions) ? InterpreterLock.wait : nil
        }
        guard lock.holder > 0, let name = ProcText.name(ofThread: lock.holder) else { return InterpreterLock.wait }
        let place = lock.place.map { " in \($0.text)" } ?? ""
        let text = "\(InterpreterLock.wait) that thread \(name)[\(lock.holder)] holds\(place)" + doing(lock.holder)
        var now = crerender_wait()
        let state = DescriptorTable.run { unsafe crerender_wait_of(thread, &now) }
        // The lock goes from thread to thread. The other thread had it before this one was seen waiting again, and has it still.
        guard state == CRERENDER_BLOCKED, let again = InterpreterLock(now, of: thread), again.isSame(as: lock) else {
            seen.noteMove()
            return text
        }
        // It wakes up every 5 ms, to ask for the lock.
        seen.forget(thread)
        if chain.count == 1 { seen.lock = lock }
        return text
    }

    private func futex(_ a: [UInt64]) -> String {
        if case .mutex(let owner) = lock(a) {
            let text = "waits for a mutex" + holder(owner)
            // The owner was looked at since. If it is the owner still, and has not run, then it holds the mutex.
            if case .mutex(owner) = lock(a) { return text }
            seen.noteMove()
            return text
        }
        let command = a[1] & Futex.command
        guard command == Futex.wait || command == Futex.waitBits else {
            return "waits in futex; the holder is not known"
        }
        if let thread = joined(a) { return join(thread) }
        for (prefixes, text) in Self.waits where isIn(prefixes) { return text }
        if command == Futex.wait, a[2] & 0xFFFF_FFFF == GLibMutex.awaited, GLibMutex.isAwaited(by: functions) {
            return GLibMutex.wait
        }
        return "waits in futex; the holder is not known"
    }

    /// Functions that wait for something that has no holder, or whose holder is not known. Which thread ends the wait is not known.
    private static let waits: [([String], String)] = [
        (["pthread_cond_", "cnd_"], "waits for a condition variable"),
        (["dispatch_semaphore_wait"], "waits for a semaphore of libdispatch"),
        (["dispatch_group_wait"], "waits for a group of libdispatch; what it waits for is not known"),
        (
            ["dispatch_sync", "dispatch_barrier_sync", "dispatch_async_and_wait"],
            "waits for a queue of libdispatch; what that runs is not known"
        ),
        (["dispatch_once"], "waits for another thread's dispatch_once; the thread is not known"),
        (["sem_wait", "sem_timedwait", "sem_clockwait", "new_sem_wait"], "waits for a semaphore"),
        (["pthread_rwlock_"], "waits for a read-write lock; the holder is not known"),
        (["pthread_barrier_"], "waits for other threads at a barrier"),
        (["pthread_once"], "waits for another thread's pthread_once; the thread is not known"),
    ]

    /// Whether a function begins so of those of the C library and libdispatch that wait.
    ///
    /// Functions further out that called the app are left out: libdispatch runs blocks, which wait for something else.
    private func isIn(_ names: [String]) -> Bool {
        let waiting = functions.prefix { function in
            let file = function.split(separator: " ").last ?? ""
            return (file.hasPrefix("libc.so") || file.hasPrefix("libdispatch.so")) && !function.contains("callout")
        }
        return waiting.contains { function in
            let name = function.drop { $0 == "_" }
            return names.contains { name.hasPrefix($0) }
        }
    }

    /// The thread whose end is waited for. The C library waits for that on a word that has the thread's number until the kernel
    /// clears it, and by a futex that is not private, because the kernel wakes no other. Of its own locks only those
    /// have such a futex that are shared between processes. An app may have one by the library's `syscall`.
    private func joined(_ a: [UInt64]) -> Int32? {
        let thread = Int32(truncatingIfNeeded: a[2])
        guard a[1] & Futex.isPrivate == 0, functions.first?.contains(" in libc.so") == true, thread > 0,
            !isIn(["syscall", "pthread_mutex_", "pthread_barrier_", "pthread_rwlock_", "pthread_cond_", "sem_"]),
            thread != self.thread, ProcText.integer(a[0], as: Int32.self) == thread,
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
        guard chain.count < depth else { return "" }
        var wait = crerender_wait()
        seen.look(at: thread)
        switch DescriptorTable.run({ unsafe crerender_wait_of(thread, &wait) }) {
        case CRERENDER_RUNNING:
            seen.forget(thread)
            return ", which runs"
        case CRERENDER_BLOCKED:
            var next = self
            next.chain.append(thread)
            (next.functions, next.busPeer) = (functionsOf(thread), nil)
            return ", which " + next.text(wait)
        default: return ""
        }
    }

    /// What a hang is called in which the thread waits for the lock of an interpreter; empty for other waits.
    func lockName(_ wait: crerender_wait) -> String {
        if let lock = seen.lock { return lock.name }
        let isBySymbols = WaitCall(wait.call) == .futex && InterpreterLock.isAwaited(by: functions)
        return isBySymbols || InterpreterLock(wait, of: chain[0]) != nil ? HangCulprit.interpreterLock : ""
    }

    /// The thread that holds what the given one waits for, if it was seen waiting, too; nil if not.
    func waitingHolder(of wait: crerender_wait) -> Int32? {
        if let lock = seen.lock { return seen.has(lock.holder) ? lock.holder : nil }
        let a = wait.arguments
        guard WaitCall(wait.call) == .futex, case .mutex(let owner) = lock([a.0, a.1, a.2, a.3]) else { return nil }
        return owner != chain[0] && seen.has(owner) ? owner : nil
    }
}
