// SPDX-License-Identifier: MIT
// What the reader chose: kept in the address, one process at a time, pinned rows.

import TestSupport
import Testing

@testable import RerenderTrace
@testable import TraceSupport

@Suite(.serialized, .enabled(if: PageBrowser.isInstalled, "needs chromium")) struct PageStateTests {
    private static let describe = """
        const describe = () => [visible().join(" to "), byID("process").selectedOptions[0].textContent, document.querySelector("#views-table .chosen th bdi")?.textContent ?? "no view",
          byID("span").hidden ? "no span" : byID("span-text").textContent.slice(0, 37), rowNames().join(), byID("search").value, cursor()];
        """

    @Test("the address keeps the state: reloading, a shared link and going back bring it back")
    func address() async throws {
        struct Answer: Decodable {
            let address: String
            let state: [String]
            let again: [String]
        }
        let page = ReportPage.twoProcesses()
        let first: Answer = try await PageBrowser.ask(
            page,
            Self.describe + """
                const lanes = byID("lanes"), canvas = byID("lanes-canvas");
                $$("#views-table [data-view]").find((button) => button.textContent.includes("Root")).click();
                await drag(canvas, placeOf("Root", 90e6), placeOf("Root", 350e6));
                await point(canvas, "pointerdown", placeOf("Row", 303e6));
                await point(canvas, "pointerup", placeOf("Row", 303e6));
                await press(lanes, "p");
                await press(lanes, "w");
                await later(1000);
                const address = location.hash, state = describe();
                location.hash = "time=0-500000000&process=4712";
                await later(1000);
                location.hash = address;
                await later(1000);
                return { address, state, again: describe() };
                """)
        #expect(first.again == first.state)
        #expect(first.state[0] != "0 to 1000" && first.state[2] == "Root" && first.state[3].hasPrefix("Selected 0.09"))
        #expect(
            first.state[4] == "Row,hangs,main-loop turns,writes,Root"
                && first.state[6].contains("Row. Evaluation at 0.30"))
        let state: [String] = try await PageBrowser.ask(
            page, address: first.address, Self.describe + "return describe();")
        #expect(state == first.state)
    }

    @Test("an address of something else, or a hostile one, does nothing")
    func foreignAddress() async throws {
        for address in [
            "#timeline", "#time=9-3&process=1&view=%3Cscript%3E&span=x-y&pin=a&pin=__proto__&at=view-99999-1",
            "#=&time=1e9-2e9",
        ] {
            let state: [String] = try await PageBrowser.ask(
                .twoProcesses(), address: address,
                "return [visible().join(\" to \"), rowNames().join(), String(byID(\"span\").hidden), byID(\"process\").selectedOptions[0].textContent];"
            )
            #expect(state == ["0 to 1000", "hangs,main-loop turns,writes,Row,Root", "true", "shop 4711"])
        }
    }

    @Test("shows the process that costs most, another by the switch or with one of its views, or all")
    func process() async throws {
        let rows: [String] = try await PageBrowser.ask(
            .twoProcesses(),
            """
            const said = [rowNames().join()], choice = byID("process");
            for (const value of ["1", "-1"]) {
              choice.value = value;
              choice.dispatchEvent(new Event("change"));
              await later();
              said.push(rowNames().join());
            }
            choice.value = "0";
            choice.dispatchEvent(new Event("change"));
            $$("#views-table [data-view]").find((button) => button.textContent.includes("Clock")).click();
            await later();
            said.push(choice.selectedOptions[0].textContent, rowNames().join());
            $$("#hangs-table tbody button")[1].click();
            await later();
            said.push(choice.selectedOptions[0].textContent, cursor().slice(0, 17));
            return said;
            """)
        let (shop, feed) = ("hangs,main-loop turns,writes,Row,Root", "hangs,main-loop turns,Clock")
        let expected = [
            shop, feed, "shop 4711,\(shop),feed 4712,\(feed)", "feed 4712", feed, "shop 4711", "Row 1 of 5: hangs",
        ]
        #expect(rows == expected)
    }

    @Test("a page of one process has no switch")
    func oneProcess() async throws {
        var page = ReportPage.sample()
        page.addView("Cart", evaluations: 1, wasted: 0, took: 1_000)
        let isHidden: Bool = try await PageBrowser.ask(page, "return byID(\"process-switch\").hidden;")
        #expect(isHidden)
    }

    @Test("a hang is red through the rows of its own process, and through no other's")
    func bands() async throws {
        let colours: [String] = try await PageBrowser.ask(
            .twoProcesses(),
            """
            byID("process").value = "-1";
            byID("process").dispatchEvent(new Event("change"));
            await later();
            // At 520 ms only the second process hangs, at 880 ms only the first.
            return [["Root", 480e6], ["Root", 520e6], ["Root", 880e6], ["Clock", 480e6], ["Clock", 520e6], ["Clock", 880e6]].map(([row, time]) => colourAt(placeOf(row, time)));
            """)
        #expect(colours[1] == colours[0] && colours[2] != colours[0])
        #expect(colours[4] != colours[3] && colours[5] == colours[3])
    }

    @Test("pinned rows stand above the others, of any process and while they scroll; there are at most eight")
    func pins() async throws {
        var page = ReportPage.twoProcesses()
        for index in 0..<60 { page.views.append(.init(key: "More\(index)", process: 0)) }
        let answer: [String] = try await PageBrowser.ask(
            page,
            """
            const lanes = byID("lanes"), said = [];
            await press(lanes, "ArrowDown");
            await press(lanes, "p");
            said.push(rowNames().slice(0, 5).join(), cursor().slice(0, 18));
            const before = placeOf("Root", 0).y, other = placeOf("Row", 0).y;
            lanes.scrollTop = 200;
            await later();
            colourAt({ x: 0, y: 0 });
            said.push(placeOf("Root", 0).y === before ? "stays" : "scrolls", placeOf("Row", 0).y === other ? "stays" : "scrolls");
            byID("process").value = "1";
            byID("process").dispatchEvent(new Event("change"));
            await later();
            said.push(rowNames().join());
            await press(lanes, "p");
            said.push(rowNames().join());
            byID("process").value = "0";
            byID("process").dispatchEvent(new Event("change"));
            await later();
            for (let times = 0; times < 12; times++) {
              await press(lanes, "PageDown");
              await press(lanes, "p");
            }
            said.push(String(location.hash.split("pin=").length - 1));
            return said;
            """)
        #expect(
            answer[0...5] == [
                "Root,hangs,main-loop turns,writes,Row", "Row 1 of 65: Root,", "stays", "scrolls",
                "Root,hangs,main-loop turns,Clock",
                "hangs,main-loop turns,Clock",
            ])
        #expect(Int(answer[6]).map { (1...8).contains($0) } == true)
    }
}
