// SPDX-License-Identifier: MIT
import RerenderModel
@testable import RerenderTool
@testable import RerenderShow
import Testing

@Suite("Requests")
struct QueryRequestTests {
    @Test("parameters are escaped byte by byte, and left out where they have no value")
    func target() {
        let request = QueryRequest.get(
            .stats, [("sort", "count"), ("limit", nil), ("process", "my app&x=1/ü\u{1B}\r\n"), ("key", "~a-b_c.d")])
        #expect(request.target == "/v1/stats?sort=count&process=my%20app%26x%3D1%2F%C3%BC%1B%0D%0A&key=~a-b_c.d")
        #expect(QueryRequest.get(.health).target == "/v1/health")
    }

    @Test("a refusal of the request is wrong usage, a refusal for the daemon's own reasons is our fault")
    func refusals() {
        #expect(ToolFailure.refused(400, "no").status == 64)
        #expect(ToolFailure.refused(404, "no").status == 64)
        #expect(ToolFailure.refused(500, "no").status == 70)
        #expect(ToolFailure.refused(400, "\u{1B}[2J").message == "the daemon refused: \\u{1b}[2J")
    }
}
