// SPDX-License-Identifier: MIT
// `rerenderctl explain`: explains one view.

import ArgumentParser
import RerenderShow

/// Explains one view.
struct ExplainCommand: AsyncParsableCommand, TraceCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Explain one view: why, its cost, and what helps.",
        usage: """
            rerenderctl explain [<key>] [<file>] [--process <pid or name>]
                                [--store <name>]
                                [--since <mark> | --from <mark> --to <mark>]
                                [--sources [--limit <number>] |
                                 --json [--output <file>]]
            """,
        discussion: """
            KEY is a view's key as `stats` shows it, or a part of one that matches a
            single view. Without it, the view that costs most is explained. Connected
            processes come before processes that ended. Shows how often the view was
            evaluated and why, what writes the values that it reads, which evaluations
            were wasted, how many would remain if a child read a key path instead, and
            what usually helps against its most expensive waste.

            With --sources it lists what leads into the view: which writes and writers
            woke it, through which views between, most evaluations first; with --since,
            --from or --to in that time, and else since the start or the last reset. A ~
            stands before what was found by comparing values, and before numbers that
            follow the shares of a view between.

            FILE is an export, the directory of a recording, or `last`, the last run (see
            `history`). A single argument is a file if it is `last` or `last~N`, or if it
            has a / or ends with .json and is there. Without FILE the daemon is asked;
            where none answers, the last run, except for --json.

            Examples:
              rerenderctl explain
              rerenderctl explain CartTotal
              rerenderctl explain CartTotal --sources
              rerenderctl explain Row --process 4711
              rerenderctl explain Row last~1
              rerenderctl explain --since "tap Add"
              rerenderctl explain CartTotal --json | jq '.processes[].views[].wasted'
            """)

    @OptionGroup var named: ViewArguments

    @OptionGroup var selection: SelectionOptions

    @OptionGroup var since: MarkOption

    @Flag(help: "List which writes and writers woke the view, through which views.")
    var sources = false

    @Option(
        name: [.customShort("n", allowingJoined: true), .long],
        help: ArgumentHelp("With --sources, list this many. (default: 20)", valueName: "number"))
    var limit: Int?

    @Flag(help: "Print this view as JSON, in the format of the export.")
    var json = false

    @OptionGroup var output: OutputOption

    func validate() throws {
        if output.output != nil, !json { throw ValidationError("--output needs --json.") }
        if sources, json { throw ValidationError("Choose either --sources or --json.") }
        if limit != nil, !sources { throw ValidationError("--limit needs --sources.") }
        if let limit, !(1...1_000).contains(limit) {
            throw ValidationError("--limit takes a number from 1 to 1000, not \(limit).")
        }
    }

    func run() async throws {
        let (key, file) = named.words
        let example: ShellCommand = "rerenderctl explain \(key ?? "KEY") last --json"
        let session = try await session(file, example)
        let target = try await target(key, session)
        let export = try await Self.alone(target, session)
        if json { return try await output.write(document: export) }
        let console = Console.output
        let others = try await Self.others(target, session, all: sources)
        let rows = StatsOrder.count.ranked(others)
        let (hints, passed, shares) = (CauseHints(rows), PassedValues(rows), CoreShares(others))
        await SymbolHelp.learn(NameTexts.all(others, []))
        for store in export.processes.map(shares.whole) {
            for view in store.views {
                let row = RankedView(store: store, view: view)
                let hang = view.hangs.count > 0 ? try await Self.latestHang(of: view.key, store, session) : nil
                var explanation = Explanation(view: view, store: store, hint: hints.hint(row), latestHang: hang)
                (explanation.passing, explanation.shares) = (passed.passing(by: row), shares)
                let nameless = NamelessFile.all(of: view, in: store, hang.map { [$0] } ?? [])
                if since.isGiven { explanation.span = Printable.text(since.title) }
                explanation.names = await SymbolHelp.advice(on: nameless)
                if sources {
                    let found = WakeSources(of: store, among: others).all(of: view)
                    explanation.sources = WakeText.section(
                        view, of: store.kind, found, limit: limit ?? 20, span: explanation.span)
                }
                try console.show(explanation.lines(width: console.width, colours: console.colours))
            }
        }
    }

    var inputs: [String] { named.inputs }

    private func session(_ file: String?, _ example: ShellCommand) async throws -> Session {
        let process = selection.choice.process
        if let marked = try await since.source(file: file, process: process) { return marked.session }
        return try await StatsSource.find(
            file, for: json ? .program(named: example) : .person, process: process
        ).session
    }

    /// The view that is named, or else the one that costs most.
    private func target(_ key: String?, _ session: Session) async throws -> ViewTarget {
        do {
            guard let key else { return try await ViewTarget.costliest(selection, session) }
            return try await ViewTarget.find(key, selection, session, reach: .known)
        } catch let failure as ToolFailure where since.isGiven && failure.status == ExitStatus.usage {
            let options = since.mark == nil ? "--from and --to" : "--since"
            let reason = "Only what was evaluated in that time is looked at: leave out \(options) for all."
            throw ToolFailure(failure.status, "\(failure.message)\n\(reason)")
        }
    }

    /// The latest hang that is attributed to a view; nil if that is not among the latest of the process.
    private static func latestHang(of key: ViewKey, _ store: ProcessStats, _ session: Session) async throws -> Hang? {
        // An export may have no list of them.
        let query = HangsQuery(process: String(store.pid), limit: 500)
        guard let list = try? await session.client.hangs(query) else { return nil }
        return list.hangs.first { $0.isBlamed(on: key, of: store) && !$0.guess }
    }

    /// The stores of the process with its views; of very many, those that are evaluated most, unless all are wanted.
    private static func others(
        _ target: ViewTarget, _ session: Session, all: Bool
    ) async throws -> [ProcessStats] {
        let query = StatsQuery(limit: all ? nil : 500, process: String(target.store.pid))
        return try await session.client.export(query).processes
    }

    /// The export with nothing in it but that view; throws status 69 if it went away in between.
    private static func alone(_ target: ViewTarget, _ session: Session) async throws -> StatsExport {
        var query = StatsQuery(process: String(target.store.pid))
        query.key = target.key.rawValue
        var export = try await session.client.export(query)
        export.processes.removeAll {
            $0.storeNumber != target.store.storeNumber || $0.startedAt != target.store.startedAt
        }
        export.processes = export.processes.map { FactText.store($0, with: target.key) }.filter { !$0.views.isEmpty }
        guard !export.processes.isEmpty else {
            throw ToolFailure.brokenAnswer(
                "no longer knows \(target.key.displayName): it may have been reset")
        }
        return export
    }
}
