// SPDX-License-Identifier: MIT
// The page's flame graph of a turn, the write that led to an evaluation, the bars of hangs, and advice.

import TestSupport
import Testing

@testable import RerenderTrace
@testable import TraceSupport

@Suite(.serialized, .enabled(if: PageBrowser.isInstalled, "needs chromium")) struct PageTurnTests {
    @Test(
        "the turn around the cursor is a flame graph with self times, as a picture and as a table; keys step through turns"
    )
    func flame() async throws {
        let answer: [String] = try await PageBrowser.ask(
            .twoProcesses(),
            """
            const lanes = byID("lanes"), said = [String(byID("turn").hidden)];
            const turn = () => byID("turn-text").textContent;
            await press(lanes, ".");
            said.push(turn());
            byID("turn-details").open = true;
            await later();
            said.push($$("#turn-table tbody tr").map((row) => Array.from(row.cells, (cell) => cell.textContent).join("|")).join(" / "));
            await press(lanes, "]");
            said.push(turn(), cursor());
            await press(lanes, "]");
            await press(lanes, "[");
            said.push(turn());
            for (let times = 0; times < 9; times++) await press(lanes, "[");
            said.push(turn());
            await point(byID("flame"), "pointermove", inFlame("Row"));
            said.push(byID("card").querySelector("b").textContent);
            byID("flame").dispatchEvent(new MouseEvent("click", { bubbles: true, ...(() => {
              const frame = byID("flame").getBoundingClientRect(), { x, y } = inFlame("Root");
              return { clientX: frame.left + x, clientY: frame.top + y };
            })() }));
            await later();
            said.push(cursor().slice(0, 32));
            $$("#turn-table tbody button").find((button) => button.textContent === "Row").click();
            await later();
            said.push(cursor().slice(0, 31));
            return said;
            """)
        let text = { (start: String) in
            "Turn at \(start) s, 10.0ms, 2 evaluations. In shop 4711. Outside of bodies: 2.00ms."
        }
        let expected = [
            "true", text("0.100"), "Root|0|1.00ms|8.00ms|5.00ms|– / Row|1|2.00ms|3.00ms|3.00ms|1", text("0.200"),
            "Row 2 of 5: main-loop turns. Turn at 0.200 s, 10.0ms, 2 evaluations.", text("0.200"), text("0.100"), "Row",
            "Row 5 of 5: Root. Evaluation at ", "Row 4 of 5: Row. Evaluation at ",
        ]
        #expect(answer == expected)
    }

    @Test("several evaluations together, and those of other threads, are told and not nested")
    func together() async throws {
        var page = ReportPage.twoProcesses()
        page.evaluations.edit {
            $0[1].count = 3
            $0[2].lane = 1
            $0[2].start = SampleTrace.origin + 105_000_000
        }
        let text: String = try await PageBrowser.ask(
            page,
            "await press(byID(\"lanes\"), \"]\"); await press(byID(\"lanes\"), \"[\"); return byID(\"turn-text\").textContent;"
        )
        #expect(text.hasSuffix("Outside of bodies: –. 1 evaluation of other threads at the same time is not drawn."))
    }

    @Test("says which write led to an evaluation, also to one inside it, draws a line, and goes there")
    func write() async throws {
        let answer: [String] = try await PageBrowser.ask(
            .twoProcesses(),
            """
            const lanes = byID("lanes"), said = [];
            for (const key of [".", "g", "ArrowDown", "ArrowDown", ".", "g"]) {
              await press(lanes, key);
              said.push(cursor());
            }
            // Beside the write, where the line has its dot.
            await press(lanes, "ArrowDown");
            await press(lanes, "0");
            const { x, y } = placeOf("writes", 100e6), before = colourAt({ x: x - 2, y });
            await press(lanes, ".");
            await press(lanes, "0");
            said.push(before === colourAt({ x: x - 2, y }) ? "no line" : "a line");
            return said;
            """)
        let row =
            "Row 4 of 5: Row. Evaluation at 0.102 s, body 3.00ms, whole probe 3.00ms, because of parent: Root, wasted; thread 4711, "
        let (cause, write) = (
            " It followed a write of Ticker.tick by advance() Shop/Ticker.swift:40 ",
            "Row 3 of 5: writes. Write of Ticker.tick at 0.100 s "
        )
        #expect(answer[0] == row + "inside 1 other evaluation." + cause + "2.00ms before.")
        #expect(answer[1] == write + "by advance() Shop/Ticker.swift:40, which invalidated 1 view.")
        #expect(answer[4].contains("because of shop.ticker.tick") && answer[4].hasSuffix(cause + "1.00ms before."))
        #expect(answer[5].hasPrefix(write) && answer[6] == "a line")
    }

    @Test("no write is named where it is another property's, other code's, another process's, or comes after")
    func foreignWrites() async throws {
        let changes: [(inout PageIntervals.Interval) -> Void] = [
            { $0.reason = 5 }, { $0.writer = 5 }, { $0.lane = 1 }, { $0.start += 500_000_000 }, { $0.count = 2 },
        ]
        for change in changes {
            var page = ReportPage.twoProcesses()
            page.writes.edit {
                $0 = Array($0.prefix(1))
                change(&$0[0])
            }
            let text: String = try await PageBrowser.ask(page, "await press(byID(\"lanes\"), \".\"); return cursor();")
            #expect(text.contains("Evaluation at 0.102 s") && !text.contains("followed a write"))
        }
    }

    @Test("a hang is a bar of the shares of its time, with words; one whose shares are not known has none")
    func hangBars() async throws {
        struct Bar: Decodable, Equatable {
            let parts: [String]
            let label: String
        }
        let bars: [Bar] = try await PageBrowser.ask(
            .twoProcesses(),
            """
            return $$("#hangs-table tbody tr").map((row) => {
              const bar = row.cells[2].querySelector(".stack"), whole = bar?.getBoundingClientRect().width ?? 0;
              const share = (part) => Math.round((100 * part.getBoundingClientRect().width) / whole);
              return { parts: Array.from(bar?.children ?? [], (part) => part.className + " " + share(part)), label: bar?.getAttribute("aria-label") ?? row.cells[2].textContent };
            });
            """)
        #expect(bars[0] == Bar(parts: [], label: "–"))
        #expect(bars[1].parts == ["part-view 60", "part-handler 20", "part-other 20"])
        #expect(bars[1].label == "Row 90.0ms (60%), Root: click 30.0ms (20%, event handlers), no view 30.0ms (20%)")
    }

    @Test("a chosen view says what helps")
    func advice() async throws {
        let advice: [String] = try await PageBrowser.ask(
            .twoProcesses(),
            """
            const said = [];
            for (const name of ["Row", "Root"]) {
              $$("#views-table [data-view]").find((button) => button.firstChild.textContent === name).click();
              await later();
              said.push(document.querySelector("#views-table .advice")?.textContent ?? "none");
            }
            return said;
            """)
        #expect(advice == ["What helps: 4 evaluations happened only because a parent was evaluated.", "none"])
    }
}
