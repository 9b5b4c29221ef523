// SPDX-License-Identifier: MIT
// The reasons why a daemon cannot start.

/// A reason for which the daemon does not start.
package enum DaemonError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The socket's path is longer than the kernel takes.
    case socketPathTooLong(path: String, bytes: Int, limit: Int)
    /// Another daemon listens on the socket, or is about to.
    case alreadyRunning(path: String)
    /// A file that is not a socket lies at the socket's path.
    case notASocket(path: String)
    /// The runtime directory must not be used.
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

/// Why the system, or one of its services, refused a request: text that is safe to print.
struct SystemRefusal: Error, Hashable {
    var text: String
}
