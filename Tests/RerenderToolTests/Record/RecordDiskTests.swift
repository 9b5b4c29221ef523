// SPDX-License-Identifier: MIT
// A recording on a disk that is full: a real file system, mounted in a namespace that ends with the recording.

import Foundation
@testable import RerenderRecording
@testable import RerenderToolBase
import RerenderTrace
import TestSupport
import TestTags
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
        "it ends with a status of its own where the command's is 0, and says what can still be read", .tags(.heavy),
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
                    "RERENDER_RUNTIME_DIR": home + "/runtime", "RERENDER_WAIT_FOR_TRACER": "20000",
                ]) { $1 }, seconds: 300)
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

    private func summary(
        _ events: TraceContent.Events, refusal: String? = nil, isDiskFull: Bool = false
    ) -> RecordingSummary {
        RecordingSummary(
            commands: RecordingCommands(session: "s", place: .directory("/d"), processors: 2),
            outcome: Recording.Outcome(
                directory: "/d", content: TraceContent(bytes: 10, events: events, metadata: ["/d/metadata"]),
                lost: refusal == nil ? 0 : nil, refusal: refusal),
            isDiskFull: isDiskFull, nanoseconds: 1_000_000_000, host: "h")
    }

    @Test("of a long trace it says that there are more events than it counts")
    func longTrace() {
        let summary = summary(.more(EventCount.most))
        #expect(summary.failure == nil)
        #expect(summary.lines[0] == "recorded 1.00s: more than 100,000 events, 10 bytes, in /d")
    }

    @Test("a trace that can be read and lacks its end is said to be incomplete, with what to read")
    func readable() throws {
        let summary = summary(.counted(40), isDiskFull: true)
        let failure = try #require(summary.failure)
        #expect(failure.status == 75 && failure.message.contains("the disk of /d is full: the trace may lack its end."))
        #expect(summary.lines[0] == "recorded 1.00s: 40 events, 10 bytes, in /d")
        #expect(summary.lines[1] == "Next: rerenderctl report /d")
    }

    @Test("a trace that cannot be read is said to be incomplete, with what is wrong with it, and nothing to read next")
    func unreadable() throws {
        let summary = summary(.unreadable("its metadata is cut off"))
        #expect(summary.failure?.message == "the recording is not complete: its trace cannot be read.")
        #expect(
            summary.lines == ["recorded 1.00s: nothing of it can be read (its metadata is cut off), 10 bytes, in /d"])
    }

    @Test("LTTng's refusal is told behind the full disk; a count that nobody made is no fault of the recording")
    func refusal() {
        let failure = summary(.counted(0), refusal: "LTTng refused: no", isDiskFull: true).failure
        #expect(
            failure?.firstLine.contains("is full") == true && failure?.message.contains("\nLTTng refused: no\n") == true
        )
        #expect(summary(.unknown("it takes more than two minutes")).failure == nil)
        #expect(summary(.counted(40)).failure == nil && summary(.counted(40)).lines[1] == "no event was lost")
    }
}
