// SPDX-License-Identifier: MIT
// Gives the terminal to a command until it ends.

import NIOPosix
import RerenderShow

/// Runs a command that uses the terminal, such as an editor.
package enum ForegroundCommand {
    /// Runs it in our process group with our input and output, and returns how it ended. Throws where it cannot be started.
    package static func run(_ arguments: [String]) async throws(SpawnError) -> ProcessEnding {
        LaunchState.current.closeOwnDescriptorsOnExec()
        let child = try ChildProcess.start(
            arguments.map { Array($0.utf8) }, environment: LaunchBytes.environment(with: [:]))
        let pool = NIOThreadPool(numberOfThreads: 1)
        pool.start()
        defer { pool.shutdownGracefully { _ in } }
        return (try? await pool.runIfActive { child.wait() }) ?? .exited(0)
    }
}
