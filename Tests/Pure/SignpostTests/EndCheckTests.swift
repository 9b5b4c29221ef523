// SPDX-License-Identifier: MIT
// The four checks at the end of an interval.

import Foundation
import Testing

@testable import Signpost

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

    @Test("an interval with the exclusive id that ends in another process is found there")
    func exclusiveElsewhere() throws {
        let signposter = Signposter(subsystem: "test.check", category: "Exclusive")
        let state = try travelled(begin(signposter), toOtherProcess: true)
        let verdict = try check(state, endedBy: signposter, as: "work")
        #expect(verdict == .exclusiveAcrossProcesses && verdict.complaint?.contains("exclusive id") == true)
    }

    @Test("an interval that travels ends in another process without complaint, unless its id is exclusive")
    func travels() throws {
        let signposter = Signposter(subsystem: "test.check", category: "Travels")
        let own = begin(signposter, id: signposter.makeSignpostID())
        #expect(try check(travelled(own, toOtherProcess: true), endedBy: signposter, as: "work") == .fine)
        let exclusive = begin(signposter)
        #expect(try check(travelled(exclusive, toOtherProcess: false), endedBy: signposter, as: "work") == .fine)
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

    /// The state as another process (or this one) decodes it.
    private func travelled(_ state: SignpostIntervalState, toOtherProcess: Bool) throws -> SignpostIntervalState {
        var text = String(decoding: try JSONEncoder().encode(state), as: UTF8.self)
        if toOtherProcess {
            let own = "\"process\":\(OpenInterval.thisProcess)"
            try #require(text.contains(own))
            text = text.replacingOccurrences(of: own, with: "\"process\":\(OpenInterval.thisProcess ^ 1)")
        }
        return try JSONDecoder().decode(SignpostIntervalState.self, from: Data(text.utf8))
    }

    @Test("the state of an interval that was not recorded travels as such")
    func offTravels() throws {
        let off = Signposter.disabled.beginInterval("work")
        let data = try JSONEncoder().encode(off)
        #expect(try JSONDecoder().decode(SignpostIntervalState.self, from: data).interval == nil)
    }
}
