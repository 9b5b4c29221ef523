// SPDX-License-Identifier: MIT
// Pages made of events, with their tables counted here, apart from the code under test.

import CShared
import RerenderModel
import TestSupport

@testable import RerenderTrace

/// Events of one process, in the order of time.
struct SampleTrace {
    let texts = TraceTexts()
    private(set) var events: [TraceEvent] = []
    var pid: Int32 = 4711
    var tid: Int32 = 4711
    private var lastID: UInt64 = 0
    private var counts: [String: UInt64] = [:]
    /// Whole seconds, so that times in messages are easy to read.
    static let origin: Int64 = 1_763_722_000_000_000_000

    mutating func add(_ nanoseconds: Int64, _ what: TraceEvent.What) {
        events.append(
            TraceEvent(
                nanoseconds: Self.origin + nanoseconds, pid: pid, tid: tid, processName: texts.intern("shop"),
                what: what))
    }

    @discardableResult
    mutating func begin(_ key: String, at nanoseconds: Int64, parent: String? = nil) -> UInt64 {
        lastID += 1
        var began = EvaluationBegan()
        (began.signpost_id, began.name, began.instance) = (lastID, texts.intern(key), EvaluationEnded.noInstance)
        (began.file, began.line) = (texts.intern("Shop/Cart.swift"), 12)
        began.parent = parent.map { texts.intern($0) } ?? TextID(index: .max)
        add(nanoseconds, .evaluationBegan(began))
        return lastID
    }

    mutating func end(
        _ key: String, at nanoseconds: Int64, id: UInt64, body: UInt64, total: UInt64? = nil,
        reason: String = "initial",
        waste: TraceWaste = .none, count: UInt64? = nil, turn: UInt64 = 0, chain: String = "",
        instance: UInt64 = EvaluationEnded.noInstance, epoch: UInt32 = 0, attribution: UInt8 = 1, isPass: Bool = false
    ) {
        counts["\(pid) \(epoch) \(key)"] = count ?? counts["\(pid) \(epoch) \(key)", default: 0] + 1
        var ended = EvaluationEnded()
        (ended.signpost_id, ended.name, ended.reason) = (id, texts.intern(key), texts.intern(reason))
        (ended.body_ns, ended.total_ns, ended.self_ns) = (body, total ?? body, .max)
        (ended.wasted, ended.attribution, ended.pass) = (waste.rawValue, attribution, isPass ? 1 : 0)
        (ended.turn, ended.count, ended.epoch) = (turn, counts["\(pid) \(epoch) \(key)", default: 0], epoch)
        (ended.store, ended.instance, ended.instances) = (texts.intern("main"), instance, 1)
        (ended.chain, ended.unjudged) = (texts.intern(chain), .max)
        add(nanoseconds, .evaluationEnded(ended))
    }

    mutating func evaluate(
        _ key: String, at nanoseconds: Int64, took: Int64, reason: String = "initial", waste: TraceWaste = .none,
        count: UInt64? = nil, turn: UInt64 = 0, chain: String = "",
        instance: UInt64 = EvaluationEnded.noInstance, epoch: UInt32 = 0, isPass: Bool = false
    ) {
        let id = begin(key, at: nanoseconds)
        end(
            key, at: nanoseconds + took, id: id, body: UInt64(took), reason: reason, waste: waste, count: count,
            turn: turn, chain: chain, instance: instance, epoch: epoch, isPass: isPass)
    }

    mutating func commit(
        _ key: String, at nanoseconds: Int64, instance: UInt64, wasted: UInt32, epoch: UInt32 = 0,
        change: String = "committed", of evaluation: UInt64 = 0, as waste: TraceWaste = .none
    ) {
        var changed = ViewChanged()
        (changed.name, changed.message, changed.store) = (
            texts.intern(key), texts.intern(change), texts.intern("main")
        )
        (changed.epoch, changed.instances, changed.instance, changed.commits) = (epoch, 1, instance, 1)
        (changed.measured, changed.same_output) = (UInt64(wasted), UInt64(wasted))
        (changed.signpost_id, changed.wasted, changed.unjudged) = (evaluation, waste.rawValue, .max)
        add(nanoseconds, .viewChanged(changed))
    }

    mutating func turn(_ number: UInt64, from begin: Int64, to end: Int64, evaluations: UInt64) {
        beginTurn(number, at: begin)
        endTurn(number, at: end, evaluations: evaluations)
    }

    mutating func beginTurn(_ number: UInt64, at nanoseconds: Int64) {
        var turn = TurnBegan()
        (turn.signpost_id, turn.name, turn.turn) = (number, texts.intern("turn"), number)
        add(nanoseconds, .turnBegan(turn))
    }

    mutating func endTurn(_ number: UInt64, at nanoseconds: Int64, evaluations: UInt64) {
        var turn = TurnEnded()
        (turn.signpost_id, turn.name, turn.turn) = (number, texts.intern("turn"), number)
        turn.evaluations = evaluations
        add(nanoseconds, .turnEnded(turn))
    }

    mutating func write(_ name: String, by writer: String, at nanoseconds: Int64, views: UInt32) {
        add(nanoseconds, .write(Write(name: texts.intern(name), message: texts.intern(writer), views: views)))
    }

    /// The events in the order of time; those of one time as they were added.
    var sorted: [TraceEvent] {
        events.enumerated().sorted { ($0.element.nanoseconds, $0.offset) < ($1.element.nanoseconds, $1.offset) }
            .map(\.element)
    }

    func feed<Consumer: InterpretationConsumer>(_ consumer: Consumer) throws -> TraceInterpreter<Consumer> {
        var interpreter = TraceInterpreter(consumer, texts)
        try interpreter.consume(sorted.span)
        try interpreter.finish()
        return interpreter
    }

    /// What the timeline makes of them.
    func timeline(_ limits: PageLimits = PageLimits()) throws -> SampleTimeline {
        let interpreter = try feed(PageBuilder(texts, limits: limits))
        return SampleTimeline(timeline: interpreter.consumer, state: interpreter.state, texts: texts)
    }
}

/// A timeline with what its lanes are.
@dynamicMemberLookup
struct SampleTimeline {
    let timeline: PageBuilder
    let state: TraceState
    let texts: TraceTexts

    subscript<Value>(dynamicMember path: KeyPath<PageBuilder, Value>) -> Value { timeline[keyPath: path] }

    func key(_ interval: PageIntervals.Interval) -> String { texts[state.known.views[Int(interval.lane)].key] }

    /// The views that have a lane.
    var lanes: Int { timeline.histograms.count { !$0.isEmpty } }
}

extension PackedIntervals {
    /// Changes them as an array.
    mutating func edit(_ change: (inout [Interval]) -> Void) {
        var intervals = Array(self)
        change(&intervals)
        self = PackedIntervals(intervals)
    }

    static func += (all: inout PackedIntervals, more: [Interval]) {
        for interval in more { all.append(interval) }
    }
}

extension ReportPage {
    /// A page about nothing for one process.
    static func sample(title: String = "/tmp/shop", seconds: UInt64 = 1) -> ReportPage {
        var page = ReportPage(
            title: title, recordedAt: "2025-11-21 10:46:40 UTC", tool: "rerenderctl",
            durationNanoseconds: seconds * 1_000_000_000, origin: SampleTrace.origin)
        page.processes = [Process(pid: 4711, name: "shop")]
        page.threads = [4711]
        return page
    }

    /// A view with an evaluation at 1 ms, 2 ms, …; `wasted` of them wasted, each of `took` nanoseconds.
    mutating func addView(_ key: String, evaluations: Int, wasted: Int, took: UInt64, reason: String = "ticker.tick") {
        var view = View(key: key, process: 0)
        let lane = UInt32(views.count)
        for index in 0..<evaluations {
            view.histogram.count(took)
            var interval = PageIntervals.Interval(
                start: SampleTrace.origin + Int64(index + 1) * 1_000_000 + Int64(lane) * 10, duration: took, lane: lane,
                amount: took)
            interval.wasted = index < wasted ? 1 : 0
            self.evaluations.append(interval)
        }
        view.count = UInt64(evaluations)
        view.wasted = UInt64(wasted)
        view.wastedNanoseconds = UInt64(wasted) * took
        (view.body.averageNanoseconds, view.body.p50Nanoseconds) = (took, took)
        (view.body.p95Nanoseconds, view.body.maxNanoseconds) = (took, took)
        view.body.totalNanoseconds = UInt64(evaluations) * took
        view.selfNanoseconds = UInt64(evaluations) * took
        view.reasons = [ReasonCount(reason: reason, count: UInt64(evaluations), attribution: .exact)]
        view.mainReason = Why(reason: reason, count: UInt64(evaluations))
        views.append(view)
        totals.evaluations += view.count
        totals.wasted += view.wasted
        totals.wastedNanoseconds += view.wastedNanoseconds
        totals.bodyNanoseconds += view.body.totalNanoseconds
        if lane > 0, evaluations > 1 { self.evaluations.sort() }
    }
}
