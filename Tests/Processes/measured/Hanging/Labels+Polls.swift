// SPDX-License-Identifier: MIT
// Waits for several descriptors.

import Foundation

extension Labels {
    /// Waits in poll, select and epoll.
    nonisolated(unsafe) static let polls: [String: () -> Void] = [
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
    ]
}
