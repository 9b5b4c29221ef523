// SPDX-License-Identifier: MIT
// An instance's memory passes from one plain evaluation to the next, on one thread and on several.

import Rerender
import RerenderModel
import Testing

@Suite("Memory that is offered to plain evaluations")
struct PlainOfferTests {
    private static func evaluate(_ store: RerenderStore, _ instances: [UInt64], times: Int) async {
        await withTaskGroup { group in
            for instance in instances {
                group.addTask {
                    for step in 0..<times {
                        _ = store.evaluate("Row", instance: InstanceID(rawValue: instance)) { step }
                    }
                }
            }
        }
    }

    private static func count(_ store: RerenderStore, _ reason: String) -> UInt64 {
        store.stats.first?.reasons.first { $0.reason == reason }?.count ?? 0
    }

    @Test("instances of a view on two threads: each evaluation counts, and each instance is new once")
    func twoInstances() async {
        let store = RerenderStore(name: "offers")
        await Self.evaluate(store, [1, 2], times: 5_000)
        #expect(store.stats.first?.count == 10_000 && store.stats.first?.instances == 2)
        #expect(Self.count(store, Reason.initial) == 2)
        #expect(Self.count(store, Reason.externalSignal) == 9_998)
    }

    @Test("one instance on two threads: each evaluation counts, and it is new once")
    func oneInstance() async {
        let store = RerenderStore(name: "offers")
        await Self.evaluate(store, [7, 7], times: 5_000)
        #expect(store.stats.first?.count == 10_000 && store.stats.first?.instances == 1)
        #expect(Self.count(store, Reason.initial) == 1)
    }

    @Test("an instance that ends while it is evaluated is new afterwards, and the evaluation counts")
    func endsInside() {
        let store = RerenderStore(name: "offers")
        for _ in 0..<4 { store.evaluate("Row", instance: 1) {} }
        store.evaluate("Row", instance: 1) { store.ended("Row", instance: 1) }
        #expect(store.stats.first?.count == 5 && store.stats.first?.instances == 0)
        for _ in 0..<4 { store.evaluate("Row", instance: 1) {} }
        #expect(Self.count(store, Reason.initial) == 2)
        #expect(store.stats.first?.count == 9 && store.stats.first?.instances == 1)
    }

    @Test("a commit inside of an evaluation is of the instance whose evaluation that is")
    func commitsInside() {
        let store = RerenderStore(name: "offers")
        for _ in 0..<4 { store.evaluate("Row", instance: 2) {} }
        for _ in 0..<4 { store.evaluate("Row", instance: 1) {} }
        store.evaluate("Row", instance: 1) { store.committed("Row", changed: false) }
        // The four of instance 1 that were open; its fifth ends after the commit.
        #expect(store.stats.first?.wasted.kinds[.sameOutput] == 4)
    }

    @Test("instances in turn are found each, whichever was evaluated last")
    func inTurn() {
        let store = RerenderStore(name: "offers")
        for _ in 0..<50 {
            for instance in 1...3 as ClosedRange<UInt64> {
                for _ in 0..<3 { store.evaluate("Row", instance: InstanceID(rawValue: instance)) {} }
            }
        }
        #expect(store.stats.first?.count == 450 && store.stats.first?.instances == 3)
        #expect(Self.count(store, Reason.initial) == 3)
        #expect(Self.count(store, Reason.externalSignal) == 447)
    }
}
