// SPDX-License-Identifier: MIT
// The numbers of a stranger's walk that are seen on the page. The others: RerenderToolTests/Walk.

import TestSupport
import Testing

@testable import RerenderTrace
@testable import TraceSupport

@Suite(
    "The walk of a stranger, on the page", .serialized,
    .enabled(if: PageBrowser.isInstalled, "needs chromium"))
struct PageWalkTests {
    @Test("3, 4, 8. what is not known is no 0, one process is shown at a time, and the page answers pointer and keys")
    func answers() async throws {
        struct Answer: Decodable {
            let card: String
            let processes: Int
            let before, after, address: String
        }
        let answer: Answer = try await PageBrowser.ask(
            .twoProcesses(),
            """
            const lanes = byID("lanes-canvas");
            await point(lanes, "pointermove", placeOf("Root", 104e6));
            const card = byID("card").textContent, processes = byID("process").options.length;
            const before = location.hash;
            lanes.focus();
            await press(lanes, "w");
            await later(800);
            return { card, processes, before, after: location.hash, address: location.hash };
            """)
        #expect(answer.card.contains("Wasted–") && answer.card.contains("Self"), "\(answer.card)")
        // Each, and all of them.
        #expect(answer.processes == 3)
        #expect(answer.before != answer.after && answer.address.count > 1, "\(answer)")
    }

    @Test("5, 9. the page begins with what costs most, and says what helps")
    func advice() async throws {
        let said: [String] = try await PageBrowser.ask(
            .twoProcesses(),
            """
            const first = $$("#views-table [data-view]")[0];
            const name = first.firstChild.textContent;
            first.click();
            await later();
            return [name, document.querySelector("#views-table .advice")?.textContent ?? "none"];
            """)
        #expect(said == ["Row", "What helps: 4 evaluations happened only because a parent was evaluated."])
    }
}
