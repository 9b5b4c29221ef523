// SPDX-License-Identifier: MIT
// A recording on a disk that is full: a real file system, mounted in a namespace that ends with the recording.

import Foundation
@testable import RerenderTool
@testable import RerenderShow
import RerenderTrace
import TestSupport
import TestTraits
@testable import ToolSupport
import Testing

@Suite("rerenderctl record, on a full disk")
struct RecordDiskTests {
    /// Mounts a disk of `$1` at `$2`, runs the rest, and leaves in `$3` what babeltrace2 reads of the recording.
    private static let script = """
        mount -t tmpfs -o "size=$1,mode=777" tmpfs "$2" || exit 99
        disk=$2 read=$3
        shift 3
        "$@"
        status=$?
        babeltrace2 "$disk/trace" > "$read" 2> /dev/null || echo damaged > "$read"
        exit "$status"
        """

    @Test(
        "it ends with a status of its own where the command's is 0, and says what can still be read", .promise,
        .enabled(
            if: LTTngDaemon.isInstalled && LTTngDaemon.isRoot, "needs lttng-tools, babeltrace2, and root to mount"),
        .timeLimit(.minutes(15)),
        arguments: [("1m", 0, 75), ("2m", 0, 75), ("1m", 7, 7), ("64m", 0, 0)])
    func fullDisk(size: String, ending: Int32, status: Int32) async throws {
        try await RecordBench.with { bench in
            // The recording starts one of its own, which sees the disk.
            try await bench.daemon.crash()
            let (disk, read, home) = (bench.home + "/disk", bench.home + "/read", bench.home)
            try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: false)
            let app = "echo run 12000 | \(try await bench.program("counting")) > /dev/null; exit \(ending)"
            let record = try bench.daemon.asUser([
                try await bench.program("rerenderctl"), "record", "-o", disk + "/trace", "--", "/bin/sh", "-c", app,
            ])
            let unshare = try #require(TestSupport.ChildProcess.path(of: "unshare"))
            let output = try await TestSupport.ChildProcess.run(
                [unshare, "--mount", "/bin/sh", "-c", Self.script, "sh", size, disk, read] + record,
                environment: bench.daemon.environment.merging([
                    "RERENDER_RUNTIME_DIR": home + "/runtime", "RERENDER_WAIT_FOR_TRACER": "60000",
                ]) { $1 })
            #expect(output.exit == .status(status), "\(output)")
            let lines = try String(contentsOfFile: read, encoding: .utf8).split(separator: "\n")
            if lines == ["damaged"] {
                #expect(output.hasError(": nothing of it can be read ("), "\(output)")
            } else {
                #expect(output.hasError(": \(RecordBench.count(lines.count)), "), "\(output)")
            }
            let isFull = size != "64m"
            #expect(isFull == output.hasError("the recording is not complete: the disk of \(disk)/trace is full"))
            #expect(isFull != output.hasError("no event was lost"), "\(output)")
            #expect(isFull || lines.count { $0.contains("com.rerender.BodyEval:end") } == 12_000)
        }
    }
}
