// SPDX-License-Identifier: MIT
// Decides whether a connection that was just accepted may stay.

import RerenderModel

/// The connection is to be closed; the reason is counted and logged.
struct PeerRefused: Error {}

extension DaemonContext {
    /// Throws ``PeerRefused`` unless the peer is the user, or root, and there is room for another connection.
    ///
    /// - Parameter what: the kind of connection, for the log.
    func admit(_ peer: PeerCredentials, _ what: String, count: Int, limit: Int) throws {
        guard peer.isTrusted() else {
            registry.drops.foreignPeers &+= 1
            log.write(.refusedConnection, "refused a \(what) of user \(peer.uid)")
            throw PeerRefused()
        }
        guard count < limit else {
            registry.drops.connections &+= 1
            log.write(.refusedConnection, "refused a \(what): the limit is \(limit)")
            throw PeerRefused()
        }
    }
}
