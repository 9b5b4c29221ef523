// SPDX-License-Identifier: MIT
// A few of the ends that Scripts/chaos makes a thousand of.

import Foundation
import TestSupport
import Testing

@Suite("Ends at random moments")
struct ChaosTests {
    private func chaos(_ arguments: [String]) async throws -> ChildProcess.Output {
        try await ChildProcess.run([ChildProcess.product("rerender-chaos")] + arguments, seconds: 600)
    }

    @Test("leave no evaluation unaccounted for")
    func accounted() async throws {
        let output = try await chaos(["--times", "40"])
        #expect(output.succeeded, "\(output.standardOutput)\n\(output.standardError)")
        #expect(output.standardOutput.contains("40 ends in "))
    }

    @Test("are counted by the apps themselves: an evaluation too many in their counters is found")
    func defect() async throws {
        let output = try await chaos(["--times", "4", "--seed", "1", "--defect"])
        #expect(output.exit == .status(1))
        #expect(output.standardOutput.contains("4 evaluations unaccounted for"), "\(output.standardOutput)")
    }
}
