// SPDX-License-Identifier: MIT
// The reasons why a daemon cannot start.

internal import Glibc

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
