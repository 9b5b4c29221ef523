// SPDX-License-Identifier: MIT
// What a host does that closes the descriptors which it does not know, and then opens files of its own.

import Foundation
import Glibc
import Synchronization

/// Files, pipes and sockets of the host's, on the lowest numbers that there are.
struct OwnFiles {
    private static let count = 16
    private static let content = [UInt8](repeating: 0x61, count: 256)
    private var files: [CInt] = []
    private var pipes: [[CInt]] = []
    private var sockets: [[CInt]] = []

    /// Closes all but the first three descriptors of this thread's table, and opens the host's.
    init(in directory: String) {
        for descriptor in 3..<CInt(1_024) { close(descriptor) }
        for number in 0..<Self.count {
            let file = open("\(directory)/file\(number)", O_RDWR | O_CREAT, 0o600)
            write(file, Self.content, Self.content.count)
            files.append(file)
            var ends: [CInt] = [0, 0]
            pipe(&ends)
            write(ends[1], Self.content, Self.content.count)
            pipes.append(ends)
            socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends)
            sockets.append(ends)
        }
    }

    /// "intact", or what is not.
    func look() -> String {
        let damage =
            files.filter { !isIntact($0) }.map { "file \($0)" }
            + pipes.filter { unread($0[0]) != Self.content.count || fcntl($0[1], F_GETFD) < 0 }.map { "pipe \($0)" }
            + sockets.filter { $0.contains { unread($0) != 0 } }.map { "socket \($0)" }
        return damage.isEmpty ? "intact" : damage.joined(separator: ", ")
    }

    /// Whether it has what was written to it, and its place is where that ended.
    private func isIntact(_ file: CInt) -> Bool {
        var bytes = [UInt8](repeating: 0, count: 2 * Self.content.count)
        let count = pread(file, &bytes, bytes.count, 0)
        return count == Self.content.count && bytes.starts(with: Self.content) && lseek(file, 0, SEEK_CUR) == count
    }

    /// How many bytes can be read; -1 where the descriptor is gone, or the other end.
    private func unread(_ descriptor: CInt) -> Int {
        var count: CInt = 0
        var events = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        poll(&events, 1, 0)
        let isGone = events.revents & Int16(POLLHUP | POLLERR | POLLNVAL) != 0
        return isGone || ioctl(descriptor, UInt(FIONREAD), &count) < 0 ? -1 : Int(count)
    }
}

/// How many of so many signals the process's handler gets, which any of its threads may run.
func handledSignals(of count: Int) -> Int {
    // Made now, and not in the handler.
    _ = urgentSignals.load(ordering: .relaxed)
    signal(SIGURG) { _ in urgentSignals.wrappingAdd(1, ordering: .sequentiallyConsistent) }
    for number in 1...count {
        kill(getpid(), SIGURG)
        for _ in 0..<100 where urgentSignals.load(ordering: .sequentiallyConsistent) < number { usleep(100) }
    }
    return urgentSignals.load(ordering: .sequentiallyConsistent)
}

private let urgentSignals = Atomic<Int>(0)
