// SPDX-License-Identifier: MIT
// Bounds what others make the daemon do: how often, how many connections at once, and differences of numbers that may be made up.

internal import Glibc
internal import NIOCore
internal import RerenderModel

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
