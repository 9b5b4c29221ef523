// SPDX-License-Identifier: MIT
// Writers of announced causes: the first function on the stack that is no framework's.

import Foundation
import Rerender
import RerenderWire
import Testing
import WriterCorpus
import WriterKit

@Suite("Writers of announced causes")
struct AnnouncedWriterTests {
    private let store = RerenderStore(name: "announced-writers")
    private var bridge: Bridge { Bridge(store, view: "Row") }

    init() { store.evaluate("Row") {} }

    /// The writers of a cause that is announced by `write`.
    private func writers(of cause: String, _ write: () -> Void) throws -> [String] {
        write()
        store.evaluate("Row") {}
        let row = try #require(store.stats.first)
        return try #require(row.reasons.first { $0.reason == cause }).writers.map(\.writer)
    }

    private func save() -> Int { bridge.write("saved"); return #line }

    private func place(_ function: String, _ line: Int) -> String {
        "AnnouncedWriterTests.\(function) RerenderTests/AnnouncedWriterTests.swift:\(line)"
    }

    @Test("are the first functions outside of the calling module, by name and line")
    func outside() throws {
        var line = 0
        #expect(try writers(of: "saved") { line = save() } == [place("save()", line)])
    }

    @Test("are outside of the modules that the bridge names, too")
    func named() throws {
        var line = 0
        let found = try writers(of: "pressed") { line = Toolkit.press(bridge) }
        #expect(found == ["Toolkit.press(_:) WriterCorpus/Toolkit.swift:\(line)"])
        store.frameworkModules = ["WriterCorpus"]
        #expect(store.frameworkModules == ["WriterCorpus"])
        let both = try writers(of: "pressed") { press() }
        #expect(both.count == 2 && both.contains { $0.hasPrefix("AnnouncedWriterTests.press() ") }, "\(both)")
    }

    private func press() { _ = Toolkit.press(bridge) }

    @Test(
        "are functions of the calling module where no other is on the stack: it is the app, unless the bridge names it")
    func ownModule() async throws {
        // A thread of its own, because the tests' stack has other modules in it.
        func found() async throws -> [String] {
            store.evaluate("Row") {}
            await withCheckedContinuation { done in
                Thread.detachNewThread { [bridge] in
                    bridge.tick("ticked")
                    done.resume()
                }
            }
            return try writers(of: "ticked") {}
        }
        store.frameworkModules = ["RerenderTests"]
        #expect(
            try await found().first?.hasPrefix("closure #1 in Bridge.write(_:writer:) WriterKit/Bridge.swift:") == true)
        store.reset()
        store.frameworkModules = ["RerenderTests", "WriterKit"]
        #expect(try await found() == ["unknown"])
    }

    @Test("are none of the functions that called the handler in which the framework writes by itself")
    func inHandler() throws {
        store.frameworkModules = ["WriterKit"]
        let found = try writers(of: "ticked") { bridge.tickInHandler("ticked") }
        #expect(found == ["timer"])
    }

    @Test("are what the bridge says, where it says it")
    func told() throws {
        #expect(try writers(of: "saved") { bridge.write("saved", writer: "f()") } == ["f()"])
    }

    @Test("are those of the write where the bridge announces it later")
    func later() throws {
        let (announce, line) = select()
        #expect(try writers(of: "selected") { announce() } == [place("select()", line)])
    }

    private func select() -> (announce: () -> Void, line: Int) { (bridge.collect("selected"), #line) }

    @Test("are not looked for where writers are switched off; the handler is still named")
    func off() throws {
        store.recordsWriters = false
        #expect(try writers(of: "saved") { _ = save() } == [])
        #expect(try writers(of: "saved") { store.handling("tap") { _ = save() } } == ["tap"])
        #expect(store.causeWriter() == nil)
    }
}
