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

// `rerenderctl hud`, `highlight` and `pulse`: overlays of an app above its own windows and views.

/// On or off.
enum OverlayState: String, ExpressibleByArgument, CaseIterable {
    case on, off
}

/// Switches the HUD.
struct HUDCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hud",
        abstract: "Show or hide a table of views above an app's window.",
        discussion: """
            The app must have a window of GTK 4. It was started with `rerenderctl run` or
            with `run --hud`, or it links RerenderGTK.

            Examples:
              rerenderctl hud on
              rerenderctl hud off --process shop
            """)

    @OptionGroup var options: OverlayOptions

    func run() async throws { try await options.set(.hud) }
}

/// Switches the highlight.
struct HighlightCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "highlight",
        abstract: "Flash each widget or view as it redraws.",
        discussion: """
            Each widget that draws again flashes red with its count, or orange if the
            result is what it was; so does each view of a render loop that is evaluated
            again. A flash fades within 0.3 seconds. The app must have a window of GTK 4.
            It was started with `rerenderctl run` or `run --hud`, or it links RerenderGTK.

            Examples:
              rerenderctl highlight on
              rerenderctl highlight off --process shop
            """)

    @OptionGroup var options: OverlayOptions

    func run() async throws { try await options.set(.highlight) }
}

/// What both commands take, and do with it.
struct OverlayOptions: ParsableArguments {
    @Argument(help: ArgumentHelp("Switch it on or off.", valueName: "on|off"))
    var state: OverlayState

    @OptionGroup var selection: SelectionOptions

    /// Asks apps for it, and prints what became of it.
    func set(_ overlay: ScreenOverlay) async throws {
        let session = try Session.current(process: selection.choice.process)
        guard try await !session.selected(selection).isEmpty else {
            throw ToolFailure(
                ExitStatus.checkFailed,
                "No process is connected.\nStart a program with: rerenderctl run --inject -- PROGRAM")
        }
        let request = OverlayRequest(overlay, on: state == .on, selection.choice)
        let report = try await session.daemon.document(.post(.overlay, request), as: CommandReport.self)
        try Console.output.show(try CommandText.overlaid(overlay, isOn: state == .on, report))
    }
}

/// Asks an app to show one of its views.
struct PulseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pulse",
        abstract: "Highlight a view in its app and print its counts.",
        discussion: """
            KEY is a view's key as `stats` shows it, or a part of one that matches a
            single view. In a window of GTK 4, a red border appears around each of its
            widgets and fades within a second. An app with another screen runs the
            handler that it set on the store (onPulse). It also prints the view's counts
            to its standard error, unless console logging is off. The status is 1 if
            nothing of the view is on the screen.

            Examples:
              rerenderctl pulse CartTotal
              rerenderctl pulse Row --process 4711
            """)

    @Argument(
        help: ArgumentHelp("The view's key, or a part of it.", valueName: "key"), completion: DaemonCompletion.keys)
    var key: String

    @OptionGroup var selection: SelectionOptions

    func run() async throws {
        let session = try Session.current(process: selection.choice.process)
        let target = try await ViewTarget.find(key, selection, session)
        let request = PulseRequest(key: target.key.rawValue, StoreID(target.store).selection)
        let report = try await session.daemon.document(.post(.pulse, request), as: CommandReport.self)
        try Console.output.show(
            try CommandText.pulsed(target.key, in: StoreID(target.store), StoreLabels.full(target.store), report))
    }
}
