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

    @Test("has no wrong answer, and few unknown ones, about the 300 programs at bounds")
    func bounds() async throws {
        // A process of its own: some leave no stacks for others.
        let output = try await ChildProcess.run([ChildProcess.product("corpus"), "bounds"])
        #expect(output.succeeded, "\(output.standardOutput)\(output.standardError)")
    }

    @Test("has no wrong answer about values of more types than a process knows")
    func types() async throws {
        // A process of its own: later types have nothing left.
        let output = try await ChildProcess.run([ChildProcess.product("corpus"), "types"])
        #expect(output.succeeded, "\(output.standardOutput)\(output.standardError)")
    }
}
