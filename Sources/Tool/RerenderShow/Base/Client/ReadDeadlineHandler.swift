// SPDX-License-Identifier: MIT
// Closes a connection if the daemon does not respond in time.

import NIOCore

/// Closes the connection with ``Silence`` if an expected byte does not arrive in time.
///
/// The clock runs only while a read is outstanding, so that a reader that is slow itself (a pager) does not blame the
/// daemon, and only once something was asked.
final class ReadDeadlineHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer

    /// The daemon was silent for too long.
    struct Silence: Error {}

    private let limit: TimeAmount
    private var alarm: Scheduled<Void>?
    private var hasAsked = false
    private var isReading = false

    init(limit: TimeAmount) {
        self.limit = limit
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        hasAsked = true
        startClock(context)
        context.write(data, promise: promise)
    }

    func read(context: ChannelHandlerContext) {
        isReading = true
        startClock(context)
        context.read()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        isReading = false
        cancel()
        context.fireChannelRead(data)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        cancel()
    }

    private func startClock(_ context: ChannelHandlerContext) {
        guard hasAsked, isReading, alarm == nil else { return }
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        alarm = context.eventLoop.scheduleTask(in: limit) {
            bound.value.fireErrorCaught(Silence())
            bound.value.close(promise: nil)
        }
    }

    private func cancel() {
        alarm?.cancel()
        alarm = nil
    }
}
