// SPDX-License-Identifier: MIT
// Unix sockets: makes, probes and addresses them.

internal import Glibc

/// Calls on Unix sockets.
enum UnixSocket {
    /// Bytes of a path that fit into `sun_path` with the zero at its end.
    static let pathLimit = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1
    /// Connections that wait to be accepted: all apps come at once when a daemon starts. One that finds the queue full tries again later.
    /// The kernel cuts it to `net.core.somaxconn`.
    static let backlog: CInt = 1_024

    /// Makes a listening stream socket, mode 0600, and says which file it is.
    ///
    /// Replaces a socket that has no listener; anything else at the path is an error. The caller holds the directory's
    /// lock, so that two daemons that start at the same time do not replace each other's sockets.
    static func listen(at path: String) throws(DaemonError) -> (socket: CInt, file: FileIdentity) {
        try checkLength(of: path)
        try clear(path)
        let socket = try Descriptor.socket(SOCK_STREAM)
        // `bind` gives the file this mode, so that other users can never connect.
        guard fchmod(socket.number, 0o600) == 0 else { throw .last("set the mode of \(path)") }
        guard unsafe withAddress(path, { unsafe bind(socket.number, $0, $1) }) == 0 else { throw .last("make \(path)") }
        guard Glibc.listen(socket.number, backlog) == 0 else { throw .last("listen on \(path)") }
        guard let status = FileSystem.status(of: path) else { throw .last("look at \(path)") }
        return (socket.release(), FileIdentity(status))
    }

    /// Gives a listening socket a queue of that length again. The descriptor stays its owner's.
    static func lengthenQueue(of socket: CInt) { _ = Glibc.listen(socket, backlog) }

    static func checkLength(of path: String) throws(DaemonError) {
        guard path.utf8.count <= pathLimit else {
            throw .socketPathTooLong(path: path, bytes: path.utf8.count, limit: pathLimit)
        }
    }

    private static func clear(_ path: String) throws(DaemonError) {
        guard let status = FileSystem.status(of: path) else { return }
        guard FileSystem.isSocket(status) else { throw .notASocket(path: path) }
        guard !isListening(at: path) else { throw .alreadyRunning(path: path) }
        FileSystem.remove(path)
    }

    /// Whether a process listens there, even if its queue is full.
    static func isListening(at path: String) -> Bool {
        guard let socket = try? Descriptor.socket(SOCK_STREAM) else { return true }
        if unsafe withAddress(path, { unsafe connect(socket.number, $0, $1) }) == 0 { return true }
        return errno != ECONNREFUSED && errno != ENOENT
    }

    /// Sends one datagram to a path, or to an abstract name that is written with `@` in front; never waits.
    static func send(_ text: String, to path: String) -> Bool {
        guard let socket = try? Descriptor.socket(SOCK_DGRAM) else { return false }
        let bytes = Array(text.utf8)
        let flags = CInt(MSG_DONTWAIT) | CInt(MSG_NOSIGNAL)
        return unsafe withAddress(path) { address, size in
            // Safe: `sendto` reads the array and the address.
            unsafe bytes.withUnsafeBytes {
                unsafe Int32(sendto(socket.number, $0.baseAddress, $0.count, flags, address, size))
            }
        } == CInt(bytes.count)
    }

    /// What `poll` says of a socket now, of `wanted` and of the events that need no asking; 0 for nothing.
    static func events(of socket: CInt, _ wanted: Int32) -> Int32 {
        var question = pollfd(fd: socket, events: Int16(wanted), revents: 0)
        // Safe: `poll` is given the one entry that there is.
        return unsafe poll(&question, 1, 0) > 0 ? Int32(question.revents) : 0
    }

    /// Answers many questions at once, about descriptors that are open. Without memory for that, none is answered.
    static func answer(_ questions: inout [pollfd]) {
        var outcome: CInt
        repeat {
            // Safe: `poll` reads and writes the entries of the array.
            outcome = unsafe questions.withUnsafeMutableBufferPointer {
                unsafe poll($0.baseAddress, nfds_t($0.count), 0)
            }
        } while outcome < 0 && errno == EINTR
    }

    /// Whether a descriptor is a Unix stream socket that listens.
    static func isListeningStream(_ socket: CInt) -> Bool {
        option(SO_DOMAIN, of: socket) == AF_UNIX && option(SO_TYPE, of: socket) == CInt(SOCK_STREAM.rawValue)
            && option(SO_ACCEPTCONN, of: socket) == 1
    }

    private static func option(_ name: CInt, of socket: CInt) -> CInt? {
        var value: CInt = 0
        var size = socklen_t(MemoryLayout<CInt>.size)
        // Safe: the kernel writes at most `size` bytes, which is what the value has.
        return unsafe getsockopt(socket, SOL_SOCKET, name, &value, &size) == 0 ? value : nil
    }

    /// Calls `body` with the address of a path that fits.
    private static func withAddress(
        _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> CInt
    ) -> CInt {
        guard path.utf8.count <= pathLimit else { return -1 }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let isAbstract = path.hasPrefix("@")
        let header = MemoryLayout<sockaddr_un>.size - MemoryLayout.size(ofValue: address.sun_path)
        let size = header + path.utf8.count + (isAbstract ? 0 : 1)
        // Safe: the path fits (checked above) and the rest of the address is zero; the pointers stay in the closures.
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { bytes in
            for (index, byte) in path.utf8.enumerated() { unsafe bytes[index] = byte }
            if isAbstract { unsafe bytes[0] = 0 }
        }
        return unsafe withUnsafePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body($0, socklen_t(size)) }
        }
    }
}

extension Descriptor {
    static func socket(_ kind: __socket_type) throws(DaemonError) -> Descriptor {
        let number = Glibc.socket(AF_UNIX, CInt(kind.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard number >= 0 else { throw .last("make a socket") }
        return Descriptor(owning: number)
    }
}

// The reasons why a daemon cannot start.

/// A reason for which the daemon does not start.
package enum DaemonError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The socket's path is longer than the kernel takes.
    case socketPathTooLong(path: String, bytes: Int, limit: Int)
    /// Another daemon listens on the socket, or is about to.
    case alreadyRunning(path: String)
    /// A file that is not a socket lies at the socket's path.
    case notASocket(path: String)
    /// The runtime directory or the state directory must not be used.
    case directory(String)
    /// A system call failed.
    case system(doing: String, errno: Int32, text: String)
    /// systemd's sockets are not what we need.
    case activation(String)
    /// The daemon was stopped before it was ready.
    case stopped

    package var description: String {
        switch self {
        case .socketPathTooLong(let path, let bytes, let limit):
            "the socket's path \(path) has \(bytes) bytes and the kernel takes \(limit): "
                + "set RERENDER_RUNTIME_DIR to a shorter directory"
        case .alreadyRunning(let path):
            "another rerenderd listens on \(path): stop it (systemctl --user stop rerenderd.service "
                + "rerenderd-push.socket rerenderd-query.socket), or set RERENDER_RUNTIME_DIR to another directory"
        case .notASocket(let path):
            "\(path) exists and is not a socket: remove it, or set RERENDER_RUNTIME_DIR to another directory"
        case .directory(let fault): fault
        case .system(let doing, _, let text): "cannot \(doing): \(text)"
        case .activation(let fault):
            "\(fault): the socket units must be rerenderd-push.socket (FileDescriptorName=push) and "
                + "rerenderd-query.socket (FileDescriptorName=query), both ListenStream="
        case .stopped: "the daemon was stopped before it was ready"
        }
    }
}

extension DaemonError {
    /// The exit status as in `sysexits.h`.
    package var exitStatus: Int32 {
        switch self {
        case .socketPathTooLong, .directory, .activation: 78  // EX_CONFIG
        case .notASocket: 73  // EX_CANTCREAT
        case .alreadyRunning: 75  // EX_TEMPFAIL
        case .system: 71  // EX_OSERR
        case .stopped: 70  // EX_SOFTWARE
        }
    }
}

/// Why the system, or one of its services, refused a request: text that is safe to print.
struct SystemRefusal: Error, Hashable {
    var text: String
}

extension SystemRefusal {
    /// The system's text for an error number.
    // Safe: the text is copied before anything else is called.
    init(errno number: Int32) { text = unsafe String(cString: strerror(number)) }
}

extension DaemonError {
    /// The error of the system call that failed last on this thread.
    static func last(_ doing: String) -> DaemonError {
        .system(doing, errno: errno)
    }

    /// An error of a system call.
    static func system(_ doing: String, errno number: CInt) -> DaemonError {
        .system(doing: doing, errno: number, text: SystemRefusal(errno: number).text)
    }
}
