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
    /// What decides whether its row is folded, and how many evaluations had no cause of their own.
    let reasons: RowReasons
    /// Why it was evaluated most often, without writers and chains; nil before the first evaluation.
    package let mainReason: MainReason?
    /// What a verdict needs of it.
    package let costs: ViewCosts

    package init(
        index: Int = 0, count: UInt64, reasons: RowReasons = RowReasons(), mainReason: MainReason?, costs: ViewCosts
    ) {
        (self.index, self.count, self.reasons) = (index, count, reasons)
        (self.mainReason, self.costs) = (mainReason, costs)
    }

    package var key: ViewKey { costs.key }
}

/// A store and its views at one time, as lists and verdicts show them.
package struct StoreBrief: Sendable {
    private let store: ProcessStats
    package let views: [ViewBrief]

    init(store: ProcessStats, views: [ViewBrief]) { (self.store, self.views) = (store, views) }

    /// The places of the views with anything to show, in the order of ``RowRank``, equal ones by key; and which of these rows are folded.
    ///
    /// - Parameters:
    ///   - verdict: That of all stores.
    ///   - loop: The process's main loop.
    package func ranked(_ verdict: Verdict?, _ loop: LoopStats?) -> (order: [Int], folding: RowFolding) {
        let marks = RowMarks(store, running: loop?.bodiesRunning ?? 1, verdict)
        let ranks = views.map {
            marks.rank(of: $0.costs, own: $0.count - min($0.reasons.passedOn, $0.count), of: $0.count)
        }
        // Numbers are sorted, as each move of a brief retains what is in it.
        let order = views.indices.sorted {
            ranks[$0] != ranks[$1] ? ranks[$0] > ranks[$1] : views[$0].key < views[$1].key
        }
        let facts = order.map { index in
            let costs = views[index].costs
            return RowFacts(
                costs.key, in: store, ranks[index], wasted: costs.wasted, hangs: costs.hangs.count, views[index].reasons
            )
        }
        return (order, RowFolding(facts))
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
            index: Int(view.index), count: sums.count, reasons: reasons.ofRow,
            mainReason: reasons.main(of: sums.count),
            costs: ViewCosts(sums, hangs: hangs, key: view.key, file: view.file, line: view.line))
    }
}

extension ReasonTable {
    /// What they tell of the row.
    fileprivate var ofRow: RowReasons {
        var reasons = RowReasons()
        for entry in entries { reasons.add(entry.text, entry.count, entry.origin) }
        reasons.add(Reason.other, other, .own)
        return reasons
    }

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

// How long the evaluations of one view took.

/// Durations of the bodies of one view, and of their evaluations as a whole.
///
/// They are the same where no other evaluation ran inside: so only those that are not are counted a second time.
struct DurationState: Sendable {
    // Without the percentiles.
    private var body = DurationTotals()
    /// The latest evaluation as a whole.
    private var lastTotal: UInt64 = 0
    /// The longest evaluation that took longer than its body, and by how much all such evaluations did. A body never takes longer than
    /// its evaluation.
    private var (longest, longer): (UInt64, UInt64) = (0, 0)
    private var histogram = LatencyHistogram(octaves: StoreLimits.histogramOctaves)
    /// Where an evaluation took longer than its body.
    private var shift = LatencyShift(octaves: StoreLimits.histogramOctaves)

    @inline(__always)
    mutating func record(body nanoseconds: UInt64, total all: UInt64) {
        body.add(nanoseconds)
        lastTotal = all
        histogram.record(nanoseconds)
        if all != nanoseconds { shiftLast(from: nanoseconds, to: all) }
    }

    @inline(never)
    private mutating func shiftLast(from body: UInt64, to total: UInt64) {
        shift.move(from: body, to: total)
        longer &+= total &- body
        longest = max(longest, total)
    }

    mutating func removeAll() {
        body = DurationTotals()
        (lastTotal, longest, longer) = (0, 0, 0)
        histogram.removeAll()
        shift.removeAll()
    }

    /// Those of the bodies.
    var bodies: DurationTotals { totals(body, shiftedBy: nil) }

    /// Those of the evaluations.
    var evaluations: DurationTotals {
        var sums = body
        sums.last = lastTotal
        sums.max = max(body.max, longest)
        sums.sum &+= longer
        return totals(sums, shiftedBy: shift)
    }

    private func totals(_ sums: DurationTotals, shiftedBy shift: LatencyShift?) -> DurationTotals {
        let percentiles = histogram.percentiles([50, 95, 99], maximum: sums.max, shiftedBy: shift)
        var totals = sums
        totals.p50 = percentiles[0]
        totals.p95 = percentiles[1]
        totals.p99 = percentiles[2]
        return totals
    }
}

extension DurationTotals {
    @inline(__always)
    fileprivate mutating func add(_ nanoseconds: UInt64) {
        last = nanoseconds
        if nanoseconds > max { max = nanoseconds }
        sum &+= nanoseconds
    }
}
