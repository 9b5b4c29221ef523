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
            let counts = marked.first { request.target == "/v1/mark?name=tap%20Add&process=\($0.pid)" }
            guard let counts else { throw ToolFailure.refused(404, "there is no mark") }
            try receive(Array(try JSONEncoder().encode(counts)))
        }

        func processes() -> [ProcessStats] { after.processes.map { $0.with(views: []) } }
        func export(_ query: StatsQuery) -> StatsExport { after }
        func hangs(_ query: HangsQuery) -> HangList { HangList(generatedAt: after.generatedAt, hangs: listed) }
    }

    private static let at = Timestamp(nanosecondsSince1970: Sample.now.nanosecondsSince1970 - 10_000_000_000)

    private func counts(_ stores: [ProcessStats], pid: Int32 = 4_711, left: Int = 0, at: Timestamp = Self.at)
        -> MarkedCounts
    {
        var counts = MarkedCounts(name: "tap Add", at: at, pid: pid, left: left)
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
        let other = Sample.store("other", pid: 9, views: [Sample.view("Other", count: 3)])
        let daemon = FakeDaemon(marked: [counts([Sample.shop])], after: Sample.export([later, other]))
        let marked = try await find(daemon)
        #expect(marked.at == Self.at && marked.span.export.processes.map(\.pid) == [4_711])
        let views = marked.span.export.processes[0].views
        #expect(views.map(\.key) == [Sample.shop.views[0].key] && views.map(\.count) == [7])
        #expect(marked.notes(now: Sample.now) == ["this is what happened since the mark \"tap Add\", 10.0s ago"])
        let client = SpanClient(marked, daemon: daemon)
        #expect(try await client.export(StatsQuery()).processes[0].views.map(\.count) == [7])
        #expect(try await client.hangs(HangsQuery()).hangs.isEmpty)
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

    @Test("of a name that was used again the latest moment is meant, and without the mark the daemon's words are shown")
    func names() async throws {
        let other = Sample.store("other", pid: 9, views: [Sample.view("Other", count: 3)])
        let early = counts([other], pid: 9, at: Timestamp(nanosecondsSince1970: 1_000_000_000))
        let daemon = FakeDaemon(
            marked: [early, counts([Sample.shop])], after: Sample.export([Sample.shop, other]))
        #expect(try await find(daemon).span.export.processes.map(\.pid) == [4_711])
        let none = FakeDaemon(marked: [], after: Sample.export([Sample.shop]))
        await #expect(throws: ToolFailure.refused(404, "there is no mark")) { try await find(none) }
    }

    @Test("--since of hangs takes a time or a mark, and a mark is not called like a time")
    func moments() {
        #expect(SinceMoment(argument: "10m") == SinceTime(argument: "10m").map { SinceMoment.time($0) })
        #expect(SinceMoment(argument: "tap Add") == .mark("tap Add") && SinceMoment(argument: "") == nil)
        for (arguments, hint) in [
            (["mark", "10m"], "is a time"), (["mark", ""], "1 to 128 bytes"),
            (["stats", "last", "--since", "a"], "--since counts what runs"),
            (["stats", "--watch", "--since", "a"], "--since counts what runs"),
            (["explain", "Row", "last", "--since", "a"], "--since is about what runs"),
            (["hangs", "last", "--since", "tap"], "marks are of what runs"),
            (["export", "--format", "prometheus", "--since", "a"], "--since is for JSON"),
            (["diff", "old"], "--since MARK"), (["diff", "old", "new", "--since", "a"], "either <new> or --since"),
        ] as [([String], String)] {
            let line = ParsedLine(arguments)
            #expect(line.status == 64 && line.text.contains(hint), "\(line)")
        }
        #expect(ParsedLine(["hangs", "last", "--since", "10m"]).status == 0)
        #expect(ParsedLine(["diff", "old", "--since", "tap Add"]).status == 0)
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
    }
}
