// SPDX-License-Identifier: MIT
// The daemon that a user means: the own one, or that of the command that runs.

import NIOCore
import NIOPosix
import RerenderModel

/// Talks to the user's daemon or, where none listens, to that of the only command under a daemon of its own.
///
/// Looks anew for each request: commands come and go while `top` is open. A directory that `$RERENDER_RUNTIME_DIR` names is
/// the only one that is looked at.
struct FoundDaemonClient: QueryClient {
    let directory: RuntimeDirectory
    var patience: Duration = SocketQueryClient.usualPatience

    func send(_ request: QueryRequest, receive: (_ bytes: [UInt8]) throws -> Void) async throws {
        let found = try await find()
        try await SocketQueryClient(path: found.querySocket, patience: patience).send(request, receive: receive)
    }

    /// The directory of the daemon that answers; the one in use where none does.
    ///
    /// Throws status 69 where several could be meant.
    func find() async throws(ToolFailure) -> RuntimeDirectory {
        guard directory.origin != .environment else { return directory }
        guard await !Self.isListening(directory.querySocket) else { return directory }
        var running: [RuntimeDirectory] = []
        for other in RunDirectories.all(beside: directory) where await Self.isListening(other.querySocket) {
            running.append(other)
        }
        guard running.count < 2 else { throw .severalDaemons(running.map(\.path), besides: directory.querySocket) }
        return running.first ?? directory
    }

    private static func isListening(_ path: String) async -> Bool {
        guard path.utf8.count <= SocketChecks.longestPath else { return false }
        let bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton).connectTimeout(.seconds(5))
        guard let channel = try? await bootstrap.connect(unixDomainSocketPath: path).get() else { return false }
        try? await channel.close()
        return true
    }
}
