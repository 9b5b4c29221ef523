// SPDX-License-Identifier: MIT
// The four checks at the end of an interval.

import Foundation
import TestSupport
import Testing

@testable import Signpost
@testable import SignpostSupport

@Suite("Checks at the end")
struct EndCheckTests {
    private static let right = EndCheck.Facts(
        isFirstEnd: true, isSameSignposter: true, beginName: "a", endName: "a", isExclusive: false,
        isFromOtherProcess: false)

    private func check(_ change: (inout EndCheck.Facts) -> Void) -> EndCheck {
        var facts = Self.right
        change(&facts)
        return EndCheck(facts)
    }

    #if DEBUG

        @Test("in debug builds an interval that ends twice stops the process")
        func endedTwice() async throws {
            let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                let signposter = Signposter(subsystem: "test.check", category: "Twice")
                let state = signposter.beginInterval("work")
                signposter.endInterval("work", state)
                signposter.endInterval("work", state)
            }
            #expect(result.complaint.contains("ended twice"))
        }

        @Test("in debug builds an interval that ends under another name stops the process")
        func otherName() async throws {
            let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                let signposter = Signposter(subsystem: "test.check", category: "Name")
                signposter.endInterval("play", signposter.beginInterval("work"))
            }
            #expect(result.complaint.contains("\"work\" ended as \"play\""))
        }

        @Test("in debug builds an interval that another signposter ends stops the process")
        func otherSignposter() async throws {
            let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                let state = Signposter(subsystem: "test.check", category: "One").beginInterval("work")
                Signposter(subsystem: "test.check", category: "Other").endInterval("work", state)
            }
            #expect(result.complaint.contains("another signposter"))
        }

        @Test("in debug builds an interval with the exclusive id that ends in another process stops that process")
        func exclusiveElsewhere() async throws {
            let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                let signposter = Signposter(subsystem: "test.check", category: "Exclusive")
                let state = try EndCheckTests.travelled(signposter.beginInterval("work"), toOtherProcess: true)
                signposter.endInterval("work", state)
            }
            #expect(result.complaint.contains("exclusive id"))
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

    @Test("an interval that travels ends in another process without complaint, unless its id is exclusive")
    func travels() async {
        await #expect(processExitsWith: .success) {
            let signposter = Signposter(subsystem: "test.check", category: "Travels")
            let own = signposter.beginInterval("work", id: signposter.makeSignpostID())
            signposter.endInterval("work", try EndCheckTests.travelled(own, toOtherProcess: true))
            let exclusive = signposter.beginInterval("work")
            signposter.endInterval("work", try EndCheckTests.travelled(exclusive, toOtherProcess: false))
        }
    }

    @Test("a state made from an id is not checked, and right ends never complain")
    func unchecked() async {
        await #expect(processExitsWith: .success) {
            let signposter = Signposter(subsystem: "test.check", category: "Unchecked")
            let made = SignpostIntervalState.beginState(id: SignpostID(5))
            signposter.endInterval("any", made)
            signposter.endInterval("name", made)
            Signposter(subsystem: "test.check", category: "Unchecked2").endInterval("twice", made)
            let state = signposter.beginInterval("work")
            Signposter(subsystem: "test.check", category: "Unchecked").endInterval("work", state)
        }
    }

    /// The state as another process (or this one) decodes it.
    static func travelled(_ state: SignpostIntervalState, toOtherProcess: Bool) throws -> SignpostIntervalState {
        let data = try JSONEncoder().encode(state)
        var text = String(decoding: data, as: UTF8.self)
        if toOtherProcess {
            let own = "\"process\":\(OpenInterval.thisProcess)"
            precondition(text.contains(own))
            text = text.replacingOccurrences(of: own, with: "\"process\":\(OpenInterval.thisProcess ^ 1)")
        }
        return try JSONDecoder().decode(SignpostIntervalState.self, from: Data(text.utf8))
    }
}

extension ExitTest.Result {
    /// What the process said as it stopped.
    fileprivate var complaint: String { String(decoding: standardErrorContent, as: UTF8.self) }
}
