// SPDX-License-Identifier: MIT
// What a mistake at the end of an interval does: debug builds stop, release builds say it in the trace.

import Foundation
import TestSupport
import TestTraits
import Testing

@testable import Signpost
@testable import SignpostSupport

@Suite("Checks at the end")
struct EndCheckTests {
    #if DEBUG

        @Test("in debug builds an interval that ends twice stops the process", .promise)
        func endedTwice() async throws {
            let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                let signposter = Signposter(subsystem: "test.check", category: "Twice")
                let state = signposter.beginInterval("work")
                signposter.endInterval("work", state)
                signposter.endInterval("work", state)
            }
            #expect(result.complaint.contains("ended twice"))
        }

    #else

        @Test(
            "in release builds the closing event says what was wrong, and closes the interval that was begun",
            .enabled(if: LTTngDaemon.isInstalled, "needs lttng-tools, babeltrace2 and setpriv"))
        func complaintsInTrace() async throws {
            let subsystem = uniqueSubsystem()
            let events = try await record(
                .ordinary, LTTngRecording("\(subsystem).*:end"), subsystem, "Release",
                commands: ["make \(subsystem) Other process", "wait 60000", "mistakes 0 1"])
            #expect(
                events.compactMap { $0.text("message") } == [
                    "first", "error: signpost interval ended twice; second",
                    "error: signpost interval \"work\" ended as \"play\"",
                    "error: signpost interval ended by another signposter than the one that began it",
                ])
            #expect(events.allSatisfy { $0.text("name") == "work" && $0.name == "\(subsystem).Release:end" })
        }

    #endif
}

extension ExitTest.Result {
    /// What the process said as it stopped.
    fileprivate var complaint: String { String(decoding: standardErrorContent, as: UTF8.self) }
}
