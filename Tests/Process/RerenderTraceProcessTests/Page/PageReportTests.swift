// SPDX-License-Identifier: MIT
// A page of a trace: every sum on it is the text report's.

import FoundationEssentials
import RerenderModel
import TestSupport
import Testing

@testable import RerenderTrace
@testable import TraceSupport

@Suite struct PageReportTests {
    /// Two processes; evaluations before the trace, of an earlier epoch, within others, in hangs, twice in a turn, and
    /// lost events.
    private static func trace() -> SampleTrace {
        var trace = SampleTrace()
        trace.turn(1, from: 900_000, to: 4_000_000, evaluations: 3)
        trace.evaluate("Shop", at: 1_000_000, took: 200_000, reason: "ticker.tick", waste: .measured, count: 5, turn: 1)
        trace.evaluate(
            "CartTotal", at: 2_000_000, took: 50_000, reason: "parent: Shop", count: 1, turn: 1,
            chain: "Shop ← ticker.tick")
        trace.evaluate(
            "CartTotal", at: 3_000_000, took: 30_000, reason: "parent: Shop", waste: .inferred, count: 2, turn: 1,
            chain: "Shop ← ticker.tick")
        trace.turn(2, from: 10_000_000, to: 330_000_000, evaluations: 1)
        trace.evaluate("CartTotal", at: 20_000_000, took: 300_000_000, reason: "clock.now", count: 3, turn: 2)
        trace.pid = 4712
        trace.tid = 4712
        trace.evaluate("CartTotal", at: 400_000_000, took: 70_000, reason: "initial", count: 1)
        trace.add(500_000_000, .discarded(12))
        return trace
    }

    private static func results() throws -> (report: TraceReport, page: ReportPage) {
        let trace = trace()
        let interpreter = try trace.feed(PageBuilder(trace.texts))
        return interpreter.consumer.results(interpreter.state, title: "/tmp/shop", tool: "rerenderctl")
    }

    @Test(
        "the table in the browser has the numbers of the export",
        .enabled(if: PageBrowser.isInstalled, "needs chromium"))
    func browser() async throws {
        let (report, page) = try Self.results()
        let rows: [String] = try await PageBrowser.ask(
            page,
            """
            return $$("#views-table tbody tr").map((row) => [row.querySelector("bdi").textContent, row.querySelector("small").textContent,
              ...Array.from(row.querySelectorAll("[data-value]"), (cell) => cell.dataset.value)].join(" "));
            """)
        let exported = report.export.processes.flatMap { store in
            store.views.map { view in
                let body = view.body
                let numbers = [
                    view.wasted.nanoseconds, view.wasted.count, view.count, body.averageNanoseconds,
                    body.p95Nanoseconds,
                    body.maxNanoseconds, view.ownNanoseconds, body.totalNanoseconds, view.hangs.count,
                ]
                return "\(view.key.rawValue) \(store.name) \(store.pid) "
                    + numbers.map(String.init).joined(separator: " ")
            }
        }
        #expect(Set(rows) == Set(exported))
        #expect(rows.count == exported.count)
    }
}
