// SPDX-License-Identifier: MIT
// One app's connection: bytes to frames to the registry, commands to bytes.

internal import NIOCore
import RerenderQuery
import RerenderWire

/// Reads frames of one app. Holds at most one unfinished frame.
final class PushHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    let connection: AppConnection
    private let core: DaemonCore
    private var unfinished = ByteBuffer()
    private var helloDeadline: Scheduled<Void>?
    private var channel: (any Channel)?
    private var isClosing = false

    init(connection: AppConnection, core: DaemonCore) {
        self.connection = connection
        self.core = core
    }

    func handlerAdded(context: ChannelHandlerContext) {
        channel = context.channel
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        helloDeadline = context.eventLoop.scheduleTask(in: core.configuration.limits.helloTimeout) {
            bound.value.fail("it said no hello in time")
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isClosing else { return }
        var bytes = unwrapInboundIn(data)
        core.received(bytes: bytes.readableBytes)
        if unfinished.readableBytes == 0 {
            unfinished = bytes
        } else {
            unfinished.writeBuffer(&bytes)
        }
        do throws(WireError) {
            try takeFrames()
        } catch {
            refuse(error)
        }
    }

    private func takeFrames() throws(WireError) {
        let registry = core.registry
        let connection = connection
        let bytes = unfinished
        let used = try FrameReader.frames(in: bytes.readableBytesSpan) { (frame) throws(WireError) in
            try registry.receive(frame: frame, from: connection)
        }
        unfinished.moveReaderIndex(forwardBy: used)
        // Only what is left is kept, and not the buffer that it came in.
        unfinished = unfinished.readableBytes == 0 ? ByteBuffer() : ByteBuffer(bytes: unfinished.readableBytesView)
        if !registry.actions.isEmpty { core.perform(self) }
    }

    func greeted() {
        helloDeadline?.cancel()
        helloDeadline = nil
    }

    // MARK: Speaking

    /// Sends a message; false if the app does not read what it was sent before.
    func send(_ message: DaemonMessage) -> Bool {
        guard let channel, channel.isActive, channel.isWritable, !isClosing else { return false }
        channel.writeAndFlush(buffer(of: message), promise: nil)
        return true
    }

    private func buffer(of message: DaemonMessage) -> ByteBuffer {
        var writer = WireWriter()
        message.write(to: &writer)
        return ByteBuffer(bytes: writer.bytes)
    }

    /// Whether the app sent something that is not yet taken in.
    var hasUnread: Bool { channel?.hasUnread ?? false }

    // MARK: Ending

    private func refuse(_ error: WireError) {
        if !core.registry.actions.isEmpty { core.perform(self) }
        guard case .versionMismatch(let ours, let theirs) = error else { return fail(error.description) }
        core.registry.drops.versions &+= 1
        core.note(.malformed, "refused an app of another version", of: connection, error.description)
        let refusal = DaemonMessage.Refusal(daemonVersion: ours, appVersion: theirs, text: error.description)
        isClosing = true
        // Closed only when the refusal is out, or the app would see the end of the connection and not why.
        let bound = channel.map { NIOLoopBound($0, eventLoop: $0.eventLoop) }
        channel?.writeAndFlush(buffer(of: .refusal(refusal))).whenComplete { _ in
            bound?.value.close(promise: nil)
        }
    }

    private func fail(_ reason: String) {
        guard !isClosing else { return }
        core.registry.drops.malformed &+= 1
        core.note(.malformed, "closed a connection", of: connection, reason)
        close()
    }

    func close() {
        isClosing = true
        channel?.close(promise: nil)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable { core.becameWritable(self) }
        context.fireChannelWritabilityChanged()
    }

    func channelInactive(context: ChannelHandlerContext) {
        helloDeadline?.cancel()
        channel = nil
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}

extension Channel {
    /// Whether something waits in the channel's socket; asked on its event loop.
    var hasUnread: Bool {
        let isReadable = try? pipeline.syncOperations.withUnsafeTransportIfAvailable(
            of: NIOBSDSocket.Handle.self
        ) { UnixSocket.isReadable($0) }
        return isReadable.flatMap { $0 } ?? false
    }
}
