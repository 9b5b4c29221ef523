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

    @Test("each mistake is told apart, and none is seen where there is none")
    func verdicts() {
        #expect(check { _ in } == .fine)
        #expect(check { $0.isFirstEnd = false } == .endedTwice)
        #expect(check { $0.isSameSignposter = false } == .otherSignposter)
        #expect(check { $0.endName = "b" } == .otherName(began: "a", ended: "b"))
        #expect(
            check {
                $0.isExclusive = true
                $0.isFromOtherProcess = true
            } == .exclusiveAcrossProcesses)
        #expect(check { $0.isExclusive = true } == .fine)
        #expect(check { $0.isFromOtherProcess = true } == .fine)
    }

    @Test("the closing event's message names the mistake before what the caller said")
    func messages() {
        #expect(EndCheck.fine.message("done") == "done")
        #expect(EndCheck.endedTwice.message("") == "error: signpost interval ended twice")
        #expect(
            EndCheck.otherName(began: "a", ended: "b").message("done")
                == "error: signpost interval \"a\" ended as \"b\"; done")
        #expect(EndCheck.otherSignposter.complaint != nil && EndCheck.exclusiveAcrossProcesses.complaint != nil)
    }

    #if DEBUG
    #else
    #endif

    @Test("the state of an interval that was not recorded travels as such")
    func offTravels() throws {
        let off = Signposter.disabled.beginInterval("work")
        let data = try JSONEncoder().encode(off)
        #expect(try JSONDecoder().decode(SignpostIntervalState.self, from: data).interval == nil)
    }
}

extension ExitTest.Result {
    /// What the process said as it stopped.
    fileprivate var complaint: String { String(decoding: standardErrorContent, as: UTF8.self) }
}
