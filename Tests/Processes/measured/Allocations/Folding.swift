// SPDX-License-Identifier: MIT
// What it allocates to find the rows of a table that are folded, as the HUD does five times a second.

import CAllocationCount
import RerenderModel

enum Folding {
    /// What that allocates for so many widgets: nine of ten pass on what the next tenth one caused, and GTK drew that one for its style.
    static func allocations(_ count: Int) -> UInt64 {
        var store = ProcessStats(pid: 7, name: "shop", store: "widgets", storeNumber: 0, startedAt: .now)
        store.kind = .widgets
        let rows = (0..<count).map { number in
            var reasons = RowReasons()
            if number % 10 == 0 {
                reasons.add("style", 5, .toolkit)
            } else {
                reasons.add("child \(key(number / 10 * 10))", 90, .passedOn)
            }
            let rank = RowRank(.plain, selfNanoseconds: 0, own: 5, of: 90)
            return RowFacts(ViewKey(rawValue: key(number)), in: store, rank, wasted: 0, hangs: 0, reasons)
        }
        // What is made once in a process.
        var shown = RowFolding(rows).shown()
        let before = callocation_count()
        shown = RowFolding(rows).shown()
        let allocations = callocation_count() - before
        return shown.count == count / 10 ? allocations : .max
    }

    /// Too long to be kept in the string itself.
    private static func key(_ number: Int) -> String { "ShopWindow/GtkListBoxRow#product_row_\(number)" }
}
