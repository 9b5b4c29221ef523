// SPDX-License-Identifier: MIT
// Waits whose words are known: the process itself says what is to be said of it, by numbers that it got from the system.

import CRerender
import Dispatch
import Foundation
import Synchronization

/// Says the words and then waits in that way for ever, until the process is killed.
func label(_ kind: String) {
    guard let wait = Labels.all[kind] else { return say("unknown kind: \(kind)") }
    say("ready")
    wait()
}

func expects(_ words: String) { say(words) }

enum Labels {
    nonisolated(unsafe) static let all: [String: () -> Void] = [
        "runs": {
            expects("runs")
            while true { sum &+= 1 }
        },
        "sleep": {
            expects("sleeps for 30000 ms")
            sleep(30)
        },
        "usleep": {
            expects("sleeps for 20000 ms")
            usleep(20_000_000)
        },
        "mutex-read": {
            lockedMutex { holder in
                let ends = openPipe()
                holder("reads from pipe \(ends[0]), whose writer is this process") {
                    var byte: UInt8 = 0
                    read(ends[0], &byte, 1)
                }
            }
        },
        "mutex-sleep": { lockedMutex { holder in holder("sleeps for 30000 ms") { sleep(30) } } },
        "mutex-child": {
            lockedMutex { holder in
                let child = spawn("sleep", "30")
                holder("waits for child sleep[\(child)]") {
                    var status: Int32 = 0
                    waitpid(child, &status, 0)
                }
            }
        },
        "mutex-runs": { lockedMutex { holder in holder("runs") { while true { sum &+= 1 } } } },
        "mutex-itself": {
            let mutex = makeMutex()
            pthread_mutex_lock(mutex)
            expects("waits for a mutex that it holds itself (a deadlock)")
            pthread_mutex_lock(mutex)
        },
        "deadlock": {
            nonisolated(unsafe) let (first, second) = (makeMutex(), makeMutex())
            let other = onThread("other") {
                pthread_mutex_lock(second)
            } then: {
                pthread_mutex_lock(first)
            }
            pthread_mutex_lock(first)
            other.goOn.signal()
            let own = threadName(getpid())
            expects(
                "waits for a mutex that thread other[\(other.id)] holds, which waits for a mutex that thread "
                    + "\(own)[\(getpid())] holds (a deadlock)")
            pthread_mutex_lock(second)
        },
        "swift-mutex": {
            let other = onThread("swift-holder") {
            } then: {
                lock.withLock { _ in
                    swiftMutexIsHeld.store(true, ordering: .releasing)
                    sleep(30)
                }
            }
            other.goOn.signal()
            while !swiftMutexIsHeld.load(ordering: .acquiring) { usleep(100) }
            expects("waits for a mutex that thread swift-holder[\(other.id)] holds, which sleeps for 30000 ms")
            lock.withLock { _ in }
        },
        "pipe-child": {
            let ends = openPipe()
            let child = spawn("sleep", "30", output: ends[1])
            close(ends[1])
            expects("reads from pipe \(ends[0]), whose writer is sleep[\(child)]")
            var byte: UInt8 = 0
            read(ends[0], &byte, 1)
        },
        "pipe-children": {
            let ends = openPipe()
            let children = [spawn("sleep", "30", output: ends[1]), spawn("sleep", "30", output: ends[1])].sorted()
            close(ends[1])
            expects(
                "reads from pipe \(ends[0]), whose writer is sleep[\(children[0])] and sleep[\(children[1])]")
            var byte: UInt8 = 0
            read(ends[0], &byte, 1)
        },
        "pipe-own": {
            let ends = openPipe()
            expects("reads from pipe \(ends[0]), whose writer is this process")
            var byte: UInt8 = 0
            read(ends[0], &byte, 1)
        },
        "pipe-full": {
            let ends = openPipe()
            let child = spawn("sleep", "30", input: ends[0])
            close(ends[0])
            expects("writes to pipe \(ends[1]), whose reader is sleep[\(child)]")
            let bytes = [UInt8](repeating: 0, count: 1 << 20)
            write(ends[1], bytes, bytes.count)
        },
        "socket-child": {
            var ends: [Int32] = [0, 0]
            socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends)
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            let child = spawn("sleep", "30", input: ends[1])
            close(ends[1])
            expects("reads from socket \(ends[0]), whose other end is sleep[\(child)]")
            var byte: UInt8 = 0
            recv(ends[0], &byte, 1, 0)
        },
        "tcp": {
            let (listener, port) = listen()
            let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            connectTo(client, port)
            expects("reads from socket \(client) to 127.0.0.1:\(port)")
            var byte: UInt8 = 0
            recv(client, &byte, 1, 0)
            close(listener)
        },
        "accept": {
            let (listener, _) = listen()
            expects("accepts a connection on socket \(listener)")
            accept(listener, nil, nil)
        },
        "child": {
            let child = spawn("sleep", "30")
            expects("waits for child sleep[\(child)]")
            var status: Int32 = 0
            waitpid(child, &status, 0)
        },
        "any-child": {
            _ = spawn("sleep", "30")
            expects("waits for any child")
            var status: Int32 = 0
            waitpid(-1, &status, 0)
        },
        "poll": {
            let ends = openPipe()
            let child = spawn("sleep", "30", output: ends[1])
            close(ends[1])
            expects("waits in poll for pipe \(ends[0]), whose writer is sleep[\(child)]")
            var entry = pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0)
            poll(&entry, 1, -1)
        },
        "select": {
            let ends = openPipe()
            expects("waits in select for pipe \(ends[0]), whose writer is this process")
            var set = fd_set()
            withUnsafeMutableBytes(of: &set) { $0[Int(ends[0]) / 8] |= 1 << UInt8(ends[0] % 8) }
            select(ends[0] + 1, &set, nil, nil, nil)
        },
        "condition": {
            let (mutex, condition) = (makeMutex(), UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1))
            pthread_cond_init(condition, nil)
            pthread_mutex_lock(mutex)
            expects("waits for a condition variable, which no thread holds")
            pthread_cond_wait(condition, mutex)
        },
        "semaphore": {
            let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
            sem_init(semaphore, 0, 0)
            // The C library's function for it is not on the stack any more.
            expects("waits in futex; the holder is not known")
            sem_wait(semaphore)
        },
        "rwlock": {
            let lock = UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1)
            pthread_rwlock_init(lock, nil)
            pthread_rwlock_wrlock(lock)
            nonisolated(unsafe) let shared = lock
            hangOnThread {
                expects("waits for a read-write lock; the holder is not known")
                pthread_rwlock_rdlock(shared)
            }
        },
        "barrier": {
            let barrier = UnsafeMutablePointer<pthread_barrier_t>.allocate(capacity: 1)
            pthread_barrier_init(barrier, nil, 2)
            expects("waits for other threads at a barrier")
            pthread_barrier_wait(barrier)
        },
        "join": {
            let other = onThread("worker") {
            } then: {
                sleep(30)
            }
            other.goOn.signal()
            expects("waits for thread worker[\(other.id)] to end, which sleeps for 30000 ms")
            pthread_join(other.thread, nil)
        },
        "dispatch-semaphore": {
            expects("waits for a semaphore of libdispatch, which no thread holds")
            DispatchSemaphore(value: 0).wait()
        },
        "dispatch-group": {
            let group = DispatchGroup()
            group.enter()
            expects("waits for a group of libdispatch; what it waits for is not known")
            group.wait()
        },
        "dispatch-queue": {
            let queue = DispatchQueue(label: "queue")
            queue.async { sleep(30) }
            expects("waits for a queue of libdispatch; what that runs is not known")
            queue.sync {}
        },
        "flock": {
            let path = NSTemporaryDirectory() + "hanging-\(getpid()).lock"
            let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
            let child = spawn("flock", "--close", path, "sleep", "30")
            awaitLock(descriptor)
            unlink(path)
            expects("waits for the lock of hanging-\(getpid()).lock that flock[\(child)] holds")
            flock(descriptor, LOCK_EX)
        },
        "flock-inherited": {
            let path = NSTemporaryDirectory() + "hanging-\(getpid()).lock"
            let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
            // The program that takes the lock ends, and its parent keeps it.
            let child = spawn("bash", "-c", "exec 9>\(path); flock 9; sleep 30 9>&-; :")
            awaitLock(descriptor)
            unlink(path)
            expects("waits for the lock of hanging-\(getpid()).lock that bash[\(child)] holds")
            flock(descriptor, LOCK_EX)
        },
        "flock-other-kind": {
            let path = NSTemporaryDirectory() + "hanging-\(getpid()).lock"
            let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
            // This process has the other kind of lock, which holds nobody up.
            var own = Glibc.flock()
            own.l_type = Int16(F_WRLCK)
            _ = fcntl(descriptor, F_SETLK, &own)
            let child = spawn("flock", "--close", path, "sleep", "30")
            awaitLock(descriptor)
            expects("waits for the lock of hanging-\(getpid()).lock that flock[\(child)] holds")
            flock(descriptor, LOCK_EX)
        },
        "lock-of-bytes": {
            let path = NSTemporaryDirectory() + "hanging-\(getpid()).lock"
            // Two open files of this process: of the first, bytes 0 to 9; of the second, 20 to 29.
            let files = (0..<3).map { _ in open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600) }
            unlink(path)
            func bytes(_ start: Int) -> Glibc.flock {
                var lock = Glibc.flock()
                (lock.l_type, lock.l_start, lock.l_len) = (Int16(F_WRLCK), start, 10)
                return lock
            }
            var (low, high) = (bytes(0), bytes(20))
            _ = fcntl(files[1], 37, &high)
            // The child holds the second one alone.
            let child = spawn("sleep", "30", input: files[1])
            close(files[1])
            // That ends the process's own locks of the file, so that this one comes last.
            _ = fcntl(files[0], F_SETLK, &low)
            expects("waits for a lock in hanging-\(getpid()).lock that sleep[\(child)] holds")
            _ = fcntl(files[2], 38, &high)
        },
        "poll-write": {
            let ends = fullPipe()
            let child = spawn("sleep", "30", input: ends[0])
            close(ends[0])
            expects("waits in poll for pipe \(ends[1]), whose reader is sleep[\(child)]")
            var entry = pollfd(fd: ends[1], events: Int16(POLLOUT), revents: 0)
            poll(&entry, 1, -1)
        },
        "select-write": {
            let ends = fullPipe()
            let child = spawn("sleep", "30", input: ends[0])
            close(ends[0])
            expects("waits in select for pipe \(ends[1]), whose reader is sleep[\(child)]")
            var set = fd_set()
            withUnsafeMutableBytes(of: &set) { $0[Int(ends[1]) / 8] |= 1 << UInt8(ends[1] % 8) }
            select(ends[1] + 1, nil, &set, nil, nil)
        },
        "poll-many": {
            let end = openPipe()[0]
            var entries = (0..<150).map { _ in pollfd(fd: end, events: Int16(POLLIN), revents: 0) }
            entries[10].fd = -1
            expects("waits in poll for pipe \(end) or pipe \(end) or pipe \(end) or 146 more")
            poll(&entries, 150, -1)
        },
        "epoll-many": {
            let epoll = Epoll.make(O_CLOEXEC)
            // One name for all, because the kernel does not keep their order.
            let name = "hanging-\(getpid()).fifo"
            let path = NSTemporaryDirectory() + name
            mkfifo(path, 0o600)
            for _ in 0..<150 { Epoll.add(open(path, O_RDWR | O_CLOEXEC), to: epoll) }
            unlink(path)
            expects("waits in epoll \(epoll) for pipe \(name) or pipe \(name) or pipe \(name) or 147 more")
            Epoll.wait(epoll)
        },
        "epoll-reused": {
            let epoll = Epoll.make(O_CLOEXEC)
            let end = openPipe()[0]
            Epoll.add(end, to: epoll)
            _ = fcntl(end, F_DUPFD_CLOEXEC, 0)
            close(end)
            guard open("/etc/passwd", O_RDONLY | O_CLOEXEC) == end else { return say("the number was not used again") }
            expects("waits in epoll \(epoll) for a file whose descriptor is not known")
            Epoll.wait(epoll)
        },
        "fifo-lookalike": {
            let path = NSTemporaryDirectory() + "hanging-\(getpid()).fifo"
            mkfifo(path, 0o600)
            // Another one of the same name, which this process has open.
            _ = open(path, O_RDWR | O_CLOEXEC)
            unlink(path)
            mkfifo(path, 0o600)
            let both = open(path, O_RDWR | O_CLOEXEC)
            let reader = open(path, O_RDONLY | O_CLOEXEC)
            let child = spawn("sleep", "30", output: both)
            close(both)
            unlink(path)
            expects("reads from pipe hanging-\(getpid()).fifo, whose writer is sleep[\(child)]")
            var byte: UInt8 = 0
            read(reader, &byte, 1)
        },
        "epoll-anonymous": {
            let epoll = Epoll.make(O_CLOEXEC)
            let watched = Epoll.make(O_CLOEXEC)
            Epoll.add(watched, to: epoll)
            _ = fcntl(watched, F_DUPFD_CLOEXEC, 0)
            close(watched)
            guard Epoll.make(O_CLOEXEC) == watched else { return say("the number was not used again") }
            expects("waits in epoll \(epoll) for a file whose descriptor is not known")
            Epoll.wait(epoll)
        },
        "epoll-once": {
            let epoll = Epoll.make(O_CLOEXEC)
            let (told, waiting) = (openPipe(), openPipe())
            Epoll.add(told[0], to: epoll, Epoll.once)
            Epoll.add(waiting[0], to: epoll)
            write(told[1], "x", 1)
            Epoll.wait(epoll)
            expects("waits in epoll \(epoll) for pipe \(waiting[0]), whose writer is this process")
            Epoll.wait(epoll)
        },
        "lock-upgraded": {
            let path = NSTemporaryDirectory() + "hanging-\(getpid()).lock"
            let files = (0..<2).map { _ in open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600) }
            unlink(path)
            var lock = Glibc.flock()
            lock.l_type = Int16(F_RDLCK)
            for file in files { _ = fcntl(file, 37, &lock) }
            _ = spawn("sleep", "30", input: files[1])
            close(files[1])
            // Its own lock for reading holds it up no more than it does any other reader.
            expects("waits for a lock in hanging-\(getpid()).lock; the holder is not known")
            lock.l_type = Int16(F_WRLCK)
            _ = fcntl(files[0], 38, &lock)
        },
        "close": {
            let (_, port) = listen()
            let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            connectTo(client, port)
            fill(client)
            _ = fcntl(client, F_SETFL, 0)
            var patience = linger(l_onoff: 1, l_linger: 30)
            setsockopt(client, SOL_SOCKET, SO_LINGER, &patience, socklen_t(MemoryLayout<linger>.size))
            // The number is free already, and may be another file's.
            expects("is in close")
            close(client)
        },
        "read-reused": {
            let end = openPipe()[0]
            let other = onThread("closes") {
            } then: {
                var wait = crerender_wait()
                // Once it reads: the first argument is the descriptor.
                while crerender_wait_of(getpid(), &wait) != CRERENDER_BLOCKED || wait.call != readCall
                    || wait.arguments.0 != UInt64(end)
                {
                    usleep(1_000)
                }
                dup2(open("/etc/passwd", O_RDONLY | O_CLOEXEC), end)
            }
            other.goOn.signal()
            expects("reads from descriptor \(end)")
            var byte: UInt8 = 0
            read(end, &byte, 1)
        },
        "own-table": {
            let path = NSTemporaryDirectory() + "hanging-\(getpid()).fifo"
            mkfifo(path, 0o600)
            let (end, fifo) = (openPipe()[0], open(path, O_RDWR | O_CLOEXEC))
            unlink(path)
            lockedMutex { holder in
                holder("reads from pipe hanging-\(getpid()).fifo, whose writer is this process") {
                    typealias Call = @convention(c) (Int32) -> Int32
                    // With CLONE_FILES: the number is another file here.
                    _ = unsafeBitCast(dlsym(nil, "unshare"), to: Call.self)(0x400)
                    dup2(fifo, end)
                    var byte: UInt8 = 0
                    read(end, &byte, 1)
                }
            }
        },
        "debugger": {
            nonisolated(unsafe) let mutex = makeMutex()
            let other = onThread("spins") {
                pthread_mutex_lock(mutex)
            } then: {
                while true { sum &+= 1 }
            }
            other.goOn.signal()
            let words = isStopped(other.id) ? "is stopped by a debugger" : "runs"
            expects("waits for a mutex that thread spins[\(other.id)] holds, which \(words)")
            pthread_mutex_lock(mutex)
        },
        "restarted": {
            _ = spawn("sh", "-c", "while sleep 0.2 && kill -STOP \(getpid()) && kill -CONT \(getpid()); do :; done")
            // The kernel tells the call no more, only that it goes on with one.
            expects("is in restart_syscall")
            sleep(30)
        },
        "queue-own-block": {
            // It runs the block itself.
            expects("waits for a semaphore of libdispatch, which no thread holds")
            let queue = DispatchQueue(label: "queue", attributes: .concurrent)
            queue.sync { DispatchSemaphore(value: 0).wait() }
        },
        "once-own": {
            expects("reads from pipe \(readEnd), whose writer is this process")
            _ = Once.value
        },
        "once-own-word": {
            expects("waits in futex; the holder is not known")
            _ = Once.word
        },
        "word-of-owner": {
            let other = onThread("owner") {
            } then: {
                sleep(30)
            }
            other.goOn.signal()
            let word = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
            word.initialize(to: other.id)
            expects("waits in futex; the holder is not known")
            futexWait(word, other.id)
        },
        "odd-name": {
            nonisolated(unsafe) let mutex = makeMutex()
            let other = onThread("a] holds\u{202E}") {
                pthread_mutex_lock(mutex)
            } then: {
                sleep(30)
            }
            other.goOn.signal()
            expects(
                "waits for a mutex that thread \"a] holds\\u{202e}\"[\(other.id)] holds, which sleeps for 30000 ms")
            pthread_mutex_lock(mutex)
        },
        "shared-mutex": {
            let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
            var attributes = pthread_mutexattr_t()
            pthread_mutexattr_init(&attributes)
            pthread_mutexattr_setpshared(&attributes, Int32(PTHREAD_PROCESS_SHARED))
            pthread_mutex_init(mutex, &attributes)
            nonisolated(unsafe) let shared = mutex
            _ = onThread("holder") {
                pthread_mutex_lock(shared)
            } then: {
            }
            expects("waits for a mutex; the holder is not known")
            pthread_mutex_lock(mutex)
        },
        // Two threads take a mutex in turn for ever: neither ever holds itself up, nor sleeps for long.
        "turns": {
            nonisolated(unsafe) let mutex = makeMutex()
            let other = onThread("turns") {
            } then: {
                while true {
                    pthread_mutex_lock(mutex)
                    usleep(300)
                    pthread_mutex_unlock(mutex)
                    usleep(20)
                }
            }
            other.goOn.signal()
            expects("turns")
            while true {
                pthread_mutex_lock(mutex)
                usleep(300)
                pthread_mutex_unlock(mutex)
                usleep(10)
            }
        },
        "fifo": {
            let path = NSTemporaryDirectory() + "hanging-\(getpid()).fifo"
            mkfifo(path, 0o600)
            expects("is in open of hanging-\(getpid()).fifo")
            _ = open(path, O_RDONLY)
        },
        "pause": {
            expects("waits for a signal")
            pause()
        },
        "thread": {
            hangOnThread {
                expects("sleeps for 30000 ms")
                sleep(30)
            }
        },
        "page-faults": {
            var path = Array("/var/tmp/hanging-XXXXXX".utf8CString)
            let file = mkstemp(&path)
            unlink(path)
            let bytes = [UInt8](repeating: 7, count: 1 << 20)
            for _ in 0..<64 { write(file, bytes, bytes.count) }
            fsync(file)
            let size = 64 << 20
            guard let memory = mmap(nil, size, PROT_READ, MAP_SHARED, file, 0) else { return }
            madvise(memory, size, Int32(MADV_RANDOM))
            expects("waits for major page faults")
            while true {
                // The kernel drops what it has of the file, so that each page is read from the disk anew.
                madvise(memory, size, Int32(MADV_DONTNEED))
                posix_fadvise(file, 0, off_t(size), Int32(POSIX_FADV_DONTNEED))
                for page in 0..<size / 4_096 {
                    sum &+= UInt64(memory.load(fromByteOffset: page * 4_096, as: UInt8.self))
                }
            }
        },
    ]

    // MARK: Parts

    #if arch(x86_64)
        private static let readCall: Int64 = 0
    #else
        private static let readCall: Int64 = 63
    #endif

    private static func openPipe() -> [Int32] {
        var ends: [Int32] = [0, 0]
        pipe(&ends)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return ends
    }

    /// A pipe that takes nothing more.
    private static func fullPipe() -> [Int32] {
        let ends = openPipe()
        fill(ends[1])
        return ends
    }

    private static func fill(_ descriptor: Int32) {
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        let bytes = [UInt8](repeating: 0, count: 4_096)
        while write(descriptor, bytes, bytes.count) > 0 {}
    }

    /// Has a child process stop a thread as debuggers do; false where the kernel does not allow it.
    private static func isStopped(_ thread: Int32) -> Bool {
        typealias Call = @convention(c) (Int, Int, Int, Int, Int) -> Int
        typealias Fork = @convention(c) () -> pid_t
        let call = unsafeBitCast(dlsym(nil, "syscall"), to: Call.self)
        let fork = unsafeBitCast(dlsym(nil, "fork"), to: Fork.self)
        #if arch(x86_64)
            let (prctl, ptrace) = (157, 101)
        #else
            let (prctl, ptrace) = (167, 117)
        #endif
        let (seize, interrupt, setTracer) = (0x4206, 0x4207, 0x5961_6d61)
        let answer = openPipe()
        _ = call(prctl, setTracer, -1, 0, 0)
        if fork() == 0 {
            let isSeized = call(ptrace, seize, Int(thread), 0, 0) == 0
            _ = call(ptrace, interrupt, Int(thread), 0, 0)
            write(answer[1], isSeized ? "y" : "n", 1)
            sleep(30)
            _exit(0)
        }
        var byte: UInt8 = 0
        read(answer[0], &byte, 1)
        return byte == UInt8(ascii: "y")
    }

    /// Returns once another process has the file's lock.
    private static func awaitLock(_ descriptor: Int32) {
        while flock(descriptor, LOCK_EX | LOCK_NB) == 0 {
            flock(descriptor, LOCK_UN)
            usleep(1_000)
        }
    }

    /// Values that are made by the thread that asks first, which waits in there.
    private enum Once {
        static let value: Int = {
            var byte: UInt8 = 0
            return read(readEnd, &byte, 1)
        }()
        static let word: Int = {
            let word = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
            word.initialize(to: 0)
            futexWait(word, 0)
            return 0
        }()
    }

    /// Starts a program with one of our descriptors as its input or output, and returns once it runs.
    private static func spawn(_ words: String..., input: Int32 = -1, output: Int32 = -1) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        if input >= 0 { posix_spawn_file_actions_adddup2(&actions, input, 0) }
        if output >= 0 { posix_spawn_file_actions_adddup2(&actions, output, 1) }
        var child: pid_t = 0
        var arguments = words.map { strdup($0) } + [nil]
        posix_spawnp(&child, words[0], &actions, nil, &arguments, environ)
        return child
    }

    private static func makeMutex() -> UnsafeMutablePointer<pthread_mutex_t> {
        let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
        return mutex
    }

    private struct OtherThread {
        var thread: pthread_t
        var id: Int32
        let goOn: DispatchSemaphore
    }

    private final class Start: Sendable {
        let name: String
        let first: @Sendable () -> Void
        let then: @Sendable () -> Void
        let goOn = DispatchSemaphore(value: 0)
        let isReady = DispatchSemaphore(value: 0)
        let id = Atomic<Int32>(0)

        init(_ name: String, _ first: @escaping @Sendable () -> Void, _ then: @escaping @Sendable () -> Void) {
            (self.name, self.first, self.then) = (name, first, then)
        }
    }

    /// Starts a thread that does the first, and the second once it may go on.
    private static func onThread(
        _ name: String, _ first: @escaping @Sendable () -> Void, then: @escaping @Sendable () -> Void
    ) -> OtherThread {
        let start = Start(name, first, then)
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            { box in
                guard let box else { return nil }
                let start = Unmanaged<Start>.fromOpaque(box).takeRetainedValue()
                start.id.store(crerender_this_thread(), ordering: .relaxed)
                let file = open("/proc/thread-self/comm", O_WRONLY)
                write(file, start.name, start.name.utf8.count)
                close(file)
                start.first()
                start.isReady.signal()
                start.goOn.wait()
                start.then()
                return nil
            }, Unmanaged.passRetained(start).toOpaque())
        start.isReady.wait()
        return OtherThread(thread: thread, id: start.id.load(ordering: .relaxed), goOn: start.goOn)
    }

    /// Waits for a mutex that a thread called db-writer holds, which does what it is given.
    private static func lockedMutex(_ body: (_ holder: (String, @escaping @Sendable () -> Void) -> Void) -> Void) {
        nonisolated(unsafe) let mutex = makeMutex()
        body { words, work in
            let other = onThread("db-writer") {
                pthread_mutex_lock(mutex)
            } then: {
                work()
            }
            other.goOn.signal()
            expects("waits for a mutex that thread db-writer[\(other.id)] holds, which \(words)")
        }
        pthread_mutex_lock(mutex)
    }

    /// Hangs on a thread of its own, whose stack is noted.
    private static func hangOnThread(_ body: @escaping @Sendable () -> Void) {
        let other = onThread("hangs") {
            hangingThread.store(crerender_note_stack(), ordering: .relaxed)
        } then: {
            body()
        }
        other.goOn.signal()
        pthread_join(other.thread, nil)
    }

    private static func threadName(_ thread: Int32) -> String {
        let name = (try? String(contentsOfFile: "/proc/self/task/\(thread)/comm", encoding: .utf8)) ?? ""
        return String(name.dropLast())
    }

    private static func listen() -> (Int32, Int) {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, size)
                Glibc.listen(listener, 1)
                getsockname(listener, $0, &size)
            }
        }
        return (listener, Int(UInt16(bigEndian: address.sin_port)))
    }

    private static func connectTo(_ client: Int32, _ port: Int) {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = UInt16(port).bigEndian
        withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = Glibc.connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}

/// Calls of epoll(7), whose header Swift does not import.
enum Epoll {
    static func make(_ flags: Int32) -> Int32 {
        typealias Call = @convention(c) (Int32) -> Int32
        return unsafeBitCast(dlsym(nil, "epoll_create1"), to: Call.self)(flags)
    }

    /// Tells of it once, and no more.
    static let once: UInt32 = 1 << 30

    /// Watches it for something to read.
    static func add(_ descriptor: Int32, to epoll: Int32, _ how: UInt32 = 0) {
        typealias Call = @convention(c) (Int32, Int32, Int32, UnsafeMutableRawPointer) -> Int32
        var event: [UInt32] = [1 | how, 0, 0, 0]
        _ = unsafeBitCast(dlsym(nil, "epoll_ctl"), to: Call.self)(epoll, 1, descriptor, &event)
    }

    static func wait(_ epoll: Int32) {
        typealias Call = @convention(c) (Int32, UnsafeMutableRawPointer, Int32, Int32) -> Int32
        var events = [UInt32](repeating: 0, count: 4)
        _ = unsafeBitCast(dlsym(nil, "epoll_wait"), to: Call.self)(epoll, &events, 1, -1)
    }
}

/// Waits in the kernel while a word has that value, by the C library's `syscall`.
func futexWait(_ word: UnsafeMutablePointer<Int32>, _ value: Int32) {
    typealias Call = @convention(c) (Int, UnsafeMutablePointer<Int32>, Int, Int, Int, Int, Int) -> Int
    #if arch(x86_64)
        let number = 202
    #else
        let number = 98
    #endif
    let call = unsafeBitCast(dlsym(nil, "syscall"), to: Call.self)
    _ = call(number, word, 0, Int(value), 0, 0, 0)
}

let swiftMutexIsHeld = Atomic<Bool>(false)
