// SPDX-License-Identifier: MIT
// Places are links only where it is certain which file they mean.

import RerenderModel
import Testing

@testable import RerenderTrace
@testable import TraceSupport

@Suite struct PageLinkTests {
    @Test(
        "places of views, writers and sources are links where their file is known, and text elsewhere",
        .enabled(if: PageBrowser.isInstalled, "needs chromium"))
    func page() async throws {
        var page = ReportPage.twoProcesses()
        page.views[0].reasons = [
            .init(
                reason: "parent: Root", count: 8, attribution: .exact,
                writers: [.init(writer: "advance() Shop/Ticker.swift:40", count: 8)])
        ]
        page.link(
            PageLinks(template: "edit://{path}?line={line}") { file in
                ["Shop/Row.swift", "Shop/Ticker.swift"].contains(file) ? "/sources/\(file)" : nil
            })
        let links: [String] = try await PageBrowser.ask(
            page,
            """
            $$("#views-table [data-view]").find((button) => button.firstChild.textContent === "Row").click();
            await later();
            return $$("#wasted a, #loops a").map((link) => link.getAttribute("href") + " " + link.textContent);
            """)
        let row = "edit:///sources/Shop/Row.swift?line=7 Shop/Row.swift:7"
        let ticker = "edit:///sources/Shop/Ticker.swift?line=40 Shop/Ticker.swift:40"
        let expected = [row, row, ticker, ticker]
        #expect(links == expected)
    }
}
