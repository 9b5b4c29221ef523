// SPDX-License-Identifier: MIT
// A hooked function gets the arguments of its call, in whatever registers and on the stack, and its caller gets its results.

import CInject
import Foundation
import TestSupport
import Testing

@Suite("A thunk", .serialized)
struct ThunkTests {
    @Test(
        "is assembled for arm64, where `Scripts/proof arm64` calls it",
        .enabled(if: ChildProcess.path(of: "clang") != nil, "needs clang, which comes with Swift"))
    func arm64() async throws {
        let clang = try #require(ChildProcess.path(of: "clang"))
        let root = Checkout.root.path
        let object = try TestFile.makeDirectory() + "/thunks.o"
        let thunks = root + "/Sources/Inject/CInject/Hooks/thunks.S"
        let made = try await ChildProcess.run(
            [clang, "--target=aarch64-unknown-linux-gnu", "-c", thunks, "-o", object])
        #expect(made.succeeded, "\(made.standardError)")
        // The processor that the file is for: EM_AARCH64.
        #expect(try Data(contentsOf: URL(fileURLWithPath: object))[18] == 183)
    }
}
