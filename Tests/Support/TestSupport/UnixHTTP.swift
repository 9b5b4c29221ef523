// SPDX-License-Identifier: MIT
// Just enough HTTP/1.1 to ask a daemon over its query socket.

import FoundationEssentials
import Glibc

/// An answer to a request.
package struct HTTPAnswer {
    package var status: Int
    /// Names in lower case.
    package var headers: [String: String]
    package var body: [UInt8]

    package var text: String { String(decoding: body, as: UTF8.self) }

    package func json<T: Decodable>(_ type: T.Type) throws -> T {
        try JSONDecoder().decode(type, from: Data(body))
    }
}

/// A client of a Unix HTTP socket, one connection for each request.
package struct UnixHTTP {
    package let socket: String

    package init(_ socket: String) {
        self.socket = socket
    }

    package func get(_ target: String) throws -> HTTPAnswer {
        try request("GET", target)
    }

    package func post(_ target: String, _ body: String) throws -> HTTPAnswer {
        try request("POST", target, body: Array(body.utf8))
    }

    package func request(_ method: String, _ target: String, body: [UInt8] = []) throws -> HTTPAnswer {
        let head =
            "\(method) \(target) HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: \(body.count)\r\n\r\n"
        return try exchange(Array(head.utf8) + body)
    }

    /// Sends bytes and reads the answer until the daemon closes.
    package func exchange(_ bytes: [UInt8], within seconds: Double = WaitLimit.seconds) throws -> HTTPAnswer {
        let socket = try UnixStream.connect(socket)
        defer { close(socket) }
        try UnixStream.send(bytes, on: socket)
        var received: [UInt8] = []
        while true {
            let more = try UnixStream.receive(on: socket, within: seconds, limit: 1 << 20)
            if more.isEmpty { break }
            received += more
        }
        return try Self.parse(received)
    }

    package static func parse(_ bytes: [UInt8]) throws -> HTTPAnswer {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else {
            throw UnixStream.Failure(text: "no HTTP answer: \(String(decoding: bytes.prefix(200), as: UTF8.self))")
        }
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
        var answer = HTTPAnswer(status: 0, headers: [:], body: Array(bytes[end.upperBound...]))
        answer.status = lines.first.flatMap { Int($0.split(separator: " ")[1]) } ?? 0
        for line in lines.dropFirst() {
            let sides = line.split(separator: ":", maxSplits: 1)
            answer.headers[sides[0].lowercased()] = sides.count > 1 ? String(sides[1].drop { $0 == " " }) : ""
        }
        if answer.headers["transfer-encoding"] == "chunked" { answer.body = try dechunked(answer.body) }
        return answer
    }

    private static func dechunked(_ bytes: [UInt8]) throws -> [UInt8] {
        var body: [UInt8] = []
        var rest = bytes[...]
        while let line = rest.firstRange(of: Array("\r\n".utf8)) {
            let size = Int(String(decoding: rest[..<line.lowerBound], as: UTF8.self), radix: 16) ?? 0
            if size == 0 { return body }
            guard rest.distance(from: line.upperBound, to: rest.endIndex) >= size + 2 else { break }
            body += rest[line.upperBound..<line.upperBound + size]
            rest = rest[(line.upperBound + size + 2)...]
        }
        throw UnixStream.Failure(text: "a chunked answer breaks off")
    }
}
