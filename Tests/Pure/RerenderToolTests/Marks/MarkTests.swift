// SPDX-License-Identifier: MIT
// What happened since a mark.

import FoundationEssentials
import RerenderModel
@testable import RerenderShow
@testable import RerenderTool
import Testing
@testable import ToolSupport

@Suite("Marks")
struct MarkTests {
    /// A daemon that knows what programs had counted at a mark.
    private struct FakeDaemon: DaemonClient {
        let marked: [MarkedCounts]
        let after: StatsExport
        var listed: [Hang] = []

        func send(_ request: QueryRequest, receive: (_ bytes: [UInt8]) throws -> Void) async throws {
            let counts = marked.first {
                let name = $0.name.replacing(" ", with: "%20")
                return request.target == "/v1/mark?name=\(name)&process=\($0.pid)"
            }
            guard let counts else { throw ToolFailure.refused(404, "there is no mark") }
            try receive(Array(try JSONEncoder().encode(counts)))
        }

        func processes() -> [ProcessStats] { after.processes.map { $0.with(views: []) } }
        func export(_ query: StatsQuery) -> StatsExport { after }
        func hangs(_ query: HangsQuery) -> HangList {
            HangList(generatedAt: after.generatedAt, hangs: listed.filter(query.matches))
        }
    }

    private static let at = Timestamp(nanosecondsSince1970: Sample.now.nanosecondsSince1970 - 10_000_000_000)

    private func counts(
        _ stores: [ProcessStats], pid: Int32 = 4_711, left: Int = 0, at: Timestamp = Self.at, name: String = "tap Add"
    ) -> MarkedCounts {
        var counts = MarkedCounts(name: name, at: at, pid: pid, left: left)
        for store in stores {
            counts.lines.append(ExportLine(process: store.with(views: [])))
            counts.lines += store.views.map { ExportLine(view: $0) }
        }
        return counts
    }

    private func find(_ daemon: FakeDaemon) async throws -> MarkedSpan {
        let session = Session(directory: RuntimeDirectory(path: "/nowhere"), client: daemon)
        return try await MarkedSpan.find("tap Add", process: nil, session)
    }

    @Test("counts are those since the mark, and a process without the mark is left out")
    func span() async throws {
        var later = Sample.shop
        later.views[0].count += 7
        later.evaluations += 7
        var other = Sample.store("other", pid: 9, views: [Sample.view("Other", count: 3)])
        other.startedAt = Timestamp(nanosecondsSince1970: 1_000_000_000)
        let daemon = FakeDaemon(marked: [counts([Sample.shop])], after: Sample.export([later, other]))
        let marked = try await find(daemon)
        #expect(marked.at == Self.at && marked.span.export.processes.map(\.pid) == [4_711])
        let views = marked.span.export.processes[0].views
        #expect(views.map(\.key) == [Sample.shop.views[0].key] && views.map(\.count) == [7])
        #expect(
            marked.notes(now: Sample.now) == [
                "this is what happened since the mark \"tap Add\", 10.0s ago",
                "programs without such a mark are left out: other[9]",
            ])
        let client = SpanClient(marked, daemon: daemon)
        #expect(try await client.export(StatsQuery()).processes[0].views.map(\.count) == [7])
        #expect(try await client.hangs(HangsQuery()).hangs.isEmpty)
    }

    @Test("counts between two marks leave out what came later, also hangs that went on at the end")
    func between() async throws {
        var later = Sample.shop
        later.views[0].count += 7
        later.evaluations += 7
        var latest = later
        latest.views[0].count += 100
        latest.evaluations += 100
        let end = Timestamp(nanosecondsSince1970: Self.at.nanosecondsSince1970 + 4_000_000_000)
        let ends = [Int64(1), 3, 5].map { second in
            let at = Timestamp(nanosecondsSince1970: Self.at.nanosecondsSince1970 + second * 1_000_000_000)
            var hang = Hang(id: UInt64(second), pid: 4_711, process: "shop", startedAt: at, turn: 1)
            (hang.durationNanoseconds, hang.open) = (2_000_000_000, false)
            return hang
        }
        let daemon = FakeDaemon(
            marked: [counts([Sample.shop]), counts([later], at: end, name: "done")], after: Sample.export([latest]),
            listed: ends)
        let session = Session(directory: RuntimeDirectory(path: "/nowhere"), client: daemon)
        let marked = try await MarkedSpan.find("tap Add", to: "done", process: nil, session)
        #expect(marked.span.export.processes[0].views.map(\.count) == [7])
        #expect(marked.span.export.generatedAt == end && marked.hangs.map(\.id) == [1])
        #expect(
            marked.notes(now: Sample.now) == [
                "this is what happened between the marks \"tap Add\", 10.0s ago, and \"done\", 6.00s ago"
            ])
        let gone = Sample.store("other", pid: 9, views: [Sample.view("Other", count: 3)])
        let one = FakeDaemon(
            marked: daemon.marked + [counts([gone], pid: 9)], after: Sample.export([latest, gone]))
        let ofOne = try await MarkedSpan.find(
            "tap Add", to: "done", process: nil,
            Session(directory: RuntimeDirectory(path: "/nowhere"), client: one))
        #expect(ofOne.span.export.processes.map(\.pid) == [4_711])
        #expect(ofOne.notes(now: Sample.now).last == "programs without such a mark are left out: other[9]")
        let failure = await #expect(throws: ToolFailure.self) {
            try await MarkedSpan.find("done", to: "tap Add", process: nil, session)
        }
        #expect(failure?.message.contains("is not after") == true)
    }

    @Test("a hang that went on at the mark came since, and one that had ended did not")
    func hangs() async throws {
        var later = Sample.shop
        later.hangs.add(nanoseconds: 900_000_000)
        let listed = [(UInt64(1), Int64(-500)), (2, -900)].map { id, milliseconds in
            let start = Timestamp(nanosecondsSince1970: Self.at.nanosecondsSince1970 + milliseconds * 1_000_000)
            var hang = Hang(id: id, pid: 4_711, process: "shop", startedAt: start, turn: id)
            (hang.durationNanoseconds, hang.open) = (id == 1 ? 900_000_000 : 300_000_000, false)
            return hang
        }
        let daemon = FakeDaemon(marked: [counts([Sample.shop])], after: Sample.export([later]), listed: listed)
        let marked = try await find(daemon)
        #expect(marked.hangs.map(\.id) == [1] && marked.span.export.processes[0].hangs.count == 1)
        #expect(marked.span.export.processes[0].hangs.worstNanoseconds == 900_000_000)
    }

    @Test("what ended by itself before the end of the time is no finding, as where the daemon is asked")
    func ended() async throws {
        func verdict(secondsAgo: Int64) async throws -> Verdict? {
            var (before, after, totals) = (Sample.shop, Sample.shop, LoopTotals())
            totals.counted = 20_000_000_000
            before.loop = LoopStats(totals)
            let end = Sample.now.nanosecondsSince1970 - secondsAgo * 1_000_000_000
            (totals.counted, totals.busy.latestAt) = (30_000_000_000, Timestamp(nanosecondsSince1970: end))
            (totals.busy.nanoseconds, totals.busy.processor) = (6_000_000_000, 3_000_000_000)
            after.loop = LoopStats(totals)
            let daemon = FakeDaemon(marked: [counts([before])], after: Sample.export([after]))
            return try await SpanClient(try await find(daemon), daemon: daemon).export(StatsQuery()).verdict
        }
        #expect(try await verdict(secondsAgo: 1)?.has(.busy) == true)
        #expect(try await verdict(secondsAgo: 5)?.has(.busy) == false)
    }

    @Test("a time between two marks that is too short for what goes on without input is said to be")
    func shortTime() async throws {
        var (before, after, totals) = (Sample.shop, Sample.shop, LoopTotals())
        totals.counted = 20_000_000_000
        before.loop = LoopStats(totals)
        totals.counted = 24_000_000_000
        after.loop = LoopStats(totals)
        after.views[0].count += 7
        after.evaluations += 7
        let end = Timestamp(nanosecondsSince1970: Self.at.nanosecondsSince1970 + 4_000_000_000)
        let daemon = FakeDaemon(
            marked: [counts([before]), counts([after], at: end, name: "done")], after: Sample.export([after]))
        let session = Session(directory: RuntimeDirectory(path: "/nowhere"), client: daemon)
        let marked = try await MarkedSpan.find("tap Add", to: "done", process: nil, session)
        let verdict = try await SpanClient(marked, daemon: daemon).export(StatsQuery()).verdict
        let text = try #require(verdict?.first?.text)
        #expect(text.contains("4.00s are too short to judge what goes on without input"), "\(text)")
    }

    @Test("a program that began after the mark is there as a whole; after a mark of one program, only that program is")
    func started() async throws {
        let again = Sample.store("shop", pid: 12, views: [Sample.view("Row", count: 4)])
        let other = Sample.store("other", pid: 9, views: [Sample.view("Other", count: 3)])
        var unmarked = Sample.store("old", pid: 8, views: [Sample.view("Old", count: 5)])
        let after = Sample.export([Sample.shop, again, other])
        let all = try await find(FakeDaemon(marked: [counts([Sample.shop])], after: after))
        #expect(Set(all.span.export.processes.map(\.pid)) == [4_711, 12, 9])
        #expect(all.span.export.processes.flatMap { $0.views.map(\.count) }.sorted() == [3, 4])
        unmarked.startedAt = Timestamp(nanosecondsSince1970: 1_000_000_000)
        let more = Sample.export([Sample.shop, again, other, unmarked])
        let one = try await find(FakeDaemon(marked: [counts([Sample.shop])], after: more))
        #expect(Set(one.span.export.processes.map(\.pid)) == [4_711, 12])
    }

    @Test("a program that is selected and began after the mark is measured from its start, and this is said")
    func younger() async throws {
        var old = Sample.shop
        old.startedAt = Timestamp(nanosecondsSince1970: 1_000_000_000)
        let late = Sample.store("late", pid: 12, views: [Sample.view("Row", count: 4)])
        let daemon = FakeDaemon(marked: [counts([old])], after: Sample.export([old, late]))
        let session = Session(directory: RuntimeDirectory(path: "/nowhere"), client: daemon)
        let marked = try await MarkedSpan.find("tap Add", process: "late", session)
        #expect(marked.at == Self.at && marked.span.export.processes.map(\.pid) == [12])
        #expect(marked.span.export.processes[0].views.map(\.count) == [4])
        #expect(marked.notes(now: Sample.now)[0].hasPrefix("the program began after the mark, and was counted from"))
        await #expect(throws: ToolFailure.self) { try await MarkedSpan.find("tip", process: "late", session) }
    }

    @Test("a store of a recording is the same one at both ends, though it tells later when it was made")
    func recorded() {
        var early = Sample.shop
        (early.startedAt, early.kind) = (Timestamp(nanosecondsSince1970: 5), nil)
        let after = Sample.export([Sample.shop])
        let aligned = RecordedSpan.aligned(Sample.export([early]), with: after)
        #expect(aligned.processes.map(\.startedAt) == [Sample.shop.startedAt])
        #expect(aligned.processes.map(\.kind) == [Sample.shop.kind])
        #expect(!Sample.shop.wasReset(since: aligned.processes[0]))
        var reset = Sample.shop
        reset.countedSince = Timestamp(nanosecondsSince1970: Sample.now.nanosecondsSince1970 + 1)
        let anew = RecordedSpan.aligned(Sample.export([early]), with: Sample.export([reset]))
        #expect(reset.wasReset(since: anew.processes[0]))
        early.countedSince = reset.countedSince
        let same = RecordedSpan.aligned(Sample.export([early]), with: Sample.export([reset]))
        #expect(!reset.wasReset(since: same.processes[0]))
    }

    @Test("a view that the mark does not have is new, or left out and counted where the mark has not all")
    func left() async throws {
        var later = Sample.shop
        later.views.append(Sample.view("New", count: 3))
        later.evaluations += 3
        let whole = try await find(FakeDaemon(marked: [counts([Sample.shop])], after: Sample.export([later])))
        #expect(whole.span.export.processes[0].views.map(\.key) == ["New"])
        let cut = try await find(FakeDaemon(marked: [counts([Sample.shop], left: 5)], after: Sample.export([later])))
        #expect(cut.span.export.processes[0].views.isEmpty)
        #expect(cut.notes(now: Sample.now)[1].hasPrefix("1 view is left out: new, or beyond those"))
    }

    @Test("after a reset every view is new, and a note says so")
    func reset() async throws {
        var (before, later) = (Sample.shop, Sample.shop)
        (before.countedSince, later.countedSince) = (Timestamp(nanosecondsSince1970: 1), Sample.now)
        later.views.append(Sample.view("New", count: 3))
        let marked = try await find(FakeDaemon(marked: [counts([before], left: 5)], after: Sample.export([later])))
        #expect(marked.span.export.processes[0].views.map(\.count) == [312, 48, 3])
        let notes = marked.notes(now: Sample.now)
        #expect(notes.count == 2 && notes[1].contains("its counts were reset at"))
    }

    @Test("of a name that was used again the latest moment is meant, and without the mark the daemon's words are shown")
    func names() async throws {
        var other = Sample.store("other", pid: 9, views: [Sample.view("Other", count: 3)])
        other.startedAt = Timestamp(nanosecondsSince1970: 1_000_000_000)
        let early = counts([other], pid: 9, at: Timestamp(nanosecondsSince1970: 1_000_000_000))
        let daemon = FakeDaemon(
            marked: [early, counts([Sample.shop])], after: Sample.export([Sample.shop, other]))
        #expect(try await find(daemon).span.export.processes.map(\.pid) == [4_711])
        let none = FakeDaemon(marked: [], after: Sample.export([Sample.shop]))
        await #expect(throws: ToolFailure.refused(404, "there is no mark")) { try await find(none) }
    }

    @Test("without a process that is connected no mark is known, and the failure says so")
    func withoutProcess() async {
        let failure = await #expect(throws: ToolFailure.self) {
            try await find(FakeDaemon(marked: [], after: Sample.export([])))
        }
        #expect(failure?.status == 64)
        #expect(failure?.message.hasPrefix("no process is connected, so no mark is known.") == true)
    }

    @Test("--since of hangs takes a time or a mark, a mark is not called like a time, and a span has one beginning")
    func moments() {
        #expect(SinceMoment(argument: "10m") == SinceTime(argument: "10m").map { SinceMoment.time($0) })
        #expect(SinceMoment(argument: "tap Add") == .mark("tap Add") && SinceMoment(argument: "") == nil)
        for (arguments, hint) in [
            (["mark", "10m"], "is a time"), (["mark", ""], "1 to 128 bytes"),
            (["mark", "2.5s"], "is a time"), (["mark", "400ms"], "is a time"),
            (["mark", "2026-11-30T08:00:00Z"], "is a time"), (["mark", "1h30m"], "looks like one"),
            (["mark", "2026-11-30"], "looks like one"), (["mark", "10:15"], "looks like one"),
            (["mark", "a\u{1B}[31m"], "no control characters"),
            (["mark", "a\nb"], "no control characters"), (["mark", "a\u{202E}b"], "no control characters"),
            (["stats", "--since", "a", "--from", "b"], "either --since, or --from"),
            (["hangs", "--since", "10m", "--to", "b"], "either --since, or --from"),
            (["stats", "--to", ""], "--to needs"),
            (["report", "trace", "--html", "page", "--from", "1s"], "not for a page"),
            (["export", "--format", "prometheus", "--since", "a"], "--since is for JSON"),
            (["diff", "old"], "--since MARK"),
        ] as [([String], String)] {
            let line = ParsedLine(arguments)
            #expect(line.status == 64 && line.text.contains(hint), "\(line)")
        }
        #expect(ParsedLine(["hangs", "last", "--since", "10m"]).status == 0)
        #expect(ParsedLine(["diff", "old", "--since", "tap Add"]).status == 0)
        #expect(ParsedLine(["diff", "old", "trace", "--from", "1s", "--to", "done"]).status == 0)
        #expect(ParsedLine(["explain", "Row", "trace/", "--since", "tap Add"]).status == 0)
        for command in [["explain"], ["explain", "Row"], ["diff", "old"], ["export"], ["export", "-o", "file"]] {
            for span in [["--since", "tap Add"], ["--from", "tap Add"], ["--from", "tap Add", "--to", "done"]] {
                #expect(ParsedLine(command + span).status == 0, "\(command) \(span)")
            }
        }
    }

    @Test("the columns whose times are not the span's are those that show the same of all time, and the longest")
    func timesOfAll() {
        var view = Sample.view("Row", count: 100, average: 50_000)
        (view.body.p50Nanoseconds, view.selfNanoseconds) = (45_000, 3_000_000)
        (view.wasted.count, view.wasted.measured, view.wasted.nanoseconds) = (50, 50, 2_000_000)
        var old = view
        (old.count, old.body.totalNanoseconds, old.selfNanoseconds) = (40, 1_000_000, 1_000_000)
        (old.wasted.count, old.wasted.measured, old.wasted.nanoseconds) = (20, 20, 500_000)
        func cells(_ view: Stats) -> [String: String] {
            let row = RankedView(store: Sample.store(), view: view)
            let table = ViewTable(order: .count, stores: [Sample.store()], rows: [row], now: Sample.now)
            return Dictionary(table.all.map { ($0.head.name, $0.cell(row).text) }) { first, _ in first }
        }
        let (all, span) = (cells(view), cells(view.since(old)))
        let same = all.filter { $0.value == span[$0.key] && $0.value.contains(/[0-9](?:ms|µs)/) }.map(\.key)
        #expect(Set(same + ["max"]) == Set(ViewTable.columnNames.filter(MarkOption.isOfAllTime)))
        #expect(same.contains("p95") && span["max"] == "-")
    }

    @Test("what was marked is said with what is left out, and with the command that comes next")
    func report() {
        var report = MarkReport(name: "tap Add", at: Self.at)
        report.processes = [MarkReport.Process(pid: 7, name: "shop", views: 2_000, left: 3)]
        #expect(
            MarkCommand.lines(report) == [
                "marked \"tap Add\" in shop[7]",
                "! 3 views beyond those that a mark keeps: what they do is not known",
                "Next: rerenderctl stats --since 'tap Add'",
            ])
        report.processes[0].left = 0
        report.left = 1
        #expect(MarkCommand.lines(report)[1] == "! 1 process is not marked, for want of room: mark one with --process")
        report.name = "-p"
        #expect(MarkCommand.lines(report).last == "Next: rerenderctl stats --since=-p")
        let lines = [
            ["mark", "--", "-p"], ["mark", "Füge 2 hinzu"], ["mark", "2 items"], ["mark", "v1.5s"],
            ["stats", "--since=-p"],
        ]
        for line in lines { #expect(ParsedLine(line).status == 0, "\(line)") }
        #expect(MarkOption.words("--from", "-a b").text == " --from='-a b'")
    }
}
