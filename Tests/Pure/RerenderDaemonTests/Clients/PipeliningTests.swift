// SPDX-License-Identifier: MIT
import Glibc
import NIOCore
import NIOEmbedded
import RerenderModel
import RerenderWire
import TestSupport
import Testing

@testable import RerenderDaemon
@testable import DaemonSupport

@Suite("Clients that do not wait for answers")
struct PipeliningTests {
    private let fixture = RegistryFixture()
    private let request = "GET /v1/health HTTP/1.1\r\nHost: x\r\n\r\n"

    @Test("get one answer, and before the next one others get theirs")
    func slices() throws {
        let embedded = try EmbeddedService(fixture.registry)
        let greedy = try embedded.connect()
        let modest = try embedded.connect()
        try greedy.send(String(repeating: request, count: 100))
        #expect(try greedy.received().occurrences(of: "HTTP/1.1 200") == 1, "time stands still")
        for _ in 0..<10 {
            try modest.send(request)
            #expect(try modest.received().occurrences(of: "HTTP/1.1 200") == 1)
            embedded.passPause()
            #expect(try greedy.received().occurrences(of: "HTTP/1.1 200") == 1)
        }
        for _ in 0..<200 { embedded.passPause() }
        #expect(try greedy.received().occurrences(of: "HTTP/1.1 200") == 89, "each is answered once")
    }

    @Test("get long answers in pieces, whole and in order, while others get theirs", arguments: [nil, 30])
    func longAnswers(limit: Int?) throws {
        let app = try fixture.connect()
        try fixture.say(.store(), on: app)
        for index in 0..<UInt32(3_000) {
            try fixture.say(.view(index, "v\(index)"), .totals(index, UInt64(index) + 1), on: app)
        }
        // A piece holds everyone up: it has a few views.
        let embedded = try EmbeddedService(fixture.registry) { $0.pieceBytes = 4_096 }
        let long = try embedded.connect()
        let modest = try embedded.connect()
        let parameter = limit.map { "?limit=\($0)" } ?? ""
        try long.send("GET /v1/stats\(parameter) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        var (text, answers, pauses) = ("", 0, 0)
        while long.isActive, pauses < 20_000 {
            let received = try long.received()
            #expect(received.utf8.count < 16_384)
            text += received
            try modest.send(request)
            embedded.passPause()
            pauses += 1
            answers += try modest.received().occurrences(of: "HTTP/1.1 200")
        }
        text += try long.received()
        #expect(answers == pauses && pauses > (limit ?? 3_000) / 8, "\(answers) answers in \(pauses) pauses")
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
