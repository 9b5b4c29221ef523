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
    @Test("on this machine it fails without a daemon with status 1, and passes beside a real one", .promise)
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
        let bad = try await Bench().ctl("doctor")
        #expect(bad.ending == .exited(1) && bad.errors.withoutProgress.isEmpty)
        #expect(bad.output.contains("fail  push socket") && bad.output.contains("fail  daemon"))
    }
}
