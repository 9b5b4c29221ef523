// SPDX-License-Identifier: MIT
// One app's connection: bytes to frames to the registry, commands to bytes.

internal import CShared
internal import Glibc
internal import NIOCore
import RerenderModel
import RerenderWire

/// Reads frames of one app. Holds at most one unfinished frame.
final class PushHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    let connection: AppConnection
    private let server: AppServer
    private var unfinished = ByteBuffer()
    /// Since when the frame that is not complete is waited for.
    private(set) var unfinishedSince: NIODeadline?
    /// Bytes of it that the server counts.
    private var counted = 0
    private var helloDeadline: Scheduled<Void>?
    private var channel: (any Channel)?
    private var isClosing = false
    /// Nil where it cannot be had, and once the connection is closed.
    private var processEnd: ProcessEnd?

    init(connection: AppConnection, server: AppServer) {
        self.connection = connection
        self.server = server
        processEnd = ProcessEnd(of: connection.pid)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        channel = context.channel
        helloDeadline = server.context.loop.scheduleTask(in: server.context.limits.helloTimeout) {
            self.fail("it said no hello in time")
        }
    }

    /// Takes the flight page that waits with the first bytes, before SwiftNIO reads them: it takes no descriptors.
    fileprivate func takePage() {
        guard connection.process == nil, let socket = channel?.socket else { return }
        let number = chandover_receive(socket)
        guard number >= 0 else { return }
        do throws(OpenPage.Fault) {
            connection.page = try OpenPage(Descriptor(owning: number))
        } catch {
            server.context.cannotUsePage(of: connection, error)
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isClosing else { return }
        var bytes = unwrapInboundIn(data)
        server.received(bytes: bytes.readableBytes)
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
        count()
    }

    private func takeFrames() throws(WireError) {
        let registry = server.context.registry
        let connection = connection
        let bytes = unfinished
        let used = try FrameReader.frames(in: bytes.readableBytesSpan) { (frame) throws(WireError) in
            try registry.receive(frame: frame, from: connection)
        }
        unfinished.moveReaderIndex(forwardBy: used)
        // Only what is left is kept, and not the buffer that it came in.
        unfinished = unfinished.readableBytes == 0 ? ByteBuffer() : ByteBuffer(bytes: unfinished.readableBytesView)
        if used > 0 || unfinishedSince == nil { unfinishedSince = unfinished.readableBytes == 0 ? nil : .now() }
        if !registry.actions.isEmpty { server.perform(self) }
    }

    /// Tells the server how much is kept of a frame that is not complete.
    private func count() {
        let change = unfinished.readableBytes - counted
        guard change != 0 else { return }
        counted += change
        server.keepUnfinished(change)
    }

    /// Closes the connection: there is no room for the rest of its frame.
    func giveUpUnfinished() {
        fail("it left a frame incomplete for longer than others, and there is no room for all of them")
        forgetUnfinished()
    }

    private func forgetUnfinished() {
        unfinished = ByteBuffer()
        unfinishedSince = nil
        count()
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

    /// Adds what to ask `poll`: each answer says that the process at the other end has ended, or has closed its end.
    func askForEnd(_ questions: inout [pollfd]) {
        if let socket = channel?.socket { questions.append(pollfd(fd: socket, events: 0, revents: 0)) }
        if let processEnd { questions.append(pollfd(fd: processEnd.number, events: Int16(POLLIN), revents: 0)) }
    }

    /// Whether the process has ended where no descriptor tells its end.
    var hasEndedUnwatched: Bool { processEnd == nil && ProcessTable.hasEnded(connection.pid) }

    // MARK: Ending

    private func refuse(_ error: WireError) {
        if !server.context.registry.actions.isEmpty { server.perform(self) }
        guard case .versionMismatch(let ours, let theirs) = error else { return fail(error.description) }
        server.context.registry.drops.versions &+= 1
        server.context.log.write(.malformed, "refused an app of another version", of: connection, error.description)
        let refusal = DaemonMessage.Refusal(daemonVersion: ours, appVersion: theirs, text: error.description)
        isClosing = true
        // Closed only when the refusal is out, or the app would see the end of the connection and not why.
        channel?.writeAndFlush(buffer(of: .refusal(refusal))).assumeIsolated().whenComplete { [channel] _ in
            channel?.close(promise: nil)
        }
    }

    private func fail(_ reason: String) {
        guard !isClosing else { return }
        server.context.registry.drops.malformed &+= 1
        server.context.log.write(.malformed, "closed a connection", of: connection, reason)
        close()
    }

    func close() {
        isClosing = true
        channel?.close(promise: nil)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable { server.becameWritable(self) }
        context.fireChannelWritabilityChanged()
    }

    func channelInactive(context: ChannelHandlerContext) {
        helloDeadline?.cancel()
        forgetUnfinished()
        channel = nil
        processEnd = nil
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        // The channel's buffers keep this handler.
        channel = nil
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}

extension Channel {
    /// Whether bytes, the end, or a connection to accept wait in the channel's socket; asked on its event loop.
    var hasUnread: Bool { socket.map { UnixSocket.events(of: $0, POLLIN) != 0 } ?? false }

    /// The number of the channel's socket while it is open; asked on its event loop, and not kept.
    fileprivate var socket: CInt? {
        let number = try? pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) { $0 }
        return number.flatMap { $0 }
    }
}

/// Room for a whole frame, and only while it is read.
///
/// SwiftNIO keeps the first buffer of a connection for as long as that is open. With a frame's size each, a thousand connections that say
/// nothing hold 64 MB. So the first one is small, and no other one is kept: each may be larger than the one before.
struct PushBuffers: RecvByteBufferAllocator {
    /// What an app says first: its hello.
    static let firstBytes = 1_024

    /// Whose socket it is. SwiftNIO asks for a buffer right before it reads.
    let handler: NIOLoopBound<PushHandler>
    private var hasRead = false

    init(of handler: PushHandler, on loop: any EventLoop) { self.handler = NIOLoopBound(handler, eventLoop: loop) }

    func buffer(allocator: ByteBufferAllocator) -> ByteBuffer {
        if !hasRead { handler.value.takePage() }
        return allocator.buffer(capacity: hasRead ? WireLimits.frameBytes : Self.firstBytes)
    }

    mutating func record(actualReadBytes: Int) -> Bool {
        hasRead = true
        return true
    }
}
