// SPDX-License-Identifier: MIT
// `rerenderctl check`: compares a run with a budget file.

import ArgumentParser
import FoundationEssentials
import RerenderShow
import RerenderTrace

/// Checks a run against a budget, or writes the budget from it.
struct CheckCommand: AsyncParsableCommand, TraceCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check a run against a budget, as in CI.",
        usage: """
            rerenderctl check --budget <file> [--strict] [--fail-on <kind>] ...
                              [--update]
                              [--json|--markdown [--output <file>]] [--junit <file>]
                              [--sarif <file>] [--github]
                              [--export <path> |
                               [--inject [--view-protocol <module.name>] ...]
                               -- <command> ...]
            """,
        discussion: """
            Runs the command under a private daemon and checks its processes. With
            --export it checks that file or trace instead. Without either it checks what
            the running daemon has counted. A budget is a JSON file:
              {
                "version": 1,
                "total": { "evaluations": 60, "wasted": 0, "hangs": 0 },
                "views": {
                  "Cart":  { "evaluations": 4, "wasted": 0, "hangs": 0 },
                  "Row *": { "evaluations": 40, "bodyP95Nanoseconds": 500000 }
                }
              }
            Each number is a maximum; a field that is left out is unlimited. In a key, *
            matches any text and ? any one character; \\ escapes them. A view is checked
            against the entry with its own key, or else against the most specific
            pattern. A pattern limits all its views together. "note" is for your
            comments. bodyP95Nanoseconds is a recommendation and never fails a check.
            Views without an entry and entries without a view are reported; --strict
            fails for them.

            The total may also have framesWithoutInput, turnsWithoutInput and
            wakeupsWithoutInput: the most of each in a second without input, and
            processorWithoutInput, in nanoseconds: 10000000 is 1 % of a core. What lasts
            less than five seconds does not count. --update leaves these limits as they are.

            --fail-on also fails for faults of a kind, whatever the budget says; repeat it
            for several. A fault is what `stats` marks with !.

            The check fails if evaluations were lost or dropped, or if no instrumented
            process was seen: the counts are then unknown. --update writes no budget
            from such a run. If the command fails, rerenderctl exits with its status.

            Examples:
              rerenderctl check --budget rerender.json --update -- ./my-app --script
              rerenderctl check --budget rerender.json -- ./my-app --script
              rerenderctl check --budget rerender.json --export run.json --junit r.xml
            """)

    @Option(help: ArgumentHelp("The budget file.", valueName: "file"), completion: .file(extensions: ["json"]))
    var budget: String

    @Option(
        help: ArgumentHelp(
            "Check this export, or the trace in this directory, instead of running a command.", valueName: "path"),
        completion: .file(extensions: ["json"]))
    var export: String?

    @Flag(help: "Write the counts to the budget instead of checking. Patterns and notes are kept.")
    var update = false

    @Flag(help: "Also fail for views without an entry, and for entries without a view.")
    var strict = false

    @Option(
        help: ArgumentHelp(
            "Also fail for faults of this kind, whatever the budget says. Repeatable.", valueName: "kind"))
    var failOn: [FaultKind] = []

    @OptionGroup var report: ResultOptions

    @OptionGroup var injecting: InjectOptions

    @OptionGroup var command: CommandArgument

    func validate() throws {
        let hasCommand = try command.isGiven(to: Self.self)
        if !hasCommand, !command.captured.isEmpty { throw ValidationError("Add the command after --.") }
        try injecting.mustInject(injecting.inject)
        if injecting.inject, !hasCommand {
            throw ValidationError("--inject needs a command: rerenderctl check --budget FILE --inject -- CMD")
        }
        if hasCommand, export != nil { throw ValidationError("Choose either --export or a command.") }
        if hasCommand, report.takesStandardOutput {
            throw ValidationError("Standard output belongs to the command: choose a file with --output.")
        }
        try report.keep([("the budget", budget), ("the export", export)])
        if update, strict || !failOn.isEmpty || report.isGiven {
            throw ValidationError("--update writes the budget without a check: remove the other options.")
        }
    }

    var inputs: [String] { export.map { [$0] } ?? [] }

    func run() async throws {
        let file = BudgetFile(path: budget)
        let old = try file.read(mayBeMissing: update)
        let files = try ResultFiles(report)
        let run = try await CheckedRun.make(export: export, command: command.words, injecting)
        defer { for note in run.notes { FailureText.note("rerenderctl: \(note)") } }
        await SymbolHelp.learn(run.tally.verdict?.findings.map(\.text) ?? [])
        if update { try writeBudget(file, old, run) } else { try check(old ?? Budget(), run, files) }
        run.ending?.repeatIt()
    }

    private func check(_ budget: Budget, _ run: CheckedRun, _ files: ResultFiles) throws {
        let kinds = failOn.map(\.kind)
        let check = BudgetCheck(
            budget, run.tally, gaps: run.gaps + run.tally.gaps(failingOn: kinds), isStrict: strict,
            faults: run.tally.faults(of: kinds))
        let report = CheckResult(check: check, budget: self.budget)
        if run.ending == nil {
            try files.write(report)
            try files.show(report, on: .output)
        } else {
            try showAside(report, run, files)
        }
        guard run.commandFailure == nil, !check.holds else { return }
        throw self.report.failure(of: report)
    }

    /// Shows the result on standard error. If the command failed, its status wins over any failure here.
    private func showAside(_ report: CheckResult, _ run: CheckedRun, _ files: ResultFiles) throws {
        do {
            try files.write(report)
        } catch let failure as ToolFailure where run.commandFailure != nil {
            FailureText.show(failure)
        }
        try? files.show(report, on: .error)
        if let failure = run.commandFailure {
            FailureText.note("rerenderctl: \(failure), so this is the exit status, not the check's")
        }
    }

    private func writeBudget(_ file: BudgetFile, _ old: Budget?, _ run: CheckedRun) throws {
        if let failure = run.commandFailure {
            return FailureText.note("rerenderctl: \(failure), so \(file.displayName) is unchanged")
        }
        let gaps = BudgetCheck(Budget(), run.tally, gaps: run.gaps).gaps
        guard gaps.isEmpty else {
            throw ToolFailure(
                ExitStatus.checkFailed,
                (["\(file.displayName) stays as it was, because the counts are NOT EXACT:"] + gaps)
                    .map(Printable.text).joined(separator: "\n"))
        }
        let budget = BudgetUpdate.budget(from: run.tally, old: old)
        try file.write(budget)
        let text =
            "Wrote \(file.displayName): \(Counted.text(budget.views.count, "entry", "entries")) for "
            + "\(Counted.text(run.tally.seen.count, "view")), \(run.tally.amounts.text)."
        if run.ending == nil { try Console.output.say(text) } else { FailureText.note(text) }
    }
}

// `rerenderctl diff`: compares two exports.

/// Compares two exports.
struct DiffCommand: AsyncParsableCommand, TraceCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Compare two exports or traces by view and by reason.",
        usage: """
            rerenderctl diff <old> <new> [--fail-on-increase]
                             [--json|--markdown [--output <file>]] [--junit <file>]
                             [--sarif <file>] [--github]
            rerenderctl diff <old> [<new>] --since <mark> ...
            rerenderctl diff <old> [<new>] --from <mark> --to <mark> ...
            """,
        discussion: """
            OLD and NEW are exports (rerenderctl export, or run --json), directories with
            a trace (rerenderctl record), or runs that were kept: `last` is the last one,
            `last~1` the one before it (rerenderctl history). If `last~1` is a run of
            another program, the run of NEW's program before it is compared, and a line
            says so. Views with the same key are added up over all stores of an export. A
            view is
              new      evaluated now, but not before
              more     with more evaluations, wasted evaluations or hangs than before
              fewer    with fewer of one of them, and more of none
              gone     no longer evaluated
              why      evaluated as often as before, for other reasons
            Times are not compared: unlike counts, they vary from run to run.

            With --since, what the running programs did since a mark (see `mark`) stands
            in the place of NEW; with --from and --to, what they did between two. If NEW
            is a recording, its counts are those of that time.

            --fail-on-increase exits with status 1 if a view is new or has more of
            something, if there are more hangs without a view, or if an export is
            incomplete.

            Examples:
              rerenderctl diff last~1 last
              rerenderctl diff before.json after.json
              rerenderctl diff click.json --since "tap Add"
              rerenderctl diff main.json branch.json --fail-on-increase --markdown
              rerenderctl diff trace-before trace-after
            """)

    @Argument(help: ArgumentHelp("The export or trace to compare with.", valueName: "old"), completion: .file())
    var old: String

    @Argument(help: ArgumentHelp("The export or trace to examine.", valueName: "new"), completion: .file())
    var new: String?

    @OptionGroup var since: MarkOption

    @Flag(help: "Exit with status 1 if any count increased.")
    var failOnIncrease = false

    @OptionGroup var report: ResultOptions

    func validate() throws {
        if new == nil, !since.isGiven { throw ValidationError("Name <new>, or a mark: --since MARK.") }
        try report.keep([("<old>", old), ("<new>", new)])
    }

    var inputs: [String] { [old, new].compactMap(\.self) }

    func run() async throws {
        let files = try ResultFiles(report)
        let (diff, older, newer) = try await compared()
        await SymbolHelp.learn(diff.verdict?.findings.map(\.text) ?? [])
        let result = DiffResult(diff: diff, old: older, new: newer)
        try files.write(result)
        try files.show(result, on: .output)
        guard failOnIncrease, diff.isIncreased || !diff.isExact else { return }
        throw report.failure(of: result)
    }

    /// What differs, and what both sides are called.
    private func compared() async throws -> (diff: ExportDiff, old: String, new: String) {
        if let marked = try await since.source(file: new, process: nil) {
            let now = Tally(try await marked.session.client.export(StatsQuery()))
            let title = (new.map { "\($0) " } ?? "") + since.title
            return (ExportDiff(old: try await ExportSource.load(old), new: now), old, title)
        }
        let new = new ?? ""
        let runs = try ComparedRuns(old, new)
        if let note = runs.note { FailureText.note("rerenderctl: \(note)") }
        let diff = ExportDiff(old: try await ExportSource.load(runs.old), new: try await ExportSource.load(new))
        return (diff, runs.old, new)
    }
}

// `rerenderctl history`: lists the runs that are kept.

/// Lists the last runs.
struct HistoryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "List the last runs, which other commands read by name.",
        discussion: """
            rerenderctl run keeps what a command counted: the newest \(RunHistory.mostRuns) runs,
            \(RunHistory.mostBytes / 1_000_000) MB in all at most, in $XDG_STATE_HOME/rerender. RERENDER_HISTORY=0
            switches that off. `last` is the newest run, `last~1` the one before it.
            Wherever a command takes an export, it takes these names.

            Examples:
              rerenderctl history
              rerenderctl stats last~1
              rerenderctl diff last~1 last
            """)

    @Flag(help: "Print JSON: an object for each run, newest first.")
    var json = false

    /// What the JSON has of a run.
    struct Entry: Encodable {
        let name: String
        let path: String
        let bytes: UInt64
        let generatedAt: Timestamp
        let program: String?
        let buildID: String?
        let verdict: Verdict?
    }

    func run() async throws {
        let runs = RunHistory.current()?.runs() ?? []
        let entries = runs.enumerated().map { Self.entry($0.offset, $0.element) }
        if json {
            let text = await SymbolHelp.named(Array(try StatsExport.encoder().encode(entries.compactMap(\.self))))
            return try OutputStream.standardOutput.write(text + [UInt8(ascii: "\n")])
        }
        let off = RunHistory.offSwitch.map { " \($0) switches the keeping off." } ?? ""
        guard !runs.isEmpty else {
            return try Console.output.say("No run is kept.\(off) Run a command: rerenderctl run -- ./my-app")
        }
        await SymbolHelp.learn(entries.compactMap { $0?.verdict?.first?.short })
        let rows = zip(runs, entries).enumerated().map { Self.row($0.offset, $0.element.0, $0.element.1) }
        let console = Console.output
        try console.show(Table.lines(Self.titles, rows, width: max(console.tableWidth, Self.leastWidth)))
        if !off.isEmpty { FailureText.note("rerenderctl:\(off)") }
    }

    private static let titles = ["PROGRAM", "NAME", "TIME", "BUILD", "SIZE", "VERDICT"]
    /// A verdict is cut by nobody: it is short already.
    private static let leastWidth = 100

    private static func name(_ place: Int) -> String { place == 0 ? "last" : "last~\(place)" }

    static func entry(_ place: Int, _ run: RunHistory.Run) -> Entry? {
        guard let read = try? ExportFile(path: run.path).head() else { return nil }
        return Entry(
            name: name(place), path: run.path, bytes: run.bytes, generatedAt: read.generatedAt,
            program: read.run?.program, buildID: read.run?.buildID, verdict: read.verdict)
    }

    /// A damaged file keeps its place, so that the names of the others stay what they are.
    static func row(_ place: Int, _ run: RunHistory.Run, _ entry: Entry?) -> [String] {
        guard let read = entry else {
            return ["?", name(place), "", "", ByteText.short(run.bytes), "cannot be read"]
        }
        return [
            Printable.text(read.program ?? "?"), name(place), LocalTime.text(read.generatedAt),
            Printable.text(String((read.buildID ?? "").prefix(8))), ByteText.short(read.bytes),
            Printable.text(read.verdict?.first.map { $0.kind.mark + $0.short } ?? ""),
        ]
    }
}
