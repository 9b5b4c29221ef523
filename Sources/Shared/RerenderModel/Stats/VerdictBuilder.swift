// SPDX-License-Identifier: MIT
// Finds what costs most, in one pass over stores and their views.

/// Judges some stores: add each with its views, then ask for the ``verdict``. Holds the most expensive findings, whatever comes.
package struct VerdictBuilder: Sendable {
    /// What is judged.
    package enum Subject: Sendable {
        /// What a daemon or an app counts.
        case live
        /// What a daemon had counted that is gone: nobody can be asked any more.
        case ended
        /// A recording: nobody can be asked, and it does not tell which main loops were watched.
        case recording
    }

    /// A finding with what it is ranked by.
    private struct Candidate: Sendable {
        var finding: Verdict.Finding
        var cost: UInt64
    }

    private let subject: Subject
    /// The store that is judged, without its views, and for how long it counted.
    private var store: ProcessStats?
    private var counted: UInt64?
    private var best: [Candidate] = []
    private var found: UInt64 = 0
    /// What wastes most of all that is not worth a finding.
    private var most: (finding: Verdict.Finding, view: ViewCosts)?
    private var gaps = VerdictGaps()
    /// For each process its store with most hangs of no view: each store counts them, and the one that counts since longest has all.
    private var ofNoView: [Int32: ProcessStats] = [:]
    private var pids: Set<Int32> = []

    package init(_ subject: Subject = .live) { self.subject = subject }

    /// Judges all of an export; nil where it has no store.
    package static func verdict(of stores: [ProcessStats], _ subject: Subject = .live) -> Verdict? {
        var builder = VerdictBuilder(subject)
        for store in stores {
            builder.begin(store)
            for view in store.views { builder.add(ViewCosts(view)) }
        }
        return builder.verdict
    }

    /// Goes on with a store; its views follow, and those in it are not looked at.
    package mutating func begin(_ store: ProcessStats) {
        counted = store.countedNanoseconds
        var store = store
        store.views = []
        self.store = store
        pids.insert(store.pid)
        gaps.add(store)
        let known = ofNoView[store.pid]?.hangsOfNoView?.totalNanoseconds ?? 0
        if let hangs = store.hangsOfNoView, hangs.totalNanoseconds > known { ofNoView[store.pid] = store }
        for cycle in store.cycles ?? [] { addCycle(cycle) }
    }

    /// Judges a view of the store.
    package mutating func add(_ view: ViewCosts) {
        if view.hangs.count > 0 { addHangs(of: view) }
        if view.wastedNanoseconds > 0 { addWaste(of: view) }
        if view.unjudged > view.updates / 2 { addNotJudged(view) }
    }

    /// What was found; nil where no store was added.
    package var verdict: Verdict? {
        guard !pids.isEmpty else { return nil }
        var all = self
        for store in ofNoView.values.sorted(by: { $0.pid < $1.pid }) { all.addHangsOfNoView(store) }
        guard !all.best.isEmpty else { return Verdict(findings: [nothing]) }
        let findings = all.best.map { finished($0.finding) }
        return Verdict(findings: findings, more: all.found - UInt64(findings.count))
    }

    // MARK: Kinds

    private mutating func addHangs(of view: ViewCosts) {
        offer(.hangs, view.rank(of: counted).hangs) {
            var finding = $0.finding(.hangs, of: view)
            finding.take(view.hangs)
            finding.text = VerdictText.hangs(finding, view)
            return finding
        }
    }

    private mutating func addHangsOfNoView(_ store: ProcessStats) {
        guard let hangs = store.hangsOfNoView else { return }
        offer(.hangs, hangs.nanosecondsOfApp) { _ in
            var finding = Verdict.Finding(.hangs)
            (finding.pid, finding.process) = (store.pid, store.name)
            finding.take(hangs)
            finding.text = VerdictText.hangsOfNoView(finding)
            return finding
        }
    }

    private mutating func addWaste(of view: ViewCosts) {
        let perSecond = VerdictFloor.perSecond(view.wastedNanoseconds, of: counted)
        guard VerdictFloor.isReached(view.wastedNanoseconds, in: view.wasted, of: counted) else {
            noteMost(view, perSecond)
            return
        }
        offer(.waste, view.rank(of: counted).waste) {
            var finding = $0.finding(.waste, of: view)
            (finding.count, finding.nanoseconds) = (view.wasted, view.wastedNanoseconds)
            finding.nanosecondsPerSecond = perSecond
            finding.text = VerdictText.waste(finding, view)
            return finding
        }
    }

    /// Keeps what is most of all that is no finding. Less than 1 ms in all is not even that.
    private mutating func noteMost(_ view: ViewCosts, _ perSecond: UInt64?) {
        guard view.wastedNanoseconds >= VerdictFloor.nanoseconds else { return }
        guard view.wastedNanoseconds > most?.view.wastedNanoseconds ?? 0 else { return }
        var finding = finding(.nothing, of: view)
        (finding.count, finding.nanoseconds) = (view.wasted, view.wastedNanoseconds)
        finding.nanosecondsPerSecond = perSecond
        most = (finding, view)
    }

    private mutating func addCycle(_ cycle: Cycle) {
        // Those without steps had no room: nobody knows of what they are.
        guard let first = cycle.steps.first, cycle.latestNanoseconds >= VerdictFloor.nanoseconds else { return }
        offer(.cycle, cycle.rounds) {
            var finding = $0.finding(.cycle, of: nil)
            finding.view = ViewKey(rawValue: first.name)
            finding.count = cycle.rounds
            finding.text = VerdictText.cycle(cycle)
            return finding
        }
    }

    private mutating func addNotJudged(_ view: ViewCosts) {
        // Nobody can tell more of a widget's drawing than GTK shows. Where the kind is not known, it may be one.
        guard let kind = store?.kind, kind != .widgets else { return }
        guard VerdictFloor.isReached(view.selfNanoseconds, in: view.updates, of: counted) else { return }
        let perSecond = VerdictFloor.perSecond(view.selfNanoseconds, of: counted)
        offer(.notJudged, perSecond ?? view.selfNanoseconds) {
            var finding = $0.finding(.notJudged, of: view)
            (finding.count, finding.nanoseconds) = (view.unjudged, view.selfNanoseconds)
            finding.nanosecondsPerSecond = perSecond
            finding.text = VerdictText.notJudged(view, isInjected: kind == .injectedViews)
            return finding
        }
    }

    // MARK: The best

    /// Takes a finding in, if it is among the most expensive ones; only then it is made.
    private mutating func offer(_ kind: Verdict.Kind, _ cost: UInt64, _ make: (Self) -> Verdict.Finding) {
        found &+= 1
        let place = best.firstIndex { Self.precedes(kind, cost, $0) } ?? best.count
        guard place < Verdict.mostFindings else { return }
        best.insert(Candidate(finding: make(self), cost: cost), at: place)
        if best.count > Verdict.mostFindings { best.removeLast() }
    }

    private static func precedes(_ kind: Verdict.Kind, _ cost: UInt64, _ other: Candidate) -> Bool {
        let rank = other.finding.kind.rank
        return kind.rank != rank ? kind.rank < rank : cost > other.cost
    }

    /// A finding of the store that is judged.
    private func finding(_ kind: Verdict.Kind, of view: ViewCosts?) -> Verdict.Finding {
        var finding = Verdict.Finding(kind)
        if let store {
            (finding.pid, finding.process) = (store.pid, store.name)
            (finding.store, finding.storeNumber) = (store.store, store.storeNumber)
        }
        if let view { finding.take(view) }
        return finding
    }

    /// Adds what depends on all of the stores: the process where there are several, and what to ask.
    private func finished(_ finding: Verdict.Finding) -> Verdict.Finding {
        var finding = finding
        let isAlone = pids.count == 1
        finding.text = VerdictText.whole(finding, isAlone: isAlone)
        finding.command = subject == .live ? VerdictText.command(finding, isAlone: isAlone) : nil
        return finding
    }

    private var nothing: Verdict.Finding {
        let gap = gaps.reason(knowsLoops: subject != .recording)
        var finding = most?.finding ?? Verdict.Finding(.nothing)
        if gap != nil { finding.kind = .nothingKnown }
        finding.text = VerdictText.nothing(finding, most?.view, gap: gap)
        return finding
    }
}

extension Verdict.Finding {
    fileprivate mutating func take(_ hangs: HangTotals) {
        (count, nanoseconds, longestNanoseconds) = (hangs.count, hangs.totalNanoseconds, hangs.worstNanoseconds)
        starved = hangs.starved == 0 ? nil : hangs.starved
    }

    fileprivate mutating func take(_ costs: ViewCosts) {
        view = costs.key
        if !costs.file.isEmpty { (file, line) = (costs.file, costs.line) }
    }
}

/// What keeps a verdict from saying that there is nothing.
struct VerdictGaps: Sendable {
    private var evaluations: UInt64 = 0
    private var missing: UInt64 = 0
    private var isLoopWatched = false

    mutating func add(_ store: ProcessStats) {
        evaluations = evaluations.clampedSum(store.evaluations)
        missing = missing.clampedSum(store.lost).clampedSum(store.dropped)
        if store.mainLoop != .none { isLoopWatched = true }
    }

    /// Why something may be there that was not seen; nil where all was.
    func reason(knowsLoops: Bool) -> String? {
        if evaluations == 0 { return "nothing was evaluated" }
        if missing > 0 { return "\(Counted.text(missing, "evaluation")) \(missing == 1 ? "is" : "are") missing" }
        return knowsLoops && !isLoopWatched ? "no main loop is watched, so no hang is noticed" : nil
    }
}

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
    /// Evaluations that may have been needed or not: the library cannot tell.
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
