// SPDX-License-Identifier: MIT
// What the verdict looks at in a view.

/// The numbers of one view that a verdict needs, and where it is.
package struct ViewCosts: Sendable {
    package var key: ViewKey
    package var file: String
    package var line: UInt32
    /// Evaluations without further passes of the same update.
    package var updates: UInt64
    /// Time in bodies, without those inside of them.
    package var selfNanoseconds: UInt64
    /// Evaluations that were not needed, and the part of them that is only inferred.
    package var wasted: UInt64
    package var inferred: UInt64
    package var wastedNanoseconds: UInt64
    /// Evaluations of which it is not known whether they were needed.
    package var unjudged: UInt64
    package var hangs: HangTotals

    /// The costs of a view in a daemon or an app.
    package init(
        _ totals: ViewTotals, hangs: HangTotals, key: ViewKey, file: String, line: UInt32
    ) {
        (self.key, self.file, self.line) = (key, file, line)
        updates = totals.count - min(totals.passes, totals.count)
        selfNanoseconds = totals.selfNanoseconds
        (wasted, inferred) = (totals.waste.count, totals.waste.inferred)
        wastedNanoseconds = totals.waste.nanoseconds
        unjudged = totals.waste.unjudged
        self.hangs = hangs
    }

    /// The costs of a view in an export.
    package init(_ view: Stats) {
        (key, file, line) = (view.key, view.file, view.line)
        (updates, selfNanoseconds) = (view.updates, view.ownNanoseconds)
        (wasted, inferred) = (view.wasted.count, view.wasted.inferred)
        wastedNanoseconds = view.wasted.nanoseconds
        unjudged = view.wasted.unjudged ?? 0
        hangs = view.hangs
    }

    /// What findings about it are ranked by.
    ///
    /// - Parameter counted: For how long its store has counted; nil where that is not known.
    package func rank(of counted: UInt64?) -> ViewRank {
        ViewRank(
            hasHangs: hangs.count > 0, hangs: hangs.nanosecondsOfApp,
            // By second, where that is known: a store that has counted for longer is not worse.
            waste: VerdictFloor.perSecond(wastedNanoseconds, of: counted) ?? wastedNanoseconds)
    }
}

/// What a view costs the person in front of the screen: time in hangs, then time that was wasted. The larger, the more.
package struct ViewRank: Comparable, Sendable {
    let hasHangs: Bool
    /// Nanoseconds in hangs, without those in which the machine did not run the app.
    let hangs: UInt64
    /// Wasted nanoseconds in each second, or all where that is not known.
    let waste: UInt64

    package static func < (left: ViewRank, right: ViewRank) -> Bool {
        // A hang comes before all waste, even if the app ran in nothing of it.
        (left.hasHangs ? 1 : 0, left.hangs, left.waste) < (right.hasHangs ? 1 : 0, right.hangs, right.waste)
    }
}
