// SPDX-License-Identifier: MIT
// What ends with a store is the app's: it may hold other stores.

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
