// SPDX-License-Identifier: MIT
// What the scripts show of a build that fails.

import Foundation
import TestSupport
import Testing

@Suite("Builds in scripts")
struct ProgressTests {
    private static let helpers = ["say.sh", "swift.sh"]
        .map { ". " + SystemdHarness.checkout.appending(path: "Scripts/lib/\($0)").path + "; " }.joined()

    private static func bash(_ script: String) -> [String] {
        ["/bin/bash", "-c", "set -uo pipefail; " + helpers + script]
    }

    @Test("A build that fails shows its messages, and ends the script")
    func failure() async throws {
        let failing = "swift() { echo 'error: no'; return 1; }; "
        let output = try await ChildProcess.run(Self.bash(failing + "build --product shop; echo on"))
        #expect(output.exit == .status(70) && output.standardOutput.isEmpty)
        #expect(output.standardError.contains("error: no\n"))
        #expect(output.standardError.contains("the build failed; its messages are above (swift build --product shop)"))
    }
}
