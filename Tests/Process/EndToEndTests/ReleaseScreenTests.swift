// SPDX-License-Identifier: MIT
// The render loop's debugging tools are nothing in a release build, and something in the same program in debug.

import Foundation
import TestSupport
import Testing

@Suite("A screen in a release build", .enabled(if: Fixture.hasSwift, "needs swiftc, cc and make"))
struct ReleaseScreenTests {
    @Test("draws nothing for the tools and counts no view; in debug it does both")
    func toolsAreNothing() async throws {
        let release = try await ReleaseCost.succeed([try await ReleaseCost.product("screens"), "release"])
        #expect(release.standardOutput == "0 0\n")
        let debug = try await ReleaseCost.succeed([ChildProcess.product("screens"), "release"])
        let counts = debug.standardOutput.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        #expect(counts.count == 2 && counts.allSatisfy { $0 > 0 }, "\(debug.standardOutput)")
    }
}
