// SPDX-License-Identifier: MIT
// The query socket without a socket: a test plays its clients and turns its clock.

import Logging
import NIOCore
import NIOEmbedded
import RerenderModel
import TestSupport

@testable import RerenderDaemon
@testable import DaemonSupport

/// A query service on a loop whose time stands still.
final class EmbeddedService {
    let loop = EmbeddedEventLoop()
    let service: QueryService
    let context: DaemonContext

    init(_ registry: Registry, _ change: (inout DaemonLimits) -> Void = { _ in }) throws {
        var configuration = DaemonConfiguration(runtimeDirectory: RuntimeDirectory(path: try TestFile.makeDirectory()))
        change(&configuration.limits)
        let log = CapturedLog().logger
        context = DaemonContext(
            configuration: configuration, registry: registry, loop: loop.assumeIsolated(),
            log: PeerLog(log), settings: CurrentSettings(nil, log: log))
        let router = QueryRouter(registry: registry, limits: configuration.limits) { HealthReport() }
        service = QueryService(
            context, router: router, commands: CommandRunner(context, send: { _, _ in false }), refresh: {})
    }

    /// Another client, as the socket's owner.
    func connect() throws -> EmbeddedChannel {
        let channel = EmbeddedChannel(loop: loop)
        try service.accept(channel, from: PeerCredentials(pid: 1, uid: 0))
        channel.activate()
        return channel
    }

    /// Lets the loop run for as long as the pause after a piece takes.
    func passPause() { loop.advanceTime(by: context.limits.piecePause) }
}

extension EmbeddedChannel {
    func send(_ text: String) throws { try writeInbound(ByteBuffer(string: text)) }

    /// What the client received since it last looked.
    func received() throws -> String {
        var text = ""
        while let bytes = try readOutbound(as: ByteBuffer.self) { text += String(buffer: bytes) }
        return text
    }
}

extension String {
    func occurrences(of part: String) -> Int { ranges(of: part).count }
}
