// SPDX-License-Identifier: MIT
// What is asked of a session daemon's process, and sent to it.

import Glibc
import NIOPosix
import RerenderDaemon
import RerenderShow

/// The processes of session daemons.
struct SessionProcesses: Sendable {
    /// The process that LTTng's pid file names, if it is a session daemon still.
    var pid: @Sendable (_ file: String) -> pid_t?
    /// A question whether a process ends within a time, which means that process whatever has its number later; nil where none has it.
    var watch: @Sendable (_ pid: pid_t) -> (@Sendable (_ limit: Duration) async -> Bool)?
    /// Asks a process to end.
    var end: @Sendable (_ pid: pid_t) -> Void

    /// Those of this machine.
    static let ofSystem = SessionProcesses(
        pid: { SessionDaemonPid.inFile($0) },
        watch: { watchSystem($0) }, end: { _ = kill($0, SIGTERM) })

    private static func watchSystem(_ pid: pid_t) -> (@Sendable (_ limit: Duration) async -> Bool)? {
        guard let end = ProcessEnd(of: pid) else { return nil }
        return { limit in await hasEnded(end, within: limit) }
    }

    /// Not cancelled with the caller: its answer is still needed.
    private static func hasEnded(_ end: ProcessEnd, within limit: Duration) async -> Bool {
        let deadline = ContinuousClock.now + limit
        let pool = NIOThreadPool(numberOfThreads: 1)
        pool.start()
        defer { pool.shutdownGracefully { _ in } }
        return await Task {
            (try? await pool.runIfActive { InputFile.isReadable(end.number, until: deadline) }) ?? false
        }.value
    }
}
