// SPDX-License-Identifier: MIT
// `rerenderctl export` and `analyses`: files for other programs, such as JSON, metrics, and the analyses for Trace Compass.

import ArgumentParser
import Glibc
import RerenderShow
import RerenderTrace

/// Writes the export as JSON, or metrics for Prometheus.
struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write all counts as JSON or for Prometheus.",
        usage: """
            rerenderctl export [--process <pid or name>] [--output <file>]
                               [--since <mark> | --from <mark> --to <mark>]
            rerenderctl export --format prometheus [--output <file>]
            """,
        discussion: """
            Writes what GET /v1/stats answers, with readable names of Rust and C++:
              curl --unix-socket .../query.sock http://localhost/v1/stats
            Data is passed on as it arrives. A file appears only when it is complete.

            With --format prometheus, each process has counters of its own, and so have
            the twenty views with most self time. A file is for the textfile collector of
            node_exporter, which reads it if its name ends with .prom.

            Examples:
              rerenderctl export -o before.json
              rerenderctl export --since "tap Add" -o click.json
              rerenderctl export | jq '.processes[] | {name, evaluations, lost}'
              rerenderctl export --format prometheus -o rerender.prom
            """)

    /// What is written.
    enum Format: String, CaseIterable, ExpressibleByArgument {
        case json, prometheus
    }

    /// Known, so that its error says what to do.
    @Argument(help: .hidden)
    var file: String?

    @Option(help: "Write the export, or metrics in Prometheus' text format.")
    var format = Format.json

    @OptionGroup var selection: ProcessOption

    @OptionGroup var since: MarkOption

    @OptionGroup var output: OutputOption

    func validate() throws {
        if file != nil {
            throw ValidationError("export is of what runs. The counts of a recording: rerenderctl report FILE --json")
        }
        if format == .prometheus, since.isGiven {
            throw ValidationError("--since is for JSON, as --from: metrics are counted since a program's start.")
        }
        if format == .prometheus, selection.process != nil {
            throw ValidationError("--process is for JSON: metrics have all processes.")
        }
    }

    func run() async throws {
        switch format {
        case .json:
            let marked = try await since.source(file: nil, process: selection.process)
            let client = try marked?.session.client ?? Session.current(process: selection.process).client
            try await output.write(StatsQuery(process: selection.process), from: client)
        case .prometheus:
            if let path = output.path { try Self.refuseForeignLink(path) }
            let client = try Session.current().client
            try await ProgressLine.during("exporting") { _ in
                let forgotten = try await client.health().dropped.endedProcesses
                let export = try await client.export(StatsQuery())
                try output.write(Array(MetricText.text(export, forgotten: forgotten, uid: geteuid()).utf8))
            }
        }
    }

    /// In a directory that others may write to, a link of theirs would have us replace a file of our own.
    static func refuseForeignLink(_ path: String) throws(ToolFailure) {
        guard let owner = FilePath.linkOwner(path), owner != geteuid(), owner != 0 else { return }
        throw ToolFailure(
            ExitStatus.cannotCreate, "\(Printable.text(path)) is a link of another user: choose another file.")
    }
}

/// Writes the analyses for Trace Compass.
struct AnalysesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "analyses",
        abstract: "Write the analyses for Trace Compass, as XML.",
        discussion: """
            Trace Compass then shows a recording as timelines by view, by process and
            thread, and of turns with their hangs; as a chart of the evaluations in each
            turn; as a flame chart of nested evaluations; and as tables and distributions
            of evaluation times, hangs, wasted evaluations, and evaluations that another
            one followed in the same turn.

            Import the file in Trace Compass: Window > Preferences > Tracing > XML
            Analyses. Then tick its box.

            Example:
              rerenderctl analyses > rerender-trace-compass.xml
            """)

    func run() async throws {
        try OutputStream.standardOutput.write(TraceCompassFile.bytes)
    }
}

// `rerenderctl issue`: writes what was found as Markdown for a bug tracker.

/// Writes one finding as Markdown.
struct IssueCommand: AsyncParsableCommand, TraceCommand {
    static let configuration = CommandConfiguration(
        commandName: "issue",
        abstract: "Write what costs most as Markdown, for a bug report.",
        usage: """
            rerenderctl issue [<key>] [<file>] [--process <pid or name>]
                              [--store <name>] [--output <file>]
            """,
        discussion: """
            Writes the first line of `stats`, the row of its view, its reasons and writers,
            what helps, and the versions of the program's libraries and of the system. Of
            hangs, it writes the longest with their stacks; of work without input, what the
            main loop calls. KEY is a view's key as `stats` shows it, or a part of one that
            matches a single view. Without it, the view is the one that the first line
            names.

            FILE is an export, the directory of a recording, or `last`, the last run (see
            `history`). A single argument is a file if it is `last` or `last~N`, or if it
            has a / or ends with .json and is there. Without FILE the daemon is asked;
            where none answers, the last run.

            Read it before you send it: names of views and functions are in it.

            Examples:
              rerenderctl issue
              rerenderctl issue CartTotal -o issue.md
              rerenderctl issue Row last~1
            """)

    @OptionGroup var named: ViewArguments

    @OptionGroup var selection: SelectionOptions

    @OptionGroup var output: OutputOption

    var inputs: [String] { named.inputs }

    func run() async throws {
        let (key, file) = named.words
        let process = selection.choice.process
        let source = try await StatsSource.find(file, for: .person, process: process)
        let verdict = try await source.session.client.export(StatsQuery(limit: 1, process: process)).verdict
        let target = try await target(key, verdict, source.session)
        let finding = Self.finding(target, key, verdict)
        let stores = try await Self.stores(of: target, source.session)
        let (all, hangs) = await Self.process(of: target, finding, source.session)
        _ = await SymbolHelp.prepare(stores + all, hangs)
        let own = target.flatMap { target in stores.first { StoreID($0) == StoreID(target.store) } }
        let store = own.map(CoreShares(all).whole)
        let view = target.flatMap { target in store?.views.first { $0.key == target.key } }
        let health = source.saved == nil ? await source.session.health() : nil
        var report = IssueReport(
            name: target?.key.displayName ?? "", finding: finding, view: view, store: store,
            facts: SystemFacts.all(
                store ?? source.saved?.export.processes.first, run: source.saved?.export.run, health: health))
        report.hangs = hangs
        report.sources = finding.map { IssueReport.sources(of: $0, in: all) } ?? []
        if let view, let store {
            report.advice = AdviceText.ofViews(in: all)(store, view)
        } else {
            report.remarks = LoopNotes.lines(all) + IdleText.lines(all)
        }
        try output.write(Array(report.markdown.text.utf8))
    }

    /// All that is known of the process that it is about, and the hangs of the finding; of very many views, those that are evaluated most.
    private static func process(
        of target: ViewTarget?, _ finding: Verdict.Finding?, _ session: Session
    ) async -> (stores: [ProcessStats], hangs: [Hang]) {
        guard let pid = target?.store.pid ?? finding?.pid else { return ([], []) }
        let export = try? await session.client.export(StatsQuery(limit: 500, process: String(pid)))
        // An export may have no list of them.
        let list = try? await session.client.hangs(HangsQuery(process: String(pid), limit: 500))
        return (export?.processes ?? [], finding.map { IssueReport.hangs(of: $0, in: list?.hangs ?? []) } ?? [])
    }

    /// The view that is named, or else that of the first line; nil where that names none. Throws status 64 where nothing was found.
    private func target(_ key: String?, _ verdict: Verdict?, _ session: Session) async throws -> ViewTarget? {
        if let key { return try await ViewTarget.find(key, selection, session, reach: .known) }
        guard let first = verdict?.first, first.kind.isFinding else {
            let text = verdict?.first?.text ?? "Nothing was counted, for which rerenderctl stats has the reason"
            throw ToolFailure.usage(
                "there is no issue to write. \(text).\nTo write one of a view: rerenderctl issue KEY")
        }
        guard let view = first.view else { return nil }
        // A cycle may begin with a handler.
        return try? await ViewTarget.find(view.rawValue, selection, session, reach: .known)
    }

    /// The finding that names the view, or the first one where no view was named.
    private static func finding(_ target: ViewTarget?, _ key: String?, _ verdict: Verdict?) -> Verdict.Finding? {
        guard key != nil else { return verdict?.first }
        return verdict?.findings.first { $0.kind.isFinding && $0.view == target?.key && $0.pid == target?.store.pid }
    }

    /// The stores of the view's process, with this view alone.
    private static func stores(of target: ViewTarget?, _ session: Session) async throws -> [ProcessStats] {
        guard let target else { return [] }
        var query = StatsQuery(process: String(target.store.pid))
        query.key = target.key.rawValue
        return try await session.client.export(query).processes.map { FactText.store($0, with: target.key) }
    }
}
