// SPDX-License-Identifier: MIT
// The set of live instances against Swift's own Set.

import TestSupport
import Testing

@testable import Rerender

@Suite("Instance table")
struct InstanceTableTests {
    @Test("a long random history gives the same answers as a Set", arguments: 1...8)
    func matchesSet(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var table = InstanceTable()
        var model: Set<UInt64> = []
        for _ in 0..<20_000 {
            // Few numbers, many of which share a place, so that removals have to move others.
            let instance = UInt64.random(in: 0...200, using: &random) &* (seed.isMultiple(of: 2) ? 1 : 1 << 40)
            if Bool.random(using: &random) {
                let isNew = model.insert(instance).inserted
                let outcome = table.insert(instance)
                #expect(outcome == (isNew ? .inserted : .present))
            } else {
                let wasRemoved = table.remove(instance)
                #expect(wasRemoved == (model.remove(instance) != nil))
            }
            #expect(table.count == model.count)
        }
    }

    @Test("a full table turns new instances away and still knows the old")
    func isBounded() {
        var table = InstanceTable()
        var isEachNew = true
        for instance in 1...UInt64(StoreLimits.instancesPerView) where table.insert(instance) != .inserted {
            isEachNew = false
        }
        #expect(isEachNew)
        let outcomes = [table.insert(.max), table.insert(7)]
        #expect(outcomes == [.full, .present])
        let wasRemoved = table.remove(7)
        let outcome = table.insert(.max)
        #expect(wasRemoved && outcome == .inserted)
        #expect(table.count == StoreLimits.instancesPerView)
    }
}
