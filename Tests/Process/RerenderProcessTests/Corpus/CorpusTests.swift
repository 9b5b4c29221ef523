// SPDX-License-Identifier: MIT
import CauseCorpus
import TestSupport
import Testing

@Suite("Labelled corpus of causes")
struct CorpusTests {
    @Test("has no wrong answer, and few unknown ones, about types that only have the names of others")
    func lookalikes() async throws {
        // A process of its own: it ended with SIGSEGV.
        let output = try await ChildProcess.run([ChildProcess.product("corpus"), "lookalikes"])
        #expect(output.succeeded, "\(output.standardOutput)\(output.standardError)")
    }
}
