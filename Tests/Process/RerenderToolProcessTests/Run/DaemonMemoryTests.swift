// SPDX-License-Identifier: MIT
import Glibc
import RerenderModel
import TestSupport
import Testing
@testable import ToolSupport

@Suite("What the daemon forgot while a command ran")
struct DaemonMemoryTests {
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
