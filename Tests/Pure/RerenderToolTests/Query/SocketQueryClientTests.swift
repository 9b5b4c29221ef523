// SPDX-License-Identifier: MIT
@testable import RerenderShow
import Testing

@Suite("The client of the query socket")
struct SocketQueryClientTests {
    @Test("a path that is too long for a socket is said to be")
    func longPath() async {
        let client = SocketQueryClient(path: "/tmp/" + String(repeating: "x", count: 200))
        let failure = await #expect(throws: ToolFailure.self) { try await client.send(.get(.health)) { _ in } }
        #expect(failure?.status == 69)
        #expect(failure?.message.contains("at most 107 bytes") == true)
    }
}
