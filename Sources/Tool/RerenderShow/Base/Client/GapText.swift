// SPDX-License-Identifier: MIT
// What may be missing from the counts of stores, as their apps told.

package import RerenderModel

/// What apps say that may be missing from their counts.
package enum GapText {
    /// A sentence for each gap, with the store that has it; not yet fitted to a width. Safe to print.
    package static func lines(_ stores: [ProcessStats]) -> [String] {
        let labels = StoreLabels(stores)
        return stores.flatMap { store in
            (store.gaps ?? []).map { "\(labels.full(store)): \(Printable.text($0))" }
        }
    }
}
