// SPDX-License-Identifier: MIT
// What the parts of a daemon share: its state, whether a connection may stay and whose it is, and the log of what peers do.

internal import Glibc
internal import Logging
internal import NIOCore
import RerenderModel

/// The settings, state, event loop and log of one daemon. Confined to the event loop.
struct DaemonContext {
    let configuration: DaemonConfiguration
    let registry: Registry
    let loop: NIOIsolatedEventLoop
    let log: PeerLog
    let settings: CurrentSettings

    var limits: DaemonLimits { configuration.limits }
}

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

extension DaemonContext {
    /// Counts and logs that what an app handed over is no page that can be used.
    func cannotUsePage(of connection: AppConnection?, _ fault: OpenPage.Fault) {
        registry.drops.flightPages &+= 1
        log.write(.flightPage, "cannot use a flight page", of: connection, fault.description)
    }
}

/// Logs what a peer can cause as often as it likes. Confined to the event loop.
final class PeerLog {
    /// What a line is about; each has its own share of the log.
    enum Cause: String, CaseIterable {
        case refusedConnection, malformed, flightPage, processes
    }

    /// Lines of a cause in ten seconds: as many as people would still read.
    static let linesPerPeriod = 10

    private let log: Logger
    private let clock: () -> NIODeadline
    private var limits: [Cause: RateLimit] = [:]

    /// - Parameter clock: the monotonic clock, which tests drive.
    init(_ log: Logger, clock: @escaping () -> NIODeadline = { .now() }) {
        self.log = log
        self.clock = clock
    }

    /// Logs a line unless its cause has used up its share.
    func write(_ cause: Cause, _ text: String, of connection: AppConnection? = nil, _ reason: String? = nil) {
        let limit = RateLimit(count: Self.linesPerPeriod, period: 10_000_000_000)
        guard let suppressed = limits[cause, default: limit].admit(now: clock().uptimeNanoseconds) else {
            return
        }
        if suppressed > 0 { log.notice("\(suppressed) more lines like the following were left out") }
        var metadata: Logger.Metadata = [:]
        if let connection { metadata["pid"] = "\(connection.pid)" }
        if let name = connection?.process?.name { metadata["name"] = "\(name)" }
        if let reason { metadata["reason"] = "\(reason)" }
        log.log(level: cause == .processes ? .info : .warning, "\(text)", metadata: metadata)
    }
}

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
