// SPDX-License-Identifier: MIT
// Adds up an export by view, and lists what is missing from it.

package import RerenderShow

extension Verdict {
    /// The sentences of what is known to cost something; none where nothing is.
    var costs: [String] { findings.filter(\.kind.isMarked).map(\.text) }
}

/// The views of all stores of an export, added up by key.
package struct Tally: Sendable {
    /// By key.
    package let views: [ViewKey: KeyTally]
    /// Everything together: evaluations that are in no view are in here, and so are hangs that no view is blamed for.
    package let amounts: Amounts
    /// How many processes there are.
    package let processes: Int
    /// Why the numbers are not all there, each a sentence; empty where they are exact.
    package let gaps: [String]
    /// What costs most, whatever a budget says.
    package let verdict: Verdict?

    /// - Parameter gaps: What is missing beside what the export itself says.
    package init(_ export: StatsExport, gaps: [String] = []) {
        var views: [ViewKey: KeyTally] = [:]
        var amounts = Amounts()
        for store in export.processes {
            amounts.evaluations = amounts.evaluations.clampedSum(store.evaluations)
            for view in store.views {
                amounts.wasted = amounts.wasted.clampedSum(view.wasted.count)
                amounts.inferred = amounts.inferred.clampedSum(view.wasted.inferred)
                views[view.key, default: KeyTally(key: view.key)].add(view)
            }
        }
        let hangs = Self.hangs(export.processes)
        (amounts.hangs, amounts.starvedHangs) = (hangs.ofApp, hangs.starved)
        self.views = views
        self.amounts = amounts
        processes = Set(export.processes.map(\.pid)).count
        verdict = export.verdict
        self.gaps = gaps + export.processes.flatMap(Self.gaps)
    }

    /// A hang is one of the process, and each of its stores counts it: the one that counts since longest has them all.
    private static func hangs(_ stores: [ProcessStats]) -> (ofApp: UInt64, starved: UInt64) {
        let processes = Dictionary(grouping: stores) { "\($0.pid) \($0.name)" }.values
        return processes.reduce((0, 0)) { sum, stores in
            let hangs = stores.map(\.hangs).max { $0.count < $1.count } ?? HangTotals()
            return (sum.0.clampedSum(hangs.ofApp), sum.1.clampedSum(hangs.count - hangs.ofApp))
        }
    }

    /// Views in which something was counted, by key.
    package var seen: [KeyTally] {
        views.values.filter { $0.amounts != Amounts() }.sorted { $0.key < $1.key }
    }

    /// Hangs that no view is blamed for.
    var hangsOfNoView: UInt64 {
        let blamed = views.values.reduce(UInt64(0)) { $0.clampedSum($1.amounts.hangs) }
        return amounts.hangs > blamed ? amounts.hangs - blamed : 0
    }

    private static func gaps(_ store: ProcessStats) -> [String] {
        let name = StoreLabels.full(store)
        var gaps: [String] = []
        func miss(_ count: UInt64, _ why: String) {
            if count > 0 { gaps.append("\(Counted.text(count, "evaluation")) of \(name) \(why)") }
        }
        miss(store.lost, "LOST: the process ended before it reported them")
        miss(store.dropped, "DROPPED: too many views in one process")
        let known = store.views.reduce(store.lost.clampedSum(store.dropped)) { $0.clampedSum($1.count) }
        if store.evaluations > known {
            miss(
                store.evaluations - known,
                "not in any view: the export has only some views, or the app was counting meanwhile")
        }
        if !store.enabled { gaps.append("counting is disabled in \(name)") }
        return gaps
    }
}
