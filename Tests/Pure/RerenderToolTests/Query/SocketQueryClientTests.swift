// SPDX-License-Identifier: MIT
import Foundation
import RerenderModel
import RerenderQuery
@testable import RerenderTool
@testable import RerenderToolBase
import TestSupport
import Testing
@testable import ToolSupport

@Suite("The client of the query socket")
struct SocketQueryClientTests {
    private func failure(
        _ bytes: [UInt8], then: CannedServer.Then = .close, patience: Duration = .seconds(10)
    ) async throws -> ToolFailure? {
        let scratch = try TemporaryDirectory()
        let server = try CannedServer(scratch.path + "/query.sock", then: then) { _ in bytes }
        let client = SocketQueryClient(path: server.path, patience: patience)
        defer { server.stop() }
        return await #expect(throws: ToolFailure.self) { _ = try await client.export(.get(.stats)) }
    }

    @Test("a path that is too long for a socket is said to be")
    func longPath() async {
        let client = SocketQueryClient(path: "/tmp/" + String(repeating: "x", count: 200))
        let failure = await #expect(throws: ToolFailure.self) { try await client.send(.get(.health)) { _ in } }
        #expect(failure?.status == 69)
        #expect(failure?.message.contains("at most 107 bytes") == true)
    }
}
