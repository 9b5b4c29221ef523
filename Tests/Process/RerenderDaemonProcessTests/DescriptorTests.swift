// SPDX-License-Identifier: MIT
import Foundation
import Glibc
import RerenderQuery
import TestSupport
import Testing

@testable import RerenderDaemon

@Suite("A daemon without descriptors")
struct DescriptorTests {
    /// Processor time in seconds, by the kernel's account.
    private func processorTime(of pid: Int32) throws -> Double {
        let text = try String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
        let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
        return Double((UInt64(fields[11]) ?? 0) + (UInt64(fields[12]) ?? 0)) / Double(sysconf(Int32(_SC_CLK_TCK)))
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
        if socket == "push.sock" { try await process.waitFor("no descriptor") }
        let clock = ContinuousClock()
        // It may still accept those that it has room for. One that spins never rests.
        try await eventually("a rest") {
            let used = try processorTime(of: process.pid)
            try await clock.sleep(for: .milliseconds(200))
            return try processorTime(of: process.pid) - used < 0.02 ? () : nil
        }
        let (start, before) = (clock.now, try processorTime(of: process.pid))
        // The interval that is measured, and nothing that is waited for.
        try await clock.sleep(until: start + .seconds(2))
        let used = try processorTime(of: process.pid) - before
        let passed = (clock.now - start) / .seconds(1)
        #expect(used < passed / 10, "\(used) s of \(passed) s")
        crowd.closeInput()
        #expect(try await crowd.wait() == 0)
        let http = UnixHTTP(directory + "/query.sock")
        _ = try await eventually("an answer") { try? http.get("/v1/health").json(HealthReport.self) }
        process.send(SIGTERM)
        #expect(try await process.wait() == 0)
    }
}
