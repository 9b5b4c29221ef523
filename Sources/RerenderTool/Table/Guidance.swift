// SPDX-License-Identifier: MIT
// What to do next where there is nothing to show.

/// Texts that teach.
enum Guidance {
    /// How to instrument an app.
    static let instrument = [
        "To instrument an app, depend on the product \"Rerender\" and wrap a body:",
        "",
        "    import Rerender",
        "    let store = RerenderStore(name: \"main\")",
        "    store.evaluate(\"CartTotal\") { view.body }",
        "",
        "Start its debug build, or try one command: rerenderctl run -- ./my-app",
        "(A release build holds no probes unless it is built with --traits AlwaysOn.)",
    ]

    /// What stands in the place of a table when the daemon knows no process.
    static let noProcess = ["No process is connected, and none that ended is remembered.", ""] + instrument

    /// What stands in the place of rows when no connected process has evaluated anything.
    static let noViews = ["No view has been evaluated yet."]

    /// The ways to a daemon, each on a line of its own: below an error that none answers.
    static let waysToDaemon = [
        "Do one of these:",
        "  rerenderctl run -- CMD    runs one command under a daemon of its own",
        "  systemctl --user start rerenderd-push.socket rerenderd-query.socket",
        "  rerenderd --foreground    is a daemon until Ctrl-C",
    ]

    /// What to do where no daemon answers, as one sentence.
    static let startDaemon =
        "Start it with: systemctl --user start rerenderd-push.socket rerenderd-query.socket, "
        + "or: rerenderd --foreground; or run one command under it: rerenderctl run -- CMD"
}
