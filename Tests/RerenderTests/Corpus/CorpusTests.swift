// SPDX-License-Identifier: MIT
import CauseCorpus
import TestTags
import Testing

// Alone, because a turn of the main loop counts for every thread: a test beside it that uses the main actor would make one.
@Suite("Labelled corpus of causes", .tags(.alone))
struct CorpusTests {
    @Test("is explained exactly", arguments: Case.all)
    func explained(_ one: Case) {
        #expect(one.failures() == [])
    }

    @Test("has at least sixty cases, each with a name of its own")
    func size() {
        #expect(Case.all.count >= 60)
        #expect(Set(Case.all.map(\.name)).count == Case.all.count)
    }
}
