// SPDX-License-Identifier: MIT
// The page in a browser: what it shows equals what it was given, by mouse, keyboard and screen reader.

import Foundation
import RerenderModel
import TestSupport
import Testing

@testable import RerenderTrace
@testable import TraceSupport

@Suite(.serialized, .enabled(if: PageBrowser.isInstalled, "needs chromium")) struct PageBrowserTests {
    private static func shop() -> ReportPage {
        var page = ReportPage.sample()
        page.addView("CartTotal", evaluations: 300, wasted: 290, took: 20_000)
        page.addView("ItemRow", evaluations: 700, wasted: 100, took: 4_000)
        page.addView("Clock", evaluations: 50, wasted: 0, took: 900_000, reason: "clock.now")
        page.causes = [
            .init(
                name: "ticker.tick", writers: [.init(writer: "Ticker.advance() Shop/Ticker.swift:40", count: 400)],
                views: [.init(view: 0, count: 300), .init(view: 1, count: 700)]),
            .init(name: "clock.now", views: [.init(view: 2, count: 50)]),
        ]
        page.hangs = [
            .init(
                process: 0, start: 200_000_000, duration: 300_000_000, view: "Clock", attribution: "in body",
                verdict: "running", inside: [.init(view: "Clock", amount: 900_000)], unattributed: 299_100_000),
            .init(
                process: 0, start: 700_000_000, duration: 260_000_000, view: "", attribution: "none", verdict: "blocked"
            ),
        ]
        page.doubles = [
            .init(process: 0, turn: 66, start: 650_000_000, again: 7, views: [.init(view: "ItemRow", amount: 7)])
        ]
        page.turns += (0..<100).map {
            .init(start: SampleTrace.origin + $0 * 10_000_000, duration: 3_000_000, lane: 0, amount: 9)
        }
        page.totals.turns = 100
        return page
    }

    @Test("the table of views has every number of the report, in the report's order")
    func table() async throws {
        struct Row: Decodable, Equatable {
            let key: String
            let values: [UInt64]
        }
        let page = Self.shop()
        let rows: [Row] = try await PageBrowser.ask(
            page,
            """
            return $$("#views-table tbody tr").map((row) => ({
              key: row.querySelector("th").textContent,
              values: Array.from(row.querySelectorAll("[data-value]"), (cell) => Number(cell.dataset.value)),
            }));
            """)
        let expected = page.views.map { view in
            Row(
                key: view.key,
                values: [
                    view.wastedNanoseconds, view.wasted, view.count, view.body.averageNanoseconds,
                    view.body.p95Nanoseconds, view.body.maxNanoseconds, view.selfNanoseconds,
                    view.body.totalNanoseconds,
                    view.hangs,
                ])
        }
        #expect(rows == expected)
    }

    @Test("totals, hangs, doubles, causes and times are in tables, as the report has them")
    func otherTables() async throws {
        let answer: [String: String] = try await PageBrowser.ask(
            Self.shop(),
            """
            const text = (selector) => $$(selector).map((cell) => cell.textContent.trim()).join(" | ");
            document.getElementById("times-details").open = true;
            return {
              totals: $$("[data-total]").map((cell) => cell.dataset.total + " " + cell.dataset.value).join(", "),
              hangs: text("#hangs-table tbody th, #hangs-table tbody td"),
              doubles: text("#doubles-table tbody th, #doubles-table tbody td"),
              causes: text("#causes-table tbody th, #causes-table tbody td"),
              times: text("#times-table tbody th, #times-table tbody td"),
              missing: text("#missing"),
            };
            """)
        #expect(
            answer["totals"]
                == "Evaluations 1050, Wasted 390, Wasted time 6200000, Body time 53800000, Turns 100, Hangs 2")
        #expect(
            answer["hangs"]
                == "0.200 s | 300ms |  | shop 4711 | Clock | in body | – | running | Clock 900µsno view 299ms | "
                + "0.700 s | 260ms | – | shop 4711 | none | none | – | blocked | no evaluation in the trace")
        #expect(answer["doubles"] == "66 | 0.650 s | shop 4711 | 7 | ItemRow 7")
        #expect(
            answer["causes"] == "ticker.tick | Ticker.advance() Shop/Ticker.swift:40 400 | ItemRow | 700 | "
                + "ticker.tick | Ticker.advance() Shop/Ticker.swift:40 400 | CartTotal | 300 | clock.now | – | Clock | 50"
        )
        #expect(
            answer["times"] == "Clock | 500µs to 1.00ms | 50 | CartTotal | 20.0µs to 50.0µs | 300 | "
                + "ItemRow | 2.00µs to 5.00µs | 700")
        #expect(answer["missing"]?.hasPrefix("The trace is whole") == true)
    }

    @Test("says the main reason of a view with its share, with a sign before a guess; without one nothing is known")
    func mainReasons() async throws {
        var page = Self.shop()
        page.views[0].mainReason = .init(reason: "tick", count: 200, isGuess: true)
        page.views[2].mainReason = nil
        let texts: [String] = try await PageBrowser.ask(
            page,
            """
            const column = $$("#views-table thead th").findIndex((head) => head.textContent.startsWith("Main reason"));
            return $$("#views-table tbody tr").map((row) => row.cells[column].textContent);
            """)
        #expect(texts == ["~tick 66%", "ticker.tick 100%", "–"])
    }

    @Test("rows that say nothing of their own are folded; a box shows them, and a search finds them")
    func folded() async throws {
        struct Answer: Decodable {
            let isHidden: Bool
            let label: String
            let rows: [[String]]
            let reasons: [String]
            let focused: String
        }
        let script = """
            const rows = () => $$("#views-table tbody th[scope=row]").map((head) => head.textContent), box = byID("views-all");
            const column = $$("#views-table thead th").findIndex((head) => head.textContent.startsWith("Main reason"));
            const reason = () => $$("#views-table tbody tr")[0].cells[column].textContent;
            const found = [rows()], reasons = [reason()];
            await type("clock");
            found.push(rows());
            await type("");
            box.click();
            found.push(rows());
            reasons.push(reason());
            box.click();
            found.push(rows());
            document.querySelector("#views-table [data-view]").click();
            reasons.push(reason());
            $$('[data-view="1"]').find((button) => !button.closest("#views-table")).click();
            reasons.push(reason());
            await press(box, "/");
            const folded = byID("views-folded");
            return { isHidden: folded.hidden, label: folded.textContent, rows: found, reasons, focused: document.activeElement.id };
            """
        var page = Self.shop()
        (page.folded, page.foldedText) = ([1, 2], "1 view only passes on what others caused and 1 was …")
        page.views[0].note = " (+2 children)"
        page.views[1].under = .init(view: 0, note: " (+1 child)")
        let answer: Answer = try await PageBrowser.ask(page, script)
        #expect(!answer.isHidden && answer.label.hasSuffix("Show all: " + page.foldedText))
        let all = page.views.map(\.key)
        #expect(answer.rows == [["CartTotal"], ["Clock"], all, ["CartTotal"]])
        let reasons = [" (+2 children)", "", " (+2 children)", " (+1 child)"].map { "ticker.tick 100%" + $0 }
        #expect(answer.reasons == reasons, "the chosen view has a row, and is not counted")
        #expect(answer.focused == "search", "nothing is typed into a box")
        let unfolded: Answer = try await PageBrowser.ask(Self.shop(), script)
        #expect(unfolded.isHidden && unfolded.rows == [all, ["Clock"], all, all])
    }

    @Test(
        "where the row of a view that is chosen no more is folded, the next row has the focus, or the last",
        arguments: [[1], [1, 2], []] as [[Int]])
    func focusAfterFolding(folded: [Int]) async throws {
        var page = Self.shop()
        page.folded = folded
        let focused: [String] = try await PageBrowser.ask(
            page,
            """
            const press = () => {
              const button = document.querySelector('#views-table [data-view="1"]');
              button.focus();
              button.click();
              return document.activeElement.dataset.view ?? document.activeElement.tagName;
            };
            $$('[data-view="1"]').find((button) => !button.closest("#views-table")).click();
            const chosen = $$("#views-table .chosen").length;
            return [String(chosen), press()];
            """)
        #expect(focused == ["1", folded.isEmpty ? "1" : folded == [1] ? "2" : "0"])
    }

    @Test("no name is broken inside a word, no empty column stands there, and no number lies on a label")
    func layout() async throws {
        struct Answer: Decodable {
            let heads: [String]
            let words: Int
            let broken: [String]
            let labels: Int
            let covered: [String]
        }
        var page = ReportPage.sample()
        let keys = ["GcalCalendarButton/GtkToggleButton", "GcalCalendarButton/GtkStack#icon_stack"]
        for (number, key) in keys.enumerated() {
            page.addView(key, evaluations: 7_200, wasted: 7_000, took: 20_000, reason: "layout for " + key)
            page.causes.append(.init(name: "layout for " + key, views: [.init(view: number, count: 7_200)]))
        }
        let answer: Answer = try await PageBrowser.ask(
            page,
            """
            const lines = (node) => {
              const range = document.createRange();
              range.selectNodeContents(node);
              return new Set(Array.from(range.getClientRects(), ({ top }) => Math.round(top))).size;
            };
            const words = $$("#views-table tbody bdi").flatMap((name) => Array.from(name.childNodes)).filter(({ nodeType }) => nodeType === 3);
            const nodes = $$("#causes-graph .node").map((node) => [node.querySelector(".name"), node.querySelector(".count")]);
            return {
              heads: $$("#views-table thead th").map((head) => head.textContent.replace(/ [▲▼]/, "")), words: words.length,
              broken: words.filter((word) => lines(word) > 1 && !word.data.trim().includes(" ")).map((word) => word.data), labels: nodes.length,
              covered: nodes.filter(([name, count]) => name.getBoundingClientRect().right > count.getBoundingClientRect().left).map(([name]) => name.textContent),
            };
            """)
        #expect(answer.heads.first == "View" && !answer.heads.contains("Source"), "no view has a place")
        #expect(answer.words >= 4 && answer.broken == [] && answer.labels == 4 && answer.covered == [])
    }

    @Test("says of hangs how long they took, and in how many the machine did not run the app")
    func starved() async throws {
        var page = Self.shop()
        (page.views[1].hangs, page.views[1].hangNanoseconds, page.views[1].starvedHangs) = (3, 1_200_000_000, 2)
        page.hangs[0].verdict = "starved"
        let texts: [String] = try await PageBrowser.ask(
            page,
            """
            const column = $$("#views-table thead th").findIndex((head) => head.textContent.startsWith("Hangs"));
            return [...$$("#views-table tbody tr").map((row) => row.cells[column].textContent), $$("#totals .more").at(-1).textContent];
            """)
        #expect(texts[1] == "3 · 1.20s, 2 without a processor" && texts[0] == "0", "\(texts)")
        #expect(texts.last == "longest 300ms, 1 without a processor", "\(texts)")
    }

    @Test("says what costs most, and leads to it; colours follow it")
    func verdict() async throws {
        struct Answer: Decodable {
            let texts: [String]
            let marked: [String]
            let chosen: String
            let isHidden: Bool
        }
        var page = Self.shop()
        page.findings = [
            .init(kind: .hangs, text: "Clock blocked the main loop once, for 300ms", view: 2),
            .init(kind: .notJudged, text: "ItemRow needs comparing: to be judged"),
        ]
        page.moreFindings = 2
        let script = """
            const texts = $$("#findings li").map((item) => item.firstChild.textContent);
            document.querySelector("#findings button")?.click();
            return {
              texts, marked: $$("#totals .bad dt, #totals .notice dt").map((item) => item.textContent),
              chosen: document.querySelector("#views-table .chosen th")?.textContent ?? "",
              isHidden: document.getElementById("verdict").hidden,
            };
            """
        let answer: Answer = try await PageBrowser.ask(page, script)
        #expect(answer.texts == page.findings.map(\.text) + ["and 2 more findings"])
        #expect(answer.marked == ["Hangs"] && answer.chosen == "Clock" && !answer.isHidden)
        page.findings = [.init(kind: .waste, text: "ItemRow wasted 400µs")]
        page.moreFindings = 0
        let wasteful: Answer = try await PageBrowser.ask(page, script)
        #expect(wasteful.marked == ["Wasted", "Wasted time"])
    }

    @Test("lists what main loops called in the columns of stats; without that there is no such section")
    func loops() async throws {
        struct Answer: Decodable {
            let isHidden: Bool
            let heads: String
            let rows: [String]
            let lines: [String]
            let rowHeads: [String]
            let sorted: [String]
            let found: [String]
            let hint: String
        }
        let script = """
            const rows = () => $$("#loops-table tbody tr").map((row) => Array.from(row.cells, (cell) => cell.textContent).join(" | "));
            const heads = () => $$("#loops-table thead th").map((head) => head.textContent);
            const answer = {
              isHidden: byID("loops").hidden, heads: heads().join(" | "), rows: rows(), lines: $$("#loops-lines li").map((line) => line.textContent),
              rowHeads: $$("#loops-table tbody th[scope=row]").map((head) => head.textContent), sorted: [], hint: byID("loops-hint").textContent,
            };
            const sort = () => $$("#loops-table thead button").find((button) => button.textContent.startsWith("Calls"))?.click();
            sort();
            sort();
            answer.sorted = rows().map((row) => row.split(" | ").at(-6));
            await type("ticker.swift");
            answer.found = rows();
            return answer;
            """
        var page = ReportPage.twoProcesses()
        page.moreSources = 1
        let answer: Answer = try await PageBrowser.ask(page, script)
        #expect(!answer.isHidden && answer.lines == page.mainLoops)
        #expect(answer.heads == "Process | What | Source | Calls | Rate | Core | CPU | Max | Thread")
        let clicked = "GtkButton#go: clicked → on_clicked() cases.c:41"
        let timer = "shop 4711 | timer | tick() Shop/Ticker.swift:40 | 100 | 10/s | ~0.5% | ~50.0ms | 1.00ms | worker"
        #expect(
            answer.rows == [
                "feed 4712 | handler | \(clicked) | 1,200 | 10/s | 2.0% | 200ms | 50.0ms | main", timer,
                "shop 4711 | others | others | 7 | – | – | – | – | main",
            ])
        #expect(answer.rowHeads == page.sources.map(\.name))
        #expect(answer.sorted == ["7", "100", "1,200"], "by a heading, at the second click the least first")
        #expect(answer.found == [timer])
        #expect(answer.hint.hasSuffix(" 1 further row is not listed."))
        let alone: Answer = try await PageBrowser.ask(Self.shop(), script)
        #expect(alone.isHidden && alone.rows.isEmpty && alone.lines.isEmpty)
    }

    @Test("says what is missing, below the verdict and above every figure")
    func missing() async throws {
        var page = Self.shop()
        page.missing = ["12 events were lost by the tracer.", "340 evaluations came before the trace."]
        let texts: [String] = try await PageBrowser.ask(
            page, "return $$('#missing:nth-child(2) li').map((item) => item.textContent);")
        #expect(texts == page.missing)
    }

    @Test("hostile names are shown as text, in the page, the search and the title")
    func hostileNames() async throws {
        struct Answer: Decodable {
            let keys: [String]
            let title: String
            let scripts: Int
            let owned: Bool
            let found: [Int]
        }
        var page = ReportPage.sample(title: "</title><script>window.owned = 1</script>")
        for (index, key) in HostileKeys.all.enumerated() {
            page.addView(key, evaluations: 2, wasted: 1, took: UInt64(1_000 - index), reason: key)
            page.causes.append(
                .init(name: key, writers: [.init(writer: key, count: 1)], views: [.init(view: index, count: 2)]))
            page.hangs.append(
                .init(
                    process: 0, start: 0, duration: 1_000, view: key, attribution: key, verdict: key,
                    inside: [.init(view: key, amount: 1)]))
        }
        page.missing = HostileKeys.all
        page.mainLoops = HostileKeys.all
        page.sources = HostileKeys.all.map { .init(process: 0, kind: $0, name: $0, thread: $0) }
        let answer: Answer = try await PageBrowser.ask(
            page,
            """
            const rows = () => $$("#views-table tbody tr:not(.expansion) th");
            const keys = rows().map((cell) => cell.textContent), found = [];
            for (const key of keys) {
              // A field of one line takes no more.
              await type(key.split(/[\\r\\n]/)[0].slice(0, 40));
              found.push(rows().length);
            }
            await type("");
            for (const button of $$("#views-table [data-view]").slice(0, 5)) { button.click(); await later(60); }
            return { keys, title: document.title, scripts: $$("script:not([type])").length, owned: "owned" in window, found };
            """)
        #expect(answer.keys == HostileKeys.all)
        #expect(answer.title == page.title + " – Rerender report")
        #expect(answer.scripts == 2, "the page's own and the question")
        #expect(!answer.owned)
        #expect(answer.found.allSatisfy { $0 >= 1 })
    }

    @Test("ten thousand views: the table is short until all are asked for, and the search finds the last")
    func manyViews() async throws {
        var page = ReportPage.sample()
        for index in 0..<10_000 {
            page.addView("View\(index)", evaluations: 1, wasted: 0, took: UInt64(100_000 - index))
        }
        struct Answer: Decodable {
            let rows: Int
            let rest: String
            let found: [String]
            let status: String
            let all: Int
        }
        let answer: Answer = try await PageBrowser.ask(
            page,
            """
            const rows = () => $$("#views-table tbody tr th");
            const before = rows().length, rest = document.querySelector("#views-table .rest").firstChild.textContent;
            await type("view9999");
            const found = rows().map((cell) => cell.textContent);
            const status = document.getElementById("search-result").textContent;
            await type("");
            $$("#views-table .rest button").pop().click();
            return { rows: before, rest, found, status, all: rows().length };
            """)
        #expect(answer.rows == 25)
        #expect(answer.rest.hasPrefix("25 of 10,000 rows"))
        #expect(answer.found == ["View9999"])
        #expect(answer.status == "1 of 10,000 views")
        #expect(answer.all == 10_000)
    }
}
