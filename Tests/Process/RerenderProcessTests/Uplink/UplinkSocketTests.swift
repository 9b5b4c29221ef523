// SPDX-License-Identifier: MIT
// What an attempt to connect says when it fails.

import Foundation
import RerenderModel
import TestSupport
import Testing

@testable import Rerender

@Suite("Uplink socket")
struct UplinkSocketTests {
    @Test("no socket, nobody who listens, and a full queue are told apart")
    func failures() throws {
        let directory = try TemporaryDirectory()
        let path = directory.url.path + "/push.sock"
        #expect(failure(path) == ENOENT)
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(listener) }
        #expect(withAddress(path) { bind(listener, $0, $1) } == 0)
        #expect(failure(path) == ECONNREFUSED)
        #expect(listen(listener, 0) == 0)
        var clients: [Int32] = []
        defer { for client in clients { close(client) } }
        repeat {
            clients.append(socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0))
        } while withAddress(path) { connect(clients[clients.count - 1], $0, $1) } == 0 && clients.count < 100
        #expect(failure(path) == EAGAIN)
        #expect(failure(path + String(repeating: "x", count: 200)) == ENOENT)
    }

    private func failure(_ path: String) -> Int32? {
        var failure: Int32 = 0
        return UplinkSocket(path: path, handing: nil, failure: &failure) == nil ? failure : nil
    }

    private func withAddress(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
