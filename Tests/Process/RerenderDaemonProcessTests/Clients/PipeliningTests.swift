// SPDX-License-Identifier: MIT
import Glibc
import NIOCore
import NIOEmbedded
import RerenderModel
import RerenderWire
import TestSupport
import Testing

@testable import RerenderDaemon

@Suite("Clients that do not wait for answers")
struct PipeliningTests {
    private let request = "GET /v1/health HTTP/1.1\r\nHost: x\r\n\r\n"

    @Test("are not read any further once an answer waits for them, and cost no memory")
    func neverRead() async throws {
        let daemon = try await DaemonProcess()
        _ = try daemon.http.get("/v1/health")
        let before = try Self.residentKilobytes(of: daemon.process.pid)
        let client = try UnixStream.connect(daemon.directory + "/query.sock")
        defer { close(client) }
        _ = fcntl(client, F_SETFL, O_NONBLOCK)
        let requests = Array(String(repeating: request, count: 1_000).utf8)
        // As long as the daemon reads, it reads between two answers to others.
        var (sent, unread) = (0, 0)
        while unread < 100, sent < 4 << 20 {
            let count = requests.withUnsafeBytes { Glibc.send(client, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
            #expect(try daemon.http.get("/v1/health").status == 200)
            (sent, unread) = count > 0 ? (sent + count, 0) : (sent, unread + 1)
        }
        // Two sockets' buffers of 208 KiB, and what the kernel adds to small writes.
        #expect(sent < 1 << 20, "it took \(sent) bytes of requests")
        let grown = try Self.residentKilobytes(of: daemon.process.pid) - before
        #expect(grown < 8_000, "it grew by \(grown) KB")
    }

    private static func residentKilobytes(of pid: Int32) throws -> Int {
        let fields = String(decoding: try TestFile.read("/proc/\(pid)/statm"), as: UTF8.self).split(separator: " ")
        return (Int(fields[1]) ?? 0) * 4
    }
}
