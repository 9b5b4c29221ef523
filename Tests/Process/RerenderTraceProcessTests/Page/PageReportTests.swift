// SPDX-License-Identifier: MIT
// A page of a trace: every sum on it is the text report's.

import FoundationEssentials
import RerenderModel
import TestSupport
import Testing

@testable import RerenderTrace
@testable import TraceSupport

@Suite struct PageReportTests {
    @Test(
        "the table in the browser has the numbers of the export",
        .enabled(if: PageBrowser.isInstalled, "needs chromium"))
    func browser() async throws {
        let (report, page) = try SampleTrace.shopResults()
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

    @Test(
        "a page of widgets says that they are drawn, and one of views that they are evaluated",
        .enabled(if: PageBrowser.isInstalled, "needs chromium"), arguments: [false, true])
    func words(areWidgets: Bool) async throws {
        var page = try SampleTrace.shopResults().page
        page.areWidgets = areWidgets
        let titles: [String] = try await PageBrowser.ask(
            page,
            "return $$(\"h2, #views-table thead th, #totals dt\").map((made) => made.textContent.replace(/ [▲▼]/, \"\"));"
        )
        let words =
            areWidgets
            ? ["Widgets by cost", "What causes drawings", "How long drawings take", "Widget", "Drawings"]
            : ["Views by cost", "What causes evaluations", "How long bodies take", "View", "Evaluations"]
        for word in words { #expect(titles.contains(word), "\(word) in \(titles)") }
    }
}
