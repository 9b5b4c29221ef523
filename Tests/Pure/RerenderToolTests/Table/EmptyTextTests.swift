// SPDX-License-Identifier: MIT
// The sentences in the place of an empty list, and below one that is cut.

import RerenderModel
@testable import RerenderShow
@testable import RerenderTool
@testable import RerenderTrace
import Testing
@testable import ToolSupport

@Suite("Empty and cut lists")
struct EmptyTextTests {
    @Test("a table without rows says that counting is off, that evaluations are in no view, or that there are none")
    func views() {
        var store = Sample.store()
        #expect(EmptyText.views([store]).isEmpty)
        store.enabled = false
        #expect(
            EmptyText.views([store]) == [
                "Counting is switched off in shop[4711]/main: rerenderctl config set enabled=true"
            ])
        (store.enabled, store.evaluations) = (true, 3)
        #expect(EmptyText.views([store]).first?.contains("counted evaluations that are in no view") == true)
        (store.evaluations, store.kind) = (0, .loop)
        #expect(EmptyText.views([store]).first?.contains("rerenderctl stats --sources") == true)
        let screen = StatsScreen(export: Sample.export([Sample.store()]), health: nil, order: .count, limit: nil)
        #expect(screen.lines(width: 80, colours: false).contains("No view has been evaluated yet."))
    }

    @Test("what stands for a table without rows speaks of widgets where only these are counted, and of its time")
    func none() {
        var (widgets, loop) = (Sample.store(kind: .widgets), Sample.store("clock", store: "loop", kind: .loop))
        #expect(EmptyText.none([widgets, loop]) == "No widget has been drawn yet.")
        #expect(EmptyText.none([widgets], in: "in this time") == "No widget was drawn in this time.")
        #expect(EmptyText.none([Sample.store()], in: "since the mark") == "No view was evaluated since the mark.")
        #expect(EmptyText.none([widgets, Sample.store()]) == "No view has been evaluated yet.")
        (widgets.connected, loop.connected) = (false, false)
        #expect(EmptyText.none([widgets, loop]) == "No widget was drawn.")
        let screen = StatsScreen(export: Sample.export([widgets, loop]), health: nil, order: .count, limit: nil)
        #expect(screen.lines(width: 80, colours: false).contains("No widget was drawn."))
        widgets.evaluations = 3
        #expect(EmptyText.views([widgets]).first?.contains("counted drawings that are in no widget") == true)
    }

    @Test("a list of hangs without one says what a filter leaves out, and one that is cut how many are older")
    func hangs() throws {
        #expect(EmptyText.hangs(earlier: 0, others: nil).isEmpty)
        let left = EmptyText.hangs(earlier: 1, others: 12)
        #expect(
            left == [
                "1 hang ended before that time: leave out --since to see it.",
                "12 hangs are of other processes: leave out --process to see them.",
            ])
        let between = EmptyText.hangs(earlier: 2, others: nil, options: "--from and --to")
        #expect(between == ["2 hangs were at another time: leave out --from and --to to see them."])
        #expect(EmptyText.hangs(earlier: 1, others: nil, options: "--to")[0].hasPrefix("1 hang was at another time"))
        var screen = HangsScreen(hangs: [], stores: [], health: HealthReport())
        screen.reasons = left
        #expect(screen.lines(width: 100, colours: false) == ["No hang."] + left)
        (screen.reasons, screen.left) = ([], 7)
        #expect(screen.lines(width: 100, colours: false).last == "… 7 older hangs; --limit 7 shows them")
        var report = try emptyReport()
        var hang = Hang(id: 1, pid: 4711, process: "shop", startedAt: Sample.now, turn: 1)
        hang.durationNanoseconds = 400_000_000
        report.hangs = [Hang](repeating: hang, count: 12)
        let ofReport = ReportScreen(report: report, path: "trace", order: .cost, limit: nil)
        let rest = "  … and 2 older hangs; listed by: rerenderctl hangs trace --limit 12"
        #expect(ofReport.lines(width: 200, colours: false).last == rest)
    }

    /// That of a recording without an event.
    private func emptyReport() throws -> TraceReport {
        let texts = TraceTexts()
        var interpreter = TraceInterpreter(ReportBuilder(texts), texts)
        try interpreter.finish()
        return interpreter.consumer.summary(interpreter.state).report
    }

    @Test("a report without an evaluation says why, and first that they may be among what the tracer discarded")
    func report() throws {
        let empty = try emptyReport()
        func why(_ change: (inout TraceReport) -> Void) -> String? {
            var report = empty
            change(&report)
            let screen = ReportScreen(report: report, path: "trace", order: .cost, limit: nil)
            return screen.lines(width: 200, colours: false).last
        }
        #expect(why { _ in } == "It has no event of these processes; --all shows those of all processes.")
        #expect(
            why { ($0.events, $0.otherEvents) = (5, 5) }
                == "All its events are of other providers; see --format chrome.")
        #expect(why { ($0.events, $0.otherEvents) = (5, 2) }?.hasPrefix("Nothing was evaluated, or") == true)
        let ofLoop = Sample.store("clock", store: "loop", kind: .loop)
        #expect(
            why { ($0.events, $0.export.processes) = (5, [ofLoop]) } == "Its processes have main loops and no views.")
        for (events, others) in [(0, 0), (5, 5), (5, 2)] as [(UInt64, UInt64)] {
            // Of the second range, the tracer does not say how many.
            for count in [3, 0] as [UInt64] {
                let discarded = why {
                    ($0.events, $0.otherEvents) = (events, others)
                    $0.discarded.add(count)
                }
                #expect(discarded == "The tracer discarded events, which may be those of evaluations.")
            }
        }
    }

    @Test("without a store it is said that Rerender is switched off, if so")
    func off() {
        #expect(Guidance.noStores(off: nil).count == 1)
        let off = Guidance.noStores(off: RuntimeDirectory(path: "/run/user/1000/rerender"))
        #expect(off.count == 3 && off[1].hasPrefix("Rerender is switched off for this user"))
    }
}
