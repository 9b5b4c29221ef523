// SPDX-License-Identifier: MIT
// How many instances of a view are told apart.

import RerenderModel
import TestSupport
import Testing

@testable import Rerender

@Suite("Instance limit")
struct InstanceLimitTests {
    @Test("a long random history counts the same live instances as a Set", arguments: 1...4)
    func matchesSet(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var view = ViewState(ViewTotals(storeID: 0, index: 0, epoch: 0))
        var model: Set<UInt64> = []
        for _ in 0..<5_000 {
            let instance = UInt64.random(in: 0...200, using: &random)
            if Bool.random(using: &random) {
                let isNew = model.insert(instance).inserted
                let checkOut = view.checkOut(instance, CauseSettings())
                #expect(checkOut.isInitial == isNew)
                checkOut.record?.isCheckedOut = false
            } else {
                let record = view.end(instance: instance)
                #expect((record != nil) == (model.remove(instance) != nil))
            }
            #expect(view.instanceCount == UInt64(model.count))
        }
    }

    @Test(
        "a view with too many instances turns new ones away and still knows the old",
        arguments: around(StoreLimits.instancesPerView))
    func isBounded(count: Int) {
        var view = ViewState(ViewTotals(storeID: 0, index: 0, epoch: 0))
        let (settings, kept) = (CauseSettings(), min(count, StoreLimits.instancesPerView))
        var (new, turnedAway) = (0, 0)
        for instance in 1...UInt64(count) {
            let checkOut = view.checkOut(instance, settings)
            if checkOut.isInitial { new += 1 }
            if checkOut.record == nil, checkOut.isForgotten { turnedAway += 1 }
        }
        #expect(new == kept && turnedAway == count - kept)
        #expect(view.instanceCount == UInt64(kept))
        let old = view.checkOut(7, settings)
        #expect(old.record != nil && !old.isInitial)
        _ = view.end(instance: 7)
        #expect(view.checkOut(.max, settings).isInitial)
        #expect(view.instanceCount == UInt64(kept))
    }

    @Test(
        "of so many instances the previous values are kept, the latest, and the others are counted",
        arguments: around(StoreLimits.previousValuesPerView))
    func isForgotten(count: Int) {
        var view = ViewState(ViewTotals(storeID: 0, index: 0, epoch: 0))
        let settings = CauseSettings()
        for instance in 1...UInt64(count) {
            let checkOut = view.checkOut(instance, settings)
            checkOut.record?.isCheckedOut = false
        }
        let gone = max(0, count - StoreLimits.previousValuesPerView)
        #expect(view.records.forgotten == UInt64(gone))
        // The latest first: those that come back would make others leave.
        var known = 0
        for instance in (1...UInt64(count)).reversed() {
            let checkOut = view.checkOut(instance, settings)
            #expect(!checkOut.isInitial)
            guard !checkOut.isForgotten else { break }
            checkOut.record?.isCheckedOut = false
            known += 1
        }
        #expect(known == count - gone)
    }

    @Test(
        "the memory of an instance that ends, or makes room, during a plain evaluation lives as long as that",
        arguments: [false, true])
    func leavesInside(isEvicted: Bool) {
        let settings = CauseSettings()
        var view = ViewState(ViewTotals(storeID: 0, index: 0, epoch: 0))
        view.records = InstanceCache(limit: 1)
        weak var memory: InstanceRecord?
        do {
            let record = view.checkOut(1, settings).record
            // An evaluation has ended, and the next one may be plain.
            record?.isCheckedOut = false
            record?.isPlain = true
            memory = record
        }
        let isBegun = view.checkOutPlain(1) != nil
        #expect(isBegun)
        if isEvicted { _ = view.checkOut(2, settings) } else { _ = view.end(instance: 1) }
        #expect(memory != nil, "the evaluation has it, and does not retain it")
        // The evaluation ends, and lets go of it.
        if let record = memory, view.endPlain(record) { Unmanaged.passUnretained(record).release() }
        #expect(memory == nil)
    }
}
