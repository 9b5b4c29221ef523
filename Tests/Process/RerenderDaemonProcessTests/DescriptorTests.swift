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
        // Connections wait all the time: one that tries again without end never waits for events, however many others want its
        // processor. How long the pauses are, AcceptPauseTests know.
        try await eventually("a loop that sleeps", seen: { try KernelWait(of: loop) }) {
            try KernelWait(of: loop).isEndless ? () : nil
        }
        crowd.closeInput()
        #expect(try await crowd.wait() == 0)
        let http = UnixHTTP(directory + "/query.sock")
        _ = try await eventually("an answer") { try? http.get("/v1/health").json(HealthReport.self) }
        process.send(SIGTERM)
        #expect(try await process.wait() == 0)
    }
}
