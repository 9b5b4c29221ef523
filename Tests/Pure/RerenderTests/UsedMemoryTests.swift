// SPDX-License-Identifier: MIT
// The memory of an evaluation has been that of others on its thread, of every kind. Nothing of these may be found in it.

import CRerender
import Foundation
import Observation
import Synchronization
import TestSupport
import Testing

@testable import Rerender

@Suite("Memory that other evaluations have used")
struct UsedMemoryTests {
    @Observable
    final class Model: @unchecked Sendable {
        var number = 0
    }

    struct Card: Sendable {
        var title = "a"
        let model: Model
    }

    /// Kinds of evaluation; each leaves something else in its memory.
    enum Kind: CaseIterable {
        case bare, withValue, withInstance, withInputs, withReason, withOutput, thatReads, thatThrows, thatNests, asPass
        /// Without a value; it reads the model each fourth time.
        case thatReadsSometimes
        /// No evaluation: a write by another thread than the evaluations'.
        case write
    }

    struct Failure: Error {}

    /// A store with views of each kind, and their model.
    private final class Bench: @unchecked Sendable {
        let store = RerenderStore(name: "used memory")
        let model = Model()
        private var turn = 0

        func evaluate(_ kind: Kind) {
            let card = Card(model: model)
            switch kind {
            case .bare: store.evaluate("Bare") {}
            case .withValue: store.evaluate("Card", of: card) {}
            case .withInstance: store.evaluate("Row", of: card, instance: 7) {}
            case .withInputs: store.evaluate("Form", inputs: [("name", "x")]) {}
            case .withReason: store.evaluate("Told", reason: "because") {}
            case .withOutput: _ = store.evaluate("Label", of: card, comparing: .equatable) { 1 }
            case .thatReads: _ = store.evaluate("Reader", of: card) { model.number }
            case .thatThrows: try? store.evaluate("Thrower", of: card) { throw Failure() }
            case .thatNests: store.evaluate("Outer", of: card) { store.evaluate("Inner", of: card, instance: 1) {} }
            case .asPass: store.evaluate("Pass", of: card, instance: 3, isPass: true) {}
            case .thatReadsSometimes:
                turn += 1
                _ = store.evaluate("Sometimes") { turn % 4 == 0 ? model.number : 0 }
            case .write: model.number += 1
            }
        }
    }

    /// What a store says, without times.
    private static func summary(_ store: RerenderStore) -> [String] {
        store.stats.sorted { $0.key.rawValue < $1.key.rawValue }.map { view in
            "\(view.key) \(view.count) \(view.instances) \(view.reasons.map { "\($0.reason) \($0.count)" }.sorted()) "
                + "\(view.wasted.count)"
        }
    }

    private static func onThread<Result: Sendable>(
        stackSize: Int = 8 << 20, _ body: @escaping @Sendable () -> Result
    ) -> Result? {
        let done = DispatchSemaphore(value: 0), result = Mutex<Result?>(nil)
        let thread = Thread {
            result.withLock { $0 = body() }
            done.signal()
        }
        thread.stackSize = stackSize
        thread.start()
        done.wait()
        return result.withLock { $0 }
    }

    @Test("evaluations say the same as where each has a thread, and so memory, of its own", arguments: 0..<40)
    func sameAsNew(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let kinds = (0..<120).map { _ in Kind.allCases.randomElement(using: &random) ?? .bare }
        let (used, new) = (Bench(), Bench())
        Self.onThread {
            for kind in kinds {
                if kind == .write { Self.onThread { used.evaluate(kind) } } else { used.evaluate(kind) }
            }
        }
        for kind in kinds { Self.onThread { new.evaluate(kind) } }
        #expect(Self.summary(used.store) == Self.summary(new.store))
        let evaluations = kinds.reduce(0) { $0 + ($1 == .write ? 0 : $1 == .thatNests ? 2 : 1) }
        #expect(used.store.stats.reduce(0) { $0 + $1.count } == UInt64(evaluations))
    }

    /// What is in the memory in which an evaluation begins, in no other one: the names of what a new frame has not.
    private static func leftovers(_ store: RerenderStore) -> [String] {
        unsafe withUnsafeTemporaryAllocation(of: EvaluationCall.self, capacity: 1) { memory in
            guard let call = memory.baseAddress, let frame = unsafe store.core.enter(call) else {
                return ["no frame"]
            }
            var names: [String] = []
            func note(_ name: String, _ isLeft: Bool) { if isLeft { names.append(name) } }
            unsafe note("store", frame.pointee.store?.toOpaque() != Unmanaged.passUnretained(store.core).toOpaque())
            unsafe note("value", frame.pointee.value != nil)
            unsafe note("view", frame.pointee.view != nil)
            unsafe note("details", frame.pointee.details != nil)
            unsafe note("enteredAt", frame.pointee.enteredAt != 0)
            unsafe note("bodyBeganAt", frame.pointee.bodyBeganAt != 0)
            unsafe note("bodyEndedAt", frame.pointee.bodyEndedAt != 0)
            unsafe note("innerProbes", frame.pointee.innerProbes != 0)
            unsafe note("innerBodies", frame.pointee.innerBodies != 0)
            unsafe note("signpostID", frame.pointee.signpostID != 0)
            unsafe note("isPass", frame.pointee.isPass)
            unsafe note("isListed", frame.pointee.isListed)
            unsafe note("isOfAnyInstance", frame.pointee.isOfAnyInstance)
            unsafe store.core.end(frame, call) { unsafe store.core.makeReady(frame) }
            return names
        }
    }

    @Test("an evaluation begins without anything of the one before", arguments: Kind.allCases)
    func beginsAnew(kind: Kind) {
        let leftovers = Self.onThread {
            let bench = Bench()
            // The first of a kind looks for more than the later ones.
            return (0..<3).flatMap { _ in
                bench.evaluate(kind)
                return Self.leftovers(bench.store)
            }
        }
        #expect(leftovers == [])
    }

    @Test("an evaluation in no other one has no time of one that began in a widget's and runs after it")
    func beginsOutside() {
        let leftovers = Self.onThread {
            let store = RerenderStore(name: "used memory")
            let widget = InjectedView("Widget", in: store, file: "", line: 0, phase: .snapshot)
            let memory = unsafe InjectedView.toldMemory()
            var hint: UInt32 = 0
            func endWidget() -> String {
                _ = unsafe InjectedView.endTold(in: memory, cause: { nil }, text: { _ in nil })
                return "Label"
            }
            return (0..<3).flatMap { _ in
                // An evaluation of a widget is no call: the one that begins in it has the memory of the outermost. Its label ends the widget's.
                let hasBegun = unsafe widget.beginTold(in: memory, instance: 1, hint: &hint)
                store.evaluate(endWidget()) {}
                return Self.leftovers(store) + (hasBegun ? [] : ["not begun"])
            }
        }
        #expect(leftovers == [])
    }

    private static let largeStack = 256 << 20

    /// Evaluates more bodies in each other than a thread keeps, when it is let go of on one with a large stack.
    private final class Nesting: Sendable {
        let store: RerenderStore

        init(_ store: RerenderStore) { self.store = store }

        deinit {
            // Rerender's own thread may be the last to let go of a store.
            if Thread.current.stackSize >= UsedMemoryTests.largeStack { nest(CRERENDER_MOST_RUNNING + 8) }
        }

        private func nest(_ levels: Int) {
            if levels > 0 { store.evaluate("Nested") { nest(levels - 1) } }
        }
    }

    private struct Output: Equatable {
        let nesting: Nesting

        static func == (left: Output, right: Output) -> Bool { left.nesting === right.nesting }
    }

    private static func count(_ store: RerenderStore, _ key: String) -> UInt64 {
        store.stats.first { $0.key.rawValue == key }?.count ?? 0
    }

    @Test(
        "a call that begins while more bodies run in each other than a thread keeps counts, and is no other's",
        arguments: [true, false])
    func droppedAtBeginning(isEvaluation: Bool) {
        let store = RerenderStore(name: "begins"), nested = RerenderStore(name: "nested")
        let leftovers = Self.onThread(stackSize: Self.largeStack) {
            RunningCall.run(
                drop: { _ in }, begin: { unsafe RunningCall.keep(Nesting(nested), in: $0) }, end: { _ in }, {})
            // It lets go of what its memory kept.
            if isEvaluation {
                store.evaluate("Begins") {}
            } else {
                store.handling("click") { store.evaluate("Begins") {} }
            }
            return Self.leftovers(store) + Self.leftovers(nested)
        }
        #expect(leftovers == [])
        #expect(Self.count(store, "Begins") == 1 && Self.count(nested, "Nested") > 0)
    }

    @Test("a call that ends while more bodies run in each other than a thread keeps counts, and is no other's")
    func droppedAtEnd() {
        let nested = RerenderStore(name: "nested")
        let seen = Self.onThread(stackSize: Self.largeStack) {
            let store = RerenderStore(name: "ends"), card = Card(model: Model())
            // Each takes the place of the output before.
            for _ in 0..<3 {
                _ = store.evaluate("Label", of: card, comparing: .equatable) { Output(nesting: Nesting(nested)) }
            }
            return Self.leftovers(store) + Self.leftovers(nested) + ["\(Self.count(store, "Label"))"]
        }
        #expect(seen == ["3"] && Self.count(nested, "Nested") > 0)
    }

    private struct Holder {
        var nesting: Nesting
        var title = "a"
    }

    @Test(
        "a call that looks for its cause while more bodies run in each other than a thread keeps counts, and is no other's"
    )
    func droppedWhileItBegins() {
        let nested = RerenderStore(name: "nested")
        let seen = Self.onThread(stackSize: Self.largeStack) {
            let store = RerenderStore(name: "decides"), card = Card(model: Model())
            // Switched off and on, the store lets go of the output before.
            for _ in 0..<3 {
                _ = store.evaluate("Label", of: card, comparing: .equatable) { Output(nesting: Nesting(nested)) }
                store.isEnabled = false
                store.isEnabled = true
            }
            let afterOutput = Self.count(nested, "Nested")
            // A property takes the place of the one before.
            for title in ["a", "a", "b"] {
                store.evaluate("Holder", of: Holder(nesting: Nesting(nested), title: title)) {}
            }
            let afterProperty = Self.count(nested, "Nested")
            let counts = [Self.count(store, "Label"), Self.count(store, "Holder")].map { "\($0)" }
            let nests = ["\(afterOutput > 0)", "\(afterProperty > afterOutput)"]
            return Self.leftovers(store) + Self.leftovers(nested) + counts + nests
        }
        #expect(seen == ["3", "3", "true", "true"])
    }
}
