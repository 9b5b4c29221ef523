// SPDX-License-Identifier: MIT
// Views that mutate, appear and vanish do not make the app grow: by its resident memory, as it says itself.

import TestSupport
import TestTraits
import Testing

@Suite("Memory", .exclusive)
struct MemoryTests {
    /// 100,000 evaluations; 16 bytes lost by each of the later half would be 800 KiB, and a few pages come and go.
    @Test("An app whose views come and go stops growing once all that is kept has its bound")
    func churn() async throws {
        let output = try await ChildProcess.run([ChildProcess.product("corpus"), "churn", "100000"])
        try #require(output.succeeded, "\(output.standardError)")
        let figures = output.standardOutput.split(separator: "\n").map { line in
            line.split(separator: " ").map { $0.split(separator: "=").last.map(String.init) ?? "" }
        }
        try #require(figures.map { $0[0] } == ["10%", "50%", "100%", "ended"], "\(output.standardOutput)")
        #expect(figures.map { Int($0[1]) } == [10_000, 50_000, 100_000, 100_000])
        let kibibytes = try figures.map { try #require(Int($0[2])) }
        Figure.note("growth of an app in 50,000 evaluations", kibibytes[2] - kibibytes[1], "KiB")
        #expect(kibibytes[2] - kibibytes[1] < 2_048, "\(kibibytes)")
        // What was kept of views goes with them.
        #expect(kibibytes[3] < kibibytes[2] - 8_192, "\(kibibytes)")
    }
}
