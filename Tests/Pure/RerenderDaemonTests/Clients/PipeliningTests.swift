// SPDX-License-Identifier: MIT
import Glibc
import NIOCore
import NIOEmbedded
import RerenderModel
import RerenderQuery
import RerenderWire
import TestSupport
import Testing

@testable import RerenderDaemon
@testable import DaemonSupport

@Suite("Clients that do not wait for answers")
struct PipeliningTests {
    private let fixture = RegistryFixture()
    private let request = "GET /v1/health HTTP/1.1\r\nHost: x\r\n\r\n"

    @Test("get one answer a slice, and between two of them others get theirs")
    func slices() throws {
        let embedded = try EmbeddedService(fixture.registry)
        let greedy = try embedded.connect()
        let modest = try embedded.connect()
        try greedy.send(String(repeating: request, count: 100))
        #expect(try greedy.received().occurrences(of: "HTTP/1.1 200") == 1, "time stands still")
        for _ in 0..<10 {
            try modest.send(request)
            embedded.passPause()
            embedded.passPause()
            #expect(try greedy.received().occurrences(of: "HTTP/1.1 200") == 1)
            #expect(try modest.received().occurrences(of: "HTTP/1.1 200") == 1)
        }
        for _ in 0..<200 { embedded.passPause() }
        #expect(try greedy.received().occurrences(of: "HTTP/1.1 200") == 89, "each is answered once")
    }

    @Test("get long answers in slices too, whole and in order, while others get theirs", arguments: [nil, 30])
    func longAnswers(limit: Int?) throws {
        let app = try fixture.connect()
        try fixture.say(.store(), on: app)
        for index in 0..<UInt32(3_000) {
            try fixture.say(.view(index, "v\(index)"), .totals(index, UInt64(index) + 1), on: app)
        }
        // A slice is one step: what a step may do is what holds everyone up.
        let embedded = try EmbeddedService(fixture.registry) { $0.sliceTime = .zero }
        let long = try embedded.connect()
        let modest = try embedded.connect()
        let parameter = limit.map { "?limit=\($0)" } ?? ""
        try long.send("GET /v1/stats\(parameter) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        var (text, answers, slices) = ("", 0, 0)
        while long.isActive, slices < 20_000 {
            try modest.send(request)
            embedded.passPause()
            embedded.passPause()
            slices += 1
            text += try long.received()
            answers += try modest.received().occurrences(of: "HTTP/1.1 200")
        }
        #expect(answers >= slices - 1 && slices > 3_000 / 256, "\(answers) answers in \(slices) slices")
        let counts = try UnixHTTP.parse(Array(text.utf8)).json(StatsExport.self).processes[0].views.map(\.count)
        #expect(counts == (1...3_000).reversed().prefix(limit ?? 3_000).map { UInt64($0) })
    }

    @Test("and send headers without end are told so and closed")
    func endlessHeaders() throws {
        let embedded = try EmbeddedService(fixture.registry)
        let client = try embedded.connect()
        try client.send("GET /v1/health HTTP/1.1\r\n")
        var sent = 0
        while client.isActive, sent < 1 << 20 {
            try? client.send("X-\(sent): \(String(repeating: "a", count: 1_000))\r\n")
            sent += 1_000
            embedded.passPause()
        }
        let answer = try client.received()
        #expect(answer.hasPrefix("HTTP/1.1 431 ") && answer.contains("16384 bytes of headers"), "\(answer)")
        #expect(sent < 100_000)
    }
}
