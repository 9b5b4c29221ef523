// SPDX-License-Identifier: MIT
// `rerenderctl off` and `rerenderctl on`: switch Rerender off in all programs of the user, and on again.

import ArgumentParser
import RerenderShow

/// Switches Rerender off.
struct OffCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "off",
        abstract: "Switch Rerender off, also in programs that run.",
        discussion: """
            Programs that start from now on do as with RERENDER=0: nothing is counted,
            traced or sent, and Rerender starts no thread. Running programs send what
            they counted and close their connections; two of Rerender's threads stay
            asleep in them. They stay off until they are started again. A program that
            `attach` has left counts nothing, and does so again at the next attach. No
            daemon is needed.

            The switch is the file "off" in the runtime directory. It holds for all
            programs of your user, but where $RERENDER_RUNTIME_DIR is set, only for
            programs that use that directory. It lasts until `rerenderctl on`, or until
            the directory is removed, as at a logout.

            Exits with 1 if a running program did not switch itself off in time.

            Examples:
              rerenderctl off
              rerenderctl off && ./my-app
            """)

    func run() async throws {
        let file = SwitchFile()
        // First: a busy process may see the file at once.
        let running = await RunningProcesses(in: file.directories)
        try file.switchOff()
        let left = await running.switchOff()
        try Console.output.show(try running.text(left: left))
    }
}

/// Switches Rerender on again.
struct OnCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "on",
        abstract: "Switch Rerender on again, after `rerenderctl off`.",
        discussion: """
            Programs count again once they are started. Those that were running when
            Rerender was switched off stay off until then. A command of `rerenderctl run`
            that was running stays off to its end, with all programs that it starts.

            Example:
              rerenderctl on
            """)

    func run() throws {
        try SwitchFile().switchOn()
        try SwitchState.mustBeOn()
        try Console.output.show("Rerender is on: programs count again once they are started.")
    }
}

/// The processes that are connected to daemons while Rerender is switched off.
private struct RunningProcesses {
    /// How long no process may switch itself off until the others are given up.
    private static let patience = Duration.seconds(5)

    /// Daemons that answer, with the processes that were connected before.
    private var daemons: [(session: Session, before: [ProcessStats])] = []

    private var count: Int { daemons.reduce(0) { $0 + $1.before.count } }

    /// Asks the daemons of these directories.
    ///
    /// One that does not answer is as none: programs that count see the switch by themselves.
    init(in directories: [RuntimeDirectory]) async {
        for directory in directories {
            let client = SocketQueryClient(path: directory.querySocket, patience: Self.patience)
            let session = Session(directory: directory, client: client)
            if let before = try? await Self.connected(session) { daemons.append((session, before)) }
        }
    }

    /// Has the processes look at the switch, and waits until they have left; those that have not.
    func switchOff() async -> [ProcessStats] {
        // A process that is told anything looks at the switch. One with a library that knows none counts nothing, at least.
        var change = ConfigurationChange()
        change.enabled = false
        var left: [ProcessStats] = []
        for (session, before) in daemons {
            _ = try? await session.daemon.document(.post(.config, change), as: CommandReport.self)
            left += await Self.wait(for: before, session)
        }
        return left
    }

    /// The connected processes, each once.
    private static func connected(_ session: Session) async throws -> [ProcessStats] {
        var pids: Set<Int32> = []
        return try await session.processes().filter { $0.connected && pids.insert($0.pid).inserted }
    }

    /// Waits until the processes have left; those that have not.
    private static func wait(for processes: [ProcessStats], _ session: Session) async -> [ProcessStats] {
        var (left, deadline) = (processes, ContinuousClock.now + patience)
        while !left.isEmpty, ContinuousClock.now < deadline, let connected = try? await connected(session) {
            let remaining = left.filter { process in connected.contains { $0.pid == process.pid } }
            if remaining.count < left.count { deadline = ContinuousClock.now + patience }
            left = remaining
            if !left.isEmpty { try? await Task.sleep(for: .milliseconds(20)) }
        }
        return left
    }

    /// What happened, in a line. Throws status 1 where a process is left.
    func text(left: [ProcessStats]) throws(ToolFailure) -> String {
        let off = "Rerender is off: programs that start from now on count nothing"
        guard !daemons.isEmpty else {
            return off + ". Running ones that count switch themselves off, and stay so until they are started again."
        }
        guard left.isEmpty else {
            let names = left.prefix(8).map { "\(Printable.text($0.name))[\($0.pid)]" }.joined(separator: ", ")
            let more = left.count > 8 ? " and \(left.count - 8) more" : ""
            throw ToolFailure(
                ExitStatus.checkFailed,
                "\(off), but \(left.count) of \(Counted.text(count, "running process", "running processes")) did not "
                    + "switch off in time: \(names)\(more).\n"
                    + "A process that is stopped or hangs does so when it continues. To be sure, start it again.")
        }
        guard count > 0 else { return off + ". No running process was connected." }
        let processes = Counted.text(count, "running process was", "running processes were")
        return off + ". \(processes) switched off, and \(count == 1 ? "stays" : "stay") so until started again."
    }
}
