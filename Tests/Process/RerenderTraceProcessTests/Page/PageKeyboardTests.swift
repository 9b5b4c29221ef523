// SPDX-License-Identifier: MIT
// The page without a mouse, and for a screen reader.

import TestSupport
import Testing

@testable import RerenderTrace
@testable import TraceSupport

@Suite(.serialized, .enabled(if: PageBrowser.isInstalled, "needs chromium")) struct PageKeyboardTests {
    private static func page() -> ReportPage {
        var page = ReportPage.sample()
        page.addView("CartTotal", evaluations: 10, wasted: 9, took: 20_000)
        page.addView("ItemRow", evaluations: 20, wasted: 0, took: 4_000)
        page.causes = [.init(name: "ticker.tick", views: [.init(view: 0, count: 10), .init(view: 1, count: 20)])]
        page.reasons = ["", "ticker.tick"]
        page.evaluations.edit { for index in $0.indices { $0[index].reason = 1 } }
        page.hangs = [
            .init(
                process: 0, start: 500_000_000, duration: 260_000_000, view: "CartTotal", attribution: "share",
                verdict: "blocked")
        ]
        return page
    }

    @Test("the keys of the timeline go from row to row and from one evaluation to the next, and say where they are")
    func timelineKeys() async throws {
        let lines: [String] = try await PageBrowser.ask(
            Self.page(),
            """
            const lanes = document.getElementById("lanes"), said = [];
            const say = () => said.push(document.getElementById("cursor").textContent);
            lanes.focus();
            say();
            for (const key of ["ArrowDown", "ArrowUp", ".", ".", ",", "Enter", "0", "h", "Escape", "ArrowUp", "ArrowDown", "ArrowDown"]) {
              await press(lanes, key);
              say();
            }
            return said;
            """)
        let first =
            "Evaluation at 0.001 s, body 20.0µs, whole probe 20.0µs, because of ticker.tick, wasted; thread 4711."
        let expected = [
            "Row 2 of 3: CartTotal, 10 evaluations begin in the visible time, 9 of them wasted.",
            "Row 3 of 3: ItemRow, 20 evaluations begin in the visible time, no waste known.",
            "Row 2 of 3: CartTotal, 10 evaluations begin in the visible time, 9 of them wasted.",
            "Row 2 of 3: CartTotal. " + first,
            "Row 2 of 3: CartTotal. " + first.replacing("0.001 s", with: "0.002 s"),
            "Row 2 of 3: CartTotal. " + first,
            "Row 2 of 3: CartTotal. " + first.replacing("0.001 s", with: "0.001000 s"),
            "Row 2 of 3: CartTotal. " + first,
            "Row 1 of 3: hangs. Hang at 0.500 s, 260ms, attributed to CartTotal (share), blocked.",
            "Row 1 of 3: hangs, 1 hang.",
            "Row 1 of 3: hangs, 1 hang.",
            "Row 2 of 3: CartTotal, 0 evaluations begin in the visible time, no waste known.",
            "Row 3 of 3: ItemRow, 0 evaluations begin in the visible time, no waste known.",
        ]
        #expect(lines == expected)
    }

    @Test("the table of the visible time has all evaluations at first, and what is left of them further in")
    func range() async throws {
        let counts: [Int] = try await PageBrowser.ask(
            Self.page(),
            """
            document.getElementById("range").open = true;
            await later();
            const sum = () => $$("#range-table tbody tr").reduce((sum, row) => sum + Number(row.querySelector("[data-value]").dataset.value), 0);
            const counts = [sum()], lanes = document.getElementById("lanes");
            await press(lanes, "Home");
            for (let times = 0; times < 5; times++) await press(lanes, "+");
            await press(lanes, "Home");
            counts.push(sum());
            await press(lanes, "End");
            counts.push(sum());
            for (let times = 0; times < 6; times++) await press(lanes, "-");
            counts.push(sum());
            return counts;
            """)
        // 1 s halved five times: 31 ms from the beginning, in which all are; none at the end.
        #expect(counts == [30, 30, 0, 30])
    }

    @Test("'/' goes to the search, '?' lists the keys, and neither is taken from someone who types")
    func pageKeys() async throws {
        let answer: [Bool] = try await PageBrowser.ask(
            Self.page(),
            """
            const search = document.getElementById("search"), help = document.getElementById("help");
            await press(document.body, "/");
            const isSearching = document.activeElement === search;
            await press(search, "?");
            const isStillClosed = !help.open;
            search.blur();
            await press(document.body, "?");
            const listed = $$("#help-keys kbd").map((key) => key.textContent).join(" ");
            return [isSearching, isStillClosed, help.open, ["ArrowUp", "ArrowLeft", "+ or =", "h", "Enter", "/"].every((key) => listed.includes(key))];
            """)
        #expect(answer == [true, true, true, true])
    }

    @Test("choosing a view marks it everywhere, shows its reasons, and leaves the focus on what was pressed")
    func choice() async throws {
        let answer: [String] = try await PageBrowser.ask(
            Self.page(),
            """
            const button = $$("#views-table [data-view]").find((button) => button.textContent === "ItemRow");
            button.focus();
            button.click();
            await later();
            const focused = document.activeElement;
            return [focused.textContent, focused.getAttribute("aria-pressed"), focused.closest("section").id,
              document.querySelector("#views-table .expansion b").textContent, document.querySelector("#histograms li.chosen button").textContent,
              $$(".node.chosen").map((node) => node.querySelector(".name").textContent).join(), document.getElementById("cursor").textContent.slice(0, 21)];
            """)
        #expect(answer[0...4] == ["ItemRow", "true", "wasted", "ItemRow", "ItemRow"])
        #expect(answer[5] == "\u{2068}ItemRow\u{2069}")
        #expect(answer[6] == "Row 3 of 3: ItemRow, ")
    }

    @Test(
        "everything that can be pressed is reached by the Tab key and has a name; pictures have words; tables have captions and heads"
    )
    func accessible() async throws {
        struct Answer: Decodable {
            let nameless: [String]
            let unreachable: [String]
            let wordless: [String]
            let tables: [String]
            let headings: [String]
            let landmarks: Int
            let unlit: [String]
        }
        let answer: Answer = try await PageBrowser.ask(
            Self.page(),
            """
            for (const details of $$("details")) details.open = true;
            await later();
            const what = (element) => element.outerHTML.slice(0, 120);
            const name = (element) => (element.getAttribute("aria-label") ?? element.textContent).trim() || (element.labels?.[0]?.textContent ?? "");
            for (const key of [".", "m"]) await press(document.getElementById("lanes"), key);
            const pressable = $$("button, input, select, summary, a[href], [tabindex='0']");
            const unlit = [];
            for (const element of pressable.filter((element) => element.checkVisibility())) {
              element.focus({ focusVisible: true });
              const style = getComputedStyle(element), inner = element.querySelector("rect");
              if (style.outlineStyle === "none" && !(inner && getComputedStyle(inner).strokeWidth === "3px")) unlit.push(what(element));
            }
            return {
              nameless: pressable.filter((element) => name(element) === "").map(what),
              unreachable: pressable.filter((element) => element.tabIndex < 0).map(what),
              wordless: $$("canvas, svg").filter((picture) => picture.getAttribute("aria-hidden") !== "true" && !picture.getAttribute("aria-label")).map(what),
              tables: $$("table").filter((table) => !table.caption || !table.querySelector("th[scope=col]") || !table.querySelector("th[scope=row]")).map(what),
              headings: $$("h1, h2").map((heading) => heading.tagName + " " + heading.textContent),
              landmarks: $$("main, header, footer, [role=search]").length,
              unlit,
            };
            """)
        #expect(answer.nameless.isEmpty)
        #expect(answer.unreachable.isEmpty)
        #expect(answer.wordless.isEmpty)
        #expect(answer.tables.isEmpty)
        #expect(answer.unlit.isEmpty)
        #expect(answer.landmarks == 4)
        #expect(
            answer.headings.filter { !$0.hasSuffix("Keys") } == [
                "H1 Rerender report", "H2 What costs most", "H2 Totals", "H2 Timeline", "H2 Views by cost",
                "H2 Sources and handlers", "H2 What causes evaluations", "H2 How long bodies take", "H2 Hangs",
                "H2 Evaluated more than once in a turn",
                "H2 Compared with an older recording",
            ])
    }

    @Test("the switch makes it dark or light whatever the system says")
    func theme() async throws {
        let colours: [String] = try await PageBrowser.ask(
            Self.page(),
            """
            const choice = document.getElementById("theme"), colours = [];
            for (const theme of ["light", "dark"]) {
              choice.value = theme;
              choice.dispatchEvent(new Event("change"));
              await later();
              colours.push(getComputedStyle(document.body).backgroundColor);
              const pixel = document.getElementById("lanes-canvas").getContext("2d").getImageData(4, 4, 1, 1).data;
              colours.push(Array.from(pixel.slice(0, 3)).join(" "));
            }
            return colours;
            """)
        #expect(colours == ["rgb(244, 245, 247)", "255 255 255", "rgb(20, 22, 26)", "28 31 37"])
    }
}
