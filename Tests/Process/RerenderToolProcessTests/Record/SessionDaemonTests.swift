// SPDX-License-Identifier: MIT
@testable import RerenderTool
import TestSupport
import Testing

@Suite("LTTng's session daemon of a recording")
struct SessionDaemonTests {
    /// Whether a process has not ended. Its parent may not have waited for it yet.
    private static func runs(_ pid: Int32) -> Bool {
        let state = ProcFile.read("/proc/\(pid)/stat").split(separator: ")").last
        return state.map { !$0.hasPrefix(" Z") } ?? false
    }

    @Test(
        "five recordings, one after the other, each start one and leave none",
        .enabled(if: LTTngDaemon.isInstalled, "needs lttng-tools, babeltrace2 and setpriv"))
    func five() async throws {
        try await RecordBench.with { bench in
            try await bench.daemon.crash()
            for number in 1...5 {
                let process = try await bench.recordAll(["-o", "\(bench.home)/\(number)", "-d", "0.1"])
                let pid = try #require(SessionDaemonPid.inFile(bench.home + "/.lttng/lttng-sessiond.pid"))
                let output = await process.finish()
                #expect(output.exit == .status(0) && output.hasError("started an LTTng session daemon"), "\(output)")
                #expect(!Self.runs(pid), "the session daemon of recording \(number)")
            }
        }
    }
}
