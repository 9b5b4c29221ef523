// SPDX-License-Identifier: MIT
// What the timeline shows of a trace, as it is collected: bounded, whatever the trace's length.

/// A view of one store of one process.
package struct PageViewID: Hashable, Sendable {
    package var pid: Int32
    /// Which store of its process, and its name.
    package var store: StoreNumber
    package var storeName: TextID
    package var key: TextID
}

/// Numbers for things in the order in which they are met, up to a limit; what is beyond shares one.
struct PageNumbering<Thing: Hashable & Sendable>: Sendable {
    private var numbers: [Thing: UInt32] = [:]
    private(set) var things: [Thing] = []
    private let limit: Int
    private var latest: (thing: Thing, number: UInt32)?

    init(limit: Int) { self.limit = limit }

    /// The number of a thing that was met before.
    func known(_ thing: Thing) -> UInt32? { numbers[thing] }

    /// The number of a thing; nil where there is no room for it.
    mutating func number(_ thing: Thing) -> UInt32? {
        if let latest, latest.thing == thing { return latest.number }
        if let number = numbers[thing] {
            latest = (thing, number)
            return number
        }
        guard things.count < limit else { return nil }
        let number = UInt32(things.count)
        numbers[thing] = number
        things.append(thing)
        latest = (thing, number)
        return number
    }
}

/// Collects evaluations and turns from a trace's events.
package struct PageTimeline: TraceConsumer, Sendable {
    private struct Open {
        let id: UInt64
        let began: Int64
    }

    private struct ThreadID: Hashable {
        let pid: Int32
        let tid: Int32
    }

    private struct OpenTurn {
        let number: UInt64
        let began: Int64
    }

    private let limits: PageLimits
    private var viewNumbers: PageNumbering<PageViewID>
    private var threadNumbers: PageNumbering<ThreadID>
    private var processNumbers: PageNumbering<Int32>
    private var reasonNumbers: PageNumbering<TextID>
    private var replacements = PageReplacements()
    private var waste = PageWaste()
    private var open: [[Open]] = []
    private var openTurns: [UInt32: OpenTurn] = [:]
    private var first: Int64?
    private var last: Int64 = 0
    /// Evaluations as intervals; the lane is the view's place in ``views``, until it is given another.
    package private(set) var evaluations: PageIntervals
    /// Turns as intervals; the lane is the process's place in ``processes``.
    package private(set) var turns: PageIntervals
    /// Body times of each view.
    package private(set) var histograms: [PageHistogram] = []
    /// Evaluations that are in no lane, because there are too many views.
    package private(set) var withoutLane: UInt64 = 0

    /// Collects within limits.
    package init(limits: PageLimits = PageLimits()) {
        self.limits = limits
        viewNumbers = PageNumbering(limit: limits.views)
        threadNumbers = PageNumbering(limit: limits.threads)
        processNumbers = PageNumbering(limit: limits.threads)
        reasonNumbers = PageNumbering(limit: limits.reasons)
        evaluations = PageIntervals(limit: limits.evaluations, lanes: limits.views)
        turns = PageIntervals(limit: limits.turns, lanes: limits.threads)
        // Number 0 is no reason.
        _ = reasonNumbers.number(.empty)
    }

    /// The views in the order in which their first evaluations ended.
    package var views: [PageViewID] { viewNumbers.things }
    /// Processes with turns, in the order of their first.
    package var processes: [Int32] { processNumbers.things }
    /// Threads with evaluations.
    package var threads: [Int32] { threadNumbers.things.map(\.tid) }
    /// Reasons, by the numbers of the intervals; 0 is none.
    package var reasons: [TextID] { reasonNumbers.things }
    /// The earliest time in the trace, and the latest; in nanoseconds since 1970.
    package var range: ClosedRange<Int64> { (first ?? 0)...max(first ?? 0, last) }

    /// Takes some events.
    package mutating func consume(_ events: Span<TraceEvent>, _ texts: TraceTexts) {
        for index in events.indices { consume(events[index]) }
    }

    /// There are no more events.
    package mutating func finish(_ texts: TraceTexts) {
        evaluations.finish()
        turns.finish()
    }

    private mutating func consume(_ event: TraceEvent) {
        // The report's first and last event are the same ones.
        if case .discarded = event.what { return }
        first = min(first ?? event.nanoseconds, event.nanoseconds)
        last = max(last, event.nanoseconds)
        switch event.what {
        case .evaluationBegan(let began): begin(began, event)
        case .evaluationEnded(let ended): end(ended, event)
        case .viewChanged(let change): note(change, event)
        case .turnBegan(let turn): begin(turn, event)
        case .turnEnded(let turn): end(turn, event)
        default: break
        }
    }

    private mutating func thread(of event: TraceEvent) -> Int? {
        guard let number = threadNumbers.number(ThreadID(pid: event.pid, tid: event.tid)) else { return nil }
        if Int(number) == open.count { open.append([]) }
        return Int(number)
    }

    private mutating func begin(_ began: EvaluationBegan, _ event: TraceEvent) {
        guard let thread = thread(of: event) else { return }
        // Nothing is around it, so what is open has lost its end.
        if began.parent == TextID.empty { open[thread].removeAll(keepingCapacity: true) }
        guard open[thread].count < limits.depth else { return }
        open[thread].append(Open(id: began.id, began: event.nanoseconds))
    }

    private mutating func end(_ ended: EvaluationEnded, _ event: TraceEvent) {
        let thread = thread(of: event)
        let (began, depth) = close(ended, event, thread)
        guard let lane = lane(of: ended, event.pid) else { return withoutLane += 1 }
        if Int(lane) == histograms.count { histograms.append(PageHistogram()) }
        histograms[Int(lane)].count(ended.bodyNanoseconds)
        first = min(first ?? began, began)
        var interval = PageIntervals.Interval(
            start: began, duration: UInt64(clamping: event.nanoseconds &- began), lane: lane,
            amount: ended.bodyNanoseconds)
        interval.wasted = ended.waste == .none ? 0 : 1
        interval.thread = UInt32(thread ?? limits.threads)
        interval.depth = depth
        interval.reason = reasonNumbers.number(ended.reason) ?? 0
        if evaluations.add(interval) { waste.forgetPlaces() }
        waste.evaluated(ended, lane: lane, at: evaluations.all.count - 1)
    }

    /// The lane of a view; another one where a program has replaced the one that had its process's number.
    private mutating func lane(of ended: EvaluationEnded, _ pid: Int32) -> UInt32? {
        var id = PageViewID(
            pid: pid, store: replacements.current(ended.store, of: pid), storeName: ended.storeName, key: ended.view)
        guard let lane = viewNumbers.number(id) else { return nil }
        guard replacements.note(ended, lane: lane, pid: pid) else { return lane }
        id.store = replacements.current(ended.store, of: pid)
        guard let lane = viewNumbers.number(id) else { return nil }
        _ = replacements.note(ended, lane: lane, pid: pid)
        return lane
    }

    private mutating func note(_ change: ViewChanged, _ event: TraceEvent) {
        let id = PageViewID(
            pid: event.pid, store: replacements.current(change.store, of: event.pid), storeName: change.storeName,
            key: change.view)
        guard let lane = viewNumbers.known(id), let mark = waste.changed(change, lane: lane) else { return }
        evaluations.mark(mark.place, isWasted: mark.isWasted)
    }

    /// When it began, and how many others were open around it.
    ///
    /// Where its beginning is not in the trace, its own stamps say when.
    private mutating func close(
        _ ended: EvaluationEnded, _ event: TraceEvent, _ thread: Int?
    ) -> (began: Int64, depth: UInt32) {
        let byItself = event.nanoseconds.subtractingReportingOverflow(Int64(clamping: ended.totalNanoseconds))
        let fallback = byItself.overflow || byItself.partialValue < 0 ? event.nanoseconds : byItself.partialValue
        guard let thread else { return (fallback, 0) }
        guard ended.id != 0, let place = open[thread].lastIndex(where: { $0.id == ended.id }) else {
            return (fallback, UInt32(open[thread].count))
        }
        let began = open[thread][place].began
        // What is open inside has lost its end.
        open[thread].removeSubrange(place...)
        return (min(began, event.nanoseconds), UInt32(place))
    }

    private mutating func begin(_ turn: Turn, _ event: TraceEvent) {
        guard let process = processNumbers.number(event.pid) else { return }
        openTurns[process] = OpenTurn(number: turn.number, began: event.nanoseconds)
    }

    private mutating func end(_ turn: Turn, _ event: TraceEvent) {
        guard let process = processNumbers.number(event.pid), let began = openTurns.removeValue(forKey: process),
            began.number == turn.number
        else { return }
        turns.add(
            PageIntervals.Interval(
                start: began.began, duration: UInt64(clamping: event.nanoseconds &- began.began), lane: process,
                amount: turn.evaluations))
    }
}
