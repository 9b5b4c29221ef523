// SPDX-License-Identifier: MIT
// Event handlers in a store: what they name, and what they are not.

import Foundation
import Observation
import RerenderModel
import RerenderWire
import TestSupport
import Testing
import WriterKit

@testable import Rerender

@Observable
private final class Document {
    var title = ""
    func save() -> Int { title += "!"; return #line }
}

private struct Rejected: Error {}

@Suite("Event handlers")
struct HandlerTests {
    private let store = RerenderStore(name: "handlers")
    private let document = Document()

    private func evaluate() { store.evaluate("Row", of: document) { _ = document.title } }

    /// The writers of the title, by their counts.
    private func writers(_ write: () throws -> Void) rethrows -> [String] {
        evaluate()
        try write()
        evaluate()
        let reasons = store.stats.first { $0.key == "Row" }?.reasons ?? []
        return reasons.filter { $0.reason.hasSuffix("title") }.flatMap { $0.writers.map(\.writer) }
    }

    private func place(_ line: Int) -> String { "Document.save() RerenderTests/HandlerTests.swift:\(line)" }

    @Test("name what is written in them, beside the function and its place")
    func writes() throws {
        var line = 0
        let found = writers { store.handling("click on Save", of: "Toolbar") { line = document.save() } }
        #expect(found == [place(line) + ", in Toolbar: click on Save"])
    }

    @Test("name nothing that is written before them, after them, or on another thread")
    func outside() async throws {
        var line = 0
        evaluate()
        #expect(writers { line = document.save() } == [place(line)])
        store.reset()
        #expect(throws: Rejected.self) { try store.handling("fails") { throw Rejected() } }
        #expect(writers { line = document.save() } == [place(line)], "a handler that throws has ended")
        store.reset()
        let found = writers {
            store.handling("click") {
                let isDone = DispatchSemaphore(value: 0)
                nonisolated(unsafe) let document = document
                Thread.detachNewThread {
                    _ = document.save()
                    isDone.signal()
                }
                isDone.wait()
            }
        }
        #expect(found == [place(line)])
    }

    @Test("name what is written in them on any thread")
    func otherThread() async throws {
        evaluate()
        await withCheckedContinuation { done in
            nonisolated(unsafe) let document = document
            Thread.detachNewThread { [store] in
                store.handling("import") { _ = document.save() }
                done.resume()
            }
        }
        let found = writers {}
        #expect(found.count == 1 && found[0].hasSuffix(", in import"), "\(found)")
    }

    @Test("nest: the innermost is named, and the outer one when that has ended")
    func nested() throws {
        var line = 0
        let inner = writers { store.handling("outer") { store.handling("inner") { line = document.save() } } }
        #expect(inner == [place(line) + ", in inner"])
        store.reset()
        let outer = writers {
            store.handling("outer") {
                store.handling("inner") {}
                line = document.save()
            }
        }
        #expect(outer == [place(line) + ", in outer"])
    }

    @Test("name announced causes, with the bridge's own writer and without one")
    func announced() throws {
        evaluate()
        let bridge = Bridge(store, view: "Row")
        store.handling("tap") { bridge.write("count", writer: "f()") }
        evaluate()
        let reason = try #require(store.stats.first?.reasons.first { $0.reason == "count" })
        #expect(reason.writers.map(\.writer) == ["f(), in tap"])
    }

    @Test("are no views and no evaluations; a body inside is counted, and its parent is the body around the handler")
    func noViews() throws {
        store.evaluate("Window") {
            store.handling("click on Save", of: "Toolbar") { store.evaluate("Sheet") {} }
            store.evaluate("Status") {}
        }
        let stats = store.stats
        #expect(Set(stats.map(\.key)) == ["Window", "Sheet", "Status"] && stats.allSatisfy { $0.count == 1 })
        store.evaluate("Window") { store.handling("click on Save") { store.evaluate("Sheet") {} } }
        let sheet = try #require(store.stats.first { $0.key == "Sheet" })
        #expect(sheet.reasons.contains { $0.reason == "parent: Window" })
    }

    @Test("are the bare body in a store that is switched off: no argument is evaluated")
    func off() throws {
        store.isEnabled = false
        func name() -> String {
            Issue.record("evaluated")
            return ""
        }
        #expect(store.handling(name(), of: name()) { 7 } == 7)
        #expect(EventHandler.ofThisThread == nil)
    }

    @Test("return what their body returns, and throw what it throws")
    func transparent() throws {
        let text: String = store.handling("a") { "b" }
        #expect(text == "b")
        #expect(throws: Rejected.self) { try store.handling("a") { () throws(Rejected) in throw Rejected() } }
        #expect(EventHandler.ofThisThread == nil)
    }

    @Test("keep to the bounds of texts, however long their names are")
    func bounds() throws {
        let found = writers {
            store.handling(String(repeating: "é", count: 900), of: String(repeating: "v", count: 900)) {
                _ = document.save()
            }
        }
        let writer = try #require(found.first)
        #expect(found.count == 1 && writer.utf8.count <= WireLimits.stringBytes)
        #expect(writer.contains(", in vvv"), "\(writer)")
        let handlers = store.core.handlers(from: 0)
        #expect(handlers.count == 1 && handlers[0].name.name.utf8.count <= 128 && handlers[0].text.utf8.count <= 160)
    }

    @Test("have names up to a length, and longer ones are cut", arguments: around(StoreLimits.handlerNameBytes))
    func longNames(bytes: Int) throws {
        let name = String(repeating: "x", count: bytes)
        store.handling(name) {}
        let kept = try #require(store.core.handlers(from: 0).first).name.name
        #expect(kept.utf8.count == min(bytes, StoreLimits.handlerNameBytes))
        #expect((kept == name) == (bytes <= StoreLimits.handlerNameBytes))
    }

    @Test("are so much of a writer's text at most", arguments: around(StoreLimits.handlerTextBytes))
    func longTexts(bytes: Int) throws {
        let view = String(repeating: "v", count: bytes - 7)
        store.handling("click", of: view) {}
        let text = try #require(store.core.handlers(from: 0).first).text
        #expect(text.utf8.count == min(bytes, StoreLimits.handlerTextBytes))
        #expect((text == view + ": click") == (bytes <= StoreLimits.handlerTextBytes))
    }

    @Test(
        "are told apart up to a limit; further ones share one place, and still name what they write",
        arguments: around(StoreLimits.handlers))
    func limit(count: Int) throws {
        for number in 0..<count { store.handling("click on row \(number)") {} }
        let handlers = store.core.handlers(from: 0)
        #expect(handlers.count == min(count, Int(WireLimits.handlersPerStore)))
        #expect(handlers.map(\.index) == Array(0..<UInt32(handlers.count)))
        #expect((handlers.last?.name == .others) == (count > StoreLimits.handlers))
        var line = 0
        let found = writers { store.handling("click on row 5000") { line = document.save() } }
        #expect(found == [place(line) + ", in click on row 5000"])
        #expect(store.core.handlers(from: 0).count == min(count + 1, Int(WireLimits.handlersPerStore)))
    }
}
