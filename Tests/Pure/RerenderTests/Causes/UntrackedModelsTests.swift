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

    private struct View {
        var meter: Meter
        var other: Meter?
        var title = "a"
    }

    private struct Title {
        var text = "a"
    }

    private struct Lab {
        let store = RerenderStore(name: "untracked")

        init() { store.core.settings.tracksReads.store(false, ordering: .relaxed) }

        func reason(_ view: View) -> (reason: String?, attribution: Attribution?) {
            store.evaluate("View", of: view) { _ = (view.meter.level, view.meter.name) }
            let last = store.stats.first?.lastReason
            return (last, store.stats.first?.reasons.first { $0.reason == last }?.attribution)
        }
    }

    @Test("a model's changed property is the reason, found by comparing, and said to be so")
    func changed() {
        let lab = Lab(), view = View(meter: Meter(), other: Meter())
        #expect(lab.reason(view) == (Reason.initial, .exact))
        view.meter.level = 1
        #expect(lab.reason(view) == ("meter.level", .diff))
        view.meter.level = 2
        view.other?.name = "other"
        #expect(lab.reason(view) == ("meter.level, other.name", .diff))
        #expect(lab.reason(view) == (Reason.externalSignal, nil))
    }

    @Test("nothing is inferred of a view with equal inputs, which may have read something else")
    func unjudged() {
        let (store, elsewhere) = (Lab().store, Meter())
        for level in 1...3 {
            store.evaluate("View", of: Title()) { _ = elsewhere.level }
            elsewhere.level = level
        }
        let waste = store.stats.first?.wasted
        #expect(waste?.count == 0 && waste?.unjudged == 2, "\(String(describing: waste))")
    }

    @Test("a replaced model is the view's own change, and its values are no change of the old one's")
    func replaced() {
        let lab = Lab()
        var view = View(meter: Meter())
        _ = lab.reason(view)
        let next = Meter()
        next.level = 9
        view.meter = next
        #expect(lab.reason(view) == ("meter", .diff))
        view.other = Meter()
        #expect(lab.reason(view) == ("other", .diff))
        view.title = "b"
        #expect(lab.reason(view) == ("title", .diff))
    }
}
