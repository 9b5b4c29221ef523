// SPDX-License-Identifier: MIT
@testable import RerenderRecording
import TestSupport
import Testing

@Suite("rerenderctl analyses")
struct AnalysesCommandTests {
    @Test("--print writes the file")
    func prints() async throws {
        let output = try await ChildProcess.run([ChildProcess.product("rerenderctl"), "analyses", "--print"])
        #expect(output.exit == .status(0))
        #expect(output.standardOutput == String(decoding: TraceCompassFile.bytes, as: UTF8.self))
    }
}
