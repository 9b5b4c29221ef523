// SPDX-License-Identifier: MIT
// What a real process's thread is seen doing, in words, against what the process itself knows.

import Foundation
import TestSupport
import Testing

@Suite("What a thread is seen doing")
struct ActivityTests {
    @Test(
        "is told in words, with who holds it up where that is known",
        arguments: [
            "runs", "sleep", "usleep", "mutex-read", "mutex-sleep", "mutex-child", "mutex-runs", "mutex-itself",
            "deadlock", "swift-mutex", "pipe-child", "pipe-children", "pipe-own", "pipe-full", "socket-child", "tcp",
            "accept", "child", "any-child", "poll", "select", "condition", "semaphore", "rwlock", "barrier", "join",
            "dispatch-semaphore", "dispatch-group", "dispatch-queue", "flock", "fifo", "pause", "thread",
            "page-faults", "flock-inherited", "flock-other-kind", "lock-of-bytes", "poll-write", "select-write",
            "poll-many", "epoll-many", "epoll-reused", "fifo-lookalike", "queue-own-block", "once-own", "once-own-word",
            "word-of-owner", "odd-name", "shared-mutex", "epoll-anonymous", "epoll-once", "lock-upgraded", "close",
            "own-table", "debugger", "restarted", "read-reused",
        ])
    func labelled(kind: String) async throws {
        let app = try ChildProcess([ChildProcess.product("measured"), "hang", "label", kind])
        #expect(try await app.nextLine() == "ready")
        let words = try await app.nextLine()
        var seen = ""
        // It says what it will do before it does.
        _ = try await eventually(words, seen: { seen }) {
            seen = try await app.ask("activity")
            return seen == words ? () : nil
        }
        let descriptors = try descriptors(of: app)
        for _ in 0..<20 { _ = try await app.ask("activity") }
        #expect(try self.descriptors(of: app) == descriptors, "none is left open")
        app.kill(SIGKILL)
    }

    @Test("is of one moment: threads that take a lock in turn are in no deadlock")
    func turns() async throws {
        let app = try ChildProcess([ChildProcess.product("measured"), "hang", "label", "turns"])
        #expect(try await app.nextLine() == "ready")
        _ = try await app.nextLine()
        var seen: [String: Int] = [:]
        for _ in 0..<1_000 { seen[try await app.ask("activity"), default: 0] += 1 }
        for (words, count) in seen {
            #expect(!words.contains("deadlock"), "\(count) times")
            // Both sleep for less than a millisecond.
            #expect(!words.contains(/for [0-9]+ ms/), "\(words), \(count) times")
        }
        #expect(seen.keys.contains { $0.contains("turns[") }, "\(seen)")
        app.kill(SIGKILL)
    }

    private func descriptors(of app: ChildProcess) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/\(app.processID)/fd").sorted()
    }
}
