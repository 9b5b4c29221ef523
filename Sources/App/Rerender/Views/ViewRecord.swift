// SPDX-License-Identifier: MIT
// One view of a store: its names, its totals behind a lock, and the numbers of it that a list shows.

package import RerenderModel
import RerenderWire
import Synchronization

/// A view that a store has met; lives as long as the store.
final class ViewRecord: Sendable {
    /// The view's number in its store, from 0 without gaps.
    let index: UInt32
    let key: ViewKey
    let file: String
    let line: UInt32
    let state: Mutex<ViewState>
    /// What the next evaluation may take without that lock.
    let offer = PlainOffer()
    /// The view in the flight page, while it is evaluated.
    let place: LoopPlace
    /// The number of the view's store.
    var storeID: UInt32 { UInt32(truncatingIfNeeded: place.pageWord >> 32) }

    /// - Parameter phase: What an evaluation of it is: its body, or a widget's snapshot.
    init(
        storeID: UInt32, index: UInt32, key: ViewKey, file: String, line: UInt32, epoch: UInt32,
        phase: HangPhase = .body
    ) {
        self.index = index
        self.place = LoopPlace(
            pageWord: LoopLayout.word(storeID: storeID, index: index, phase: phase), pageKey: PageKey(key.rawValue))
        self.key = key
        self.file = file
        self.line = line
        self.state = Mutex(ViewState(ViewTotals(storeID: storeID, index: index, epoch: epoch), offer))
    }
}

/// What is known of a view at the price of a lock: no percentiles, and no names of writers.
package struct ViewBrief: Sendable {
    /// The view's place in its store, which it keeps.
    package let index: Int
    package let count: UInt64
    /// Those of them that had no cause of their own: a widget in it drew again, or only its parent's evaluation led to them.
    package let passedOn: UInt64
    /// Why it was evaluated most often, without writers and chains; nil before the first evaluation.
    package let mainReason: MainReason?
    /// What a verdict needs of it.
    package let costs: ViewCosts

    package init(
        index: Int = 0, count: UInt64, passedOn: UInt64 = 0, mainReason: MainReason?, costs: ViewCosts
    ) {
        (self.index, self.count, self.passedOn) = (index, count, passedOn)
        (self.mainReason, self.costs) = (mainReason, costs)
    }

    package var key: ViewKey { costs.key }

    /// Whether each instance was evaluated once, needlessly at no time, and without a hang.
    var isOnce: Bool {
        guard let mainReason, mainReason.isOnly, mainReason.reason.reason == Reason.initial else { return false }
        return costs.wasted == 0 && costs.hangs.count == 0
    }
}

/// A store and its views at one time, as lists and verdicts show them.
package struct StoreBrief: Sendable {
    private let store: ProcessStats
    private let views: [ViewBrief]

    init(store: ProcessStats, views: [ViewBrief]) { (self.store, self.views) = (store, views) }

    /// The views with anything to show, in the order of ``RowRank``, equal ones by key. Views that were evaluated once in each instance come
    /// last: tables fold them into one line.
    ///
    /// - Parameters:
    ///   - verdict: That of all stores.
    ///   - loop: The process's main loop.
    package func ranked(_ verdict: Verdict?, _ loop: LoopStats?) -> [ViewBrief] {
        let marks = RowMarks(store, running: loop?.bodiesRunning ?? 1, verdict)
        let ranks = views.map { marks.rank(of: $0.costs, own: $0.count - min($0.passedOn, $0.count), of: $0.count) }
        let isLast = views.indices.map { ranks[$0].mark == .plain && views[$0].isOnce }
        // Numbers are sorted, as each move of a brief retains what is in it.
        return views.indices.sorted {
            if isLast[$0] != isLast[$1] { return isLast[$1] }
            return ranks[$0] != ranks[$1] ? ranks[$0] > ranks[$1] : views[$0].key < views[$1].key
        }.map { views[$0] }
    }

    /// For how long it counted until its latest evaluation ended; nil where that is not known.
    package var countedNanoseconds: UInt64? { store.countedNanoseconds }

    /// What may be missing from its counts, as sentences.
    package var gaps: [String] { store.gaps ?? [] }

    /// Adds the store to a verdict.
    ///
    /// - Parameter loop: The process's main loop, which is judged with one of its stores.
    package func judge(in builder: inout VerdictBuilder, loop: LoopStats? = nil) {
        var store = store
        store.loop = loop
        builder.begin(store)
        for view in views { builder.add(view.costs) }
    }
}

extension ViewState {
    /// The numbers for a list.
    mutating func brief(of view: ViewRecord) -> ViewBrief {
        reasons.settle()
        return ViewBrief(
            index: Int(view.index), count: sums.count, passedOn: min(reasons.passedOn, sums.count),
            mainReason: reasons.main(of: sums.count),
            costs: ViewCosts(sums, hangs: hangs, key: view.key, file: view.file, line: view.line))
    }
}

extension ReasonTable {
    /// Evaluations without a cause of their own.
    fileprivate var passedOn: UInt64 { entries.reduce(0) { $1.isPassedOn ? $0 + $1.count : $0 } }

    /// The same as ``Stats/mainReason``, but for what takes long to find.
    fileprivate func main(of evaluations: UInt64) -> MainReason? {
        var main = ReasonCount(reason: Reason.other, count: other, attribution: nil)
        var reasons = other > 0 ? 1 : 0
        for entry in entries where entry.count > 0 {
            reasons += 1
            guard Reason.isMain((entry.text, entry.count), over: (main.reason, main.count)) else { continue }
            main = ReasonCount(reason: entry.text, count: entry.count, attribution: entry.attribution)
        }
        return reasons > 0 ? MainReason(main, of: evaluations, isOnly: reasons == 1) : nil
    }
}
