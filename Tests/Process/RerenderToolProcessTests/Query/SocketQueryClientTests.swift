// SPDX-License-Identifier: MIT
import Foundation
import RerenderModel
@testable import RerenderShow
@testable import RerenderTool
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
        return await #expect(throws: ToolFailure.self) { _ = try await client.export(StatsQuery()) }
    }

    private var document: [UInt8] { Array((try? Sample.export([Sample.shop]).json()) ?? Data()) }

    @Test("reads an answer of a known length and one in chunks")
    func good() async throws {
        let scratch = try TemporaryDirectory()
        let body = document
        let chunks = stride(from: 0, to: body.count, by: 100).flatMap { start -> [UInt8] in
            let piece = body[start..<min(start + 100, body.count)]
            return Array("\(String(piece.count, radix: 16))\r\n".utf8) + piece + [13, 10]
        }
        let head = Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)
        let server = try CannedServer(scratch.path + "/query.sock") { line in
            line.contains("limit=3")
                ? CannedServer.answer(body) : head + chunks + Array("0\r\n\r\n".utf8)
        }
        defer { server.stop() }
        let client = SocketQueryClient(path: server.path)
        #expect(try await client.export(StatsQuery()) == Sample.export([Sample.shop]))
        #expect(try await client.export(StatsQuery(limit: 3)) == Sample.export([Sample.shop]))
    }

    @Test("a socket that is not there, or that nobody listens on, is no daemon: 69 and how to start one")
    func absent() async throws {
        let scratch = try TemporaryDirectory()
        let path = scratch.path + "/query.sock"
        let client = SocketQueryClient(path: path)
        let missing = await #expect(throws: ToolFailure.self) { try await client.send(.get(.health)) { _ in } }
        #expect(missing?.status == 69)
        #expect(missing?.message.contains("No such file or directory") == true)
        #expect(missing?.message.contains("rerenderd --foreground") == true)
        try CannedServer(path) { _ in [] }.stop()
        let stale = await #expect(throws: ToolFailure.self) { try await client.send(.get(.health)) { _ in } }
        #expect(stale?.status == 69)
    }

    @Test("an answer that breaks off is 69, wherever it does")
    func half() async throws {
        let whole = CannedServer.answer(document)
        for length in [0, 10, 60, 80, whole.count / 2, whole.count - 1] {
            let failure = try await failure(Array(whole.prefix(length)))
            #expect(failure?.status == 69, "after \(length) bytes: \(String(describing: failure))")
        }
    }

    @Test("a complete answer whose document is cut short is 65")
    func shortDocument() async throws {
        #expect(try await failure(CannedServer.answer(Array(document.dropLast(20))))?.status == 65)
    }

    @Test("silence ends after the time that we are patient for", arguments: [0, 20, 200])
    func silence(bytes: Int) async throws {
        let whole = CannedServer.answer(document)
        let failure = try await failure(Array(whole.prefix(bytes)), then: .silence, patience: .milliseconds(100))
        #expect(failure?.status == 69)
        #expect(failure?.message.contains("did not respond for") == true, "\(failure as Any)")
    }

    @Test("what is no HTTP is 65")
    func noHTTP() async throws {
        #expect(try await failure(Array("SSH-2.0-OpenSSH_9.2\r\n\r\n".utf8))?.status == 65)
    }

    @Test("a refusal gives the daemon's own words")
    func refused() async throws {
        let body = Array(try StatsExport.encoder().encode(QueryError("a limit is\u{7} a number")))
        let failure = try await failure(CannedServer.answer(body, status: "400 Bad Request"))
        #expect(failure?.status == 64)
        #expect(failure?.message == "the daemon refused: a limit is\\u{7} a number")
        #expect(try await self.failure(CannedServer.answer(Array("busy".utf8), status: "503 Busy"))?.status == 70)
    }

    @Test("a document that is kept whole is bounded")
    func bounded() async throws {
        let scratch = try TemporaryDirectory()
        let flood = [UInt8](repeating: 0x20, count: (16 << 20) + 1)
        let server = try CannedServer(scratch.path + "/query.sock") { _ in CannedServer.answer(flood) }
        defer { server.stop() }
        let failure = await #expect(throws: ToolFailure.self) {
            _ = try await SocketQueryClient(path: server.path).document(.get(.health), as: HealthReport.self)
        }
        #expect(failure?.status == 65)
    }

    @Test("a reader that is slow does not make the daemon look silent")
    func slowReader() async throws {
        let scratch = try TemporaryDirectory()
        let flood = [UInt8](repeating: 0x20, count: 8 << 20)
        let server = try CannedServer(scratch.path + "/query.sock") { _ in CannedServer.answer(flood) }
        defer { server.stop() }
        var received = 0
        var hasPaused = false
        try await SocketQueryClient(path: server.path, patience: .seconds(4)).send(.get(.stats)) { piece in
            received += piece.count
            // As a pager does: longer than the patience, in the midst of the answer.
            if !hasPaused {
                hasPaused = true
                Thread.sleep(forTimeInterval: 4.5)
            }
        }
        #expect(received == flood.count)
    }
}
