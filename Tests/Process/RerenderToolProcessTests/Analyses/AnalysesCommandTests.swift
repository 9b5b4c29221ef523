// SPDX-License-Identifier: MIT
import Foundation
import TestSupport
import Testing

@Suite("rerenderctl analyses")
struct AnalysesCommandTests {
    @Test("writes the file of the sources, byte by byte")
    func prints() async throws {
        let output = try await ChildProcess.run([ChildProcess.product("rerenderctl"), "analyses"])
        #expect(output.exit == .status(0))
        let file = Checkout.url("Sources/Tool/CScreen/Analyses/rerender-trace-compass.xml")
        #expect(try Data(contentsOf: file) == Data(output.standardOutput.utf8))
    }
}
