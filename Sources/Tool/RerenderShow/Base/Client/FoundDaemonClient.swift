// SPDX-License-Identifier: MIT
// Finds the daemon to ask: the user's, or that of the only running command.

package import RerenderModel

/// Talks to the user's daemon or, where none takes the connection, to that of the only command under a daemon of its own.
///
/// Looks anew for each request: commands come and go while `top` is open. Where `$RERENDER_RUNTIME_DIR` names a directory, only commands
/// count that were started with the same one.
package struct FoundDaemonClient: DaemonClient {
    package let directory: RuntimeDirectory
    package var patience: Duration = SocketQueryClient.usualPatience

    package init(directory: RuntimeDirectory, patience: Duration = SocketQueryClient.usualPatience) {
        (self.directory, self.patience) = (directory, patience)
    }

    /// As any client; throws status 69 as well where several daemons could be meant.
    package func send(_ request: QueryRequest, receive: (_ bytes: [UInt8]) throws -> Void) async throws {
        do {
            try await client(directory).send(request, receive: receive)
        } catch let failure as ToolFailure where failure.isUnreachable {
            try await client(await only() ?? directory).send(request, receive: receive)
        }
    }

    private func client(_ directory: RuntimeDirectory) -> SocketQueryClient {
        SocketQueryClient(path: directory.querySocket, patience: patience)
    }

    /// The directories of the commands that run under daemons of their own, in the place of the one that is looked at.
    package func commands() async -> [RuntimeDirectory] {
        var running: [RuntimeDirectory] = []
        for other in RunDirectories.all(beside: directory).filter(isOurs)
        where await ConnectText.fault(at: other.querySocket, timeout: .seconds(5)) == nil {
            running.append(other)
        }
        return running
    }

    /// What somebody names is meant, and not what runs beside it.
    private func isOurs(_ other: RuntimeDirectory) -> Bool {
        directory.origin != .environment || RunDirectories.user(of: other) == directory.path
    }

    /// Whether somebody takes connections now: the user's daemon, or that of a command.
    package var isReachable: Bool {
        get async {
            if await ConnectText.fault(at: directory.querySocket, timeout: .seconds(5)) == nil { return true }
            return await !commands().isEmpty
        }
    }

    /// The directory of the only command's daemon.
    private func only() async throws(ToolFailure) -> RuntimeDirectory? {
        let running = await commands()
        guard running.count < 2 else { throw .severalDaemons(running.map(\.path), besides: directory.querySocket) }
        return running.first
    }
}
