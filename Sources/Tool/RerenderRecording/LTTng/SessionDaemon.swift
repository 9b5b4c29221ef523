// SPDX-License-Identifier: MIT
// Starts LTTng's session daemon if none is running, and stops the one that it started.

import FoundationEssentials
import Glibc
import RerenderRun
import RerenderToolBase

/// Starts a session daemon where none answers, and ends none but that one.
package struct SessionDaemon: Sendable {
    /// Where LTTng says which process its session daemon is.
    let pidFile: String
    /// Runs a program; nil where it cannot be run or fails.
    let run: @Sendable ([String]) async -> String?

    /// Apps only: a daemon of root's would load kernel modules otherwise.
    static let startCommand = ["lttng-sessiond", "--daemonize", "--no-kernel"]

    /// The file of this user's daemon.
    static var usualPidFile: String {
        getuid() == 0 ? "/var/run/lttng/lttng-sessiond.pid" : home + "/.lttng/lttng-sessiond.pid"
    }

    /// The directory of LTTng's files of this user.
    static var home: String { environmentVariable("LTTNG_HOME") ?? environmentVariable("HOME") ?? "" }

    /// Holds the number of the session daemon that we started, so that we end no other.
    ///
    /// Beside LTTng's own file, so that the last of several rerenderctl processes ends the daemon.
    private var mark: String { pidFile + ".rerender" }

    /// Starts one; throws where it does not start. Does so also where another command's has just started.
    func start() async throws(ToolFailure) {
        guard await run(Self.startCommand) != nil else {
            if await run(LTTngSession.list) != nil { return }
            throw ToolFailure(
                ExitStatus.system, "lttng-sessiond does not start.\nRun it yourself to see why: lttng-sessiond -v")
        }
        if let pid { try? Data("\(pid)\n".utf8).write(to: URL(filePath: mark)) }
    }

    /// Waits until it listens for apps; being started only means that it listens to the `lttng` command.
    ///
    /// Gives up after five seconds: an app then connects when it can.
    func waitForApps() async {
        let prefix = pidFile.prefix(through: pidFile.lastIndex(of: "/") ?? pidFile.startIndex) + "lttng-ust-sock-"
        let end = ContinuousClock.now + .seconds(5)
        while ContinuousClock.now < end, !Self.isListening(String(prefix), in: ProcFile.read("/proc/net/unix")) {
            try? await Task.sleep(for: .milliseconds(10))
        }
    }

    /// Whether the kernel's list has a listening socket of that path; `/var/run` may be a link to `/run`.
    static func isListening(_ prefix: String, in list: String) -> Bool {
        list.split(separator: "\n").contains { line in
            let fields = line.split(separator: " ", maxSplits: 7, omittingEmptySubsequences: true)
            guard fields.count == 8, let flags = UInt32(fields[3], radix: 16), flags & 0x10000 != 0 else {
                return false
            }
            return fields[7].hasPrefix(prefix)
        }
    }

    /// Ends the session daemon if we started it and it has no sessions.
    func end() async {
        guard let text = try? String(contentsOfFile: mark, encoding: .utf8) else { return }
        // Without a list it is unknown whether there are sessions.
        guard let sessions = await run(LTTngSession.list),
            let triggers = await run(LTTngSession.listTriggers)
        else { return }
        guard !sessions.contains("<session>"), !triggers.contains("<trigger>") else { return }
        try? FileManager.default.removeItem(atPath: mark)
        // The same number as in LTTng's own file, which a daemon removes when it ends: so it is still that one.
        guard let pid, text == "\(pid)\n" else { return }
        kill(pid, SIGTERM)
    }

    private var pid: pid_t? { SessionDaemonPid.inFile(pidFile) }
}
