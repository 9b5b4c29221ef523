// SPDX-License-Identifier: MIT
import Foundation
import Glibc
import RerenderModel
@testable import RerenderShow
@testable import RerenderTool
import TestSupport
import Testing
@testable import ToolSupport

@Suite("runs can be looked at afterwards")
struct HistoryTests {
    private let scratch: TemporaryDirectory
    /// Where the runs are kept.
    private var kept: String { scratch.path + "/rerender" }
    private var history: RunHistory { RunHistory(directory: kept) }

    init() throws { scratch = try TemporaryDirectory() }

    /// What a run of some evaluations is kept as, so many seconds after the first one could be.
    private func export(_ count: UInt64, at seconds: UInt64, of program: String = "counting") -> StatsExport {
        let run = RunRecord(
            program: program, buildID: String(repeating: "0f", count: 20), hangs: [], hangsForgotten: 0,
            unwatchedTurns: 0, gaps: [])
        let time = Timestamp(nanosecondsSince1970: Sample.now.nanosecondsSince1970 + Int64(seconds) * 1_000_000_000)
        return StatsExport(
            generatedAt: time, processes: [Sample.store(views: [Sample.view("Cart", count: count)])], verdict: nil,
            run: run)
    }

    @Test("history lists the runs, newest first, and a damaged one keeps its place")
    func lists() throws {
        #expect(history.runs().isEmpty)
        try history.keep(export(10, at: 0), pid: 1)
        try history.keep(export(30, at: 1), pid: 2)
        func rows() -> [[String]] {
            history.runs().enumerated().map { place, run in
                HistoryCommand.row(place, run, HistoryCommand.entry(place, run))
            }
        }
        #expect(rows().map { Array($0.prefix(2)) } == [["counting", "last"], ["counting", "last~1"]])
        try "{".write(toFile: try #require(history.runs().first).path, atomically: false, encoding: .utf8)
        let damaged = rows()
        #expect(damaged[0].prefix(2) == ["?", "last"] && damaged[0].last == "cannot be read")
        #expect(damaged[1].prefix(2) == ["counting", "last~1"])
        let entries = history.runs().enumerated().compactMap { HistoryCommand.entry($0.offset, $0.element) }
        #expect(entries.map(\.name) == ["last~1"] && entries[0].buildID?.count == 40)
        #expect(entries[0].program == "counting")
    }

    @Test("only the newest runs are kept, links and strange names are left alone, and none of them is read")
    func bounded() throws {
        try history.keep(export(10, at: 0), pid: 1)
        let old = try String(contentsOfFile: try #require(history.runs().first).path, encoding: .utf8)
        for number in 100..<160 {
            try old.write(toFile: "\(kept)/run-20200101T000000.\(number)Z-1.json", atomically: false, encoding: .utf8)
        }
        try FileManager.default.createSymbolicLink(
            atPath: kept + "/run-20990101T000000.000Z-1.json", withDestinationPath: "/etc/passwd")
        try "mine".write(toFile: kept + "/notes.txt", atomically: false, encoding: .utf8)
        mkfifo(kept + "/run-20990101T000000.001Z-1.json", 0o600)
        try history.keep(export(30, at: 1), pid: 1)
        let newest = try #require(history.runs().first)
        #expect(history.runs().count == RunHistory.mostRuns && !newest.path.contains("run-20990101"))
        let files = try FileManager.default.contentsOfDirectory(atPath: kept)
        #expect(files.contains("notes.txt") && files.contains("run-20990101T000000.000Z-1.json"))
        let read = try ExportFile(path: newest.path).read()
        #expect(read.processes.reduce(0) { $0 + $1.evaluations } == 30)
    }

    @Test("diff compares runs of one program, and says so where it takes another run or cannot")
    func oneProgram() throws {
        for (second, program) in [(0, "kgx"), (1, "logs"), (2, "kgx"), (3, "kgx"), (4, "logs")] {
            try history.keep(export(10, at: UInt64(second), of: program), pid: 1)
        }
        func compared(_ old: String, _ new: String) throws -> ComparedRuns {
            try ComparedRuns(old, new, in: history)
        }
        let taken = try compared("last~1", "last")
        #expect(taken.old == "last~3")
        #expect(
            taken.note == "last~1 is a run of kgx: the run of logs before last is last~3, which is compared")
        let same = try compared("last~2", "last~1")
        #expect(same.old == "last~2" && same.note == nil)
        #expect(try compared("last~3", "last~2").old == "last~4", "kgx ran before")
        #expect(try compared("last", "last").note == nil)
        let failure = #expect(throws: ToolFailure.self) { try compared("last~2", "last") }
        #expect(failure?.status == 65 && failure?.message.contains("no such run of logs before last") == true)
        #expect(failure?.message.contains("different programs: kgx and logs") == true)
        // What is named by its file, or is newer, is meant.
        let path = try #require(history.runs().dropFirst().first).path
        let named = try compared(path, "last")
        #expect(named.old == path && named.note?.hasSuffix("are of different programs: kgx and logs") == true)
        #expect(try compared("last", "last~1").old == "last")
        // Of any other export, the program is not known, and no run is missing here: reading it says so.
        #expect(try compared("/nowhere/else.json", "last").note == nil)
        #expect(try compared("last~9", "last").note == nil)
    }

    @Test("what the first line names is explained, also a widget that was never drawn")
    func neverDrawn() async throws {
        var (fact, totals) = (WidgetFact(.asker, view: "GtkStack/GtkSpinner#busy"), LoopTotals())
        (fact.hidden, fact.numbers.count, fact.numbers.of) = ("its page of GtkStack is not shown", 1_200, 1_200)
        (totals.isInputKnown, totals.counted) = (1, 20_000_000_000)
        (totals.frames.nanoseconds, totals.frames.frames, totals.frames.sameFrames) = (20_000_000_000, 1_200, 1_200)
        var plain = export(10, at: 0)
        plain.processes[0].loop = LoopStats(totals, facts: [fact])
        let client = SavedClient(saved: SavedStats(plain, name: "plain.json"))
        let session = Session(directory: RuntimeDirectory(path: scratch.path), client: client)
        let command = try #require(ParsedLine(["explain"]).command as? ExplainCommand)
        #expect(try await ViewTarget.costliest(command.selection, session).key.rawValue == fact.view)
        let target = try await ViewTarget.find("#busy", command.selection, session, reach: .known)
        #expect(target.key.rawValue == fact.view && target.store.pid == plain.processes[0].pid)
        await #expect(throws: ToolFailure.self, "it cannot be shown") {
            try await ViewTarget.find("#busy", command.selection, session)
        }
    }

    @Test(
        "what went on when it was saved is judged as it was then; of a program that had ended, all of its time counts")
    func goesOn() {
        var (fact, totals) = (WidgetFact(.asker, view: "GtkStack/GtkSpinner#busy"), LoopTotals())
        (fact.hidden, fact.numbers.count, fact.numbers.of) = ("its page of GtkStack is not shown", 840, 840)
        (totals.isInputKnown, totals.counted) = (1, 16_000_000_000)
        (totals.frames.nanoseconds, totals.frames.frames, totals.frames.sameFrames) = (14_000_000_000, 840, 840)
        var plain = export(10, at: 20)
        // Ten seconds before: it may have ended by itself.
        let end = plain.generatedAt.nanosecondsSince1970 - 10_000_000_000
        totals.frames.latestAt = Timestamp(nanosecondsSince1970: end)
        plain.processes[0].loop = LoopStats(totals, facts: [fact])
        func kinds(_ verdict: Verdict?) -> [Verdict.Kind]? { verdict?.findings.map(\.kind) }
        func saved() -> [Verdict.Kind]? { kinds(SavedStats(plain, name: "plain.json").verdict(of: plain.processes)) }
        let live = saved()
        #expect(
            live != nil
                && live == kinds(StatsExport(generatedAt: plain.generatedAt, processes: plain.processes).verdict))
        plain.processes[0].connected = false
        #expect(saved() != live)
    }

    @Test("an export without a list of hangs says that it has none, and its costliest view is explained")
    func noHangs() async throws {
        var plain = export(10, at: 0)
        plain.run = nil
        let client = SavedClient(saved: SavedStats(plain, name: "plain.json"))
        let failure = #expect(throws: ToolFailure.self) { try client.hangs(HangsQuery()) }
        #expect(failure?.status == 65)
        #expect(failure?.message.hasPrefix("plain.json has counts and no list of hangs.\n") == true)
        // Nothing costs enough to be in the verdict: it is the view that takes most time.
        let session = Session(directory: RuntimeDirectory(path: scratch.path), client: client)
        let command = try #require(ParsedLine(["explain"]).command as? ExplainCommand)
        #expect(try await ViewTarget.costliest(command.selection, session).key == "Cart")
    }
}
