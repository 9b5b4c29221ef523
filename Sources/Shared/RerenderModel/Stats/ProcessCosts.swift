// SPDX-License-Identifier: MIT
// What a verdict needs of one process, over all of its stores.

/// Where evaluations that only a parent caused began: a view, and that one's own reason.
package struct CauseRoot: Hashable, Sendable {
    package var view: ViewKey
    package var reason: String

    /// Where most of the chains of a view's evaluations began; nil without such.
    package init?(_ chains: some Sequence<ChainCount>) {
        let most = chains.filter({ $0.chain != Reason.other }).max { ($0.count, $1.chain) < ($1.count, $0.chain) }
        guard let origin = most?.origin else { return nil }
        (view, reason) = (origin.view, origin.reason)
    }
}

/// What one process costs, added up over its stores and views. Bounded, whatever comes.
struct ProcessCosts: Sendable {
    /// The most roots of waste that have a sum of their own; further ones have no name.
    private static let mostRoots = 64

    /// A store of the process, which names it: the one that tells of the main loop. Of two programs, before and after an `exec`, that of the one
    /// that runs.
    private(set) var store: ProcessStats
    var loop: LoopStats? { store.loop }
    private let judgedAt: Timestamp?
    /// Its store with most hangs of no view: each store counts them, and the one that counts since longest has all.
    private(set) var ofNoView: HangTotals?
    private(set) var sources: [SourceHangs] = []
    /// Whether a store has views other than widgets, or may have.
    private(set) var hasViews = false
    /// Time in micro-hangs, and of how long.
    private(set) var micro: (nanoseconds: UInt64, of: UInt64) = (0, 0)
    private(set) var microView: (key: ViewKey, nanoseconds: UInt64)?
    /// Frames of the store with most.
    private(set) var frames: FrameStats?
    private(set) var waste = WasteSum()
    /// Layouts that a framework computed for its views.
    var layouts = LayoutSum()
    /// Whether a cycle is a finding.
    private(set) var hasCycle = false
    /// Whether it ran before it was counted.
    private(set) var isAttached = false
    /// Evaluations of one cause without input that went on for long: of widgets, and of views.
    private(set) var work: [(work: IdleWork, isOfWidgets: Bool)] = []
    private var roots: [CauseRoot: UInt64] = [:]
    /// Views with most evaluations not judged.
    private var notCompared: Set<ViewKey> = []
    private var places: [ViewKey: (file: String, line: UInt32)] = [:]

    init(_ store: ProcessStats, now: Timestamp?) {
        (self.store, judgedAt) = (store, now)
    }

    /// When it is judged, or when it ended, where that is known; nil where it is not, so that what was told last may have gone on.
    var now: Timestamp? { store.connected ? judgedAt : store.loop?.endedAt }

    /// What its stores have, and what is counted of that, in words.
    var words: StoreWords { StoreWords(areWidgets: !hasViews) }
    var noun: String { words.noun }
    var event: String { words.event }

    /// Adds a store, without its views.
    mutating func add(_ store: ProcessStats) {
        let isAlike = (store.loop == nil) == (self.store.loop == nil)
        if isAlike ? store.connected && !self.store.connected : store.loop != nil { self.store = store }
        if store.kind != .widgets, store.kind != .loop { hasViews = true }
        if store.cycles?.contains(where: \.isFinding) == true { hasCycle = true }
        if store.isAttached { isAttached = true }
        waste.evaluations = waste.evaluations.clampedSum(store.evaluations)
        if let hangs = store.hangsOfNoView, hangs.totalNanoseconds > ofNoView?.totalNanoseconds ?? 0 {
            ofNoView = hangs
        }
        let known = sources.reduce(UInt64(0)) { $0.clampedSum($1.totals.totalNanoseconds) }
        let told = store.hangsOfSources ?? []
        if told.reduce(UInt64(0), { $0.clampedSum($1.totals.totalNanoseconds) }) > known { sources = told }
        if store.hangs.microNanoseconds > micro.nanoseconds {
            let counted = store.loop?.totals.counted ?? 0
            micro = (store.hangs.microNanoseconds, counted > 0 ? counted : store.countedNanoseconds ?? 0)
        }
        if let frames = store.frames, frames.count > self.frames?.count ?? 0 { self.frames = frames }
        for work in store.idleWork ?? [] where work.kind == .evaluations && work.isLong(at: now) {
            self.work.append((work, store.kind == .widgets))
        }
    }

    /// Adds a view whose evaluations wasted time, and in which micro-hangs were.
    mutating func add(_ view: ViewCosts, perSecond: UInt64, isNamed: Bool) {
        if view.hangs.microNanoseconds > microView?.nanoseconds ?? 0 {
            microView = (view.key, view.hangs.microNanoseconds)
        }
        if view.unjudged > view.updates / 2, notCompared.count < Self.mostRoots { notCompared.insert(view.key) }
        guard view.wastedNanoseconds > 0 else { return }
        waste.add(view, perSecond: perSecond, isNamed: isNamed)
        guard let root = view.root, roots[root] != nil || roots.count < Self.mostRoots else { return }
        roots[root] = (roots[root] ?? 0).clampedSum(view.wastedNanoseconds)
    }

    /// Where most of the waste began; nil where that is not known, or where no root has half of it.
    var root: CauseRoot? {
        let most = roots.max { ($0.value, $1.key.view, $1.key.reason) < ($1.value, $0.key.view, $0.key.reason) }
        return most.flatMap { $0.value >= waste.nanoseconds / 2 ? $0.key : nil }
    }

    /// Where a view is; nil where that was not told.
    func place(of view: ViewKey) -> (file: String, line: UInt32)? { places[view] }

    mutating func setPlace(of view: ViewKey, file: String, line: UInt32) { places[view] = (file, line) }

    /// Whether it is not known of most evaluations of a view whether they gave something else.
    func isNotCompared(_ view: ViewKey) -> Bool { notCompared.contains(view) }

    /// What led to half or more of what widgets drew without input; nil where that is not known.
    var drawingWriter: DrawingWriter? {
        var all: UInt64 = 0
        var writers: [String: DrawingWriter] = [:]
        for item in work where item.isOfWidgets {
            let (own, drawings) = (item.work.latest.own, item.work.latest.count)
            all = all.clampedSum(drawings)
            let asker = Reason.layoutAsker(item.work.reason)?.rawValue
            guard let name = item.work.writer ?? asker else { continue }
            writers[name, default: DrawingWriter(name: name, isFunction: item.work.writer != nil)]
                .add(drawings, of: asker ?? item.work.view, own: own, isAsker: asker != nil)
        }
        guard var most = writers.values.max(by: { ($0.drawings, $1.name) < ($1.drawings, $0.name) }),
            LoopFloor.isPart(most.drawings, 50, of: all)
        else { return nil }
        most.all = all
        return most
    }

    /// What is left of the hangs of a function without the wait for a processor, where they are long by that wait alone: of micro-hangs.
    func microNanoseconds(inHangsOf function: String) -> UInt64 {
        let known = SourceHangs.function(in: function)
        return sources.prefix(SourceHangs.most).reduce(0) { sum, source in
            let isSame = source.name == function || known != nil && known == SourceHangs.function(in: source.name)
            return isSame && source.totals.blamable == 0 ? sum.clampedSum(source.totals.nanosecondsOfApp) : sum
        }
    }

    /// How long it took until the main loop was seen to turn; 0 where that is not known, or not worth a word.
    var start: UInt64 { loop?.rows.first(where: \.isStart)?.numbers.wall ?? 0 }

    /// By what a view's time by the clock is multiplied to have processor time.
    var running: Double { store.loop?.bodiesRunning ?? 1 }

    /// Whether that is known: then a view's processor time is shared out by the clock.
    var isShared: Bool { store.loop?.knowsBodies ?? false }
}

/// What led to what widgets drew without input: a function or, where none is known, a widget that asked for layouts.
struct DrawingWriter: Sendable {
    let name: String
    let isFunction: Bool
    /// How many drawings it led to, and how many there were.
    private(set) var drawings: UInt64 = 0
    var all: UInt64 = 0
    /// The widget that it had drawn most often, or that asked for the layout they were drawn for; and how often.
    private(set) var most: (view: String, own: UInt64, isAsker: Bool) = ("", 0, false)

    init(name: String, isFunction: Bool) { (self.name, self.isFunction) = (name, isFunction) }

    mutating func add(_ drawings: UInt64, of view: String, own: UInt64, isAsker: Bool) {
        self.drawings = self.drawings.clampedSum(drawings)
        if own > most.own { most = (view, own, isAsker) }
    }

    /// The function; nil where none is known. Safe to show.
    var function: String? { isFunction ? Printable.text(name) : nil }

    /// The widget whose layouts most of these drawings were for; nil where others were more.
    var asker: String? {
        isFunction && most.isAsker && LoopFloor.isPart(most.own, 50, of: drawings) ? Printable.text(most.view) : nil
    }
}

/// Evaluations of a process that were not needed.
struct WasteSum: Sendable {
    var evaluations: UInt64 = 0
    /// Views with waste.
    private(set) var views: UInt64 = 0
    /// Those that were wasted, those of them that are only inferred to be, and their time.
    private(set) var count: UInt64 = 0
    private(set) var inferred: UInt64 = 0
    private(set) var nanoseconds: UInt64 = 0
    /// Processor time in each second of all of it.
    private(set) var perSecond: UInt64 = 0
    /// The same of the views without a finding of their own, and how many these are.
    private(set) var unnamed: (views: UInt64, count: UInt64, updates: UInt64, nanoseconds: UInt64, perSecond: UInt64) =
        (0, 0, 0, 0, 0)
    /// The one of these that wasted most.
    private(set) var largest: ViewCosts?

    mutating func add(_ view: ViewCosts, perSecond: UInt64, isNamed: Bool) {
        views += 1
        count = count.clampedSum(view.wasted)
        inferred = inferred.clampedSum(view.inferred)
        nanoseconds = nanoseconds.clampedSum(view.wastedNanoseconds)
        self.perSecond = self.perSecond.clampedSum(perSecond)
        guard !isNamed else { return }
        unnamed.views += 1
        unnamed.count = unnamed.count.clampedSum(view.wasted)
        unnamed.updates = unnamed.updates.clampedSum(view.updates)
        unnamed.nanoseconds = unnamed.nanoseconds.clampedSum(view.wastedNanoseconds)
        unnamed.perSecond = unnamed.perSecond.clampedSum(perSecond)
        if view.wastedNanoseconds > largest?.wastedNanoseconds ?? 0 { largest = view }
    }

    /// Whether a third of all evaluations or more was wasted, and it took 1 ms or more.
    var isLarge: Bool { nanoseconds >= VerdictFloor.nanoseconds && count >= 10 && count >= evaluations / 3 }
}

/// Layouts of a process's views.
struct LayoutSum: Sendable {
    /// Views with layouts, their layouts, the time in these, and that in bodies of the same views.
    private(set) var views: UInt64 = 0
    private(set) var count: UInt64 = 0
    private(set) var nanoseconds: UInt64 = 0
    private(set) var bodies: UInt64 = 0
    /// Processor time of layouts in each second.
    private(set) var perSecond: UInt64 = 0
    /// The view whose layouts took most.
    private(set) var largest: ViewCosts?

    mutating func add(_ view: ViewCosts, perSecond: UInt64) {
        views += 1
        count = count.clampedSum(view.layouts)
        nanoseconds = nanoseconds.clampedSum(view.layoutNanoseconds)
        bodies = bodies.clampedSum(view.selfNanoseconds)
        self.perSecond = self.perSecond.clampedSum(perSecond)
        if view.layoutNanoseconds > largest?.layoutNanoseconds ?? 0 { largest = view }
    }
}
