// SPDX-License-Identifier: MIT
// The views of a page in the order of their costs, and the graph of causes, in which each view is one node.

internal import RerenderModel

/// Gives views and processes their places on the page.
struct PageViews {
    private struct Key: Hashable {
        let pid: Int32
        let key: String
    }

    private(set) var views: [ReportPage.View] = []
    /// The places of those that are folded, and a text with their kinds.
    let folded: [Int]
    let foldedText: String
    private(set) var processes: [ReportPage.Process] = []
    private var processPlaces: [Int32: Int] = [:]
    /// The places of the views of the trace's directory.
    private var places: [Int: Int] = [:]
    private var byKey: [Key: Int] = [:]

    /// Takes the views of a report; `places` are theirs in the trace's directory.
    ///
    /// The first `advised` views have the advice.
    init(
        _ report: TraceReport, _ places: [[Int]], _ known: TraceDirectory,
        _ advice: (ProcessStats, Stats) -> [String], _ advised: Int
    ) {
        let shares = CoreShares(report.export.processes)
        let views = zip(report.export.processes, places).enumerated().flatMap { number, entry in
            let (store, places) = entry
            let running = shares.loop(of: store.pid)?.bodiesRunning ?? 1
            let marks = RowMarks(store, running: running, report.export.verdict)
            return zip(store.views, places).map {
                (number: number, store: store, stats: $0, place: $1, rank: marks.rank(of: $0))
            }
        }
        let ranked = views.sorted { $0.rank != $1.rank ? $0.rank > $1.rank : $0.stats.key < $1.stats.key }
        let folding = RowFolding(ranked.map { RowFacts($0.stats, in: $0.store, number: $0.number, $0.rank) })
        folded = folding.hidden.sorted()
        foldedText = folding.text(StoreWords(folded.map { ranked[$0].store }))
        for store in report.export.processes { enter(pid: store.pid, name: store.name) }
        for (_, store, stats, place, _) in ranked {
            let pid = store.pid
            // The first views of the page: their places are their ranks.
            let view = enter(stats.key.rawValue, pid)
            self.views[view].note = folding.note(under: view)
            self.views[view].under = folding.home(of: view).map { home in
                ReportPage.Under(view: home, note: folding.note(under: home, with: view))
            }
            if view < advised { self.views[view].advice = advice(store, stats).map { Printable.text($0) } }
            self.views[view].take(stats)
            self.views[view].missing = known.views[place].missing.before &+ known.views[place].missing.between
            let key = Key(pid: pid, key: stats.key.rawValue)
            byKey[key] = byKey[key] ?? view
            self.places[place] = view
        }
    }

    private mutating func enter(pid: Int32, name: String) {
        guard processPlaces[pid] == nil else { return }
        processPlaces[pid] = processes.count
        processes.append(ReportPage.Process(pid: pid, name: Printable.text(name)))
    }

    /// A process's place; one that the report has no views of is entered.
    mutating func place(ofProcess pid: Int32) -> Int {
        enter(pid: pid, name: "")
        return processPlaces[pid] ?? 0
    }

    /// The place of the view of that key, in whichever store; entered without numbers if the report has none.
    mutating func place(of key: String, pid: Int32) -> Int {
        if let known = byKey[Key(pid: pid, key: key)] { return known }
        let place = enter(key, pid)
        byKey[Key(pid: pid, key: key)] = place
        return place
    }

    /// The same, where the report has the view; nil for a widget that only the facts of a main loop name.
    func knownPlace(of key: String, pid: Int32) -> Int? { byKey[Key(pid: pid, key: key)] }

    private mutating func enter(_ key: String, _ pid: Int32) -> Int {
        views.append(ReportPage.View(key: Printable.text(key), process: place(ofProcess: pid)))
        return views.count - 1
    }

    /// The places of the views of a trace that have a histogram. One whose counts were reset since is entered without numbers.
    mutating func places(of histograms: [PageHistogram], _ known: TraceDirectory, _ texts: TraceTexts) -> [UInt32] {
        histograms.enumerated().map { index, histogram in
            guard !histogram.isEmpty else { return 0 }
            let view = known.views[index]
            let pid = known.processes[known.stores[view.store].process].pid
            let place = places[index] ?? enter(texts[view.key], pid)
            views[place].histogram = histogram
            return UInt32(place)
        }
    }
}

extension ReportPage.View {
    /// Takes the report's numbers.
    fileprivate mutating func take(_ stats: Stats) {
        file = Printable.text(stats.file)
        line = stats.line
        count = stats.count
        passes = stats.passes ?? 0
        wasted = stats.wasted.count
        wastedNanoseconds = stats.wasted.nanoseconds
        inferred = stats.wasted.inferred
        inferredNanoseconds = stats.wasted.inferredNanoseconds
        body = stats.body
        selfNanoseconds = stats.ownNanoseconds
        (hangs, starvedHangs) = (stats.hangs.count, stats.hangs.starved)
        hangNanoseconds = stats.hangs.totalNanoseconds
        mainReason = stats.mainReason.map {
            ReportPage.Why(reason: Printable.text($0.reason.reason), count: $0.reason.count, isGuess: $0.isGuess)
        }
        reasons = stats.reasons.map { reason in
            ReasonCount(
                reason: Printable.text(reason.reason), count: reason.count, passes: reason.passes ?? 0,
                attribution: reason.attribution,
                writers: reason.writers.map(\.printable),
                chains: reason.chains.map { ChainCount(chain: Printable.text($0.chain), count: $0.count) })
        }
    }
}

extension WriterCount {
    /// The same, safe to show.
    var printable: WriterCount { WriterCount(writer: Printable.text(writer), count: count) }
}

/// Joins trees of causes.
struct PageCauses {
    private struct Edge: Hashable {
        let from: Int
        let to: Int
    }

    private(set) var causes: [ReportPage.Cause] = []
    private var inside: [Edge: UInt64] = [:]

    init(_ report: TraceReport, _ views: inout PageViews) {
        for process in report.causes {
            for cause in process.causes { add(cause, pid: process.pid, &views) }
        }
    }

    /// Views with the views inside them that they caused, most evaluations first.
    var parents: [ReportPage.Parent] {
        inside.map { ReportPage.Parent(parent: $0.key.from, child: $0.key.to, count: $0.value) }.sorted {
            $0.count != $1.count ? $0.count > $1.count : ($0.parent, $0.child) < ($1.parent, $1.child)
        }
    }

    private mutating func add(_ cause: CauseNode, pid: Int32, _ views: inout PageViews) {
        let reached = effects(of: cause, pid: pid, &views)
        causes.append(
            ReportPage.Cause(
                name: Printable.text(cause.text), process: views.place(ofProcess: pid),
                evaluations: cause.evaluations,
                writers: cause.writers.map(\.printable), views: reached))
    }

    /// The views that a cause or a view reached next; counts those inside them.
    private mutating func effects(of node: CauseNode, pid: Int32, _ views: inout PageViews) -> [ReportPage.Effect] {
        node.views.compactMap { child in
            let view = views.place(of: child.text, pid: pid)
            for effect in effects(of: child, pid: pid, &views) {
                inside[Edge(from: view, to: effect.view), default: 0] &+= effect.count
            }
            return child.evaluations > 0 ? ReportPage.Effect(view: view, count: child.evaluations) : nil
        }
    }
}

// Two recordings beside each other: views by process and key, turns by their order.

/// An older recording beside a page's own. Processes are the same if they have the same name.
package struct PageComparison: Encodable, Sendable {
    /// Sums of a view in one recording.
    package struct Sums: Encodable, Hashable, Sendable {
        package var evaluations: UInt64 = 0
        package var wasted: UInt64 = 0
        /// Time in its own bodies.
        package var own: UInt64 = 0
    }

    /// A view; nil for a recording in which it was not evaluated.
    package struct View: Encodable, Sendable {
        package let process: String
        package let key: String
        package var old: Sums?
        package var new: Sums?
        /// Its place on the page.
        package var view: Int?
    }

    /// A turn in one recording.
    package struct Moment: Encodable, Hashable, Sendable {
        /// Since the recording began.
        package let start: UInt64
        package let duration: UInt64
        package let evaluations: UInt64
    }

    /// The turns of one number, counted from 1 among the turns with evaluations of a process; nil where there are not as many.
    package struct Turn: Encodable, Sendable {
        package let process: String
        package let number: Int
        package var old: Moment?
        package var new: Moment?
        /// The process's place on the page.
        package var place: Int?
    }

    /// What the older recording is: its path, and when it began.
    package let title: String
    package let recordedAt: String
    package private(set) var views: [View] = []
    package private(set) var turns: [Turn] = []
    /// Turns beyond ``PageLimits/comparedTurns``.
    package private(set) var turnsLeft = 0
    /// Processes whose turns cannot be told apart: there are several of that name, or turns are drawn in groups.
    package private(set) var unaligned: [String] = []

    private struct Key: Hashable {
        let process: String
        let key: String
    }

    init(old: ReportPage, new: ReportPage, limits: PageLimits = PageLimits()) {
        (title, recordedAt) = (old.title, old.recordedAt)
        compareViews(old, new)
        compareTurns(old, new, limits)
    }

    private mutating func compareViews(_ old: ReportPage, _ new: ReportPage) {
        let (before, now) = (Self.sums(old), Self.sums(new))
        var places: [Key: Int] = [:]
        for (place, view) in new.views.enumerated() {
            let key = Key(process: new.processes[view.process].name, key: view.key)
            places[key] = places[key] ?? place
        }
        views = Set(before.keys).union(now.keys).map { key in
            View(process: key.process, key: key.key, old: before[key], new: now[key], view: places[key])
        }
        views.sort {
            ($1.new?.own ?? 0, $1.old?.own ?? 0, $0.key, $0.process) < (
                $0.new?.own ?? 0, $0.old?.own ?? 0, $1.key, $1.process
            )
        }
    }

    /// The views that were evaluated.
    private static func sums(_ page: ReportPage) -> [Key: Sums] {
        var own = [UInt64](repeating: 0, count: page.views.count)
        for interval in page.evaluations { own[Int(interval.lane)] &+= interval.amount.minus(interval.inner) }
        var sums: [Key: Sums] = [:]
        for (view, own) in zip(page.views, own) where view.count > 0 {
            var sum = sums[Key(process: page.processes[view.process].name, key: view.key)] ?? Sums()
            sum.evaluations &+= view.count
            sum.wasted &+= view.wasted
            sum.own &+= own
            sums[Key(process: page.processes[view.process].name, key: view.key)] = sum
        }
        return sums
    }

    private mutating func compareTurns(_ old: ReportPage, _ new: ReportPage, _ limits: PageLimits) {
        let (before, now) = (Self.turns(old), Self.turns(new))
        for process in Set(before.keys).union(now.keys).sorted() {
            let (before, now) = (before[process] ?? Turns(), now[process] ?? Turns())
            guard before.areNumbered && now.areNumbered else { unaligned.append(process); continue }
            let (count, room) = (max(before.all.count, now.all.count), limits.comparedTurns - turns.count)
            turnsLeft += max(0, count - room)
            for index in 0..<min(count, room) {
                turns.append(
                    Turn(
                        process: process, number: index + 1, old: before[index], new: now[index], place: now.process))
            }
        }
    }

    /// The turns with evaluations of the processes of one name.
    private struct Turns {
        var process: Int?
        var all: [Moment] = []
        /// Whether there is one such process, and each of its turns is drawn by itself.
        var areNumbered = true

        subscript(index: Int) -> Moment? { index < all.count ? all[index] : nil }
    }

    private static func turns(_ page: ReportPage) -> [String: Turns] {
        var turns: [String: Turns] = [:]
        for turn in page.turns where turn.amount > 0 {
            let (place, name) = (Int(turn.lane), page.processes[Int(turn.lane)].name)
            var found = turns[name] ?? Turns(process: place)
            if turn.count > 1 || found.process != place { found.areNumbered = false }
            let start = turn.start.nanoseconds(since: page.origin)
            found.all.append(Moment(start: start, duration: turn.duration, evaluations: turn.amount))
            turns[name] = found
        }
        return turns
    }
}

extension ReportPage {
    /// Puts an older recording beside this one.
    package mutating func compare(with old: ReportPage) { compared = PageComparison(old: old, new: self) }
}
