// SPDX-License-Identifier: MIT
// Both ends of the query socket without a library: a client that knows nothing of ours, and servers that misbehave.

import Foundation
import Glibc

/// A client, through curl: the independent opinion.
enum RawHTTP {
    struct Answer {
        let body: String

        /// The list of processes in it.
        var processes: [[String: Any]] {
            let object = try? JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any]
            return object?["processes"] as? [[String: Any]] ?? []
        }

        /// The sum of `evaluations` over the stores of a process.
        func evaluations(of pid: Int32) -> Int {
            processes.filter { $0["pid"] as? Int == Int(pid) }.reduce(0) { $0 + ($1["evaluations"] as? Int ?? 0) }
        }

        /// The sum of `count` over the views of a process, where the answer has views.
        func viewEvaluations(of pid: Int32) -> Int {
            processes.filter { $0["pid"] as? Int == Int(pid) }.flatMap { $0["views"] as? [[String: Any]] ?? [] }
                .reduce(0) { $0 + ($1["count"] as? Int ?? 0) }
        }
    }

    static func get(_ target: String, _ socket: String) async throws -> Answer {
        let curl = try Spawned([
            "/usr/bin/curl", "--silent", "--show-error", "--max-time", "20", "--unix-socket", socket,
            "http://localhost" + target,
        ])
        guard try await curl.wait() == .exited(0) else { throw NotSeen(description: "curl: \(curl.standardError)") }
        return Answer(body: curl.standardOutput)
    }
}

/// A server on a Unix socket that answers every connection with the same bytes.
final class CannedServer: Sendable {
    enum Then: Sendable {
        /// Closes the connection after the bytes.
        case close
        /// Keeps it open and says nothing more.
        case silence
        /// After an answer without a body says a blank now and then for as long as the other side listens, so that it
        /// never has reason to give up; closes after any other.
        case trickle
    }

    let path: String
    private let listener: CInt

    /// Listens at `path`; each answer is what `answer` gives for the request's first line.
    init(_ path: String, then: Then = .close, answer: @escaping @Sendable (String) -> [UInt8]) throws {
        self.path = path
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard bound == 0, listen(listener, 64) == 0 else { throw NotSeen(description: "cannot listen at \(path)") }
        self.listener = listener
        Thread.detachNewThread { Self.serve(listener, then, answer) }
    }

    /// Takes no more connections. Until this call the server lives.
    func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

    /// An answer of HTTP with a body.
    static func answer(_ body: [UInt8], status: String = "200 OK", length: Int? = nil) -> [UInt8] {
        Array("HTTP/1.1 \(status)\r\nContent-Length: \(length ?? body.count)\r\nConnection: close\r\n\r\n".utf8) + body
    }

    private static func serve(_ listener: CInt, _ then: Then, _ answer: @escaping @Sendable (String) -> [UInt8]) {
        while true {
            let client = accept(listener, nil, nil)
            guard client >= 0 else {
                // Only we close it: the number may be given away at once, and we would serve for a stranger.
                close(listener)
                return
            }
            Thread.detachNewThread {
                var request = [UInt8](repeating: 0, count: 65_536)
                let count = max(0, read(client, &request, request.count))
                let line = String(decoding: request.prefix(count).prefix { $0 != 13 }, as: UTF8.self)
                let bytes = answer(line)
                _ = bytes.withUnsafeBytes { send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
                // Silence lasts until the other side has enough of it.
                if then == .silence { while read(client, &request, request.count) > 0 {} }
                if then == .trickle, bytes.suffix(2) == [13, 10] {
                    while send(client, " ", 1, Int32(MSG_NOSIGNAL)) == 1 { usleep(20_000) }
                }
                close(client)
            }
        }
    }
}
