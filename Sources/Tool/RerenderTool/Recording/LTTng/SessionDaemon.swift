// SPDX-License-Identifier: MIT
// Starts LTTng's session daemon if none is running, and stops the one that it started.

import FoundationEssentials
import Glibc
import RerenderDaemon
import RerenderShow

/// Starts a session daemon where none answers, and ends none but that one.
package struct SessionDaemon: Sendable {
    /// Where LTTng says which process its session daemon is.
    let pidFile: String
    /// Runs a program; nil where it cannot be run or fails.
    let run: @Sendable ([String]) async -> String?
    /// How long one may take to end. It takes a second or two.
    var endLimit = Duration.seconds(30)
    var processes = SessionProcesses.ofSystem

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

    /// Starts one; throws where it does not start. Does so also where another command's has just started, or is about to end.
    func start() async throws(ToolFailure) {
        if await run(Self.startCommand) == nil {
            if await run(LTTngSession.list) != nil { return }
            try await waitForPredecessor()
            guard await run(Self.startCommand) != nil else {
                throw ToolFailure(
                    ExitStatus.system, "lttng-sessiond does not start.\nRun it yourself to see why: lttng-sessiond -v")
            }
        }
        if let pid { try? Data("\(pid)\n".utf8).write(to: URL(filePath: mark)) }
    }

    /// Waits until it listens for apps; being started only means that it listens to the `lttng` command.
    ///
    /// Gives up after five seconds: an app then connects when it can.
    func waitForApps() async {
        let prefix = PathName.joined(PathName.directory(of: pidFile), "lttng-ust-sock-")
        let end = ContinuousClock.now + .seconds(5)
        while ContinuousClock.now < end, !Self.isListening(prefix, in: ProcFile.read("/proc/net/unix")) {
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

    /// Ends the session daemon if we started it and it has no sessions. Returns when it has ended.
    ///
    /// While it ends, it holds a lock of the user's, so that no other can start. Returns a line for a person where it does not end.
    @discardableResult
    func end() async -> String? {
        guard let text = try? String(contentsOfFile: mark, encoding: .utf8) else { return nil }
        // Without a list it is unknown whether there are sessions.
        guard let sessions = await run(LTTngSession.list),
            let triggers = await run(LTTngSession.listTriggers)
        else { return nil }
        guard !sessions.contains("<session>"), !triggers.contains("<trigger>") else { return nil }
        try? FileManager.default.removeItem(atPath: mark)
        // The same number as in LTTng's own file, which a daemon removes when it ends: so it is still that one.
        guard let pid, text == "\(pid)\n" else { return nil }
        // Before the signal: the number may be another process's when that one has ended.
        let hasEnded = processes.watch(pid)
        processes.end(pid)
        guard let hasEnded, await !hasEnded(endLimit) else { return nil }
        return "lttng-sessiond (pid \(pid)) has not ended in \(endLimit.components.seconds) s: "
            + "the next recording starts when it has, or after: kill -KILL \(pid)"
    }

    /// Waits for the end of a session daemon that answers no more, which another command may have ended; throws where it does not end.
    private func waitForPredecessor() async throws(ToolFailure) {
        guard let pid, let hasEnded = processes.watch(pid), await !hasEnded(endLimit) else { return }
        throw ToolFailure(
            ExitStatus.system,
            "lttng-sessiond (pid \(pid)) does not answer, and has not ended in \(endLimit.components.seconds) s.\n"
                + "End it, and try again: kill -KILL \(pid)")
    }

    private var pid: pid_t? { processes.pid(pidFile) }

    /// Whether one of this user runs. One that was killed has its number and its name until its parent has waited for it.
    func isThere() async -> Bool {
        guard let pid else { return false }
        guard let hasEnded = processes.watch(pid) else { return self.pid != nil }
        return await !hasEnded(.zero)
    }
}

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
        return await Task {
            (try? await BlockingThread.run { InputFile.isReadable(end.number, until: deadline) }) ?? false
        }.value
    }
}
