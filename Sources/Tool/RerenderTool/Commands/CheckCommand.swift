// SPDX-License-Identifier: MIT
// `rerenderctl check`: compares a run with a budget file.

import ArgumentParser
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
