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
}
