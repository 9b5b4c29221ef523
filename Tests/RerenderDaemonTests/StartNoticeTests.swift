// SPDX-License-Identifier: MIT
import Foundation
import Glibc
import TestSupport
import Testing

@Suite("A daemon that starts")
struct StartNoticeTests {
    @Test("wakes the programs that wait for a daemon at the pipe beside its sockets, however many, also after a kill")
    func startNotice() async throws {
        let first = try await DaemonProcess()
        first.process.send(signal: SIGKILL)
        _ = try await first.process.wait()
        let flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC
        let waiting = (0..<300).map { _ in
            pollfd(fd: open(first.directory + "/started", flags), events: Int16(POLLIN), revents: 0)
        }
        defer { for entry in waiting { close(entry.fd) } }
        func woken() -> Int {
            var entries = waiting
            poll(&entries, nfds_t(entries.count), 0)
            return entries.count { $0.revents & Int16(POLLHUP) != 0 }
        }
        #expect(waiting.allSatisfy { $0.fd >= 0 })
        let before = woken()
        #expect(before == 0)
        let second = try await DaemonProcess(directory: first.directory)
        let after = woken()
        #expect(after == waiting.count)
        second.process.send(signal: SIGTERM)
        #expect(try await second.process.wait() == 0)
    }
}
