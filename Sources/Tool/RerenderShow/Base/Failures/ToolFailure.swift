// SPDX-License-Identifier: MIT
// Failures with their exit status, text and next step.

package import RerenderModel

/// The exit statuses of `rerenderctl`, after `sysexits.h`.
package enum ExitStatus {
    /// A check did not hold.
    package static let checkFailed: Int32 = 1
    /// The command was used wrongly.
    package static let usage: Int32 = 64
    /// Input could not be read.
    package static let unreadable: Int32 = 65
    /// No daemon to talk to.
    package static let noDaemon: Int32 = 69
    /// The user switched Rerender off.
    static let switchedOff: Int32 = 69
    /// A program that the work needs is not installed; the same number as sysexits.h has it.
    package static let missingProgram: Int32 = 69
    /// An error in this program.
    package static let software: Int32 = 70
    /// The system or LTTng refused what the work needs.
    package static let system: Int32 = 71
    /// An output file could not be made.
    package static let cannotCreate: Int32 = 73
    /// Reading or writing failed.
    package static let inputOutput: Int32 = 74
    /// What `record` recorded is not complete.
    package static let incompleteRecording: Int32 = 75
    /// The settings file cannot be used.
    package static let configuration: Int32 = 78
    /// A command that was found and could not be run, as shells say it.
    package static let cannotRun: Int32 = 126
    /// A command that was not found, as shells say it.
    package static let notFound: Int32 = 127
}

/// A failure with its exit status and the text for standard error.
package struct ToolFailure: Error, Hashable, Sendable {
    /// The process's exit status.
    package let status: Int32
    /// What happened, and on further lines what to do.
    package let message: String
    /// Whether no daemon took the connection, so that nothing was asked yet.
    package var isUnreachable = false

    package init(_ status: Int32, _ message: String) {
        self.status = status
        self.message = message
    }

    /// What happened, without what to do.
    package var firstLine: String { message.split(separator: "\n").first.map { String($0) } ?? message }

    /// The command was used wrongly.
    package static func usage(_ message: String) -> ToolFailure { ToolFailure(ExitStatus.usage, message) }

    /// Nothing answers on the query socket. `directories` are those that are looked for.
    static func noDaemon(
        at path: String, because reason: String, directories: [RuntimeDirectory] = RuntimeDirectory.candidates()
    ) -> ToolFailure {
        // With a daemon nothing would count either, and `run` refuses to start one.
        let off = SwitchState.place(among: directories).map {
            SwitchState.notice($0, inUse: directories.first ?? .current())
        }
        // The daemon of a single command is in a directory that nothing in the environment names.
        let isInUse = directories.first?.querySocket == path
        var failure = ToolFailure(
            ExitStatus.noDaemon,
            (["no daemon answers at \(Printable.text(path)) (\(reason))."] + (off ?? [])
                + Guidance.waysToDaemon(isInUse ? directories : []))
                .joined(separator: "\n"))
        failure.isUnreachable = true
        return failure
    }

    /// Another user could answer in the daemon's place.
    static func unsafeDirectory(_ fault: String) -> ToolFailure {
        ToolFailure(ExitStatus.noDaemon, "the runtime directory is not safe.\n\(Printable.text(fault))")
    }

    /// Several commands run under private daemons, and the user chose none.
    ///
    /// - Parameters:
    ///   - commands: The processes of each, safe to print, and its directory.
    ///   - process: The one that the user selected, and how many of the commands have it; nil where none was selected.
    static func severalDaemons(
        _ commands: [(programs: String, directory: String)], besides path: String, process: (name: String, count: Int)?
    ) -> ToolFailure {
        let what =
            "no daemon answers at \(Printable.text(path)), and \(commands.count) commands have private daemons."
        let found = process.map { process in
            let name = "a process \"\(Printable.text(process.name))\""
            return process.count == 0 ? "None of them has \(name)." : "\(process.count) of them have \(name)."
        }
        let choices = commands.map {
            "  \($0.programs): RERENDER_RUNTIME_DIR=\(ShellCommand.path($0.directory)) rerenderctl …"
        }
        let way = "Choose one of them by --process, with a pid or name, or by its directory:"
        return ToolFailure(
            ExitStatus.noDaemon, ([what, found, way].compactMap(\.self) + choices).joined(separator: "\n"))
    }

    /// The daemon took the connection and then did not answer, or not to the end.
    package static func brokenAnswer(_ reason: String) -> ToolFailure {
        ToolFailure(
            ExitStatus.noDaemon, "the daemon \(reason).\nTry again, or see: rerenderctl doctor")
    }

    /// The daemon's answer is not what this program can read.
    package static func unreadable(_ reason: String) -> ToolFailure {
        ToolFailure(
            ExitStatus.unreadable,
            "the daemon's answer cannot be read: \(Printable.text(reason)).\n"
                + "rerenderctl and rerenderd may have different versions. See: rerenderctl doctor")
    }

    /// The daemon refused the request.
    package static func refused(_ code: Int, _ text: String) -> ToolFailure {
        let status = code == 400 || code == 404 || code == 422 ? ExitStatus.usage : ExitStatus.software
        return ToolFailure(status, "the daemon refused: \(Printable.text(text))")
    }
}

// The next steps if there is no daemon, nothing to show, or if the user switched Rerender off.

/// Texts that teach.
package enum Guidance {
    /// How to instrument an app.
    static let instrument = [
        "To instrument an app, depend on the product \"Rerender\" and wrap a body:",
        "",
        "    import Rerender",
        "    let store = RerenderStore(name: \"main\")",
        "    store.evaluate(\"CartTotal\") { view.body }",
        "",
        "Then start its debug build, or run: rerenderctl run -- ./my-app",
        "(Release builds have no probes unless they are built with --traits AlwaysOn.)",
    ]

    /// Shown instead of a table if the daemon knows no process.
    ///
    /// - Parameter off: Where the user switched Rerender off, if so.
    package static func noProcess(off: RuntimeDirectory?) -> [String] {
        noStores(off: off) + (off == nil ? [""] + instrument : [])
    }

    /// That no store is known, and that Rerender is switched off, if so.
    package static func noStores(off: RuntimeDirectory?) -> [String] {
        ["No process is connected, and no ended process is remembered."] + (off.map { SwitchState.notice($0) } ?? [])
    }

    /// Whether `$RERENDER_RUNTIME_DIR` names the first of these directories and systemd's units listen in another one.
    package static func isBesideUnits(_ directories: [RuntimeDirectory]) -> Bool {
        guard let used = directories.first, used.origin == .environment else { return false }
        return !directories.contains { [.xdg, .runUser].contains($0.origin) && $0.path == used.path }
    }

    /// How to reach a daemon, a line for each way. Printed if no daemon answers in the first directory.
    static func waysToDaemon(_ directories: [RuntimeDirectory]) -> [String] {
        guard isBesideUnits(directories) else {
            return [
                "Do one of these:",
                "  rerenderctl run -- CMD    runs one command under a private daemon",
                "  systemctl --user start rerenderd-push.socket rerenderd-query.socket",
                "  rerenderd --foreground    runs a daemon until Ctrl-C",
            ]
        }
        return [
            "RERENDER_RUNTIME_DIR points to a directory without a daemon. Do one of these:",
            "  unset RERENDER_RUNTIME_DIR    uses the default directory",
            "  rerenderd --foreground        runs a daemon in that directory until Ctrl-C",
            "  rerenderctl run -- CMD        runs one command under a private daemon",
        ]
    }

    /// What to do where no daemon answers in the first of the directories, as one sentence.
    package static func startDaemon(_ directories: [RuntimeDirectory]) -> String {
        isBesideUnits(directories)
            ? "RERENDER_RUNTIME_DIR points to a directory without a daemon: unset RERENDER_RUNTIME_DIR, "
                + "or start one there: rerenderd --foreground; or run one command: rerenderctl run -- CMD"
            : "Start it with: systemctl --user start rerenderd-push.socket rerenderd-query.socket, "
                + "or: rerenderd --foreground; or run one command: rerenderctl run -- CMD"
    }
}

extension Guidance {
    /// How to have a daemon that goes on, where none runs; one sentence.
    package static func permanentDaemon(_ directories: [RuntimeDirectory]) -> String {
        isBesideUnits(directories)
            ? "To have one in the directory that RERENDER_RUNTIME_DIR names: rerenderd --foreground"
            : "To have one: systemctl --user enable --now rerenderd-push.socket rerenderd-query.socket, "
                + "or: rerenderd --foreground"
    }
}

/// The user's switch, as commands see it: the file `off` in a runtime directory.
package enum SwitchState {
    /// The first directory in which programs that are started from here would find Rerender switched off; nil if they count.
    package static var place: RuntimeDirectory? { place(among: RuntimeDirectory.candidates()) }

    /// The first of these directories that keeps programs off.
    static func place(among directories: [RuntimeDirectory]) -> RuntimeDirectory? {
        directories.first { $0.isSwitchedOff }
    }

    /// Throws status 69 where a command that is started from here would count nothing.
    package static func mustBeOn() throws(ToolFailure) {
        guard let place else { return }
        throw ToolFailure(ExitStatus.switchedOff, notice(place).joined(separator: "\n"))
    }

    /// What is the case and what to do, a line for each.
    package static func notice(_ place: RuntimeDirectory, inUse: RuntimeDirectory = .current()) -> [String] {
        [
            "Rerender is switched off for this user, by \(Printable.text(place.path))/\(RuntimeDirectory.switchName).",
            "Run: \(wayOn(place, inUse: inUse))",
        ]
    }

    /// The command that switches it on again.
    package static func wayOn(_ place: RuntimeDirectory, inUse: RuntimeDirectory) -> ShellCommand {
        place.path == inUse.path
            ? "rerenderctl on" : "RERENDER_RUNTIME_DIR=\(.path(place.path)) rerenderctl on"
    }
}
