// SPDX-License-Identifier: MIT
// Evaluations that two calls begin and end, and whose cause is told by a number, as the widgets of GTK are.

import RerenderModel
import TestSupport
import Testing

@testable import Rerender

@Suite("Evaluations that are told")
struct ToldEvaluationTests {
    private let store = RerenderStore(name: "told")
    private static let texts = [String?.none] + (1...20).map { "reason \($0)" }

    private func stats(_ key: String) -> Stats? { store.core.stats().first { $0.key.rawValue == key } }

    /// Evaluates an instance, and something in it.
    private func evaluate(
        _ view: InjectedView, _ instance: UInt64, hint: inout UInt32, _ cause: ToldCause?, body: () -> Void = {}
    ) {
        let memory = unsafe InjectedView.toldMemory()
        guard unsafe view.beginTold(in: memory, instance: instance, hint: &hint) else { return }
        body()
        _ = unsafe InjectedView.endTold(in: memory, cause: { cause }, text: { Self.texts[Int($0)] })
    }

    @Test("are counted by reason and by who wrote, also where there are more of both than places for them")
    func counts() throws {
        let view = InjectedView("Widget", in: store, file: "", line: 0, phase: .snapshot)
        var truth: [String: UInt64] = ["initial": 3], hints: [UInt32] = [0, 0, 0]
        for instance in 0..<3 {
            evaluate(
                view, UInt64(instance + 1), hint: &hints[instance],
                ToldCause(reason: 5, isProved: false, isSameOutput: nil))
        }
        var random = SeededGenerator(seed: 7)
        for _ in 0..<2_000 {
            let reason = UInt32.random(in: 0...9, using: &random), instance = Int.random(in: 0...2, using: &random)
            let writer = UInt.random(in: 0...3, using: &random) * 0x1000
            evaluate(
                view, UInt64(instance + 1), hint: &hints[instance],
                ToldCause(reason: reason, isProved: reason % 2 == 0, isSameOutput: reason % 3 == 0, writer: writer))
            truth[reason == 0 ? Reason.unknown : "reason \(reason)", default: 0] += 1
        }
        let widget = try #require(stats("Widget"))
        let counted = Dictionary(widget.reasons.map { ($0.reason, $0.count) }, uniquingKeysWith: +)
        #expect(counted == truth && widget.count == 2_003 && widget.instances == 3)
        let same = [0, 3, 6, 9].reduce(UInt64(0)) {
            $0 + (truth[$1 == 0 ? Reason.unknown : "reason \($1)"] ?? 0)
        }
        #expect(widget.wasted.count == same && widget.wasted.measured == same)
        // A write at 0 is none.
        let named = widget.reasons.flatMap(\.writers).reduce(UInt64(0)) { $0 + $1.count }
        #expect(named > 1_000 && named < 2_000)
    }

    @Test("that do not count after all, and those that are forgotten, leave the next ones as they are")
    func forgotten() throws {
        let view = InjectedView("Left", in: store, file: "", line: 0, phase: .snapshot)
        let outer = InjectedView("Outer", in: store, file: "", line: 0, phase: .snapshot)
        let cause = ToldCause(reason: 1, isProved: true, isSameOutput: true)
        var hint: UInt32 = 0, outerHint: UInt32 = 0
        evaluate(outer, 1, hint: &outerHint, cause) {
            evaluate(view, 1, hint: &hint, cause)
            evaluate(view, 1, hint: &hint, nil)
            let left = unsafe InjectedView.toldMemory()
            let hasBegun = unsafe view.beginTold(in: left, instance: 1, hint: &hint)
            #expect(hasBegun)
            unsafe InjectedView.forgetTold(in: left)
            evaluate(view, 1, hint: &hint, cause)
            store.evaluate("Inside") {}
        }
        let seen = ["Left", "Outer", "Inside"].map { stats($0)?.count }
        #expect(seen == [2, 1, 1])
        let reasons = try #require(stats("Left")).reasons.map { "\($0.reason) \($0.count)" }
        #expect(reasons.sorted() == ["initial 1", "reason 1 1"])
    }

    @Test("begin anew after a reset")
    func reset() throws {
        let view = InjectedView("Reset", in: store, file: "", line: 0, phase: .snapshot)
        var hint: UInt32 = 0
        for _ in 0..<5 { evaluate(view, 1, hint: &hint, ToldCause(reason: 3, isProved: true, isSameOutput: nil)) }
        store.core.reset()
        for reason in [4, 3, 3] as [UInt32] {
            evaluate(view, 1, hint: &hint, ToldCause(reason: reason, isProved: true, isSameOutput: nil))
        }
        let counted = try #require(stats("Reset")).reasons.map { "\($0.reason) \($0.count)" }
        #expect(counted == ["reason 3 2", "reason 4 1"])
    }
}
