// SPDX-License-Identifier: MIT
// The probe as an app uses it.

import Foundation
import Observation
import Rerender
import Synchronization
import Testing

@Suite("evaluate")
struct EvaluateTests {
    private let store = RerenderStore(name: "evaluate tests")

    @Test("it evaluates the body exactly once and returns its result")
    func once() {
        let calls = Atomic<Int>(0)
        let result = store.evaluate("A") { calls.add(1, ordering: .relaxed).newValue }
        #expect(result == 1)
        #expect(stats("A")?.count == 1)
    }

    @Test("without a label the key is the probe's file and line")
    func placeAsKey() {
        store.evaluate {}
        let line = #line - 1
        #expect(store.stats.map(\.key.rawValue) == ["\(#fileID):\(line)"])
        #expect(store.stats.first?.file == #fileID)
        #expect(store.stats.first?.line == UInt32(line))
    }

    @Test("a body that throws is counted, closed, and its error arrives as its own type")
    func throwing() {
        struct Failure: Error {}
        #expect(throws: Failure.self) {
            try store.evaluate("Outer") {
                try store.evaluate("Inner") { () throws(Failure) in throw Failure() }
            }
        }
        store.evaluate("After") {}
        #expect(store.stats.map(\.count) == [1, 1, 1])
    }

    @Test("nested evaluations count each; a body's time holds the bodies inside, and its total the probes, too")
    func nested() throws {
        func slow() -> String? {
            busy(microseconds: 400)
            return nil
        }
        store.evaluate("Outer") {
            store.evaluate("Middle") {
                for _ in 0..<3 { store.evaluate("Inner", reason: slow()) { busy(microseconds: 200) } }
            }
        }
        let outer = try #require(stats("Outer"))
        let inner = try #require(stats("Inner"))
        #expect(inner.count == 3)
        let middle = try #require(stats("Middle"))
        #expect(inner.body.totalNanoseconds >= 600_000)
        #expect(inner.total == inner.body)
        for view in [middle, outer] {
            #expect(view.body.totalNanoseconds >= inner.body.totalNanoseconds)
            // Three times the 400 µs that an argument took.
            #expect(view.total.totalNanoseconds - view.body.totalNanoseconds >= 1_200_000)
        }
    }

    @Test("a body inside itself is counted at every depth")
    func recursive() {
        func evaluate(_ depth: Int) {
            store.evaluate("Tree") { if depth > 0 { evaluate(depth - 1) } }
        }
        evaluate(99)
        #expect(stats("Tree")?.count == 100)
    }

    @Test("ten threads agree exactly with counters of their own")
    func threads() {
        let labels = (0..<13).map { "view \($0)" }
        let counters = labels.map { _ in Counter() }
        DispatchQueue.concurrentPerform(iterations: 10) { thread in
            for round in 0..<2_000 {
                let index = (round + thread) % labels.count
                store.evaluate(labels[index], instance: InstanceID(rawValue: UInt64(thread))) { counters[index].add() }
            }
        }
        for (index, label) in labels.enumerated() {
            #expect(stats(ViewKey(rawValue: label))?.count == UInt64(counters[index].value))
            #expect(stats(ViewKey(rawValue: label))?.instances == 10)
        }
    }

    @Test("of a view of unknown instances, an evaluation inside another one of it has that one as its parent")
    func insideItself() {
        let tree = InjectedView("Tree", in: store, file: "", line: 0)
        func show(_ depth: Int) { tree.evaluate { if depth > 0 { show(depth - 1) } } }
        show(3)
        show(3)
        let reasons = stats("Tree")?.reasons.map { "\($0.count) \($0.reason)" }.sorted()
        #expect(reasons == ["1 <external signal>", "1 initial", "6 parent: Tree"])
    }

    /// The third and fourth begin as evaluations that nothing explains.
    @Test(
        "an evaluation that turns out to be counted by somebody else does not count, whatever it read; all others do",
        arguments: 1...4)
    func countedElsewhere(foreign: Int) {
        let view = InjectedView("Item", in: store, file: "", line: 0)
        let item = Item()
        for number in 1...8 {
            view.evaluate(unless: { number == foreign }) { if number == foreign { _ = item.title } }
            item.title = "\(number)"
        }
        #expect(stats("Item")?.count == 7)
        for number in 1...8 { view.evaluate(unless: { number == foreign }) {} }
        #expect(stats("Item")?.count == 14)
        #expect(stats("Item")?.reasons.map(\.count).reduce(0, +) == 14)
    }

    @Test(
        "of a view whose framework does not observe models, a write of one is no reason, and the output may still differ"
    )
    func unobserved() throws {
        let view = InjectedView("Panel", in: store, file: "", line: 0, observesModels: false)
        let item = Item()
        let type = unsafe unsafeBitCast(ItemPanel.self as Any.Type, to: UnsafeRawPointer.self)
        func show(_ nudge: Int) {
            var value = ItemPanel(item: item, nudge: nudge)
            unsafe withUnsafePointer(to: &value) { value in
                unsafe view.evaluate(UnsafeRawPointer(value), type: type, instance: 1) { _ = item.title }
            }
        }
        show(0)
        item.title = "a"
        show(1)
        item.title = "b"
        show(1)
        let panel = try #require(stats("Panel"))
        #expect(
            panel.reasons.map { "\($0.count) \($0.reason)" }.sorted() == [
                "1 <external signal>", "1 initial", "1 nudge",
            ])
        #expect(panel.wasted.count == 0)
    }

    @Test("who asks hears whether evaluations are counted: at once, and when it is switched")
    func switches() {
        let store = RerenderStore(), heard = Mutex<[Bool]>([])
        InjectedView.observe(store) { isCounting in heard.withLock { $0.append(isCounting) } }
        store.isEnabled = false
        store.isEnabled = true
        #expect(heard.withLock { $0 } == [true, false, true])
    }

    @Test("while switched off only the body runs, and no argument is looked at")
    func disabled() {
        store.isEnabled = false
        #expect(!store.isEnabled)
        let result = store.evaluate(fail("label"), instance: fail("instance"), reason: fail("reason")) { 7 }
        #expect(result == 7)
        store.committed("A")
        #expect(store.stats.isEmpty)
        store.isEnabled = true
        store.evaluate("A") {}
        #expect(store.stats.count == 1)
    }

    @Test("copies of a store are the same store, other stores are not")
    func handle() {
        let copy = store
        copy.evaluate("A") {}
        let other = RerenderStore(name: "another")
        #expect(store.stats.count == 1)
        #expect(other.stats.isEmpty)
    }

    @Test("a store of the program's own is one whatever it is called", arguments: ["widgets", "injected"])
    func kind(name: String) throws {
        let store = RerenderStore(name: name)
        let export = try JSONDecoder().decode(StatsExport.self, from: store.exportJSON())
        #expect(export.processes.map(\.kind) == [.views])
    }

    @Test("the export is the documented document")
    func export() throws {
        store.evaluate("A", instance: 1, reason: "tap") {}
        store.committed("A")
        store.hangThreshold = .milliseconds(300)
        let export = try JSONDecoder().decode(StatsExport.self, from: store.exportJSON())
        #expect(export.version == 1)
        let process = try #require(export.processes.first)
        #expect(process.pid == ProcessInfo.processInfo.processIdentifier)
        #expect(process.store == "evaluate tests")
        #expect(process.evaluations == 1)
        #expect(process.hangThresholdMilliseconds == 300)
        #expect(process.views.map(\.key) == ["A"])
        #expect(process.views.first?.commits == 1)
        #expect(process.views.first?.lastReason == "tap")
        let text = String(decoding: store.exportJSON(), as: UTF8.self)
        #expect(text.hasPrefix("{\n  \"generatedAt\" : \"20"))
        #expect(text.contains("\"file\" : \"RerenderTests/EvaluateTests.swift\""))
    }

    @Test("a reset begins anew")
    func reset() {
        store.evaluate("A") {}
        store.reset()
        #expect(store.stats.isEmpty)
        store.evaluate("A") {}
        #expect(stats("A")?.count == 1)
    }

    private func stats(_ key: ViewKey) -> Stats? {
        store.stats.first { $0.key == key }
    }

    private func fail<Value>(_ what: String) -> Value? {
        Issue.record("the \(what) was evaluated")
        return nil
    }

    private func busy(microseconds: Double) {
        let start = ContinuousClock.now
        while ContinuousClock.now - start < .microseconds(microseconds) {}
    }
}

private struct ItemPanel {
    let item: Item
    let nudge: Int
}

@Observable
private final class Item {
    var title = ""
}
