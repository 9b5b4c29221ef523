// SPDX-License-Identifier: MIT
// A non-blocking connection with the daemon. All system calls on it are here.

import CRerender
import Glibc
import RerenderModel
import RerenderWire

/// A connection to the daemon. Nothing here blocks.
struct UplinkSocket: ~Copyable {
    let descriptor: CInt
    private var received: [UInt8] = []

    enum SendResult: Equatable {
        case done
        /// The socket is full; so many bytes were taken.
        case full(Int)
        case closed
    }

    /// Connects; nil if there is no daemon, or if what listens there is not of this user or root.
    ///
    /// `failure` then says what the attempt ended with: `EAGAIN` where the daemon listens and its queue is full,
    /// `ECONNREFUSED` where no process listens at the socket, or not yet.
    init?(path: String, failure: inout CInt) {
        failure = ENOENT
        guard path.utf8.count < MemoryLayout.size(ofValue: sockaddr_un().sun_path) else { return nil }
        let type = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
        let socket = Glibc.socket(AF_UNIX, type, 0)
        guard socket >= 0 else { return nil }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // Safe: the path and its terminating zero fit, as checked above.
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let isConnected = unsafe withUnsafePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe connect(socket, $0, size) == 0 }
        }
        failure = isConnected ? EACCES : errno
        let peer = crerender_peer_uid(socket)
        guard isConnected, peer == getuid() || peer == 0 else {
            close(socket)
            return nil
        }
        descriptor = socket
        crerender_set_fork_closes(socket)
    }

    deinit {
        crerender_set_fork_closes(-1)
        close(descriptor)
    }

    /// Sends bytes from `offset` on.
    func send(_ bytes: [UInt8], from offset: Int) -> SendResult {
        var sent = offset
        while sent < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                unsafe Glibc.send(
                    descriptor, buffer.baseAddress.map { unsafe $0 + sent }, buffer.count - sent,
                    CInt(MSG_NOSIGNAL))
            }
            if count > 0 {
                sent += count
            } else if errno == EAGAIN {
                return .full(sent - offset)
            } else if errno != EINTR {
                return .closed
            }
        }
        return .done
    }

    /// Reads what the daemon sent and calls `message` for each; false if the connection is over or speaks nonsense.
    mutating func receive(_ message: (DaemonMessage) -> Void) -> Bool {
        let start = received.count
        // A whole frame always fits, so a read of zero bytes means that the daemon has closed.
        let room = WireLimits.frameBytes + 4 - start
        received.append(contentsOf: repeatElement(0, count: max(room, 1)))
        let count = unsafe received.withUnsafeMutableBytes { buffer in
            unsafe recv(descriptor, buffer.baseAddress.map { unsafe $0 + start }, buffer.count - start, 0)
        }
        let failure = errno
        received.removeLast(received.count - start - max(count, 0))
        if count == 0 { return false }
        if count < 0 { return failure == EAGAIN || failure == EINTR }
        guard let used = try? Self.messages(in: received, message) else { return false }
        received.removeFirst(used)
        return true
    }

    private static func messages(
        in received: [UInt8], _ message: (DaemonMessage) -> Void
    ) throws(WireError) -> Int {
        // Safe: bytes have no padding that could be read unset.
        let bytes = unsafe received.span.bytes
        return try FrameReader.frames(in: bytes) { frame throws(WireError) in
            try FrameReader.messages(in: frame) { kind, fields throws(WireError) in
                if let known = try DaemonMessage(kind: kind, fields: &fields) { message(known) }
            }
        }
    }
}
