// SPDX-License-Identifier: MIT
// The render loop's debugging tools are nothing in a release build, and something in the same program in debug.

import Foundation
import TestSupport
import Testing

@Suite("A screen in a release build") struct ReleaseScreenTests {
    @Test("draws nothing for the tools and counts no view; in debug it does both")
    func toolsAreNothing() async throws {
        let release = try await ReleaseCost.succeed([try await Self.build()])
        #expect(release.standardOutput == "0 0\n")
        let debug = try await ReleaseCost.succeed([ChildProcess.product("ReleaseScreen")])
        let counts = debug.standardOutput.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        #expect(counts.count == 2 && counts.allSatisfy { $0 > 0 }, "\(debug.standardOutput)")
    }

    private static func build() async throws -> String {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let package = tests.appendingPathComponent("Fixtures/ReleaseScreen").path
        let scratch = tests.deletingLastPathComponent().appendingPathComponent(".build/release-screen").path
        // The plan of the last build does not know of files that this package has got since.
        for stale in [package + "/Package.resolved", scratch + "/release.yaml"] {
            try? FileManager.default.removeItem(atPath: stale)
        }
        try await ReleaseCost.succeed(
            [
                try ReleaseCost.path("swift"), "build", "--configuration", "release", "--package-path", package,
                "--scratch-path", scratch,
            ])
        return scratch + "/release/ReleaseScreen"
    }
}
