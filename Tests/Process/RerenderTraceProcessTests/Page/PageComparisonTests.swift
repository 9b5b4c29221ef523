// SPDX-License-Identifier: MIT
// Two recordings on one page.

import TestSupport
import Testing

@testable import RerenderTrace
@testable import TraceSupport

@Suite struct PageComparisonTests {
    @Test(
        "the page has both, marks what is new or more, and goes to the turn; without an older one it has neither",
        .enabled(if: PageBrowser.isInstalled, "needs chromium"))
    func browser() async throws {
        let script = """
            const rows = (table) => $$(table + " tbody tr").map((row) => Array.from(row.cells, (cell) => cell.textContent).join("|"));
            const said = [String(byID("compared").hidden), ...rows("#compared-views"), ...rows("#compared-turns").filter((row) => row.includes("shop")).slice(3, 5),
              $$(".change.worse").length > 0 ? "marked" : "not marked"];
            const button = $$("#compared-turns tbody tr").find((row) => row.textContent.startsWith("5shop"))?.querySelector("button");
            button?.click();
            await later();
            said.push(button ? cursor() : "no button");
            return said;
            """
        let both: [String] = try await PageBrowser.ask(ReportPage.compared(), script)
        let expected = [
            "false", "Row|shop|new|– → 8|– → 24.0ms|– → 4", "Gone|shop|gone|8 → –|24.0ms → –|4 → –",
            "Root|shop|same|8 → 8|40.0ms → 40.0ms|– → –", "Clock|feed|same|8 → 8|8.00µs → 8.00µs|– → –",
            "4|shop|10.0ms|10.0ms|1 → 2|more", "5|shop|–|10.0ms|– → 2|new", "marked",
            "Row 2 of 5: main-loop turns. Turn at 0.500 s, 10.0ms, 2 evaluations.",
        ]
        #expect(both == expected)
        let alone: [String] = try await PageBrowser.ask(.twoProcesses(), script)
        #expect(alone == ["true", "not marked", "no button"])
    }
}
