// SPDX-License-Identifier: MIT
// `rerenderctl config` shows and changes the settings of stores; `rerenderctl reset` sets their counts to zero.

import ArgumentParser
import RerenderDaemon
import RerenderShow

/// Reads and changes the settings of connected stores.
struct ConfigCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Show or change the settings of connected apps.",
        discussion: """
            Settings:
              enabled             whether evaluations are counted: true or false
              hangThreshold       milliseconds after which a turn of the main loop is a
                                  hang
              microHangThreshold  milliseconds after which it is a micro-hang
              hangStacks          whether a hang records the stack of a main thread that
                                  runs, too: true or false; a signal interrupts the
                                  thread for this

            Settings last until the app exits.

            Permanent settings are in rerender/config.toml in $XDG_CONFIG_HOME, or
            in ~/.config. `config file` prints its path. It may have:
              hangThreshold = 500            for all stores that have the default
              microHangThreshold = "50ms"    the same; also hangStacks
              notify = true                  a desktop notification for each hang
              sort = "wasted"                as --sort of tables and of top
              limit = 20                     as --limit; of run, always
              columns = ["count", "why"]     as --columns
              editor = "code --wait"         what e in top runs; else $VISUAL or $EDITOR
              history = false                as RERENDER_HISTORY=0
              passOver = ["libfoo"]          as RERENDER_PASS_OVER
              debuginfod = true              names from the servers in DEBUGINFOD_URLS
            The daemon reads it again for each app that connects.
            """,
        subcommands: [ConfigGet.self, ConfigSet.self, ConfigFile.self], defaultSubcommand: ConfigGet.self)
}

/// `rerenderctl config get`.
struct ConfigGet: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "get",
        abstract: "Show the settings of each connected store.",
        usage: "rerenderctl config get [--process <pid or name>] [--store <name>]",
        discussion: """
            Example:
              rerenderctl config get --process shop
            """)

    @OptionGroup var selection: SelectionOptions

    func run() async throws {
        let session = try Session.current(process: selection.choice.process)
        let stores = try await session.selected(selection)
        guard !stores.isEmpty else {
            return try Console.output.show("No process is connected: no settings to show.")
        }
        let width = Console.output.tableWidth
        try Console.output.show(ConfigTable.lines(stores, width: width))
    }
}

/// `rerenderctl config file`.
struct ConfigFile: ParsableCommand, RunsWithoutSettings {
    static let configuration = CommandConfiguration(
        commandName: "file",
        abstract: "Print the path of the settings file, and say whether it can be used.",
        discussion: """
            Ends with status 78 if the file cannot be used, and says why.

            Example:
              $EDITOR "$(rerenderctl config file)"
            """)

    func run() throws {
        guard let file = ToolSettings.file else {
            throw ToolFailure(ExitStatus.system, "there is no home directory: set HOME or XDG_CONFIG_HOME.")
        }
        try OutputStream.standardOutput.write(Array((file.path + "\n").utf8))
        try ToolSettings.mustBeUsable()
    }
}

/// `rerenderctl config set`.
struct ConfigSet: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Change settings of connected stores.",
        usage: """
            rerenderctl config set <key=value> ... [--process <pid or name>]
                                   [--store <name>]
            """,
        discussion: """
            Without options, changes every connected store.

            Examples:
              rerenderctl config set hangThreshold=500 microHangThreshold=50
              rerenderctl config set enabled=false --process shop
              rerenderctl config set hangStacks=true --process shop
            """)

    @Argument(
        help: ArgumentHelp("A setting and its value; rerenderctl help config lists them.", valueName: "key=value"),
        completion: DaemonCompletion.settings)
    var settings: [String]

    @OptionGroup var selection: SelectionOptions

    func run() async throws {
        let change = try SettingParser.change(settings, process: selection.choice.process, store: selection.store)
        let session = try Session.current(process: selection.choice.process)
        guard try await !session.selected(selection).isEmpty else {
            return try Console.output.show("No process is connected: nothing to set.")
        }
        let report = try await session.daemon.document(.post(.config, change), as: CommandReport.self)
        try Console.output.show(try CommandText.done("set \(settings.joined(separator: " ")) for", report))
    }
}

/// The table of settings.
private enum ConfigTable {
    /// One line for each store, under the names that `config set` takes.
    static func lines(_ stores: [ProcessStats], width: Int) -> [String] {
        let labels = StoreLabels(stores)
        let rows = stores.map { store in
            [
                labels.full(store), "\(store.enabled)", "\(store.hangThresholdMilliseconds)",
                "\(store.microHangThresholdMilliseconds)", "\(store.hangStacks == true)",
            ]
        }
        return Table.lines(["STORE"] + SettingParser.keys, rows, width: width)
    }
}

/// Sets the totals of connected stores to zero.
struct ResetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset",
        abstract: "Reset the totals of connected apps to zero.",
        discussion: """
            Every selected store starts a new epoch. Without options, that is every
            connected store. Processes that ended keep their totals.

            Examples:
              rerenderctl reset
              rerenderctl reset --process shop --store main
            """)

    @OptionGroup var selection: SelectionOptions

    func run() async throws {
        let session = try Session.current(process: selection.choice.process)
        guard try await !session.selected(selection).isEmpty else {
            return try Console.output.show("No process is connected: nothing to reset.")
        }
        let report = try await session.daemon.document(.post(.reset, selection.choice), as: CommandReport.self)
        try Console.output.show(try CommandText.done("reset", report))
    }
}
