// SPDX-License-Identifier: MIT
// A recording on a disk that is full: a real file system, mounted in a namespace that ends with the recording.

import Foundation
@testable import RerenderTool
@testable import RerenderShow
import RerenderTrace
import TestSupport
@testable import ToolSupport
import Testing

@Suite("rerenderctl record, on a full disk")
struct RecordDiskTests {
    private func summary(
        _ events: TraceContent.Events, refusal: String? = nil, isDiskFull: Bool = false
    ) -> RecordingSummary {
        RecordingSummary(
            commands: RecordingCommands(session: "s", directory: "/d", processors: 2),
            outcome: Recording.Outcome(
                directory: "/d", content: TraceContent(bytes: 10, events: events, metadata: ["/d/metadata"]),
                lost: refusal == nil ? 0 : nil, refusal: refusal),
            isDiskFull: isDiskFull, nanoseconds: 1_000_000_000)
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
