// SPDX-License-Identifier: MIT
// The next steps if there is no daemon, nothing to show, or if the user switched Rerender off.

package import RerenderModel

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
