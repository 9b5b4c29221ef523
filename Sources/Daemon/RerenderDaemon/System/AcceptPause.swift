// SPDX-License-Identifier: MIT
// Lets a listening socket rest while the process has no descriptor for another connection.

internal import Glibc
internal import NIOCore

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
