// SPDX-License-Identifier: MIT
// Traces made by hand, for what a real one shows too seldom.

import CShared
import RerenderModel

@testable import RerenderTrace

/// Events in a row, each a microsecond after the one before unless it says otherwise.
final class EventScript {
    let texts = TraceTexts()
    private(set) var events: [TraceEvent] = []
    private var now: Int64 = 1_000_000_000
    private var ids: UInt64 = 0
    private var counts: [String: UInt64] = [:]
    /// What runs in the script's processes, outermost first.
    private var running: [Int32: [(id: UInt64, view: String)]] = [:]
    /// The store of the evaluations that follow.
    var store: (number: UInt32, name: String) = (0, "main")
    /// Names of threads by their numbers; all others are called `app`.
    var threadNames: [Int32: String] = [:]

    func add(_ what: TraceEvent.What, pid: Int32 = 1, tid: Int32? = nil, after nanoseconds: Int64 = 1_000) {
        now += nanoseconds
        let name = texts.intern(threadNames[tid ?? pid] ?? "app")
        events.append(TraceEvent(nanoseconds: now, pid: pid, tid: tid ?? pid, processName: name, what: what))
    }

    func begin(_ view: String, pid: Int32 = 1) -> UInt64 {
        ids += 1
        var began = EvaluationBegan()
        (began.signpost_id, began.name, began.instance) = (ids, texts.intern(view), EvaluationEnded.noInstance)
        (began.file, began.line) = (texts.intern("App/\(view).swift"), 7)
        began.parent = texts.intern(running[pid]?.last?.view ?? "")
        add(.evaluationBegan(began), pid: pid)
        running[pid, default: []].append((ids, view))
        return ids
    }

    /// Ends an evaluation without telling.
    func lose(_ id: UInt64, pid: Int32 = 1) {
        guard let place = running[pid]?.firstIndex(where: { $0.id == id }) else { return }
        running[pid]?.removeSubrange(place...)
    }

    func end(
        _ id: UInt64, _ view: String, reason: String = "tick", body: UInt64 = 100, turn: UInt64 = 0,
        instance: UInt64 = EvaluationEnded.noInstance, chain: String = "", writers: String = "", epoch: UInt32 = 0,
        count: UInt64? = nil, waste: TraceWaste = .none, pid: Int32 = 1, tid: Int32? = nil, isPass: Bool? = false,
        own: UInt64? = nil, isUnjudged: Bool? = nil, kind: WasteKind = .sameOutput, attribution: UInt8 = 1
    ) {
        lose(id, pid: pid)
        let number = count ?? counts["\(pid) \(epoch) \(view)", default: 0] + 1
        counts["\(pid) \(epoch) \(view)"] = number
        let pass: UInt8 = isPass.map { $0 ? 1 : 0 } ?? .max
        var ended = EvaluationEnded()
        (ended.signpost_id, ended.name, ended.reason) = (id, texts.intern(view), texts.intern(reason))
        (ended.body_ns, ended.total_ns, ended.self_ns) = (body, body + 10, own ?? .max)
        let code = WasteKind.allCases.firstIndex(of: kind).map { UInt8($0) + 1 } ?? 0
        (ended.wasted, ended.kind, ended.attribution) = (waste.rawValue, waste == .none ? 0 : code, attribution)
        (ended.turn, ended.count, ended.epoch) = (turn, number, epoch)
        (ended.store, ended.store_id) = (texts.intern(store.name), store.number)
        (ended.instance, ended.instances, ended.pass) = (instance, 1, pass)
        (ended.writers, ended.chain) = (texts.intern(writers), texts.intern(chain))
        ended.unjudged = isUnjudged.map { $0 ? 1 : 0 } ?? .max
        add(.evaluationEnded(ended), pid: pid, tid: tid)
    }

    /// A whole evaluation with nothing in it.
    func evaluate(
        _ view: String, reason: String = "tick", body: UInt64 = 100, turn: UInt64 = 0,
        instance: UInt64 = EvaluationEnded.noInstance, chain: String = "", writers: String = "", epoch: UInt32 = 0,
        count: UInt64? = nil, waste: TraceWaste = .none, isPass: Bool? = false, own: UInt64? = nil,
        isUnjudged: Bool? = nil, kind: WasteKind = .sameOutput, attribution: UInt8 = 1
    ) {
        end(
            begin(view), view, reason: reason, body: body, turn: turn, instance: instance, chain: chain,
            writers: writers, epoch: epoch, count: count, waste: waste, isPass: isPass, own: own,
            isUnjudged: isUnjudged, kind: kind, attribution: attribution)
    }

    /// A commit with the sums after it; each wasted evaluation is a measured one of the first kind and took 100 ns.
    ///
    /// It decides whether an evaluation was wasted, if it names one. Without a number of unjudged ones it is an older version's.
    func commit(
        _ view: String, _ commits: UInt64, wasted: UInt32, epoch: UInt32 = 0, change: String = "committed",
        of evaluation: UInt64 = 0, as waste: TraceWaste = .measured, unjudged: UInt64? = nil
    ) {
        var changed = ViewChanged()
        (changed.name, changed.message) = (texts.intern(view), texts.intern(change))
        (changed.store, changed.store_id, changed.epoch) = (texts.intern(store.name), store.number, epoch)
        (changed.instances, changed.instance, changed.commits) = (1, EvaluationEnded.noInstance, commits)
        (changed.measured, changed.same_output) = (UInt64(wasted), UInt64(wasted))
        changed.wasted_ns = UInt64(wasted) * 100
        changed.signpost_id = evaluation
        changed.wasted = evaluation == 0 ? TraceWaste.none.rawValue : waste.rawValue
        changed.unjudged = unjudged ?? .max
        add(.viewChanged(changed))
    }

    /// A turn; its end tells of `lost` evaluations more than `body` adds on the loop's thread.
    func turn(_ number: UInt64, length: Int64 = 1_000, lost: UInt64 = 0, _ body: () -> Void) {
        beginTurn(number)
        let first = events.count
        body()
        let evaluations = events[first...].count { event in
            if case .evaluationEnded(let end) = event.what { event.tid == 1 && end.turn == number } else { false }
        }
        endTurn(number, evaluations: UInt64(evaluations) + lost, after: length)
    }

    func beginTurn(_ number: UInt64, after nanoseconds: Int64 = 1_000) {
        var turn = TurnBegan()
        (turn.signpost_id, turn.name, turn.turn) = (number, texts.intern("turn"), number)
        add(.turnBegan(turn), after: nanoseconds)
    }

    func endTurn(_ number: UInt64, evaluations: UInt64, after nanoseconds: Int64 = 1_000) {
        var turn = TurnEnded()
        (turn.signpost_id, turn.name, turn.turn) = (number, texts.intern("turn"), number)
        turn.evaluations = evaluations
        add(.turnEnded(turn), after: nanoseconds)
    }

    func write(_ name: String, _ writer: String, views: UInt32, after nanoseconds: Int64 = 1_000) {
        add(
            .write(Write(name: texts.intern(name), message: texts.intern(writer), views: views)), after: nanoseconds)
    }

    /// An event of another signposter.
    func other(_ kind: SignpostKind, _ id: UInt64, pid: Int32 = 1) {
        var fields = csignpost_read_generic()
        (fields.signpost_id, fields.name) = (id, texts.intern("fetch"))
        add(.other(OtherEvent(event: texts.intern("com.example.Net:\(kind)"), kind: kind, fields: fields)), pid: pid)
    }

    func hang(
        _ duration: UInt64, id: UInt64 = 1, view: String, isEnd: Bool, pid: Int32 = 1,
        verdict: HangVerdict = .running
    )
        -> HangEvent
    {
        var hang = HangEvent()
        (hang.signpost_id, hang.pid, hang.duration_ns) = (id, UInt32(bitPattern: pid), isEnd ? duration : 0)
        (hang.name, hang.last_rendered) = (texts.intern(view), texts.intern(view))
        hang.attribution = TraceCode.code(HangAttribution.inBody, none: .none)
        hang.verdict = TraceCode.code(verdict, none: .unknown)
        // As in a recording that does not say it.
        (hang.store_id, hang.at_threshold_store_id, hang.last_rendered_store_id) = (.max, .max, .max)
        hang.counts = verdict == .stopped ? 0 : 1
        return hang
    }

    /// Leaves the shares of hangs out of the events so far, as where their text would be too long.
    func forgetShares(_ shares: String) {
        for index in events.indices {
            guard case .hangEnded(var hang) = events[index].what, texts[hang.shares] == shares else { continue }
            hang.shares = .empty
            events[index].what = .hangEnded(hang)
        }
    }

    func report() throws -> TraceReport {
        let interpreter = try feed(ReportBuilder(texts))
        return interpreter.consumer.summary(interpreter.state).report
    }

    /// Feeds all events to a reader, in pieces as a trace is read, and returns what interpreted them.
    @discardableResult
    func feed<Consumer: InterpretationConsumer>(_ consumer: Consumer) throws -> TraceInterpreter<Consumer> {
        var interpreter = TraceInterpreter(consumer, texts)
        for start in stride(from: 0, to: events.count, by: 3) {
            let piece = Array(events[start..<min(start + 3, events.count)])
            try interpreter.consume(piece.span)
        }
        try interpreter.finish()
        return interpreter
    }

    /// The report and the page of all events, and the stores in the order in which they were met.
    func page() throws -> (report: TraceReport, page: ReportPage, stores: [TracedStore]) {
        let interpreter = try feed(PageBuilder(texts))
        let results = interpreter.consumer.results(interpreter.state, title: "t", tool: "test")
        return (results.report, results.page, interpreter.state.known.stores)
    }
}
