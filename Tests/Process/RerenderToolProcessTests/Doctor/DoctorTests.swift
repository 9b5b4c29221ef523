// SPDX-License-Identifier: MIT
import RerenderModel
import Foundation
@testable import RerenderTool
import TestSupport
import TestTraits
import Testing
@testable import ToolSupport

@Suite("rerenderctl doctor")
struct DoctorTests {
    @Test("on this machine it passes without a daemon, which is optional, and beside a real one", .promise)
    func real() async throws {
        let bench = try await Bench(withDaemon: ())
        let app = try await bench.app(evaluating: 5)
        let good = try await bench.ctl("doctor", "--json")
        let report = try JSONDecoder().decode(DoctorReport.self, from: Data(good.output.utf8))
        #expect(good.ending == .exited(0) && report.version == 1 && !report.hasFailed)
        #expect(report.checks.contains { $0.check == "processes" && $0.text.contains("counting[\(app.pid)]/main") })
        #expect(
            report.checks.contains { $0.check == "dropped data" && $0.status == .ok },
            "looking must not count as a fault")
        let again = try await bench.ctl("doctor")
        #expect(again.output.contains("ok    dropped data: none since the daemon started"))
        let alone = try await Bench().ctl("doctor", environment: ["COLUMNS": "300"])
        #expect(alone.ending == .exited(0) && alone.errors.withoutProgress.isEmpty, "\(alone)")
        #expect(alone.output.contains(" set-up: ready for `run`"), "\(alone)")
        #expect(alone.output.contains("\nok    daemon: none runs permanently, which is optional: "), "\(alone)")
        #expect(!alone.output.contains("\nfail "), "\(alone)")
        // A file in the place of a socket is a fault.
        let broken = try Bench()
        try "".write(toFile: broken.path + "/push.sock", atomically: true, encoding: .utf8)
        let bad = try await broken.ctl("doctor")
        #expect(bad.ending == .exited(1) && bad.output.contains("fail  push socket"), "\(bad)")
    }

    /// A user namespace has a limit of its own of instances of inotify.
    private static let withoutNotices = ["unshare", "--user", "--map-root-user", "/bin/sh", "-c"]
    private static let limit = "echo 0 > /proc/sys/user/max_inotify_instances"
    private static let canLimitNotices = StartedChild.succeeds(
        [TestSupport.ChildProcess.path(of: "env") ?? "env"] + withoutNotices + [limit])

    @Test(
        "tries whether an instance of inotify is left",
        .enabled(if: canLimitNotices, "needs a user namespace with a limit of inotify"))
    func withoutInotify() async throws {
        let bench = try Bench()
        let command = "\(Self.limit); COLUMNS=300 exec \(Program.rerenderctl) doctor"
        let env = try TestSupport.ChildProcess.installed("env")
        let limited = try Spawned([env] + Self.withoutNotices + [command], environment: bench.environment())
        limited.closeInput()
        _ = try await limited.wait()
        let text = "runtime directory: no instance of inotify is left: programs look for a daemon every 5 s\n"
        #expect(limited.standardOutput.contains(text), "\(limited.standardOutput)\(limited.standardError)")
    }
}
