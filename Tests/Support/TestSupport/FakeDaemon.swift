// SPDX-License-Identifier: MIT
// A push socket that does what a daemon never would; real in everything but its manners.

import CShared
import Foundation
import RerenderModel
package import RerenderWire
import Synchronization

/// Listens where an app looks for its daemon, and leaves the rest to the test.
package final class FakeDaemon: Sendable {
    package struct Failure: Error {
        package let what: String
        package let code: Int32
    }

    private let listener: Int32

    /// Listens on `push.sock` of a runtime directory that exists.
    package init(runtimeDirectory: String) throws {
        // A process that another test starts would keep the connection open.
        listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let path = runtimeDirectory + "/push.sock"
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        unlink(path)
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let isBound = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, size) == 0 }
        }
        guard isBound, listen(listener, 8) == 0 else { throw Failure(what: "listen on \(path)", code: errno) }
    }

    deinit { close(listener) }

    /// Whether a process has connected that was not accepted yet; one that has ended stays.
    package var hasWaitingConnection: Bool { Self.isReady(listener, POLLIN, within: 0) }

    /// Waits for the next app.
    package func accept() async throws -> Connection {
        try await offThePool { [self] in try acceptBlocking() }
    }

    private func acceptBlocking() throws -> Connection {
        guard Self.isReady(listener, POLLIN) else {
            throw Failure(what: "no app connected", code: ETIMEDOUT)
        }
        let connection = Glibc.accept(listener, nil, nil)
        guard connection >= 0 else { throw Failure(what: "accept", code: errno) }
        _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
        return Connection(connection)
    }

    fileprivate static func isReady(_ descriptor: Int32, _ events: Int32, within seconds: Double = WaitLimit.seconds)
        -> Bool
    {
        UnixStream.isReady([descriptor], events, within: seconds)
    }

    /// One app's connection.
    package final class Connection: Sendable {
        private let descriptor: Int32
        /// What was read of a frame that is not complete; the next call goes on with it.
        private let unread = Mutex<[UInt8]>([])

        fileprivate init(_ descriptor: Int32) { self.descriptor = descriptor }

        deinit { Glibc.close(descriptor) }

        /// Reads until `isEnough` says so of all messages so far, or the app closes; nil after that time without a byte.
        package func messages(
            until isEnough: @escaping @Sendable ([AppMessage]) -> Bool
        ) async throws -> [AppMessage]? {
            try await offThePool { [self] in try messagesBlocking(until: isEnough) }
        }

        private func messagesBlocking(until isEnough: ([AppMessage]) -> Bool) throws -> [AppMessage]? {
            var messages: [AppMessage] = []
            var bytes = unread.withLock { $0 }
            defer { unread.withLock { [bytes] in $0 = bytes } }
            while !isEnough(messages) {
                guard FakeDaemon.isReady(descriptor, POLLIN) else { return nil }
                var buffer = [UInt8](repeating: 0, count: 1 << 16)
                let count = read(descriptor, &buffer, buffer.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return messages }
                bytes.append(contentsOf: buffer[0..<count])
                bytes.removeFirst(try Self.parse(bytes, into: &messages))
            }
            return messages
        }

        /// The descriptor that waits with the first bytes; -1 without one.
        func takeDescriptor() -> CInt {
            guard FakeDaemon.isReady(descriptor, POLLIN) else { return -1 }
            return chandover_receive(descriptor)
        }

        /// How many bytes of the app's wait to be read.
        package var waitingBytes: Int {
            var count: CInt = 0
            return ioctl(descriptor, UInt(FIONREAD), &count) == 0 ? Int(count) : -1
        }

        /// Waits until the app has closed; false after that time.
        package func waitForClose() async throws -> Bool {
            try await offThePool { [self] in waitForCloseBlocking() }
        }

        private func waitForCloseBlocking() -> Bool {
            while FakeDaemon.isReady(descriptor, POLLIN) {
                var buffer = [UInt8](repeating: 0, count: 1 << 16)
                let count = read(descriptor, &buffer, buffer.count)
                if count == 0 || (count < 0 && errno == ECONNRESET) { return true }
            }
            return false
        }

        package func send(_ message: DaemonMessage) {
            var writer = WireWriter()
            message.write(to: &writer)
            send(writer.bytes)
        }

        package func send(_ bytes: [UInt8]) {
            _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        }

        /// Sends bytes again and again until the app has taken none of them for three seconds, or `limit` bytes; the
        /// number of bytes that went.
        package func flood(_ bytes: [UInt8], upTo limit: Int) async throws -> Int {
            try await offThePool { [descriptor] in
                var (sent, offset) = (0, 0)
                while sent < limit, FakeDaemon.isReady(descriptor, POLLOUT, within: 3) {
                    let count = bytes[offset...].withUnsafeBytes {
                        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
                    }
                    guard count > 0 else { break }
                    sent += count
                    offset = (offset + count) % bytes.count
                }
                return sent
            }
        }

        /// Sends nothing more, and goes on listening.
        package func endSending() { shutdown(descriptor, Int32(SHUT_WR)) }

        package func shutDown() { shutdown(descriptor, Int32(SHUT_RDWR)) }

        private static func parse(_ bytes: [UInt8], into messages: inout [AppMessage]) throws(WireError) -> Int {
            var found: [AppMessage] = []
            let used = try FrameReader.frames(in: bytes.span.bytes) { frame throws(WireError) in
                try FrameReader.messages(in: frame) { kind, fields throws(WireError) in
                    if let message = try AppMessage(kind: kind, fields: &fields) { found.append(message) }
                }
            }
            messages += found
            return used
        }
    }
}

/// What totals say in the end: the latest of each view.
package struct LatestTotals {
    /// Counts by store number and view number.
    package private(set) var counts: [UInt32: [UInt32: UInt64]] = [:]

    package init(_ messages: [AppMessage]) {
        for case .totals(let totals) in messages { counts[totals.storeID, default: [:]][totals.index] = totals.count }
    }

    /// All evaluations of all views.
    package var sum: UInt64 { counts.values.reduce(0) { $0 + $1.values.reduce(0, +) } }
}

/// Runs what blocks on a thread of its own: a blocked thread of the cooperative pool would stop every test.
package func offThePool<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
    }
}
