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

    struct Card {
        var title = "a"
    }

    /// Kinds of evaluation; each leaves something else in its memory.
    enum Kind: CaseIterable {
        case bare, withValue, withInstance, withInputs, withReason, withOutput, thatReads, thatThrows, thatNests, asPass
    }

    struct Failure: Error {}

    private static func evaluate(_ kind: Kind, _ store: RerenderStore, _ model: Model) {
        switch kind {
        case .bare: store.evaluate("Bare") {}
        case .withValue: store.evaluate("Card", of: Card()) {}
        case .withInstance: store.evaluate("Row", of: Card(), instance: 7) {}
        case .withInputs: store.evaluate("Form", inputs: [("name", "x")]) {}
        case .withReason: store.evaluate("Told", reason: "because") {}
        case .withOutput: _ = store.evaluate("Label", of: Card(), comparing: .equatable) { 1 }
        case .thatReads: _ = store.evaluate("Reader", of: Card()) { model.number }
        case .thatThrows: try? store.evaluate("Thrower", of: Card()) { throw Failure() }
        case .thatNests:
            store.evaluate("Outer", of: Card()) { store.evaluate("Inner", of: Card(), instance: 1) {} }
        case .asPass: store.evaluate("Pass", of: Card(), instance: 3, isPass: true) {}
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

    @Test("evaluations say the same as where each has a thread, and so memory, of its own", arguments: 0..<20)
    func sameAsNew(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let kinds = (0..<80).map { _ in Kind.allCases.randomElement(using: &random) ?? .bare }
        let (used, new) = (RerenderStore(name: "used"), RerenderStore(name: "new"))
        let models = (Model(), Model())
        Self.onThread { for kind in kinds { Self.evaluate(kind, used, models.0) } }
        for kind in kinds { Self.onThread { Self.evaluate(kind, new, models.1) } }
        #expect(Self.summary(used) == Self.summary(new))
        #expect(used.stats.reduce(0) { $0 + $1.count } == UInt64(kinds.count + kinds.count { $0 == .thatNests }))
    }
}
