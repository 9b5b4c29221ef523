// SPDX-License-Identifier: MIT
// Self time against clocks that the test reads itself.

import RerenderModel
import Testing

@testable import Rerender

@Suite("Self time")
struct SelfTimeTests {
    private let store = RerenderStore(name: "self time")

    private func stats(_ key: String, in store: RerenderStore? = nil) throws -> Stats {
        try #require((store ?? self.store).stats.first { $0.key.rawValue == key })
    }

    /// Works for a time, and returns how long that took: what the evaluation around it has as self time at least.
    private func work(_ microseconds: Int) -> UInt64 {
        let start = MonotonicClock.now
        while MonotonicClock.now - start < UInt64(microseconds) * 1_000 {}
        return MonotonicClock.now - start
    }

    @Test("is the time without the bodies inside, of other stores too, and all of it is the outermost body's")
    func nested() throws {
        let other = RerenderStore(name: "other")
        var truth: [String: UInt64] = [:]
        let began = MonotonicClock.now
        for _ in 0..<3 {
            store.evaluate("Outer") {
                truth["Outer", default: 0] += work(300)
                for _ in 0..<2 {
                    other.evaluate("Middle") {
                        truth["Middle", default: 0] += work(200)
                        store.evaluate("Inner") { truth["Inner", default: 0] += work(100) }
                    }
                }
                truth["Outer", default: 0] += work(100)
            }
        }
        let all = MonotonicClock.now - began
        let views = try [stats("Outer"), stats("Middle", in: other), stats("Inner")]
        let own = try views.map { try #require($0.selfNanoseconds) }
        for (view, own) in zip(views, own) {
            let (mine, sum) = (truth[view.key.rawValue] ?? 0, truth.values.reduce(0, +))
            #expect(own >= mine, "\(view.key)")
            // Nothing that another body was seen to do is in it.
            #expect(own <= all - (sum - mine), "\(view.key)")
        }
        #expect(own.reduce(0, +) == views[0].body.totalNanoseconds, "nothing twice, and nothing left out")
        #expect(own[1] + own[2] == views[1].body.totalNanoseconds && own[2] == views[2].body.totalNanoseconds)
    }

    @Test("of a view inside itself is counted once")
    func recursive() throws {
        var inside: UInt64 = 0
        func evaluate(_ depth: Int) -> UInt64 {
            let worked = store.evaluate("Tree") { work(50) + (depth > 0 ? evaluate(depth - 1) : 0) }
            if depth < 9 { inside += worked }
            return worked
        }
        let began = MonotonicClock.now
        let truth = evaluate(9)
        let all = MonotonicClock.now - began
        let tree = try stats("Tree"), own = try #require(tree.selfNanoseconds)
        #expect(tree.count == 10 && own >= truth && own <= all)
        #expect(tree.body.totalNanoseconds >= own + inside, "that with those inside counts each again")
    }

    @Test("is what waste takes: a body that is wasted in a wasted body counts once")
    func waste() throws {
        func evaluate() {
            _ = store.evaluate("Outer", instance: 1, comparing: .equatable) {
                store.evaluate("Inner", instance: 1, comparing: .equatable) {
                    _ = work(500)
                    return 1
                } + Int(work(500) * 0)
            }
        }
        evaluate()
        let began = MonotonicClock.now
        for _ in 0..<4 { evaluate() }
        let all = MonotonicClock.now - began
        let (outer, inner) = try (stats("Outer").wasted, stats("Inner").wasted)
        #expect(outer.count == 4 && inner.count == 4)
        #expect(outer.nanoseconds >= 2_000_000 && inner.nanoseconds >= 2_000_000)
        #expect(outer.nanoseconds + inner.nanoseconds <= all)
    }

    @Test("of what is told is measured in the same way, and a reset clears it")
    func told() throws {
        let outer = InjectedView("Window", in: store, file: "", line: 0, phase: .snapshot)
        let inner = InjectedView("Label", in: store, file: "", line: 0, phase: .snapshot)
        let cause = ToldCause(reason: 0, isProved: false, isSameOutput: true)
        var hints: [UInt32] = [0, 0]
        func evaluate(_ view: InjectedView, _ place: Int, _ body: () -> Void) {
            let memory = unsafe InjectedView.toldMemory()
            guard unsafe view.beginTold(in: memory, instance: UInt64(place + 1), hint: &hints[place]) else { return }
            body()
            _ = unsafe InjectedView.endTold(in: memory, cause: { cause }, text: { _ in nil })
        }
        var truth: [UInt64] = [0, 0]
        for _ in 0..<5 {
            evaluate(outer, 0) {
                truth[0] += work(100)
                evaluate(inner, 1) { truth[1] += work(100) }
            }
        }
        let (window, label) = try (stats("Window"), stats("Label"))
        let own = try [#require(window.selfNanoseconds), #require(label.selfNanoseconds)]
        #expect(own[0] >= truth[0] && own[1] >= truth[1])
        #expect(own[0] + own[1] == window.body.totalNanoseconds && own[1] == label.body.totalNanoseconds)
        #expect(window.wasted.nanoseconds <= own[0] && window.wasted.count > 0)
        store.reset()
        store.evaluate("After") {}
        #expect(try stats("After").selfNanoseconds == stats("After").body.totalNanoseconds)
        #expect(store.stats.count == 1)
    }
}
