// SPDX-License-Identifier: MIT
import Foundation
import Glibc
import TestSupport
import Testing

@testable import RerenderDaemon

@Suite("A thread of another process")
struct ThreadSamplerTests {
    @Test(
        "of a frozen control group is stopped, and not waiting",
        arguments: [
            ("__refrigerator", true), ("do_freezer_trap", true), ("futex_wait", false), ("0", false), ("", false),
        ])
    func frozen(channel: String, isFrozen: Bool) {
        #expect(ThreadSample.isFrozen(wchan: Array(channel.utf8)) == isFrozen)
    }

    @Test("that is named by no number, as where nobody serves a queue, is not mistaken for the first")
    func nobody() throws {
        #expect(ThreadSampler(pid: getpid()).sample(0) == .unknown)
    }

    @Test("whose files hold anything else is unknown")
    func hostile() {
        func sample(_ stat: String, _ schedstat: String) -> ThreadSample? {
            ThreadSample(stat: Array(stat.utf8), schedstat: Array(schedstat.utf8))
        }
        #expect(sample("1 (a) b) (c) S 1 2", "1 2 3\n") == ThreadSample(state: .waiting, ran: 1, queued: 2))
        for stat in ["", "1", "1 (a", "1 (a)", "1 (a) ", "1 (a) 7 3", "1 (a) \u{0}"] {
            #expect(sample(stat, "1 2 3") == nil, "\(stat)")
        }
        for schedstat in ["", "1 2", "1 2 3 4", "-1 2 3", "a b c", "99999999999999999999 1 1"] {
            #expect(sample("1 (a) R", schedstat) == nil, "\(schedstat)")
        }
        var generator = SeededGenerator(seed: 4)
        for _ in 0..<2_000 {
            let bytes = (0..<Int.random(in: 0...64, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            _ = ThreadSample(stat: bytes, schedstat: bytes)
            let waiting = ThreadSample.waitingOn(syscall: bytes, wchan: bytes)
            #expect(waiting.map { $0.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F } } ?? true)
        }
    }

    @Test("waits on a call and a channel, as far as they are known")
    func names() {
        func waiting(_ syscall: String, _ wchan: String) -> String? {
            ThreadSample.waitingOn(syscall: Array(syscall.utf8), wchan: Array(wchan.utf8))
        }
        let read = SystemCall.name(0) == "read" ? "0" : "63"
        #expect(waiting("\(read) 0x0 0x7f", "pipe_read") == "read (pipe_read)")
        #expect(waiting("running", "pipe_read") == "pipe_read")
        #expect(waiting("\(read) 0x0", "0") == "read")
        #expect(waiting("", "0") == nil && waiting("99999 0x0", "") == nil)
    }
}
