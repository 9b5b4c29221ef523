// SPDX-License-Identifier: MIT
// What the HUD reads from the stores of its process.

import Rerender
import RerenderModel
import Testing

@testable import RerenderGTK

#if RERENDER_GTK
    @Suite("What the HUD reads from stores", .serialized) struct StoresSourceTests {
        /// The content of the store of a name.
        private func content(
            _ name: String, of source: StoresSource, expanded: String? = nil, showsAll: Bool = false
        ) throws -> HUDContent {
            // Stores of other tests come and go between the two.
            while true {
                let first = source.content(store: 0, expanded: nil, showsAll: showsAll)
                let place = try #require(first.stores.firstIndex(of: name))
                let content = source.content(store: place, expanded: expanded, showsAll: showsAll)
                if content.stores.indices.contains(place), content.store == place, content.stores[place] == name {
                    return content
                }
            }
        }

        @Test("Rows have the counts, most first, with the most frequent reason and its share")
        func rows() throws {
            let store = RerenderStore(name: "rows")
            for round in 0..<4 { store.evaluate("Often", reason: round == 0 ? "open" : "tick") {} }
            store.evaluate("Once", reason: "open") {}
            let content = try content("rows", of: StoresSource())
            #expect(content.rows.map(\.key) == ["Often", "Once"])
            #expect(content.rows.map(\.count) == [4, 1])
            #expect(content.rows.map(\.why) == ["tick 75%", "open"])
            #expect(content.rows.allSatisfy { $0.rate == nil })
            withExtendedLifetime(store) {}
        }

        @Test("What goes on without input for a short time is looked at until it has ended, and what lasted is not")
        func idle() {
            func isLookedAt(_ seconds: UInt64, endedBefore: Int64) -> Bool {
                var totals = LoopTotals()
                totals.frames.nanoseconds = seconds * 1_000_000_000
                totals.frames.latestAt = Timestamp(nanosecondsSince1970: (100 - endedBefore) * 1_000_000_000)
                let now = Timestamp(nanosecondsSince1970: 100_000_000_000)
                return StoresSource.endsByItself(LoopStats(totals), at: now)
            }
            #expect(isLookedAt(6, endedBefore: 0) && !isLookedAt(6, endedBefore: 60))
            #expect(!isLookedAt(4, endedBefore: 0) && !isLookedAt(20, endedBefore: 0))
        }

        @Test("What may be missing from a store's counts is read beside whatever costs most")
        func gaps() throws {
            let store = RerenderStore(name: "gaps")
            store.evaluate("Row", reason: "tick") {}
            // Those of the process are every store's, such as that of another test's main loop.
            let before = try content("gaps", of: StoresSource()).gaps
            store.noteGap("framework Kit", "the protocol View of Kit is not known")
            let added = try content("gaps", of: StoresSource()).gaps.filter { !before.contains($0) }
            #expect(added == ["the protocol View of Kit is not known"])
            withExtendedLifetime(store) {}
        }

        @Test("A reason that comparing values found has a sign before it; initial counts as any other")
        func guesses() throws {
            struct Row { let tick: Int }
            let store = RerenderStore(name: "guesses")
            for tick in 0..<4 { store.evaluate("Passed", of: Row(tick: tick), instance: 1) {} }
            for number in 0..<9 as Range<UInt64> { store.evaluate("Many", instance: InstanceID(number)) {} }
            store.evaluate("Many", instance: 1, reason: "open") {}
            let content = try content("guesses", of: StoresSource(), expanded: "Passed")
            let why = Dictionary(uniqueKeysWithValues: content.rows.map { ($0.key, $0.why) })
            #expect(why == ["Passed": "~tick 75%", "Many": "initial 90%"])
            #expect(content.details?.reasons == [HUDReason("~tick", count: 3), HUDReason("initial", count: 1)])
            withExtendedLifetime(store) {}
        }

        @Test("Rows of views that were drawn only because one in them was are folded under that one, as in tables")
        func own() throws {
            let store = RerenderStore(name: "own")
            for _ in 0..<9 { store.evaluate("Window", reason: "child Spinner") {} }
            store.evaluate("Window", reason: "size") {}
            for _ in 0..<3 {
                store.evaluate("Spinner", reason: "tick") {
                    let end = HUDCost.now + 1_000_000
                    while HUDCost.now < end {}
                }
            }
            store.evaluate("Box", reason: "child Spinner") {}
            let folded = try content("own", of: StoresSource())
            #expect(folded.rows.map(\.key) == ["Spinner", "Window"] && folded.folded == 1 && folded.leftOut == 0)
            #expect(folded.rows.map(\.why) == ["tick", "child Spinner 90%"])
            #expect(folded.rows.map(\.note) == [" (+1 parent)", ""])
            let all = try content("own", of: StoresSource(), showsAll: true)
            #expect(all.rows.map(\.key) == ["Spinner", "Window", "Box"] && all.folded == 0)
            #expect(all.rows[0].note.isEmpty)
            let open = try content("own", of: StoresSource(), expanded: "Box")
            #expect(open.rows.map(\.key) == ["Spinner", "Window", "Box"], "an open row stays")
            #expect(open.rows.allSatisfy { $0.note.isEmpty }, "and is not counted twice")
            withExtendedLifetime(store) {}
        }

        @Test("Rows of views that were evaluated once in each instance are folded, whatever they cost")
        func once() throws {
            let store = RerenderStore(name: "once")
            for view in ["Slow", "Other"] {
                store.evaluate(view, instance: 1) {
                    let end = HUDCost.now + 2_000_000
                    while HUDCost.now < end {}
                }
            }
            for _ in 0..<9 { store.evaluate("Grid", reason: "tick") {} }
            let folded = try content("once", of: StoresSource())
            #expect(folded.rows.map(\.key) == ["Grid"] && folded.folded == 2)
            #expect(try content("once", of: StoresSource(), showsAll: true).rows.last?.key == "Grid")
            withExtendedLifetime(store) {}
        }

        @Test("Waste is a number where something was judged, and unknown where nothing was")
        func waste() throws {
            let store = RerenderStore(name: "waste")
            for _ in 0..<3 { _ = store.evaluate("Same", instance: 1, comparing: .equatable) { 7 } }
            store.evaluate("Unknown", reason: "open") {}
            let rows = try content("waste", of: StoresSource()).rows
            let stats = store.stats
            for row in rows {
                let view = try #require(stats.first { $0.key.rawValue == row.key })
                let isUnjudged = view.wasted.unjudged == view.count
                #expect(row.wasted == (isUnjudged ? nil : view.wasted.count), "\(row.key)")
            }
            #expect(rows.first { $0.key == "Same" }?.wasted == 2)
        }

        @Test("Details are those of the open view alone")
        func details() throws {
            let store = RerenderStore(name: "details")
            store.evaluate("Row", reason: "items") {}
            let source = StoresSource()
            #expect(try content("details", of: source).details == nil)
            let details = try #require(try content("details", of: source, expanded: "Row").details)
            #expect(details.key == "Row" && details.reasons == [HUDReason("items", count: 1)])
            #expect(details.place?.contains("StoresSourceTests.swift:") == true && details.hangs == nil)
            #expect(details.body.last != nil && details.total.average != nil)
            withExtendedLifetime(store) {}
        }

        @Test("More than 500 views are cut, and the others counted")
        func many() throws {
            let store = RerenderStore(name: "many")
            for number in 0..<530 { store.evaluate("View\(number)", reason: "open") {} }
            let content = try content("many", of: StoresSource())
            #expect(content.rows.count == 500 && content.leftOut == 30)
            withExtendedLifetime(store) {}
        }
    }

    @Suite("The HUD's rates") struct HUDRateTests {
        private func brief(_ count: UInt64) -> ViewBrief {
            let costs = ViewCosts(
                ViewTotals(storeID: 1, index: 0, epoch: 0), hangs: HangTotals(), key: "Row", file: "", line: 0)
            return ViewBrief(count: count, mainReason: nil, costs: costs)
        }

        @Test("They are unknown at first, then those of the last one to two seconds, and fall to zero")
        func rates() {
            var rates = HUDRates()
            var seen: [Double?] = []
            // 30 a second for three seconds, and then nothing.
            for step in 0...30 {
                let count = brief(UInt64(min(step, 15)) * 6)
                rates.note([count], at: UInt64(step) * 200_000_000 + 1_000)
                seen.append(rates.rate(of: count))
                if step == 10 { #expect(rates.areFalling) }
            }
            #expect(seen[0] == nil && seen[1] == nil)
            #expect(seen[2...15].allSatisfy { abs(($0 ?? 0) - 30) < 0.001 })
            #expect(seen.last == .some(0) && !rates.areFalling)
        }

        @Test("After a reset they are unknown")
        func reset() {
            var rates = HUDRates()
            rates.note([brief(100)], at: 0)
            rates.note([brief(3)], at: 500_000_000)
            #expect(rates.rate(of: brief(3)) == nil)
        }
    }
#endif
