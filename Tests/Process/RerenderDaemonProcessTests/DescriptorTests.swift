// SPDX-License-Identifier: MIT
import Foundation
import Glibc
import RerenderQuery
import TestSupport
import Testing

@testable import RerenderDaemon

@Suite("A daemon without descriptors")
struct DescriptorTests {
    /// The event loop's thread.
    private func loop(of pid: Int32) throws -> String {
        let tasks = "/proc/\(pid)/task"
        let thread = try FileManager.default.contentsOfDirectory(atPath: tasks).first {
            try TestFile.text("\(tasks)/\($0)/comm").hasPrefix("NIO-ELT")
        }
        return "\(tasks)/\(try #require(thread))"
    }

    /// How often it had nothing to do, so far.
    private func rests(_ thread: String) throws -> Int {
        let lines = try TestFile.text(thread + "/status").split(separator: "\n")
        let line = try #require(lines.first { $0.hasPrefix("voluntary_ctxt_switches:") })
        return try #require(Int(line.filter(\.isNumber)))
    }

    @Test("sleeps, and answers again once it has some", arguments: ["push.sock", "query.sock"])
    func sleeps(socket: String) async throws {
        let directory = try TestFile.makeDirectory()
        // It needs 15 itself. Clients of the query socket have four places, and connections of apps no place.
        let command = "ulimit -n 24; exec \(ChildProcess.product("rerenderd")) --foreground --runtime-dir \(directory)"
        let process = try PlainChild("/bin/sh", ["-c", command])
        try await process.waitFor(" ready ")
        let crowd = try PlainChild(
            ChildProcess.product("wire-app"), ["crowd", directory + "/" + socket, "90", "90"])
        try await crowd.waitFor("ready 0")
        let loop = try loop(of: process.pid)
        if socket == "push.sock" {
            try await process.waitFor("no descriptor")
            // One that tries again without end never rests.
            let before = try rests(loop)
            try await eventually("four rests") { try rests(loop) >= before + 4 ? () : nil }
        }
        try await eventually("a sleeping loop") { try TestFile.text(loop + "/stat").contains(") S ") ? () : nil }
        crowd.closeInput()
        #expect(try await crowd.wait() == 0)
        let http = UnixHTTP(directory + "/query.sock")
        _ = try await eventually("an answer") { try? http.get("/v1/health").json(HealthReport.self) }
        process.send(SIGTERM)
        #expect(try await process.wait() == 0)
    }
}
