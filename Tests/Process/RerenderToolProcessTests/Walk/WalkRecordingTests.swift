// SPDX-License-Identifier: MIT
// The numbers of the walk that need LTTng.

import Foundation
import RerenderModel
import TestSupport
import Testing
@testable import ToolSupport

@Suite(
    "The walk of a stranger, recorded",
    .enabled(if: LTTngDaemon.isInstalled, "needs lttng-tools, babeltrace2 and setpriv"), .timeLimit(.minutes(15)))
struct WalkRecordingTests {
    @Test(
        "11, 12. record says what was recorded, and report shows the processes of its command alone; --all shows the rest"
    )
    func recorded() async throws {
        try await RecordBench.with { bench in
            let trace = bench.home + "/trace", page = bench.home + "/page.html"
            let demo = try await bench.program("rerender-demo")
            let other = try await bench.daemon.start(product: "rerender-demo", ["--seconds", "0"])
            let process = try await bench.record(["-o", trace, "--html", page, "--", demo, "--ticks", "60"])
            let recorded = await process.finish()
            other.kill(SIGINT)
            _ = await other.finish()
            #expect(recorded.exit == .status(0), "\(recorded)")
            #expect(recorded.standardError.contains("wrote \(page): "), "\(recorded)")
            #expect(recorded.standardError.contains("Open it in a browser: file://"), "\(recorded)")
            func processes(_ options: String...) async throws -> Int {
                let arguments = ["report", trace, "--json"] + options
                let report = await (try await bench.daemon.start(product: "rerenderctl", arguments)).finish()
                return try JSONDecoder().decode(StatsExport.self, from: Data(report.standardOutput.utf8)).processes
                    .count
            }
            let (own, all) = (try await processes(), try await processes("--all"))
            #expect(own == 1 && all == 2)
        }
    }
}
