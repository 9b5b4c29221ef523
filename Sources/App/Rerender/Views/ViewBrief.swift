// SPDX-License-Identifier: MIT
// The numbers of one view that a list of views shows; what takes long to find is left out.

package import RerenderModel

/// What is known of a view at the price of a lock: no percentiles, and no names of writers.
package struct ViewBrief: Sendable {
    package let key: ViewKey
    package let count: UInt64
    /// Those of them that only an evaluation of a view in it led to, as a widget draws again because a widget in it did.
    package let causedByChildren: UInt64
    /// Evaluations that were not needed: measured, and inferred from the inputs.
    package let measured: UInt64
    package let inferred: UInt64
    /// Time in the body that these took.
    package let wastedNanoseconds: UInt64
    /// Evaluations of which it is not known whether they were needed.
    package let unjudged: UInt64
    package let hangs: UInt64
    /// The reason of most evaluations, and of how many; empty before the first.
    package let reason: (text: String, count: UInt64)

    package init(
        key: ViewKey, count: UInt64, causedByChildren: UInt64 = 0, measured: UInt64, inferred: UInt64,
        wastedNanoseconds: UInt64 = 0, unjudged: UInt64, hangs: UInt64, reason: (text: String, count: UInt64)
    ) {
        (self.key, self.count, self.measured, self.inferred) = (key, count, measured, inferred)
        self.causedByChildren = causedByChildren
        (self.unjudged, self.hangs, self.reason) = (unjudged, hangs, reason)
        self.wastedNanoseconds = wastedNanoseconds
    }
}

extension ViewState {
    /// The numbers for a list.
    func brief(of key: ViewKey) -> ViewBrief {
        ViewBrief(
            key: key, count: sums.count, causedByChildren: min(reasons.causedByChildren, sums.count),
            measured: sums.waste.measured, inferred: sums.waste.inferred, wastedNanoseconds: sums.waste.nanoseconds,
            unjudged: sums.waste.unjudged, hangs: hangs.count, reason: reasons.mostFrequent)
    }
}

extension ViewBrief {
    /// Whether `lhs` stands above `rhs` in a list: more evaluations for a reason of its own first, then more evaluations, then by key.
    static func precedes(_ lhs: ViewBrief, _ rhs: ViewBrief) -> Bool {
        let (left, right) = (lhs.count - lhs.causedByChildren, rhs.count - rhs.causedByChildren)
        if left != right { return left > right }
        return lhs.count != rhs.count ? lhs.count > rhs.count : lhs.key < rhs.key
    }
}

extension ReasonTable {
    /// Evaluations that only one of a view in it led to.
    fileprivate var causedByChildren: UInt64 { entries.reduce(0) { $1.isChild ? $0 + $1.count : $0 } }

    /// The reason of most evaluations; of several the one that was met first.
    fileprivate var mostFrequent: (text: String, count: UInt64) {
        var found: (text: String, count: UInt64) = ("", 0)
        for entry in entries where entry.count > found.count { found = (entry.text, entry.count) }
        return other > found.count ? (Reason.other, other) : found
    }
}
