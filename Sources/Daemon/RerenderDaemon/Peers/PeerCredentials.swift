// SPDX-License-Identifier: MIT
// Identifies the process at the other end of a connection.

internal import Glibc
internal import NIOCore

/// The first two members of what `SO_PEERCRED` gives; `ucred` of the C library is not visible to Swift.
struct PeerCredentials: Sendable, BitwiseCopyable {
    var pid: pid_t = 0
    var uid: uid_t = 0

    /// Whether the peer may talk to a daemon of user `own`: the user himself, or root.
    func isTrusted(by own: uid_t = getuid()) -> Bool {
        uid == own || uid == 0
    }

    /// Asks the kernel about an accepted connection.
    static func of(_ channel: any Channel) -> EventLoopFuture<PeerCredentials> {
        guard let socket = channel as? any SocketOptionProvider else {
            return channel.eventLoop.makeFailedFuture(ChannelError.operationUnsupported)
        }
        // Safe: the kernel fills the two integers of this type, which are the first two of its `ucred`, and cuts the third off.
        return socket.unsafeGetSocketOption(
            level: NIOBSDSocket.OptionLevel(rawValue: SOL_SOCKET), name: NIOBSDSocket.Option(rawValue: SO_PEERCRED))
    }
}
