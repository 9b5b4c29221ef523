// SPDX-License-Identifier: MIT
import CauseCorpus
import Testing

@Suite("Labelled corpus of causes")
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
