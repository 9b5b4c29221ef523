// SPDX-License-Identifier: MIT
// Bounds the bytes of one request before anything reads them.

internal import NIOCore
internal import NIOHTTP1

/// Refuses a request that is longer than a limit, with all its headers. Stands before the HTTP decoder, which holds what it
/// is given until a request is complete.
final class RequestIntake: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let limit: Int
    private var received = 0

    init(limit: Int) {
        self.limit = limit
    }

    /// A request begins or is complete: the bytes up to here are read.
    func restart() { received = 0 }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard received <= limit else { return }
        received += unwrapInboundIn(data).readableBytes
        if received > limit {
            context.fireErrorCaught(HTTPParserError.headerOverflow)
        } else {
            context.fireChannelRead(data)
        }
    }
}
