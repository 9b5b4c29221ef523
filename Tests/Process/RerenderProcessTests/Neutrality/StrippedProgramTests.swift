// SPDX-License-Identifier: MIT
// A program without symbols: reasons are found by comparing values, and say so; what cannot be found has no name.

import Foundation
import TestSupport
import Testing

@Suite("Stripped programs")
struct StrippedProgramTests {
    private static let strip = ChildProcess.path(of: "strip") ?? ChildProcess.path(of: "llvm-strip")

    @Test(
        "give the reasons of the corpus by comparison or not at all, and never another one",
        .enabled(if: strip != nil, "needs strip (Debian: binutils) or llvm-strip"))
    func corpus() async throws {
        let directory = try TemporaryDirectory()
        let program = directory.url.appendingPathComponent("stripped").path
        try await ChildProcess.copyProgram(ChildProcess.product("corpus"), to: program)
        let stripped = try await ChildProcess.run([try #require(Self.strip), program])
        try #require(stripped.succeeded, "\(stripped.standardError)")
        let output = try await ChildProcess.run([program, "stripped"])
        #expect(output.succeeded, "\(output.standardOutput)")

        let reasons = try await ChildProcess.run([program, "reasons"])
        #expect(reasons.standardOutput == Self.found)
        // The same program with its symbols knows all of them exactly, so that the above shows what stripping does.
        let named = try await ChildProcess.run([ChildProcess.product("corpus"), "reasons"])
        #expect(named.standardOutput == Self.exact)
    }

    private static let found = """
        ticker.tick diff
        ticker.name, ticker.tick diff
        <external signal> unsure

        """
    private static let exact = """
        ticker.tick exact
        ticker.name, ticker.tick exact
        ticker.style exact

        """
}
