// SPDX-License-Identifier: MIT
// What the HUD shows: the caller reads it from a store.

package import RerenderModel

/// A view in the list.
package struct HUDRow: Hashable, Sendable {
    /// The view's name, which is unique among the rows.
    package var key: String
    /// How often it was evaluated.
    package var count: UInt64
    /// Evaluations per second now; nil where that is unknown.
    package var rate: Double?
    /// How many of them were not needed; nil where that is unknown.
    package var wasted: UInt64?
    /// Whether the waste is only inferred.
    package var isWasteInferred: Bool
    /// Whether so much of it was wasted that it is worth a finding.
    package var isWasteful: Bool
    /// The main reason with a `~` before a guess, and its share; empty where none is known.
    package var why: String
    /// ` (+12 parents)`: what is folded under it; empty for nothing.
    package var note: String
    /// How many hangs the view was blamed for.
    package var hangs: UInt64

    package init(
        key: String, count: UInt64, rate: Double? = nil, wasted: UInt64? = nil, isWasteInferred: Bool = false,
        isWasteful: Bool = false, why: String = "", note: String = "", hangs: UInt64 = 0
    ) {
        (self.isWasteful, self.note) = (isWasteful, note)
        (self.key, self.count, self.rate, self.wasted) = (key, count, rate, wasted)
        (self.isWasteInferred, self.why, self.hangs) = (isWasteInferred, why, hangs)
    }
}

/// A reason of the expanded view.
package struct HUDReason: Hashable, Sendable {
    /// With a `~` before a guess.
    package var text: String
    package var count: UInt64
    /// The function that wrote most often; nil where that is unknown.
    package var writer: String?

    package init(_ text: String, count: UInt64, writer: String? = nil) {
        (self.text, self.count, self.writer) = (text, count, writer)
    }
}

/// Two durations in nanoseconds; nil where they are unknown.
package struct HUDTimes: Hashable, Sendable {
    package var last: UInt64?
    package var average: UInt64?

    package init(last: UInt64? = nil, average: UInt64? = nil) { (self.last, self.average) = (last, average) }
}

/// How long hangs were, in nanoseconds.
package struct HUDHangs: Hashable, Sendable {
    package var last: UInt64
    package var worst: UInt64

    package init(last: UInt64, worst: UInt64) { (self.last, self.worst) = (last, worst) }
}

/// What is shown below the expanded row.
package struct HUDDetails: Hashable, Sendable {
    /// The view that it is about.
    package var key: String
    /// Time in the body alone.
    package var body: HUDTimes
    /// Time with all that runs around the body.
    package var total: HUDTimes
    /// File and line; nil where they are unknown.
    package var place: String?
    /// The latest and the longest hang; nil where there was none.
    package var hangs: HUDHangs?
    /// Most frequent first.
    package var reasons: [HUDReason]

    package init(
        key: String, body: HUDTimes = HUDTimes(), total: HUDTimes = HUDTimes(), place: String? = nil,
        hangs: HUDHangs? = nil, reasons: [HUDReason] = []
    ) {
        (self.key, self.body, self.total, self.place) = (key, body, total, place)
        (self.hangs, self.reasons) = (hangs, reasons)
    }
}

/// All that the HUD shows.
package struct HUDContent: Hashable, Sendable {
    /// Rows that are kept; the others are counted.
    package static let mostRows = 500

    /// The names of the stores.
    package var stores: [String]
    /// The place of the shown store among them.
    package var store: Int
    /// The views, highest rank first.
    package private(set) var rows: [HUDRow]
    /// How many views are not among the rows.
    package private(set) var leftOut: Int
    /// The details of the expanded row, if it is in this store.
    package var details: HUDDetails?
    /// What the HUD itself takes, in percents of one core; nil while that is unknown.
    package var cost: Double?
    /// What costs most in the process; nil where that is not known.
    package var verdict: Verdict.Finding?
    /// What may be missing from the store's counts, as sentences.
    package var gaps: [String] = []
    /// How many rows are folded, as they say nothing of their own.
    package var folded = 0
    /// Whether the store has widgets of GTK.
    package var areWidgets = false

    /// - Parameter total: How many views there are besides those that are folded; nil where the rows are all of them.
    package init(
        stores: [String] = [], store: Int = 0, rows: [HUDRow] = [], total: Int? = nil, details: HUDDetails? = nil,
        cost: Double? = nil
    ) {
        (self.stores, self.store, self.details, self.cost) = (stores, store, details, cost)
        self.rows = Array(rows.prefix(Self.mostRows))
        leftOut = max(0, (total ?? rows.count) - self.rows.count)
    }

    /// The name of the shown store.
    var storeName: String { stores.indices.contains(store) ? stores[store] : "" }
}

extension HUDContent {
    /// Whether the rows are those of another content, in its order.
    func hasOrder(of other: HUDContent) -> Bool {
        rows.lazy.map(\.key).elementsEqual(other.rows.lazy.map(\.key))
    }
}
