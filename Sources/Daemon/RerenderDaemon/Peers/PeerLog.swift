// SPDX-License-Identifier: MIT
// The log of what peers do, limited so that they cannot fill it.

internal import Logging
internal import NIOCore

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
