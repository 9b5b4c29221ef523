// SPDX-License-Identifier: MIT
// `rerenderctl diff`: compares two exports.

import RerenderShow
import ArgumentParser

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
