// SPDX-License-Identifier: MIT
// `rerenderctl run`: runs a command and shows its views.

import ArgumentParser
import RerenderDaemon
import RerenderShow
import RerenderTrace

/// Runs a command under a daemon and shows what it reported.
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Run a command, and show its views when it exits.",
        usage: """
            rerenderctl run [--inject [--view-protocol <module.name>] ...] [--hud]
                            [--no-inject] [--sort <sort>] [--limit <number>]
                            [--columns <list>] [--all] [--process <pid or name>]
                            [--json|--csv --output <file>] -- <command> ...
            """,
        discussion: """
            Uses the running daemon, or a private one for as long as the command runs.
            The command finds it through RERENDER_RUNTIME_DIR. rerenderctl passes input,
            output and signals through, prints the table to standard error, and exits as
            the command does: with its status, or by the same signal. It exits with 127
            if the command is not found and 126 if it cannot be run.

            A program that does not link the library is counted as it was built, by what
            is injected into it: the views of a Swift program with a shared runtime, the
            widgets of GTK 4, and GLib's main loop. `run` does so if the command's own file
            is such a program, or one of Python or gjs. If something of it cannot be
            counted, one line before the start says what, and what to do. --no-inject
            injects nothing. Types that conform to a protocol called View are views.

            --inject does so for any command, and so also counts what a wrapper starts, as
            it sets LD_PRELOAD. In a checkout it makes the libraries first. It refuses a
            command into which nothing can be injected.

            --hud injects, too, and shows the HUD above the first window of a program
            with GTK 4. RERENDER_HUD sets its corner, such as bottom-left.

            Meanwhile, `rerenderctl top` and the other commands find a private daemon if
            no other daemon answers. If there are several, they list the programs, and
            --process chooses. Where RERENDER_RUNTIME_DIR is set, they find that of a
            command with the same value.

            The counts and hangs are kept for later: the line "Next:" names a command that
            tells more, if something costs much. `history` lists the last runs, and `diff
            last~1 last` compares them. RERENDER_HISTORY=0 switches that off.

            Under a running daemon, the table shows every process that connected in the
            meantime and is still remembered: the daemon keeps the latest 64 ended
            processes for an hour (rerenderd --keep). Warns if some were dropped.
            --process selects those with a pid or name; all are kept.

            Examples:
              rerenderctl run -- ./any-swift-ui-app
              rerenderctl run --inject -- ./wrapper-script
              rerenderctl run --hud -- gtk4-widget-factory
              rerenderctl run -- ./my-app --fast
              rerenderctl run --sort time --limit 10 -- ./my-app
              rerenderctl run --json -o after.json -- ./my-app > output.txt
            """)

    @Flag(help: "Write the export of the command's processes as JSON to --output.")
    var json = false

    @Flag(help: "Write comma-separated values to --output.")
    var csv = false

    @OptionGroup var output: OutputOption

    @Option(
        name: .shortAndLong, help: "Sort by cost, evaluations, wasted time, self time, hangs, or name. (default: cost)")
    var sort: StatsOrder?

    @OptionGroup var columns: ColumnsOption

    private var order: StatsOrder { sort ?? ToolSettings.current.sort ?? .cost }

    @Option(
        name: [.customShort("n", allowingJoined: true), .long],
        help: ArgumentHelp("Show this many views, or \"all\". (default: 50)", valueName: "number"))
    var limit: ViewLimit?

    @Flag(help: "Show every row, also those that only pass on or were evaluated once, and every line above them.")
    var all = false

    @OptionGroup var selection: ProcessOption

    /// Known, so that its error says what to do.
    @Option(help: .hidden)
    var html: String?

    @OptionGroup var injecting: InjectOptions

    @OptionGroup var leaving: NoInjectOption

    @Flag(help: "Inject, and show the HUD in the first window of GTK 4.")
    var hud = false

    @OptionGroup var command: CommandArgument

    func validate() throws {
        guard try command.isGiven(to: Self.self) else {
            throw ValidationError("Add a command: rerenderctl run -- CMD")
        }
        try leaving.mustFit(injecting.inject || hud, named: hud ? "--hud" : "--inject")
        try injecting.mustInject(injecting.inject || hud, ways: "--inject or --hud")
        if html != nil {
            throw ValidationError(
                "run counts, and a page shows events. Record them: rerenderctl record --html FILE -- CMD")
        }
        if json, csv { throw ValidationError("Choose either --json or --csv.") }
        if json || csv, output.path == nil {
            throw ValidationError("Standard output belongs to the command: choose a file with --output.")
        }
        if output.output != nil, !json, !csv { throw ValidationError("--output needs --json or --csv.") }
    }

    func run() async throws {
        let file = try output.path.map { path throws(ToolFailure) in try AtomicFile(path: path) }
        do {
            // First: a signal from now on can still clean up.
            let signals = try SignalPipe.open(CommandSupervisor.signals)
            let injection =
                try await injecting.injection(into: command.words, showsHUD: hud)
                ?? leaving.unasked(into: command.words)
            let silence = RunSilence(
                before: command.words, isInjected: injection != nil, isLeft: leaving.noInject)
            let host = try await RunHost.open()
            let ending = try await host.run(command.words, injection: injection, signals: signals)
            let next = await report(host, file, injection?.end(), silence)
            await host.close()
            if let next { FailureText.note("Next: \(next)") }
            ending.repeatIt()
        } catch {
            file?.discard()
            throw error
        }
    }

    /// Writes the export, shows the table, and returns the command that tells more, if one does. A failure here is printed and does not
    /// change the exit status.
    private func report(
        _ host: RunHost, _ file: AtomicFile?, _ injected: InjectionOutcome?, _ silence: RunSilence
    ) async -> ShellCommand? {
        var isCounted = false
        defer { for note in injected?.notes(isCounted: isCounted) ?? [] { FailureText.note("rerenderctl: \(note)") } }
        do {
            // An open hang is in no count yet.
            var harvest = try await ProgressLine.during("waiting until the daemon has all counts") { _ in
                _ = await host.waitForClosedHangs()
                return try await host.collect()
            }
            isCounted = InjectionOutcome.isCounted(in: harvest.export)
            let isKept = RunHistory.keepLatest(harvest.kept(of: command.words))
            try select(in: &harvest)
            let names = await SymbolHelp.prepare(harvest.export.processes, harvest.hangs)
            // Before the table, because the reader of standard error may be gone.
            let export = harvest.kept(of: command.words)
            await write(export, to: file)
            try show(harvest, injected, silence, names: names)
            for gap in harvest.gaps { FailureText.note("rerenderctl: \(gap)") }
            return Self.next(export, isKept: isKept, isPrivate: host.isPrivate)
        } catch {
            file?.discard()
            silence.show(error)
            return nil
        }
    }

    /// Leaves the processes that are asked for. Throws where there are others alone.
    private func select(in harvest: inout RunHost.Harvest) throws {
        let all = harvest.export.processes
        guard selection.process != nil, !all.isEmpty else { return }
        let wanted = all.filter { selection.choice.fits($0) }
        guard !wanted.isEmpty else { throw selection.choice.fitsNone(of: all, list: "rerenderctl stats last --json") }
        let pids = Set(wanted.map(\.pid))
        harvest.hangs.removeAll { !pids.contains($0.pid) }
        harvest.export.processes = wanted
        harvest.export.verdict = VerdictBuilder.verdict(of: wanted, .ended, now: harvest.export.generatedAt)
    }

    /// What tells more of the most expensive finding; nil where there is nothing to tell, or nobody left who could.
    static func next(_ export: StatsExport, isKept: Bool, isPrivate: Bool) -> ShellCommand? {
        guard isKept || !isPrivate else { return nil }
        let findings = VerdictBuilder.verdict(of: export.processes, .live, now: export.generatedAt)?.findings ?? []
        guard findings.contains(where: { $0.kind.isFinding }) else { return nil }
        // A key that cannot be printed cannot be typed: without one, the worst view is explained.
        let command = findings.lazy.compactMap(\.command).first ?? "rerenderctl explain"
        // A daemon that goes on has other processes, too.
        return isKept && !isPrivate ? "\(command) last" : command
    }

    /// Writes the file. The table follows even if this fails.
    private func write(_ export: StatsExport, to file: AtomicFile?) async {
        do {
            if csv {
                try file?.write(Array(StatsCSV.text(order.ranked(export.processes, export.verdict)).text.utf8))
            } else {
                var text = NamedJSON()
                try export.write { try file?.write(text.add($0)) }
                await SymbolHelp.learn(text.unread)
                try file?.write(text.end())
            }
            try file?.commit()
        } catch {
            file?.discard()
            if let failure = error as? ToolFailure { FailureText.show(failure) }
        }
    }

    private func show(
        _ harvest: RunHost.Harvest, _ injected: InjectionOutcome?, _ silence: RunSilence, names: [String]
    ) throws {
        let console = Console.error
        if !RunSilence.isMeant(for: harvest, injected) {
            var screen = StatsScreen(
                export: harvest.export, health: harvest.health, order: order,
                limit: limit.map(\.count) ?? ToolSettings.current.limit ?? 50)
            (screen.columns, screen.names, screen.showsAll) = (columns.names, names, all)
            try console.show([""] + screen.lines(width: console.tableWidth, colours: console.colours))
        } else {
            try console.show(silence.lines(harvest, injected))
        }
    }
}
