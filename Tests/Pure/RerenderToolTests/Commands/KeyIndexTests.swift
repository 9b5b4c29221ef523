// SPDX-License-Identifier: MIT
import ArgumentParser
import RerenderModel
@testable import RerenderShow
@testable import RerenderTool
import Testing
@testable import ToolSupport

@Suite("The one view that a typed key means")
struct KeyIndexTests {
    private func index(_ wanted: String, _ stores: [(ProcessStats, [ViewKey])]) -> KeyIndex {
        var index = KeyIndex(wanted: wanted)
        for (store, keys) in stores {
            index.enter(store, counts: true)
            for key in keys { index.add(key) }
        }
        return index
    }

    private let shop = Sample.store("shop", pid: 1)
    private let till = Sample.store("till", pid: 2)
    private let gone = Sample.store("gone", pid: 3, connected: false)

    private func failure(_ index: KeyIndex) -> String {
        let failure = #expect(throws: ToolFailure.self) { try index.target() }
        #expect(failure?.status == 64)
        return failure?.message ?? ""
    }

    @Test("the whole key wins over keys that contain it")
    func exact() throws {
        #expect(try index("Cart", [(shop, ["CartTotal", "Cart", "ShoppingCart"])]).target().key == "Cart")
    }

    @Test("a part of one key is enough")
    func part() throws {
        let target = try index("Total", [(shop, ["CartTotal", "Badge"]), (till, ["Prompt"])]).target()
        #expect(target.key == "CartTotal" && target.store.pid == 1)
    }

    @Test("a part of several keys lists them and asks for the whole")
    func ambiguousPart() {
        let text = failure(index("Cart", [(shop, ["CartTotal", "CartRow"])]))
        #expect(
            text.contains("matches 2 views") && text.contains("CartTotal  in shop[1]/main") && text.contains("CartRow"))
        #expect(text.hasSuffix("Use the whole key."))
    }

    @Test("the same key in several processes lists them and asks which")
    func ambiguousProcess() {
        let text = failure(index("Cart", [(shop, ["Cart"]), (till, ["Cart"])]))
        #expect(text.contains("in shop[1]/main") && text.contains("in till[2]/main") && text.contains("--process PID"))
    }

    @Test("where ended processes are in reach, they are meant only where no connected one has the key")
    func known() throws {
        func target(_ stores: [ProcessStats]) throws -> ViewTarget {
            var index = KeyIndex(wanted: "Cart", reach: .known)
            for store in stores {
                index.enter(store, counts: true)
                index.add("Cart")
            }
            return try index.target()
        }
        #expect(try target([gone]).store.pid == 3)
        #expect(try target([gone, shop]).store.pid == 1)
        #expect(throws: ToolFailure.self) { try target([gone, gone]) }
    }

    @Test("a key that nobody has lists those that are near")
    func unknown() {
        let text = failure(index("CartTotl", [(shop, ["CartTotal", "Badge"])]))
        #expect(text.contains("no connected view is called \"CartTotl\"") && text.contains("Similar: CartTotal"))
        #expect(!text.contains("Badge"))
    }

    @Test("a key of a process that ended is said to be one")
    func ended() {
        #expect(failure(index("Cart", [(gone, ["Cart"])])).contains("gone[3]/main"))
        #expect(failure(index("Car", [(gone, ["Cart"])])).contains("no process that could show"))
    }

    @Test("where nothing has been evaluated no key is called unknown, whoever has ended")
    func nothingEvaluated() {
        let nothing = "no view is known because nothing was evaluated since"
        #expect(failure(index("Cart", [(gone, ["Cart"]), (shop, [])])).hasPrefix(nothing))
        #expect(failure(index("Cart", [(shop, []), (till, ["Prompt"])])).contains("no connected view is called"))
        var full = shop
        full.evaluations = 3
        #expect(failure(index("Cart", [(full, [])])).contains("no connected view is called"))
    }

    @Test("a long list is cut and says so, and shows no control characters")
    func longList() {
        let keys = (0..<40).map { ViewKey(rawValue: "Row\u{1B}[2J\($0)") }
        let text = failure(index("Row", [(shop, keys)]))
        #expect(text.contains("matches 40 views") && text.contains("and 30 more") && !text.contains("\u{1B}"))
    }

    @Test("two stores of one name are listed with the numbers that select them")
    func namesakes() {
        let text = failure(index("Cart", [(shop, ["Cart"]), (Sample.store("shop", pid: 1, number: 1), ["Cart"])]))
        #expect(text.contains("in shop[1]/main#0\n") && text.contains("in shop[1]/main#1\n"))
        #expect(text.contains("--store NAME (or NAME#NUMBER"))
    }

    @Test("stores that are not selected do not count")
    func notSelected() throws {
        var index = KeyIndex(wanted: "Cart")
        index.enter(shop, counts: false)
        index.add("Cart")
        index.enter(till, counts: true)
        index.add("Cart")
        #expect(try index.target().store.pid == 2)
    }

    @Test("a handle means its view alone, an unknown one is an error, and a key that looks like one is a key")
    func handles() throws {
        let selection = try #require(ParsedLine(["explain"]).command as? ExplainCommand).selection
        var store = Sample.shop
        store.views[0].handle = "v1.1"
        #expect(ViewTarget.isHandle("v3.12") && !ViewTarget.isHandle("v3") && !ViewTarget.isHandle("view 3.1"))
        #expect(try ViewTarget.handled("v1.1", [store], selection, .known)?.key == store.views[0].key)
        for handle in ["v1.11", "v1.2"] {
            #expect(throws: ToolFailure.self) { try ViewTarget.handled(handle, [store], selection, .known) }
        }
        store.connected = false
        #expect(throws: ToolFailure.self) { try ViewTarget.handled("v1.1", [store], selection, .connected) }
        store.views[1].key = "v1.1"
        #expect(try ViewTarget.handled("v1.1", [store], selection, .known) == nil)
    }
}
