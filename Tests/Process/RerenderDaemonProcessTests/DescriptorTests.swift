// SPDX-License-Identifier: MIT
import Foundation
import Glibc
import RerenderModel
import TestSupport
import Testing

@testable import RerenderDaemon

@Suite("A daemon without descriptors")
struct DescriptorTests {
    /// The event loop's thread.
    private func loop(of pid: Int32) throws -> String {
        let tasks = "/proc/\(pid)/task"
        let thread = try FileManager.default.contentsOfDirectory(atPath: tasks).first {
            try TestFile.text("\(tasks)/\($0)/comm").hasPrefix("rerenderd-loop")
        }
        return "\(tasks)/\(try #require(thread))"
    }

    /// For how long it has run so far, or was ready to run while the kernel ran others.
    private func work(of thread: String) throws -> Duration {
        let words = try TestFile.text(thread + "/schedstat").split(whereSeparator: \.isWhitespace)
        let nanoseconds = words.compactMap { Int64($0) }
        try #require(nanoseconds.count == 3 && nanoseconds[0] > 0, "the kernel does not count it: \(words)")
        return .nanoseconds(nanoseconds[0] + nanoseconds[1])
    }

    @Test("sleeps, and answers again once it has some", arguments: ["push.sock", "query.sock"])
    func sleeps(socket: String) async throws {
        let directory = try TestFile.makeDirectory()
        // It needs 16 itself. Clients of the query socket have four places, and connections of apps no place.
        let command = "ulimit -n 24; exec \(ChildProcess.product("rerenderd")) --foreground --runtime-dir \(directory)"
        let process = try PlainChild("/bin/sh", ["-c", command])
        try await process.waitFor(" ready ")
        let crowd = try PlainChild(
            ChildProcess.product("daemon-lab"), ["wire", "crowd", directory + "/" + socket, "90", "90"])
        try await crowd.waitFor("ready 0")
        let loop = try loop(of: process.pid)
        if socket == "push.sock" { try await process.waitFor("no descriptor") }
        // One that tries again without end never sleeps, however many others want its processor. The pauses are a quarter of a second.
        let (start, before) = (ContinuousClock.now, try work(of: loop))
        try await eventually("a loop that sleeps most of the time", seen: { try work(of: loop) - before }) {
            let (busy, time) = (try work(of: loop) - before, ContinuousClock.now - start)
            return time > .seconds(1) && busy * 4 < time ? () : nil
        }
        crowd.closeInput()
        #expect(try await crowd.wait() == 0)
        let http = UnixHTTP(directory + "/query.sock")
        _ = try await eventually("an answer") { try? http.get("/v1/health").json(HealthReport.self) }
        process.send(SIGTERM)
        #expect(try await process.wait() == 0)
    }
}
