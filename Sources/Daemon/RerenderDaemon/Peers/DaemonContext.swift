// SPDX-License-Identifier: MIT
// What the parts of a daemon share: its state, whether a connection may stay and whose it is, and the log of what peers do.

import Glibc
import Logging
import NIOCore
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

// Bounds what others make the daemon do: how often, how many connections at once, and differences of numbers that may be made up.

/// Admits a few events in each period, and tells the next one how many were suppressed before it. Pure.
struct RateLimit: Sendable {
    /// Events admitted in a period.
    let count: Int
    /// In nanoseconds; a period begins with its first event.
    let period: UInt64
    private var began: UInt64?
    private var admitted = 0
    private var suppressed: UInt64 = 0

    init(count: Int, period: UInt64) {
        self.count = count
        self.period = period
    }

    /// How many events were suppressed since the last one that was admitted; nil if this one is suppressed too.
    ///
    /// - Parameter now: Monotonic nanoseconds.
    mutating func admit(now: UInt64) -> UInt64? {
        if began.map({ now >= $0.clampedSum(period) }) ?? true { (began, admitted) = (now, 0) }
        guard admitted < count else {
            suppress()
            return nil
        }
        admitted += 1
        defer { suppressed = 0 }
        return suppressed
    }

    /// Counts an event that cannot happen now.
    mutating func suppress() { suppressed = suppressed.clampedSum(1) }
}

/// Stops accepting for a moment when there is no descriptor or memory for a connection, which goes on waiting meanwhile.
///
/// The socket stays readable, so that the event loop would try again at once and without end. SwiftNIO's own handler for this
/// delays the next read, but leaves the socket registered.
final class AcceptPause: ChannelInboundHandler {
    typealias InboundIn = any Channel

    private let time: TimeAmount
    private let onPause: (IOError) -> Void
    private var resumption: Scheduled<Void>?

    /// - Parameter onPause: called when a pause begins.
    init(of time: TimeAmount, onPause: @escaping (IOError) -> Void) {
        self.time = time
        self.onPause = onPause
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? IOError, [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(error.errnoCode) else {
            return context.fireErrorCaught(error)
        }
        guard resumption == nil else { return }
        onPause(error)
        let channel = context.channel
        try? channel.syncOptions?.setOption(.autoRead, value: false)
        resumption = context.eventLoop.assumeIsolated().scheduleTask(in: time) {
            self.resumption = nil
            try? channel.syncOptions?.setOption(.autoRead, value: true)
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) { resumption?.cancel() }
}

extension UInt64 {
    /// The difference, or zero if it is negative.
    func saturatingDifference(_ other: UInt64) -> UInt64 { self > other ? self - other : 0 }
}
