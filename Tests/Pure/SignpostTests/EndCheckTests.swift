// SPDX-License-Identifier: MIT
// The checks at the end of an interval.

import Foundation
import Testing

@testable import Signpost

@Suite("Checks at the end")
struct EndCheckTests {
    @Test("the closing event's message names the mistake before what the caller said")
    func messages() {
        #expect(EndCheck.fine.message("done") == "done")
        #expect(EndCheck.endedTwice.message("") == "error: signpost interval ended twice")
        #expect(
            EndCheck.otherName(began: "a", ended: "b").message("done")
                == "error: signpost interval \"a\" ended as \"b\"; done")
        #expect(EndCheck.otherSignposter.complaint != nil)
    }

    /// What an end of the interval is found to be.
    private func check(
        _ state: SignpostIntervalState, endedBy signposter: Signposter, as name: StaticString
    ) throws -> EndCheck {
        let interval = try #require(state.interval)
        let isFirstEnd = interval.close()
        let verdict = interval.check(endedBy: signposter, as: name, isFirstEnd)
        // The quick answer is yes for right ends alone.
        if isFirstEnd, interval.isBegun(by: signposter, as: name) { #expect(verdict == .fine) }
        return verdict
    }

    /// The state of an interval that is followed, in release builds too.
    private func begin(
        _ signposter: Signposter, id: SignpostID = .exclusive, as name: StaticString = "work"
    ) -> SignpostIntervalState { signposter.begin(name, id, "") }

    @Test("an interval that ends under another name is found")
    func otherName() throws {
        let signposter = Signposter(subsystem: "test.check", category: "Name")
        let verdict = try check(begin(signposter), endedBy: signposter, as: "play")
        #expect(verdict == .otherName(began: "work", ended: "play"))
        #expect(verdict.complaint?.contains("\"work\" ended as \"play\"") == true)
    }

    @Test("an interval that another signposter ends is found")
    func otherSignposter() throws {
        let one = Signposter(subsystem: "test.check", category: "One")
        let other = Signposter(subsystem: "test.check", category: "Other")
        let verdict = try check(begin(one), endedBy: other, as: "work")
        #expect(verdict == .otherSignposter && verdict.complaint?.contains("another signposter") == true)
    }

    @Test("an interval that ends twice is found, before anything else that is wrong with its end")
    func secondEnd() throws {
        let signposter = Signposter(subsystem: "test.check", category: "Twice")
        let state = begin(signposter)
        #expect(try check(state, endedBy: signposter, as: "work") == .fine)
        #expect(try check(state, endedBy: signposter, as: "play") == .endedTwice)
    }

    @Test("a state made from an id is not checked, and right ends never complain")
    func unchecked() throws {
        let signposter = Signposter(subsystem: "test.check", category: "Unchecked")
        let made = SignpostIntervalState.beginState(id: SignpostID(5))
        #expect(try check(made, endedBy: signposter, as: "any") == .fine)
        #expect(try check(made, endedBy: signposter, as: "name") == .fine)
        let other = Signposter(subsystem: "test.check", category: "Unchecked2")
        #expect(try check(made, endedBy: other, as: "twice") == .fine)
        let same = Signposter(subsystem: "test.check", category: "Unchecked")
        #expect(try check(begin(signposter), endedBy: same, as: "work") == .fine)
    }
}
