// SPDX-License-Identifier: MIT
import Foundation
import RerenderModel
import RerenderQuery
@testable import RerenderRun
@testable import RerenderTool
@testable import RerenderToolBase
import TestSupport
import Testing
@testable import ToolSupport

@Suite("What the daemon forgot while a command ran")
struct DaemonMemoryTests {
    private func health(forgotten: UInt64, startedAt: Int64 = 5) -> HealthReport {
        var health = HealthReport()
        health.startedAt = Timestamp(nanosecondsSince1970: startedAt)
        health.forgottenProcesses = forgotten
        return health
    }

    private func forgotten(before: HealthReport?, _ known: [Int32], now: HealthReport, _ left: [Int32]) -> UInt64 {
        let memory = DaemonMemory(before, known.map { Sample.store(pid: $0) })
        return memory.forgotten(now: now, left.map { Sample.store(pid: $0) })
    }

    @Test("run says so beside the table of those that are left")
    func table() async throws {
        let bench = try await Bench(withDaemon: ())
        let file = bench.path + "/export.json"
        let script = "for i in $(seq 70); do printf 'run 3\\nexit\\n' | \(Program.counting) > /dev/null; done"
        let process = try bench.start(["run", "--json", "-o", file, "--", "/bin/bash", "-c", script])
        #expect(try await process.wait() == .exited(0))
        let export = try JSONDecoder().decode(StatsExport.self, from: Data(contentsOf: URL(fileURLWithPath: file)))
        // Those that the daemon has not yet found ended are beside the 64.
        let missing = 70 - Set(export.processes.map(\.pid)).count
        #expect((1...6).contains(missing))
        let endings = (missing...6).map { "\nrerenderctl: " + said($0) + "\n" }
        #expect(endings.contains { process.standardError.hasSuffix($0) }, "\(process.standardError)")
    }

    @Test("run does not claim that no process had connected where all of them are forgotten")
    func silence() async throws {
        let bench = try Bench()
        let daemon = try Spawned([
            Program.rerenderd, "--foreground", "--runtime-dir", bench.path, "--keep", "1s",
        ])
        try await daemon.expectError(" ready ")
        let health = "curl -s --unix-socket \(bench.querySocket) http://localhost/v1/health"
        let script = """
            printf 'run 3\\nexit\\n' | \(Program.counting) > /dev/null
            until \(health) | grep -Eq '"forgottenProcesses" ?: ?1'; do sleep 0.02; done
            """
        let process = try bench.start(["run", "--", "/bin/bash", "-c", script])
        #expect(try await process.wait() == .exited(0))
        let lines = process.standardError.withoutProgress.split(separator: "\n").map { String($0) }
        #expect(
            lines == [
                "rerenderctl: /bin/bash exited, and the daemon knows no instrumented process of it.",
                "rerenderctl: " + said(1),
            ])
        daemon.send(SIGTERM)
        try await daemon.wait()
    }

    private func said(_ count: Int) -> String {
        "the daemon dropped \(Counted.text(count, "process", "processes")) that ended meanwhile: "
            + "some of the command's may be missing"
    }
}
