// SPDX-License-Identifier: MIT
// What ends with a store is the app's: it may hold other stores.

import RerenderWire
import TestSupport
import Testing

@testable import Rerender

@Suite("The end of stores")
struct StoreEndTests {
    private final class Holder: Sendable {
        let store = RerenderStore(name: "held")
    }

    private struct Output: Equatable {
        let holder = Holder()

        static func == (left: Output, right: Output) -> Bool { left.holder === right.holder }
    }

    @Test(
        "of so many the counts are kept, of others the number of evaluations, and the last of these is all further ones",
        arguments: around(StoreLimits.endedStores) + around(StoreLimits.endedStores + StoreLimits.condensedStores))
    func ended(count: Int) {
        let (process, list) = (TestProcess(), StoreList(setThresholds: { _ in }))
        for number in 0..<count {
            let core = process.makeStore("store \(number)")
            core.evaluate("View")
            list.add(core)
            list.end(core)
        }
        let all = list.all
        let kept = min(count, StoreLimits.endedStores)
        let isFull = count - kept > StoreLimits.condensedStores
        #expect(all.ended.count == kept && all.ended.last?.name == "store \(count - 1)")
        #expect(all.condensed.count == min(count - kept, StoreLimits.condensedStores))
        #expect(all.condensed.reduce(0) { $0 + $1.dropped } == UInt64(count - kept))
        #expect((all.condensed.last?.name == "other stores") == isFull)
    }

    @Test("a store that keeps the output of a view may hold the last of another store")
    func holding() {
        // More than the process keeps for a daemon: the oldest are let go of while others end.
        for number in 0..<StoreLimits.endedStores * 2 {
            let store = RerenderStore(name: "holds \(number)")
            _ = store.evaluate("Label", of: number, comparing: .equatable) { Output() }
        }
        let store = RerenderStore(name: "after")
        store.evaluate("Label") {}
        #expect(store.stats.map(\.count) == [1])
    }
}
