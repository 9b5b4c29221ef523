// SPDX-License-Identifier: MIT
// The page by the pointer: cards, thin marks, the wheel, spans and the strip.

import TestSupport
import Testing

@testable import RerenderTrace
@testable import TraceSupport

@Suite(.serialized, .enabled(if: PageBrowser.isInstalled, "needs chromium")) struct PagePointerTests {
    @Test("a card beside the pointer says what a mark is, and goes away; what is not known is no 0")
    func card() async throws {
        let answer: [String] = try await PageBrowser.ask(
            .twoProcesses(),
            """
            const lanes = byID("lanes-canvas"), card = byID("card"), said = [];
            const say = () => said.push(card.hidden ? "none" : Array.from(card.querySelectorAll("b, dt, dd"), (part) => part.textContent).join("|"));
            say();
            for (const [row, time] of [["Root", 104e6], ["Row", 103e6], ["hangs", 900e6], ["main-loop turns", 205e6], ["writes", 300e6], ["Root", 160e6]]) {
              await point(lanes, "pointermove", placeOf(row, time));
              say();
            }
            await point(lanes, "pointermove", { x: 20, y: placeOf("Root", 0).y });
            say();
            const place = placeOf("Root", 104e6), frame = lanes.getBoundingClientRect();
            await point(lanes, "pointermove", place);
            const box = card.getBoundingClientRect(), [x, y] = [frame.left + place.x, frame.top + place.y];
            said.push(x > box.left && x < box.right && y > box.top && y < box.bottom ? "covers the pointer" : "beside the pointer");
            await press(document.body, "Escape");
            say();
            await point(lanes, "pointermove", place);
            await point(byID("lanes"), "pointerleave", place);
            say();
            return said;
            """)
        let root = "Root|Reason|shop.ticker.tick|At|0.101 s|Body|8.00ms|Self|5.00ms|Wasted|–|Written by|"
        let expected = [
            "none", root + "advance() Shop/Ticker.swift:40, 1.00ms before|Thread|4711|Place|Shop/Root.swift:3",
            "Row|Reason|parent: Root|At|0.102 s|Body|3.00ms|Self|3.00ms|Wasted|yes|Written by|"
                + "advance() Shop/Ticker.swift:40, 2.00ms before|Thread|4711|Place|Shop/Row.swift:7",
            "Hang|At|0.820 s|Took|150ms|Attributed to|Row (share)|Main thread|running|Made of|"
                + "Row 90.0ms (60%); Root: click 30.0ms (20%, event handlers); no view 30.0ms (20%)",
            "Turn of the main loop|At|0.200 s|Took|10.0ms|Evaluations|2",
            "Write of Ticker.tick|At|0.300 s|By|advance() Shop/Ticker.swift:40|Invalidated|1 view", "none",
            "Root|Place|Shop/Root.swift:3|Evaluations|8|Wasted|–|Body time|0|Hangs|0", "beside the pointer", "none",
            "none",
        ]
        #expect(answer == expected)
    }

    @Test("a mark of less than a pixel is hit within 3 pixels on either side, and not further away")
    func thinMarks() async throws {
        let hits: [Bool] = try await PageBrowser.ask(
            .twoProcesses(),
            """
            const lanes = byID("lanes-canvas"), choice = byID("process"), hits = [];
            choice.value = "1";
            choice.dispatchEvent(new Event("change"));
            await later();
            for (const by of [-5, -2.9, -1, 0, 1, 2.9, 5]) {
              const { x, y } = placeOf("Clock", 250e6);
              await point(lanes, "pointermove", { x: x + by, y });
              hits.push(!byID("card").hidden);
            }
            return hits;
            """)
        #expect(hits == [false, true, true, true, true, true, false])
    }

    @Test("with Ctrl the wheel zooms at the pointer, with Shift it moves, and alone it is left to the browser")
    func wheel() async throws {
        struct Answer: Decodable {
            let spans: [[Int]]
            let isTaken: [Bool]
        }
        let answer: Answer = try await PageBrowser.ask(
            .twoProcesses(),
            """
            const lanes = byID("lanes-canvas"), spans = [], isTaken = [];
            const turn = async (more) => {
              const event = await point(lanes, "wheel", placeOf("Root", 250e6), more);
              isTaken.push(event.defaultPrevented);
              spans.push(visible());
            };
            await turn({ deltaY: 200 });
            await turn({ deltaY: -400, ctrlKey: true });
            await turn({ deltaY: 120, shiftKey: true });
            return { spans, isTaken };
            """)
        #expect(answer.isTaken == [false, true, true])
        // A factor of 1.0015⁻⁴⁰⁰ around 250 ms.
        #expect(answer.spans[0] == [0, 1_000] && answer.spans[1] == [113, 662])
        #expect(answer.spans[2][0] > 113 && abs(answer.spans[2][1] - answer.spans[2][0] - 549) <= 1)
    }

    @Test("W and S zoom at the pointer, A and D move, as in Perfetto; with Ctrl they are left to the browser")
    func letters() async throws {
        let spans: [[Int]] = try await PageBrowser.ask(
            .twoProcesses(),
            """
            const lanes = byID("lanes"), spans = [];
            await press(lanes, "w");
            spans.push(visible());
            await press(lanes, "s");
            await point(byID("lanes-canvas"), "pointermove", placeOf("Root", 200e6));
            for (const key of ["w", "d", "a", "D", "s", "0"]) {
              await press(lanes, key, { shiftKey: key === "D" });
              spans.push(visible());
            }
            await press(lanes, "w", { ctrlKey: true });
            spans.push(visible());
            // Without the focus, while the pointer is there, and not afterwards or in a field.
            await press(document.body, "w");
            spans.push(visible());
            await press(byID("search"), "w");
            await point(byID("lanes"), "pointerleave", { x: 0, y: 0 });
            await press(document.body, "w");
            spans.push(visible());
            return spans;
            """)
        // The first one has no pointer, and zooms around the middle.
        let expected = [
            [250, 750], [100, 600], [150, 650], [100, 600], [350, 850], [0, 1_000], [0, 1_000], [0, 1_000],
            [100, 600], [100, 600],
        ]
        #expect(spans == expected)
    }

    @Test("dragging selects a span and shows its sums; a key selects, zooms to it and clears it; Shift and a drag move")
    func span() async throws {
        let answer: [String] = try await PageBrowser.ask(
            .twoProcesses(),
            """
            const lanes = byID("lanes"), canvas = byID("lanes-canvas"), said = [];
            const say = () => said.push(byID("span").hidden ? "none" : $$("#span-text [data-sum]").map((sum) => sum.dataset.sum + " " + sum.textContent).join(", "));
            say();
            await drag(canvas, placeOf("Root", 90e6), placeOf("Row", 350e6));
            say();
            said.push(byID("span-text").textContent.slice(0, 45));
            await drag(canvas, placeOf("Root", 180e6), placeOf("Root", 215e6));
            say();
            await press(lanes, "h");
            await press(lanes, "m");
            say();
            await press(lanes, "0");
            await press(lanes, "f");
            said.push(visible().join(" to "));
            await press(lanes, "Escape");
            say();
            await drag(canvas, placeOf("Root", 850e6), placeOf("Root", 890e6), { shiftKey: true });
            said.push(visible().join(" to "));
            say();
            return said;
            """)
        let expected = [
            "none", "Evaluations 6, Self time 24.0ms, Wasted 2 · 33%, Wasted time 6.00ms, Hangs 0",
            "Selected 0.090 s to 0.350 s, 260ms of shop 47",
            "Evaluations 2, Self time 8.00ms, Wasted –, Wasted time –, Hangs 0",
            "Evaluations 0, Self time 0, Wasted –, Wasted time –, Hangs 1, 150ms of the span", "820 to 970", "none",
            "780 to 930", "none",
        ]
        #expect(answer == expected)
    }

    @Test(
        "dragging in the strip chooses the visible time, moves it and its edges; the strip begins and ends where the lanes do"
    )
    func strip() async throws {
        struct Answer: Decodable {
            let isAligned: Bool
            let spans: [[Int]]
        }
        let answer: Answer = try await PageBrowser.ask(
            .twoProcesses(),
            """
            const strip = byID("overview"), spans = [];
            const left = (id) => byID(id).getBoundingClientRect().left;
            // Draws, which may make room for a scroll bar: measured from then on.
            placeOf("Root", 0);
            const isAligned = [0, 1e9].every((time) => Math.abs(left("overview") + inStrip(time).x - left("lanes-canvas") - placeOf("Root", time).x) < 0.5);
            const go = async (from, to) => { await drag(strip, inStrip(from), inStrip(to)); spans.push(visible()); };
            await go(200e6, 400e6);
            await go(300e6, 350e6);
            await go(450e6, 600e6);
            await go(250e6, 500e6);
            await go(800e6, 700e6);
            await point(strip, "pointerdown", inStrip(300e6));
            await point(strip, "pointerup", inStrip(300e6));
            spans.push(visible());
            return { isAligned, spans };
            """)
        #expect(answer.isAligned)
        // Chosen, moved, its end, its beginning, chosen backwards, and a press that goes there.
        #expect(answer.spans == [[200, 400], [250, 450], [250, 600], [500, 600], [700, 800], [250, 350]])
    }
}
