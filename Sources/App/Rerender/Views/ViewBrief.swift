// SPDX-License-Identifier: MIT
// The numbers of views that a list of views shows; what takes long to find is left out.

package import RerenderModel

/// What is known of a view at the price of a lock: no percentiles, and no names of writers.
package struct ViewBrief: Sendable {
    /// The view's place in its store, which it keeps.
    package let index: Int
    package let count: UInt64
    /// Those of them that only an evaluation of a view in it led to, as a widget draws again because a widget in it did.
    package let causedByChildren: UInt64
    /// The reason of most evaluations, and of how many; empty before the first.
    package let reason: (text: String, count: UInt64)
    /// What a verdict needs of it.
    package let costs: ViewCosts

    package init(
        index: Int = 0, count: UInt64, causedByChildren: UInt64 = 0, reason: (text: String, count: UInt64),
        costs: ViewCosts
    ) {
        (self.index, self.count, self.causedByChildren) = (index, count, causedByChildren)
        (self.reason, self.costs) = (reason, costs)
    }

    package var key: ViewKey { costs.key }
}

/// A store and its views at one time, as lists and verdicts show them.
package struct StoreBrief: Sendable {
    private let store: ProcessStats
    private let views: [ViewBrief]

    init(store: ProcessStats, views: [ViewBrief]) { (self.store, self.views) = (store, views) }

    /// The views with anything to show, those with most evaluations for a reason of their own first.
    package var ranked: [ViewBrief] {
        // Numbers are sorted, as each move of a brief retains what is in it.
        views.indices.sorted { ViewBrief.precedes(views[$0], views[$1]) }.map { views[$0] }
    }

    /// For how long it counted until its latest evaluation ended; nil where that is not known.
    package var countedNanoseconds: UInt64? { store.countedNanoseconds }

    /// Adds the store to a verdict.
    package func judge(in builder: inout VerdictBuilder) {
        builder.begin(store)
        for view in views { builder.add(view.costs) }
    }
}

extension ViewState {
    /// The numbers for a list.
    mutating func brief(of view: ViewRecord) -> ViewBrief {
        reasons.settle()
        return ViewBrief(
            index: Int(view.index), count: sums.count, causedByChildren: min(reasons.causedByChildren, sums.count),
            reason: reasons.mostFrequent,
            costs: ViewCosts(sums, hangs: hangs, key: view.key, file: view.file, line: view.line))
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
