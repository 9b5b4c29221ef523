// SPDX-License-Identifier: MIT
// `rerenderctl run`: one command, and then the table of what it did.

import ArgumentParser
import RerenderModel
import RerenderPresentation
import RerenderRun
import RerenderToolBase

/// Runs a command under a daemon and shows what it reported.
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Run a command, and show the table of its views when it ends.",
        usage: """
            rerenderctl run [--json <file>] [--sort <sort>] [--limit <number>]
                            -- <command> ...
            """,
        discussion: """
            Uses the daemon that runs; where none answers, starts one of its own in
            a private directory for as long as the command runs. The command finds
            it through RERENDER_RUNTIME_DIR. Its input and output are untouched, the
            table goes to standard error. Signals are passed on, and rerenderctl
            ends as the command does: with its exit status, or by the same signal.
            127 stands for a command that is not found, 126 for one that cannot be
            run.

            While it runs, rerenderctl top and the other commands find its daemon
            where no other answers; if several run, they name them.

            Under a daemon that runs already, the table has every process that
            connected in the meantime and that the daemon still knows: it keeps
            those that ended for an hour (rerenderd --keep), and the latest 64 of
            them. Where it forgot some meanwhile, that is said.

            Examples:
              rerenderctl run -- ./my-app --fast
              rerenderctl run --sort time --limit 10 -- ./my-app
              rerenderctl run --json after.json -- ./my-app > output.txt
            """)

    @Option(
        name: [.customLong("json"), .customShort("o")],
        help: ArgumentHelp("Keep the export of the command's processes in this file.", valueName: "file"),
        completion: .file())
    var json: String?

    @Option(name: .shortAndLong, help: "Rank by evaluations, wasted time, body time, hangs, or by name.")
    var sort: StatsOrder = .count

    @Option(
        name: [.customShort("n", allowingJoined: true), .long],
        help: ArgumentHelp("Show only the first so many views, or \"all\".", valueName: "number"))
    var limit: ViewLimit = .first(50)

    @OptionGroup var command: CommandArgument

    func validate() throws {
        guard try command.isGiven(to: Self.self) else {
            throw ValidationError("Say what to run: rerenderctl run -- CMD")
        }
    }

    func run() async throws {
        let file = try json.map { path throws(ToolFailure) in try AtomicFile(path: path) }
        do {
            // Before there is anything that a signal could leave behind.
            let signals = try SignalPipe.open(CommandSupervisor.signals)
            let host = try await RunHost.open()
            let ending = try await host.run(command.words, signals: signals)
            await report(host, file)
            await host.close()
            ending.repeatIt()
        } catch {
            file?.discard()
            throw error
        }
    }

    /// Keeps the export and shows the table. What goes wrong here is said and changes nothing of how the command ended.
    private func report(_ host: RunHost, _ file: AtomicFile?) async {
        do {
            let harvest = try await host.collect()
            // First, because whoever reads standard error may be gone.
            keep(harvest.export, in: file)
            try show(harvest)
            for gap in harvest.gaps { FailureText.note("rerenderctl: \(gap)") }
        } catch {
            file?.discard()
            if let failure = error as? ToolFailure { FailureText.show(failure) }
        }
    }

    /// A file that cannot be written is no reason to show no table.
    private func keep(_ export: StatsExport, in file: AtomicFile?) {
        do {
            try file?.write(Array(try export.json()))
            try file?.commit()
        } catch {
            file?.discard()
            if let failure = error as? ToolFailure { FailureText.show(failure) }
        }
    }

    private func show(_ harvest: RunHost.Harvest) throws {
        let console = Console.error
        if !harvest.export.processes.isEmpty {
            let screen = StatsScreen(export: harvest.export, health: harvest.health, order: sort, limit: limit.count)
            try console.show([""] + screen.lines(width: console.width, colours: console.colours))
        } else {
            try console.show(Self.silence(of: command.words[0], harvest))
        }
    }

    /// Why there is no table: the command may be one that nobody instrumented, so a line or two is enough.
    private static func silence(of program: String, _ harvest: RunHost.Harvest) -> [String] {
        let name = Printable.text(program)
        if environmentVariable("RERENDER") == "0" {
            return ["RERENDER=0 is set, so \(name) counted nothing: unset it"]
        }
        // What is missing is said below, and whether any had connected nobody knows.
        guard harvest.gaps.isEmpty else {
            return ["rerenderctl: \(name) has ended, and the daemon knows no instrumented process of it."]
        }
        return [
            "rerenderctl: \(name) has ended, and no instrumented process had connected.",
            "Is it a release build? Those have no probes, unless with the trait AlwaysOn. See: rerenderctl doctor",
        ]
    }
}
