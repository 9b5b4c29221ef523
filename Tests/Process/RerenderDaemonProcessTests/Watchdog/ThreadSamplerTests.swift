// SPDX-License-Identifier: MIT
import Foundation
import Glibc
import TestSupport
import Testing

@testable import RerenderDaemon

@Suite("A thread of another process")
struct ThreadSamplerTests {
    private func sample(_ child: PlainChild, _ fits: (ThreadSample) -> Bool) async throws -> ThreadSample {
        let sampler = ThreadSampler(pid: child.pid)
        return try await eventually("a sample") {
            guard case .sample(let sample) = sampler.sample(child.pid), fits(sample) else { return nil }
            return sample
        }
    }

    @Test("that spins is runnable, and the kernel counts its time")
    func spinning() async throws {
        let child = try PlainChild("/bin/sh", ["-c", "while :; do :; done"])
        let first = try await sample(child) { $0.state == .runnable && $0.ran > 0 }
        let later = try await sample(child) { $0.ran > first.ran + 1_000_000 }
        #expect(later.waitingOn == nil && later.queued >= first.queued)
    }

    @Test("that sleeps waits, in a call that is named")
    func sleeping() async throws {
        let child = try PlainChild("/bin/sleep", ["600"])
        func isAsleep(_ sample: ThreadSample) -> Bool {
            sample.state == .waiting && sample.waitingOn?.contains("nanosleep") == true
        }
        // The kernel says that it waits a moment before it has booked what ran: of two looks the second is right.
        _ = try await sample(child, isAsleep)
        let asleep = try await sample(child, isAsleep)
        guard case .sample(let again) = ThreadSampler(pid: child.pid).sample(child.pid) else {
            Issue.record("it cannot be looked at any more")
            return
        }
        #expect(again.ran == asleep.ran)
    }

    @Test("that reads from a pipe waits there")
    func pipe() async throws {
        let child = try PlainChild("/bin/cat")
        let sample = try await sample(child) { $0.state == .waiting && $0.waitingOn?.contains("read") == true }
        #expect(sample.waitingOn?.isEmpty == false)
    }

    @Test("that was stopped is stopped")
    func stopped() async throws {
        let child = try PlainChild("/bin/sleep", ["600"])
        _ = try await sample(child) { $0.state == .waiting }
        child.send(SIGSTOP)
        _ = try await sample(child) { $0.state == .stopped }
        child.send(SIGCONT)
        _ = try await sample(child) { $0.state == .waiting }
    }

    @Test("that has ended is gone")
    func gone() async throws {
        let child = try PlainChild("/bin/sleep", ["600"])
        _ = try await sample(child) { $0.state == .waiting }
        let sampler = ThreadSampler(pid: child.pid)
        child.send(SIGKILL)
        try await eventually("its end") { sampler.sample(child.pid) == .gone ? () : nil }
        #expect(ThreadSampler(pid: 0x7FFF_FFF0).sample(1) == .gone)
    }

    @Test("is gone when its process becomes another program")
    func exec() async throws {
        let child = try PlainChild("/bin/sh", ["-c", "read line; exec sleep 600"])
        // What starts it has been another program itself, and the kernel names the new one before it has mapped it.
        _ = try await sample(child) { $0.state == .waiting && $0.waitingOn?.contains("read") == true }
        let sampler = ThreadSampler(pid: child.pid)
        guard case .sample = sampler.sample(child.pid) else {
            Issue.record("nothing was looked at")
            return
        }
        child.closeInput()
        try await eventually("the exec") { sampler.sample(child.pid) == .gone ? () : nil }
        _ = try await sample(child) { $0.waitingOn?.contains("nanosleep") == true }
    }

    @Test("of a number that we do not have is taken for its process's first")
    func foreignNumber() async throws {
        let child = try PlainChild("/bin/sleep", ["600"])
        _ = try await sample(child) { $0.state == .waiting }
        guard case .sample = ThreadSampler(pid: child.pid).sample(0x7FFF_FFF0) else {
            Issue.record("nothing was looked at")
            return
        }
    }
}
