// SPDX-License-Identifier: MIT
// A client of the push socket that speaks the wire and nothing else.

import CShared
import Glibc
import RerenderModel
package import RerenderWire

/// One connection to a daemon's push socket, blocking and with deadlines.
package final class FakeApp {
    package let pid: Int32 = getpid()
    private var socket: CInt
    private var received: [UInt8] = []
    private var messages: [DaemonMessage] = []

    /// Connects; throws with the errno's text if nobody listens.
    package init(_ path: String) throws {
        socket = try UnixStream.connect(path)
    }

    deinit { close() }

    /// Lets programs that this process starts inherit the connection, as a child that it forks would.
    package func letChildrenInherit() {
        _ = fcntl(socket, F_SETFD, 0)
    }

    package func close() {
        guard socket >= 0 else { return }
        Glibc.close(socket)
        socket = -1
    }

    // MARK: Speaking

    package func send(_ messages: AppMessage...) throws {
        try send(messages)
    }

    package func send(_ messages: [AppMessage]) throws {
        var writer = WireWriter()
        for message in messages { message.write(to: &writer) }
        try send(bytes: writer.bytes)
    }

    package func send(bytes: [UInt8]) throws {
        try UnixStream.send(bytes, on: socket)
    }

    /// Says hello as a process that started at `startTicks`, which by default is no living one's.
    ///
    /// - Parameter page: The descriptor of its flight page.
    package func hello(
        name: String = "shop", startTicks: UInt64 = 1, pid: Int32 = getpid(), copy: UInt32? = 0, page: CInt? = nil
    ) throws {
        let hello = AppMessage.hello(Hello(pid: pid, startTicks: startTicks, copy: copy, processName: name))
        guard let page else { return try send(hello) }
        var writer = WireWriter()
        hello.write(to: &writer)
        guard chandover_send(socket, writer.bytes, writer.bytes.count, page) == writer.bytes.count else {
            throw UnixStream.Failure("hand over")
        }
    }

    // MARK: Listening

    /// The next message; nil if the daemon closed the connection. Throws after `seconds` without either.
    package func receive(within seconds: Double = WaitLimit.seconds) throws -> DaemonMessage? {
        while true {
            if let message = try nextMessage() { return message }
            let bytes = try UnixStream.receive(on: socket, within: seconds)
            if bytes.isEmpty { return nil }
            received += bytes
        }
    }

    private func nextMessage() throws -> DaemonMessage? {
        if !messages.isEmpty { return messages.removeFirst() }
        let bytes = received
        let used = try FrameReader.frames(in: bytes.span.bytes) { (frame) throws(WireError) in
            try FrameReader.messages(in: frame) { (kind, fields) throws(WireError) in
                if let message = try DaemonMessage(kind: kind, fields: &fields) { messages.append(message) }
            }
        }
        received.removeFirst(used)
        return messages.isEmpty ? nil : messages.removeFirst()
    }

    /// Waits until the daemon closes the connection; throws if it does not in time.
    package func waitForEnd(within seconds: Double = WaitLimit.seconds) throws {
        while try receive(within: seconds) != nil {}
    }
}

/// Unix stream sockets for tests.
package enum UnixStream {
    package struct Failure: Error, CustomStringConvertible {
        package var description: String

        init(_ doing: String) {
            description = "\(doing): \(String(cString: strerror(errno)))"
        }

        init(text: String) {
            description = text
        }
    }

    package static func connect(_ path: String) throws -> CInt {
        try open(path, "connect to") { Glibc.connect($0, $1, $2) }
    }

    /// Connects without waiting for room in the queue of the socket; throws if there is none.
    package static func connectAtOnce(_ path: String) throws -> CInt {
        try open(path, "connect to") { socket, address, size in
            fcntl(socket, F_SETFL, O_NONBLOCK) == 0 ? Glibc.connect(socket, address, size) : -1
        }
    }

    /// Listens and never accepts.
    package static func listen(_ path: String) throws -> CInt {
        try open(path, "listen on") { bind($0, $1, $2) == 0 ? Glibc.listen($0, 16) : -1 }
    }

    private static func open(
        _ path: String, _ doing: String, _ body: (CInt, UnsafePointer<sockaddr>, socklen_t) -> CInt
    ) throws -> CInt {
        let socket = Glibc.socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { throw Failure("socket") }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8.prefix(107))) }
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else {
            let failure = Failure("\(doing) \(path)")
            Glibc.close(socket)
            throw failure
        }
        return socket
    }

    package static func send(_ bytes: [UInt8], on socket: CInt) throws {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw Failure("send") }
            sent += count
        }
    }

    /// The next bytes; none at the end of the connection. Throws after `seconds` without either.
    package static func receive(on socket: CInt, within seconds: Double, limit: Int = 65_536) throws -> [UInt8] {
        guard isReady([socket], POLLIN, within: seconds) else {
            throw Failure(text: "nothing came within \(seconds) s")
        }
        var bytes = [UInt8](repeating: 0, count: limit)
        var count = -1
        repeat {
            count = bytes.withUnsafeMutableBytes { recv(socket, $0.baseAddress, $0.count, 0) }
        } while count < 0 && errno == EINTR
        guard count >= 0 else {
            if errno == ECONNRESET { return [] }
            throw Failure("recv")
        }
        return Array(bytes.prefix(count))
    }

    /// Whether that can be done with one of them within that time, or at some time. Blocks.
    static func isReady(_ descriptors: [CInt], _ events: Int32, within seconds: Double?) -> Bool {
        let limit = seconds.map { ContinuousClock.now + .seconds($0) }
        var questions = descriptors.map { pollfd(fd: $0, events: Int16(events), revents: 0) }
        while true {
            let left = limit.map { max(0, ContinuousClock.now.duration(to: $0) / .milliseconds(1)).rounded(.up) }
            if poll(&questions, nfds_t(questions.count), left.map { CInt($0) } ?? -1) > 0 { return true }
            // A signal ends `poll` whatever its flags say: that is no answer.
            if left == 0 { return false }
        }
    }
}
