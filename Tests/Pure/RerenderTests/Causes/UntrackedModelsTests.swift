// SPDX-License-Identifier: MIT
// What is known of causes where Observation cannot be listened to.

import Observation
import RerenderModel
import Synchronization
import Testing

@testable import Rerender

@Suite("Without tracking")
struct UntrackedModelsTests {
    @Observable final class Meter {
        var level = 0
        var name = "meter"
    }

    private struct Title {
        var text = "a"
    }

    @Test("nothing is inferred of a view with equal inputs, which may have read something else")
    func unjudged() {
        let (store, elsewhere) = (RerenderStore(name: "untracked"), Meter())
        store.core.settings.tracksReads.store(false, ordering: .relaxed)
        for level in 1...3 {
            store.evaluate("View", of: Title()) { _ = elsewhere.level }
            elsewhere.level = level
        }
        let waste = store.stats.first?.wasted
        #expect(waste?.count == 0 && waste?.unjudged == 2, "\(String(describing: waste))")
    }
}
