// SPDX-License-Identifier: MIT
// Intervals as they are recorded.

import TestSupport
import Testing
@testable import SignpostSupport

@Suite("Intervals", .enabled(if: LTTngDaemon.isInstalled, "needs lttng-tools, babeltrace2 and setpriv"))
struct IntervalTests {
    @Test("an interval around work ends when the work returns, throws or is cancelled; async ones match in the process")
    func around() async throws {
        let subsystem = uniqueSubsystem()
        let events = try await record(
            .ordinary, LTTngRecording("\(subsystem).*"), subsystem, "Around", scope: "thread", commands: ["around 0"])
        let names = ["returns", "throws", "returns later", "cancelled"]
        #expect(events.map(\.name) == names.flatMap { _ in ["begin", "end"] }.map { "\(subsystem).Around:\($0)" })
        #expect(events.compactMap { $0.text("name") } == names.flatMap { [$0, $0] })
        #expect(
            events.compactMap { $0.text("scope") }
                == ["thread", "thread", "thread", "thread", "process", "process", "process", "process"])
        #expect(events[4].text("message") == "with a message" && events[5].text("message") == " ")
        let ids = events.compactMap { $0.integer("signpost_id") }
        #expect(Set(ids).count == 4 && (0..<4).allSatisfy { ids[2 * $0] == ids[2 * $0 + 1] })
    }

    @Test("animation intervals are tagged, null and invalid ids are not recorded")
    func tagsAndNoIDs() async throws {
        let subsystem = uniqueSubsystem()
        let events = try await record(
            .ordinary, LTTngRecording("\(subsystem).*"), subsystem, "Tags", scope: "system",
            commands: ["mute 0", "animate 0"])
        #expect(events.compactMap { $0.text("message") } == ["isAnimation=YES", " ", "fast isAnimation=YES", " "])
        #expect(events.allSatisfy { $0.integer("signpost_id") == 0xEEEE_B0B5_B2B2_EEEE })
        #expect(events.allSatisfy { $0.text("scope") == "system" })
    }
}
