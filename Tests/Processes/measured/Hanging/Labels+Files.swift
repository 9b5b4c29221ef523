// SPDX-License-Identifier: MIT
// Waits for pipes, sockets, files and their locks.

import CRerender
import Foundation

extension Labels {
    /// Waits in a call of one descriptor.
    nonisolated(unsafe) static let files: [String: () -> Void] = [
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
        "fifo": {
            let path = NSTemporaryDirectory() + "hanging-\(getpid()).fifo"
            mkfifo(path, 0o600)
            expects("is in open of hanging-\(getpid()).fifo")
            _ = open(path, O_RDONLY)
        },
    ]
}
