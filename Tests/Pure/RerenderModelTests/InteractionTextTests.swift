// SPDX-License-Identifier: MIT
// The sentences about interactions, and from when on one is a fault.

import RerenderModel
import Testing

@Suite("Interactions")
struct InteractionTextTests {
    private static let start = Timestamp(nanosecondsSince1970: 1_000_000_000_000)
    private static let millisecond: UInt64 = 1_000_000

    private static func after(_ seconds: Int64) -> Timestamp {
        Timestamp(nanosecondsSince1970: start.nanosecondsSince1970 + seconds * 1_000_000_000)
    }

    /// A click whose handler took 180 ms, and the layout that it led to 95 ms.
    private static func click(
        on view: String = "GtkButton#save", milliseconds: UInt64 = 310, presentation: UInt64 = 0,
        writer: String? = "on_save() app.c:41", at time: Timestamp = after(3)
    ) -> WidgetFact {
        var (fact, interaction) = (
            WidgetFact(.interaction, view: view), WidgetFact.Interaction(.click, at: time)
        )
        fact.writer = writer
        (fact.numbers.nanoseconds, fact.numbers.count, fact.numbers.of) = (milliseconds * millisecond, 4, 12)
        (fact.numbers.longest, fact.numbers.longestOf) = (180 * millisecond, 182 * millisecond)
        interaction.layout = 95 * millisecond
        interaction.presentation = presentation * millisecond
        fact.interaction = interaction
        return fact
    }

    private static func store(_ facts: [WidgetFact]) -> ProcessStats {
        var store = ProcessStats(pid: 7, name: "shop", store: "main", storeNumber: 0, startedAt: start)
        (store.mainLoop, store.kind, store.evaluations) = (.glib, .widgets, 1)
        store.loop = LoopStats(LoopTotals(), facts: facts)
        return store
    }

    private static func findings(_ facts: [WidgetFact]) -> [Verdict.Finding] {
        (VerdictBuilder.verdict(of: [store(facts)])?.findings ?? []).filter { $0.kind == .interactions }
    }

    @Test("say what took the time to the frame, the largest part first, and leave out what took little")
    func sentence() {
        let head = "click on GtkButton#save took 310ms to the frame: "
        #expect(
            InteractionText.sentence(Self.click())
                == head + "on_save() app.c:41 180ms, layout 95.0ms, the rest 33.0ms")
        #expect(
            InteractionText.sentence(Self.click(writer: nil))
                == head + "sources and handlers 182ms, layout 95.0ms, the rest 33.0ms")
        var among = Self.click()
        among.numbers.longestOf += 20 * Self.millisecond
        #expect(
            InteractionText.sentence(among)
                == head
                + "on_save() app.c:41 180ms, layout 95.0ms, other sources and handlers 22.0ms, the rest 13.0ms")
        #expect(
            InteractionText.sentence(Self.click(presentation: 33))
                == head + "on_save() app.c:41 180ms, layout 95.0ms, presentation 33.0ms")
        var gone = Self.click()
        gone.numbers = WidgetFact.Numbers()
        #expect(InteractionText.sentence(gone) == nil && InteractionText.sentence(WidgetFact(.anew, view: "a")) == nil)
    }

    @Test("are listed from 50 ms on and since a moment, the slowest first, with the program and the counts")
    func lines() {
        let store = Self.store([
            Self.click(milliseconds: 49), Self.click(on: "GtkButton#a", milliseconds: 50, at: Self.after(9)),
            Self.click(),
        ])
        let lines = InteractionText.lines([store])
        #expect(lines.count == 2 && lines.first?.hasPrefix("shop[7] click on GtkButton#save took 310ms") == true)
        #expect(lines.allSatisfy { $0.hasSuffix("; 12 writes, 4 drawings") })
        #expect(InteractionText.lines([store], since: Self.after(4)).count == 1)
    }

    @Test("say how many slow ones were dropped, and of a time how many at most")
    func dropped() {
        let numbers: [UInt64] = [3, 9, 10, 12]
        let facts = numbers.map { number -> WidgetFact in
            var fact = Self.click(at: Self.after(Int64(number)))
            fact.numbers.same = number
            return fact
        }
        let store = Self.store(facts + [Self.click()])
        func last(since: Timestamp? = nil, until: Timestamp? = nil) -> String? {
            InteractionText.lines([store], since: since, until: until).last
        }
        let kept = "; the 8 slowest and the 8 newest are kept"
        #expect(last() == "shop[7] 8 others of 200 ms or more were dropped" + kept)
        #expect(last(since: Self.after(4)) == "shop[7] up to 6 others of 200 ms or more were dropped" + kept)
        #expect(last(since: Self.after(10)) == "shop[7] up to 1 other of 200 ms or more was dropped" + kept)
        #expect(last(until: Self.after(3)) == "shop[7] up to 7 others of 200 ms or more were dropped" + kept)
        #expect(last(since: Self.after(13)) == nil)
        #expect(store.loop?.slowInteractions == 12)
    }

    @Test("are a fault from 200 ms on without the compositor's part, one for each widget")
    func verdict() throws {
        let found = Self.findings([Self.click(), Self.click(milliseconds: 220), Self.click(on: "GtkEntry")])
        #expect(found.map { $0.view?.rawValue } == ["GtkButton#save", "GtkEntry"])
        let save = try #require(found.first)
        #expect(save.text.hasPrefix("click on GtkButton#save took 310ms to the frame: on_save() app.c:41 180ms"))
        #expect(save.kind.isMarked && save.count == 2 && save.source == "on_save() app.c:41")
        #expect(save.short == "on_save() app.c:41: 310ms to the frame")
        #expect(Self.findings([Self.click(milliseconds: 200)]).count == 1)
        #expect(Self.findings([Self.click(milliseconds: 199)]).isEmpty)
        #expect(Self.findings([Self.click(milliseconds: 250, presentation: 51)]).isEmpty)
    }
}
