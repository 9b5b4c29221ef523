// SPDX-License-Identifier: MIT
// Finds what costs most, in one pass over stores and their views.

/// Judges some stores: add each with its views, then ask for the ``verdict``. Holds the most expensive findings, whatever comes.
///
/// What concerns one view is judged here. What is a process's own is added up in ``ProcessCosts`` and judged by ``LoopRules``. Where a figure
/// was not collected, its rule says nothing.
package struct VerdictBuilder: Sendable {
    /// What is judged.
    package enum Subject: Sendable {
        /// What a daemon or an app counts.
        case live
        /// What a daemon had counted that is gone: nobody can be asked any more.
        case ended
        /// A recording: it answers no questions, and stores that told nothing may have had a main loop that was watched.
        case recording
    }

    /// A finding with what it is ranked by.
    struct Candidate: Sendable {
        var finding: Verdict.Finding
        var cost: UInt64
    }

    private let subject: Subject
    private let now: Timestamp?
    private let length: UInt64?
    /// The store that is judged, without its views, and for how long it counted.
    private var store: ProcessStats?
    private var counted: UInt64?
    private var best: [Candidate] = []
    private var found: [Verdict.Kind: UInt64] = [:]
    private var gaps = VerdictGaps()
    private var processes: [Int32: ProcessCosts] = [:]

    /// - Parameters:
    ///   - now: When processes that live are judged: what may have ended by itself since it was told is no finding then.
    ///   - length: The nanoseconds of a span that somebody chose, and that may be too short for some rules; nil without one.
    package init(_ subject: Subject = .live, now: Timestamp? = nil, length: UInt64? = nil) {
        (self.subject, self.now, self.length) = (subject, now, length)
    }

    /// Judges all of an export; nil where it has no store.
    package static func verdict(
        of stores: [ProcessStats], _ subject: Subject = .live, now: Timestamp? = nil, length: UInt64? = nil
    ) -> Verdict? {
        var builder = VerdictBuilder(subject, now: now, length: length)
        for store in stores {
            builder.begin(store)
            for view in store.views { builder.add(ViewCosts(view)) }
        }
        for missing in builder.missingPlaces {
            let views = stores.lazy.filter { $0.pid == missing.pid }.flatMap(\.views)
            guard let view = views.first(where: { $0.key == missing.view }), !view.file.isEmpty else { continue }
            builder.setPlace(of: missing.view, in: missing.pid, file: view.file, line: view.line)
        }
        return builder.verdict
    }

    /// Goes on with a store; its views follow, and those in it are not looked at.
    package mutating func begin(_ store: ProcessStats) {
        counted = store.countedNanoseconds
        var store = store
        store.views = []
        self.store = store
        gaps.add(store)
        // Of a span, its own length says so, but for what began in it.
        let isYounger = length.map { now.map { $0.nanoseconds(since: store.startedAt) } ?? .max < Int64(clamping: $0) }
        if subject == .live, isYounger ?? true, length.flatMap(gaps.tooShort) == nil { gaps.addBrief(store) }
        if processes[store.pid] == nil { processes[store.pid] = ProcessCosts(store, now: now) }
        processes[store.pid]?.add(store)
        for cycle in store.cycles ?? [] { addCycle(cycle) }
    }

    /// Judges a view of the store. One without costs may be left out.
    package mutating func add(_ costs: ViewCosts) {
        // Not a copy of the process, which would have to be copied back.
        guard costs.hasCosts, let pid = store?.pid, let running = processes[pid]?.running else { return }
        var view = costs
        view.isWidget = store?.kind == .widgets
        if view.hangs.blamable > 0 { addHangs(of: view, beside: processes[pid]?.sources ?? []) }
        let perSecond = VerdictFloor.perSecond(view.wastedNanoseconds, of: counted, running: running)
        let isWasteful = VerdictFloor.isWasteful(view.wastedNanoseconds, of: counted, running: running)
        if isWasteful { addWaste(of: view, perSecond) }
        processes[pid]?.add(view, perSecond: perSecond ?? 0, isNamed: isWasteful)
        // Of widgets, the main loop's facts tell of layouts.
        if view.layoutNanoseconds > 0, store?.kind == .views || store?.kind == .injectedViews {
            let ofLayouts = VerdictFloor.perSecond(view.layoutNanoseconds, of: counted, running: running)
            processes[pid]?.layouts.add(view, perSecond: ofLayouts ?? 0)
        }
        gaps.add(view, of: store?.kind)
        if view.unjudged > view.updates / 2 { addNotJudged(view) }
    }

    /// Views where waste began, and whose places are not known yet: give them before you ask for the ``verdict``.
    package var missingPlaces: [(pid: Int32, view: ViewKey)] {
        processes.values.compactMap { process in
            guard process.waste.isLarge, let root = process.root, process.place(of: root.view) == nil else {
                return nil
            }
            return (process.store.pid, root.view)
        }
    }

    /// Says where such a view is.
    package mutating func setPlace(of view: ViewKey, in pid: Int32, file: String, line: UInt32) {
        processes[pid]?.setPlace(of: view, file: file, line: line)
    }

    /// What was found; nil where no store was added.
    package var verdict: Verdict? {
        guard !processes.isEmpty else { return nil }
        var all = self
        let ordered = processes.values.sorted { $0.store.pid < $1.store.pid }
        for process in ordered {
            all.addHangs(of: process)
            for candidate in LoopRules(process).findings {
                all.offer(candidate.finding.kind, candidate.cost) { _ in candidate.finding }
            }
        }
        let short = ordered.contains { LoopRules($0).sawEnough } ? nil : length.flatMap(gaps.tooShort)
        guard !all.best.isEmpty else { return Verdict(findings: [nothing(ordered, short)]) }
        var findings = all.best.map { finished($0.finding) }
        if !findings[0].kind.isMarked, let short { findings[0].text += "; \(short)" }
        let count = all.found.values.reduce(0, &+)
        return Verdict(findings: findings, more: count - UInt64(findings.count), counts: all.found)
    }

    // MARK: Kinds

    /// Those that were in a handler of the view are found with the handler.
    private mutating func addHangs(of view: ViewCosts, beside sources: [SourceHangs]) {
        var hangs = view.hangs
        for source in sources where source.view == view.key { hangs = hangs.without(source.totals) }
        guard hangs.blamable > 0 else { return }
        offer(.hangs, hangs.feltNanoseconds) {
            var finding = $0.finding(.hangs, of: view)
            finding.take(hangs)
            finding.text = VerdictText.hangs(finding, view.key.displayName, hangs)
            return finding
        }
    }

    /// Hangs of sources and handlers, and those that nothing is blamed for.
    private mutating func addHangs(of process: ProcessCosts) {
        var ofNoView = process.ofNoView ?? HangTotals()
        for source in process.sources {
            if source.view == nil { ofNoView = ofNoView.without(source.totals) }
            guard source.totals.blamable > 0 else { continue }
            offer(.hangs, source.totals.feltNanoseconds) { _ in
                var finding = Verdict.Finding(.hangs, of: process)
                (finding.view, finding.source) = (source.view, Printable.text(source.name))
                finding.take(source.totals)
                finding.text = VerdictText.hangs(finding, source)
                return finding
            }
        }
        guard ofNoView.blamable > 0 else { return }
        offer(.hangs, ofNoView.feltNanoseconds) { _ in
            var finding = Verdict.Finding(.hangs, of: process)
            finding.take(ofNoView)
            finding.text = VerdictText.hangsOfNoView(finding, hasViews: process.hasViews)
            return finding
        }
    }

    private mutating func addWaste(of view: ViewCosts, _ perSecond: UInt64?) {
        offer(.waste, perSecond ?? view.wastedNanoseconds) {
            var finding = $0.finding(.waste, of: view)
            (finding.count, finding.nanoseconds) = (view.wasted, view.wastedNanoseconds)
            finding.nanosecondsPerSecond = perSecond
            finding.isShared = $0.isShared
            finding.text = VerdictText.waste(finding, view)
            return finding
        }
    }

    private mutating func addCycle(_ cycle: Cycle) {
        guard let first = cycle.steps.first, cycle.isFinding else { return }
        // Of what it costs, only its rounds are known.
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

    /// True where the time of bodies was made processor time by what the main loop measured.
    private var isShared: Bool? { store.flatMap { processes[$0.pid] }?.isShared == true ? true : nil }

    // MARK: The best

    /// Takes a finding in, if it is among the most expensive ones; only then it is made.
    private mutating func offer(_ kind: Verdict.Kind, _ cost: UInt64, _ make: (Self) -> Verdict.Finding) {
        found[kind, default: 0] &+= 1
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
        let isAlone = processes.count == 1
        finding.text = VerdictText.whole(finding, isAlone: isAlone)
        let isAttached = finding.pid.flatMap { processes[$0] }?.isAttached == true
        if isAttached, finding.isNameless { finding.text += "; \(ProcessStats.attached)" }
        finding.command = subject == .live ? VerdictText.command(finding, isAlone: isAlone) : nil
        return finding
    }

    /// That there is nothing, with what is wasted nevertheless in the process that wastes most.
    private func nothing(_ processes: [ProcessCosts], _ short: String?) -> Verdict.Finding {
        let reason = gaps.reason(knowsLoops: subject != .recording || gaps.isTold)
        let gap = reason.map { reason in short.map { "\(reason); \($0)" } ?? reason } ?? short
        let kind: Verdict.Kind = gap == nil ? .nothing : .nothingKnown
        let most = processes.max { $0.waste.nanoseconds < $1.waste.nanoseconds }
        var finding = Verdict.Finding(kind, text: VerdictText.nothing(gap: gap))
        if let most, most.waste.nanoseconds >= VerdictFloor.nanoseconds, let largest = most.waste.largest {
            finding = Verdict.Finding(kind, of: most)
            finding.take(largest)
            (finding.count, finding.nanoseconds) = (most.waste.count, most.waste.nanoseconds)
            finding.nanosecondsPerSecond = most.waste.perSecond == 0 ? nil : most.waste.perSecond
            finding.isShared = most.isShared && most.waste.perSecond > 0 ? true : nil
            finding.text = VerdictText.nothing(most, largest, gap: gap)
        }
        if let start = processes.map(\.start).max(), start > 0 {
            finding.text +=
                ". \(DurationText.short(start)) passed before the main loop was seen to turn; what ran is not known"
        }
        return finding
    }
}

extension Verdict.Finding {
    /// A finding of a process, and of none of its stores.
    init(_ kind: Verdict.Kind, of process: ProcessCosts) {
        self.init(kind)
        (pid, self.process) = (process.store.pid, process.store.name)
    }

    fileprivate mutating func take(_ hangs: HangTotals) {
        (count, nanoseconds, longestNanoseconds) = (hangs.faults, hangs.faultNanoseconds, hangs.worstOfFaults)
        starved = hangs.starved == 0 ? nil : min(hangs.starved, count)
    }

    fileprivate mutating func take(_ costs: ViewCosts) {
        view = costs.key
        if !costs.file.isEmpty { (file, line) = (costs.file, costs.line) }
    }
}

/// What keeps a verdict from saying that there is nothing.
struct VerdictGaps: Sendable {
    /// The most bytes of an app's own sentence.
    private static let mostBytes = 120
    /// Of fewer evaluations it says nothing that they are unknown.
    private static let leastUnjudged: UInt64 = 10
    /// In less, in nanoseconds, what keeps a loop busy is not known: the first frame may take a second, the next two are not without input,
    /// five are ``QuietStretch/least``, and parts of seconds at both ends do not count.
    private static let leastCounted: UInt64 = 10_000_000_000

    private var evaluations: UInt64 = 0
    private var missing: UInt64 = 0
    /// Evaluations that could be judged, and how many were not.
    private var judgeable: UInt64 = 0
    private var unjudged: UInt64 = 0
    private var isLoopWatched = false
    /// Whether each store told of itself, as all but some recordings' do.
    private(set) var isTold = true
    private var isLoopKnown = false
    private var told: String?
    /// Of a main loop that was counted for a short time, that and what it took.
    private var brief: LoopTotals?
    /// Whether there are widgets, and whether there are other views.
    private var hasWidgets = false
    private var hasViews = false

    mutating func add(_ store: ProcessStats) {
        if store.kind == .widgets { hasWidgets = true } else if store.kind != .loop { hasViews = true }
        evaluations = evaluations.clampedSum(store.evaluations)
        missing = missing.clampedSum(store.lost).clampedSum(store.dropped)
        if store.mainLoop != .none { isLoopWatched = true }
        if store.kind == nil { isTold = false }
        if store.loop != nil { isLoopKnown = true }
        if told == nil { told = store.gaps?.first { $0 != ProcessStats.attached } }
        if Self.isJudgeable(store.kind) { judgeable = judgeable.clampedSum(store.evaluations) }
    }

    /// Notes a loop that took some of a core, and was counted for too short a time to say what keeps it busy.
    mutating func addBrief(_ store: ProcessStats) {
        guard let totals = store.loop?.totals, totals.counted < Self.leastCounted,
            LoopFloor.isPart(totals.processor, 1, of: totals.counted)
        else { return }
        brief = totals
    }

    mutating func add(_ view: ViewCosts, of kind: StoreKind?) {
        if Self.isJudgeable(kind) { unjudged = unjudged.clampedSum(view.unjudged) }
    }

    /// GTK does not show more of a widget's drawing. Where the kind is not known, it may be a widget.
    private static func isJudgeable(_ kind: StoreKind?) -> Bool {
        switch kind {
        case .views, .injectedViews: true
        case .widgets, .loop, nil: false
        }
    }

    /// That a span is too short for what goes on without input, and which one is not; nil where it is long enough.
    func tooShort(_ length: UInt64) -> String? {
        guard isLoopKnown, length < Self.leastCounted else { return nil }
        let time = DurationText.short(length)
        return "\(time) are too short to judge what goes on without input: look --for 10s would do"
    }

    /// Why something may be there that was not seen; nil where all was.
    func reason(knowsLoops: Bool) -> String? {
        let words = StoreWords(areWidgets: hasWidgets && !hasViews)
        if evaluations == 0, !isLoopKnown { return "nothing was \(words.participle)" }
        if missing > 0 { return "\(words.events(missing)) \(missing == 1 ? "is" : "are") missing" }
        // An unknown framework leaves more out than hangs.
        if let told {
            let rest = told.utf8.count > Self.mostBytes ? "…" : ""
            return Printable.text(told.prefix(utf8Bytes: Self.mostBytes) + rest)
        }
        if knowsLoops, !isLoopWatched { return "without a main loop that is watched, no hang is noticed" }
        if let brief {
            let time = DurationText.short(brief.counted)
            let core = Percent.text(brief.processor, of: brief.counted)
            return "\(time) are too short to say what takes \(core) of a core"
        }
        guard unjudged >= Self.leastUnjudged, unjudged > judgeable / 2 else { return nil }
        return
            "of \(Counted.grouped(unjudged)) of \(Counted.text(judgeable, "evaluation")) it is unknown whether they were needed"
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
    /// Layouts that its framework computed, and the time in them without bodies.
    package var layouts: UInt64
    package var layoutNanoseconds: UInt64
    package var hangs: HangTotals
    /// Where most of what only a parent caused began; nil where that is not known.
    package var root: CauseRoot?
    /// Whether it is a widget, which is drawn and not evaluated: the builder knows it of the store.
    var isWidget = false

    /// What is counted of it.
    var event: String { StoreWords(areWidgets: isWidget).event }

    /// The costs of a view in a daemon or an app.
    package init(
        _ totals: ViewTotals, hangs: HangTotals, key: ViewKey, file: String, line: UInt32, root: CauseRoot? = nil
    ) {
        (self.key, self.file, self.line, self.root) = (key, file, line, root)
        updates = totals.count - min(totals.passes, totals.count)
        selfNanoseconds = totals.selfNanoseconds
        (wasted, inferred) = (totals.waste.count, totals.waste.inferred)
        wastedNanoseconds = totals.waste.nanoseconds
        unjudged = totals.waste.unjudged
        (layouts, layoutNanoseconds) = (totals.layouts, totals.layoutNanoseconds)
        self.hangs = hangs
    }

    /// The costs of a view in an export.
    package init(_ view: Stats) {
        (key, file, line) = (view.key, view.file, view.line)
        (updates, selfNanoseconds) = (view.updates, view.ownNanoseconds)
        (wasted, inferred) = (view.wasted.count, view.wasted.inferred)
        wastedNanoseconds = view.wasted.nanoseconds
        unjudged = view.wasted.unjudged ?? 0
        (layouts, layoutNanoseconds) = (view.framework?.layouts ?? 0, view.framework?.layoutNanoseconds ?? 0)
        hangs = view.hangs
        root = view.wasted.nanoseconds > 0 ? CauseRoot(view.reasons.lazy.flatMap(\.chains)) : nil
    }

    /// Whether there is anything to judge; most views have nothing.
    package var hasCosts: Bool {
        hangs.count > 0 || hangs.microNanoseconds > 0 || wastedNanoseconds > 0 || unjudged > 0 || layoutNanoseconds > 0
    }
}
