// SPDX-License-Identifier: MIT
// `rerenderctl history`: lists the runs that are kept.

import ArgumentParser
import FoundationEssentials
import RerenderShow

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
