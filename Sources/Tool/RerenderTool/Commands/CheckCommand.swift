// SPDX-License-Identifier: MIT
// `rerenderctl check`: a run held against a budget that lies in the repository.

import RerenderRun
import ArgumentParser
import RerenderBudgets
import RerenderModel
import RerenderToolBase
import RerenderTrace

/// Checks a run against a budget, or writes the budget from it.
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Hold a run against a budget of evaluations, waste and hangs.",
        usage: """
            rerenderctl check --budget <file> [--strict] [--update]
                              [--json|--markdown [--output <file>]] [--junit <file>]
                              [--export <path> | -- <command> ...]
            """,
        discussion: """
            Runs the command under a daemon of its own and judges what its processes
            did; with --export what that file or trace has; without either what the
            daemon that runs has. A budget is JSON:
              {
                "version": 1,
                "total": { "evaluations": 60, "wasted": 0, "hangs": 0 },
                "views": {
                  "Cart":  { "evaluations": 4, "wasted": 0, "hangs": 0 },
                  "Row *": { "evaluations": 40, "bodyP95Nanoseconds": 500000 }
                }
              }
            A number is the most that is allowed; what is left out is not limited.
            In a key * stands for any text, ? for one character, and \\ before them
            for themselves. A view counts for the line of its own key, else for the
            glob that gives most of it; a glob's numbers are for all its views
            together. "note" may say why. bodyP95Nanoseconds is advice: times never
            fail a check. Views in no line and lines without a view are said, and
            fail with --strict.

            Where evaluations were lost or dropped, or no instrumented process was
            seen, the check fails: nobody can tell whether the budget holds. It is
            not written from such a run either. If the command fails, its status is
            the status, whatever the check says.

            Examples:
              rerenderctl check --budget rerender.json --update -- ./my-app --script
              rerenderctl check --budget rerender.json -- ./my-app --script
              rerenderctl check --budget rerender.json --export run.json --junit r.xml
            """)

    @Option(help: ArgumentHelp("The budget.", valueName: "file"), completion: .file(extensions: ["json"]))
    var budget: String

    @Option(
        help: ArgumentHelp(
            "Judge this export, or the trace in this directory, instead of running a command.", valueName: "path"),
        completion: .file(extensions: ["json"]))
    var export: String?

    @Flag(help: "Write what was counted to the budget instead of checking; globs and notes stay.")
    var update = false

    @Flag(help: "Fail also for views in no line, and for lines of which no view was seen.")
    var strict = false

    @OptionGroup var report: ResultOptions

    @OptionGroup var command: CommandArgument

    func validate() throws {
        let hasCommand = try command.isGiven(to: Self.self)
        if !hasCommand, !command.captured.isEmpty { throw ValidationError("Say what to run after the --.") }
        if hasCommand, export != nil { throw ValidationError("--export and a command exclude each other.") }
        if hasCommand, report.takesStandardOutput {
            throw ValidationError("Standard output is the command's: say with --output where the report goes.")
        }
        try report.keep([("the budget", budget), ("the export", export)])
        if update, report.json || report.markdown || report.junit != nil || strict {
            throw ValidationError("--update writes the budget and checks nothing: leave the other options out.")
        }
    }

    func run() async throws {
        let file = BudgetFile(path: budget)
        let old = try file.read(mayBeMissing: update)
        let files = try ResultFiles(report)
        let run = try await CheckedRun.make(export: export, command: command.words)
        if update { try writeBudget(file, old, run) } else { try check(old ?? Budget(), run, files) }
        run.ending?.repeatIt()
    }

    private func check(_ budget: Budget, _ run: CheckedRun, _ files: ResultFiles) throws {
        let check = BudgetCheck(budget, run.tally, gaps: run.gaps, isStrict: strict)
        let report = CheckResult(check: check, budget: self.budget)
        if run.ending == nil {
            try files.write(report)
            try files.show(report, on: .output)
        } else {
            try showAside(report, run, files)
        }
        guard run.commandFailure == nil, !check.holds else { return }
        let words = CheckSentences(check: check)
        throw ToolFailure(
            ExitStatus.checkFailed, self.report.takesStandardOutput ? words.failure : words.verdict)
    }

    /// Beside a command nobody has to read what we say, and where it failed nothing of ours is the status.
    private func showAside(_ report: CheckResult, _ run: CheckedRun, _ files: ResultFiles) throws {
        do {
            try files.write(report)
        } catch let failure as ToolFailure where run.commandFailure != nil {
            FailureText.show(failure)
        }
        try? files.show(report, on: .error)
        if let failure = run.commandFailure {
            FailureText.note("rerenderctl: \(failure), and that is the status here, not the check's")
        }
    }

    private func writeBudget(_ file: BudgetFile, _ old: Budget?, _ run: CheckedRun) throws {
        if let failure = run.commandFailure {
            return FailureText.note("rerenderctl: \(failure), so \(file.displayName) stays as it was")
        }
        let gaps = BudgetCheck(Budget(), run.tally, gaps: run.gaps).gaps
        guard gaps.isEmpty else {
            throw ToolFailure(
                ExitStatus.checkFailed,
                (["\(file.displayName) stays as it was, because the numbers are NOT EXACT:"] + gaps)
                    .map(Printable.text).joined(separator: "\n"))
        }
        let budget = BudgetUpdate.budget(from: run.tally, old: old)
        try file.write(budget)
        let text =
            "Wrote \(file.displayName): \(Counted.text(budget.views.count, "line")) for "
            + "\(Counted.text(run.tally.seen.count, "view")), \(run.tally.amounts.text)."
        if run.ending == nil { try Console.output.say(text) } else { FailureText.note(text) }
    }
}
