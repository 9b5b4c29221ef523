// SPDX-License-Identifier: MIT
// Judges all views of some stores, whichever of them an answer lists.

import RerenderModel
import RerenderWire

/// Finds the verdict of some stores, a few views at a time.
struct StoreJudge {
    /// Views that a step looks at: a tenth of a millisecond at most.
    private static let step = 256

    /// The stores by their serial numbers.
    private let stores: [UInt32]
    private var place: (store: Int, view: Int) = (0, 0)
    private var builder = VerdictBuilder()

    init(_ stores: [UInt32]) { self.stores = stores }

    /// What was found so far.
    var verdict: Verdict? { builder.verdict }

    /// Looks at the next views; false if there are none.
    mutating func advance(_ registry: Registry) -> Bool {
        guard place.store < stores.count else { return false }
        guard let (process, store) = registry.storesBySerial[stores[place.store]] else {
            place = (place.store + 1, 0)
            return true
        }
        if place.view == 0 { builder.begin(store.stats(of: process)) }
        let views = store.views
        let end = min(place.view + Self.step, views.count)
        for index in place.view..<max(place.view, end) where views[index].isReported && views[index].costs {
            builder.add(
                ViewCosts(
                    views[index].totals, hangs: views[index].hangs,
                    key: ViewKey(rawValue: views[index].key), file: views[index].file, line: views[index].line))
        }
        place = end < views.count ? (place.store, end) : (place.store + 1, 0)
        return true
    }
}

extension ViewEntry {
    /// Whether there is anything to judge; most views have nothing.
    fileprivate var costs: Bool { hangs.count > 0 || totals.waste.nanoseconds > 0 || totals.waste.unjudged > 0 }
}
