// SPDX-License-Identifier: MIT
// Views of which values were in evaluated outputs, and whose bodies were never seen.

import Foundation
import RerenderModel
import RerenderWire
import Testing

@testable import Rerender

@Suite("Views that were not seen")
struct NotSeenTests {
    private let process = TestProcess()

    private func note(_ label: String, in core: StoreCore) throws {
        core.noteInOutput(
            try #require(core.view(label: label, file: "Shop/Cart.swift", line: 12)).takeUnretainedValue())
    }

    @Test("are listed with a mark and without a count, by view and by store")
    func listed() throws {
        let core = process.makeStore()
        core.evaluate("Card")
        try note("Card", in: core)
        for _ in 0..<2 { for label in ["Row", "Badge"] { try note(label, in: core) } }
        #expect(core.stats().map(\.key) == ["Card", "Badge", "Row"])
        #expect(core.stats().map(\.notSeen) == [nil, true, true] && core.stats().map(\.count) == [1, 0, 0])
        #expect(core.export().notSeenViews?.keys == ["Badge", "Row"] && core.export().notSeenViews?.count == 2)
        #expect(core.state().evaluations == 1)
    }

    @Test("of very many the first ones by key are named, and all are counted")
    func many() throws {
        let core = process.makeStore()
        for number in 100..<150 { try note("View \(number)", in: core) }
        let views = try #require(core.export().notSeenViews)
        #expect(views.count == 50 && views.keys.count == 32)
        #expect(views.keys.first == "View 100" && views.keys.last == "View 131")
    }

    @Test("are none any more once an evaluation was counted, also after a reset")
    func evaluated() throws {
        let core = process.makeStore()
        try note("Badge", in: core)
        core.evaluate("Badge")
        #expect(core.stats().map(\.notSeen) == [nil] && core.export().notSeenViews == nil)
        core.reset()
        try note("Badge", in: core)
        #expect(core.stats().isEmpty, "its body was seen before")
        try note("Row", in: core)
        core.reset()
        #expect(core.stats().isEmpty, "nothing is known of this epoch")
        try note("Row", in: core)
        #expect(core.stats().map(\.notSeen) == [true])
    }

    @Test("are told once, with their totals, and a store that is off notes none")
    func told() throws {
        let core = process.makeStore()
        core.setEnabled(false)
        try note("Badge", in: core)
        #expect(core.stats().isEmpty)
        core.setEnabled(true)
        let before = process.wakeUps.value
        for _ in 0..<9 { try note("Badge", in: core) }
        #expect(process.wakeUps.value == before + 1)
        var dirty: [UInt32] = []
        core.swapDirtyViews(with: &dirty)
        #expect(dirty == [0])
        let totals = core.takeTotals(of: core.allViews[0], wallClock: WallClock()).message
        #expect(totals.totals.isNotSeen && totals.count == 0)
        core.evaluate("Badge")
        core.swapDirtyViews(with: &dirty)
        #expect(!core.takeTotals(of: core.allViews[0], wallClock: WallClock()).message.totals.isNotSeen)
    }

    @Test("are not those whose body is also called past its hook: these have a mark, which a reset leaves")
    func more() {
        let store = RerenderStore(name: "more")
        let view = InjectedView("Badge", in: store, file: "", line: 0, mayBeMore: true)
        let other = InjectedView("Row", in: store, file: "", line: 0)
        for _ in 0..<2 {
            #expect(store.stats.isEmpty)
            view.evaluate {}
            other.evaluate {}
            #expect(store.stats.map(\.mayBeMore) == [true, nil] && store.stats.map(\.notSeen) == [nil, nil])
            store.core.reset()
        }
    }

    @Test("are noted through the hook of a view, until its body is called through it")
    func injected() {
        let store = RerenderStore(name: "not seen")
        let view = InjectedView("Badge", in: store, file: "", line: 0)
        #expect(store.stats.isEmpty)
        view.noteInOutput()
        #expect(store.stats.map(\.notSeen) == [true])
        #expect(String(decoding: store.exportJSON(), as: UTF8.self).contains("\"notSeen\" : true"))
        view.evaluate {}
        view.noteInOutput()
        #expect(store.stats.map(\.count) == [1] && store.stats.map(\.notSeen) == [nil])
    }
}
