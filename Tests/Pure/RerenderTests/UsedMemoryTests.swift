// SPDX-License-Identifier: MIT
// The memory of an evaluation has been that of others on its thread, of every kind. Nothing of these may be found in it.

import Foundation
import Observation
import Rerender
import TestSupport
import Testing

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

    private static func onThread(_ body: @escaping @Sendable () -> Void) {
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            body()
            done.signal()
        }
        done.wait()
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
}
