// SPDX-License-Identifier: MIT
// Says that a question is worth asking again: of a daemon, or of a file.

import Glibc

/// A descriptor that becomes readable with each change.
final class News: Sendable {
    private let descriptor: Int32

    /// What is written to a file, or what changes in a directory. Where the user has no instance of inotify left, ``next(or:)`` comes
    /// each second.
    init(of place: String) {
        descriptor = inotify_init1(CInt(IN_CLOEXEC) | CInt(IN_NONBLOCK))
        inotify_add_watch(descriptor, place, UInt32(IN_MODIFY | IN_CREATE | IN_MOVED_TO))
    }

    /// What a daemon tells of stores, views and hangs, beginning when this returns.
    init(ofDaemon querySocket: String) async throws {
        let socket = try UnixStream.connect(querySocket)
        descriptor = socket
        try await offThePool {
            try UnixStream.send(Array("GET /v1/events HTTP/1.0\r\n\r\n".utf8), on: socket)
            // It notes changes for this reader before it answers.
            guard try !UnixStream.receive(on: socket, within: WaitLimit.seconds).isEmpty else {
                throw UnixStream.Failure(text: "no events")
            }
            _ = fcntl(socket, F_SETFL, O_NONBLOCK)
        }
    }

    deinit { close(descriptor) }

    /// Waits for the next change, for the other descriptor to be readable, or for a second: a daemon does not tell of everything.
    func next(or other: Int32 = -1) async throws {
        try await offThePool { [self] in
            guard UnixStream.isReady([descriptor, other], POLLIN, within: 1) else { return }
            var bytes = [UInt8](repeating: 0, count: 65_536)
            guard read(descriptor, &bytes, bytes.count) != 0 else {
                throw UnixStream.Failure(text: "nothing tells of changes any more")
            }
        }
    }
}

/// Asks until the answer is not nil: anew whenever a file is written, or one of a directory is made, written or moved there, and each
/// second.
package func eventually<T>(
    _ what: String, in place: String, seen: () async throws -> Any = { () }, _ ask: () async throws -> T?
) async throws -> T {
    let news = News(of: place)
    return try await eventually(what, seen: seen, pause: { try await news.next() }, ask)
}

extension UnixHTTP {
    /// Asks a daemon until the answer is not nil: anew whenever it tells of a change, and each second. It does not tell of programs that
    /// ended before they connected.
    package func eventually<T>(
        _ what: String, seen: () async throws -> Any = { () }, _ ask: () async throws -> T?
    ) async throws -> T {
        let news = try await News(ofDaemon: socket)
        return try await TestSupport.eventually(what, seen: seen, pause: { try await news.next() }, ask)
    }
}
