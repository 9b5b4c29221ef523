// SPDX-License-Identifier: MIT
// Traces made by hand, for what a real one shows too seldom.

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

    func add(_ what: TraceEvent.What, pid: Int32 = 1, tid: Int32? = nil, after nanoseconds: Int64 = 1_000) {
        now += nanoseconds
        events.append(
            TraceEvent(nanoseconds: now, pid: pid, tid: tid ?? pid, processName: texts.intern("app"), what: what))
    }

    func begin(_ view: String, pid: Int32 = 1) -> UInt64 {
        ids += 1
        add(
            .evaluationBegan(
                EvaluationBegan(
                    id: ids, view: texts.intern(view), file: texts.intern("App/\(view).swift"), line: 7,
                    parent: texts.intern(running[pid]?.last?.view ?? ""))), pid: pid)
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
        own: UInt64? = nil
    ) {
        lose(id, pid: pid)
        let number = count ?? counts["\(pid) \(epoch) \(view)", default: 0] + 1
        counts["\(pid) \(epoch) \(view)"] = number
        add(
            .evaluationEnded(
                EvaluationEnded(
                    id: id, view: texts.intern(view), reason: texts.intern(reason), bodyNanoseconds: body,
                    totalNanoseconds: body + 10, waste: waste, turn: turn, count: number, epoch: epoch,
                    storeName: texts.intern(store.name), store: store.number, instance: instance, instances: 1,
                    attribution: 1, wasteKind: waste == .none ? 0 : 1, writers: texts.intern(writers),
                    chain: texts.intern(chain), isPass: isPass, selfNanoseconds: own)),
            pid: pid, tid: tid)
    }

    /// A whole evaluation with nothing in it.
    func evaluate(
        _ view: String, reason: String = "tick", body: UInt64 = 100, turn: UInt64 = 0,
        instance: UInt64 = EvaluationEnded.noInstance, chain: String = "", writers: String = "", epoch: UInt32 = 0,
        count: UInt64? = nil, waste: TraceWaste = .none, isPass: Bool? = false, own: UInt64? = nil
    ) {
        end(
            begin(view), view, reason: reason, body: body, turn: turn, instance: instance, chain: chain,
            writers: writers, epoch: epoch, count: count, waste: waste, isPass: isPass, own: own)
    }

    /// A commit with the sums after it; each wasted evaluation is a measured one of the first kind and took 100 ns.
    ///
    /// It decides that an evaluation was wasted, if it names one.
    func commit(
        _ view: String, _ commits: UInt64, wasted: UInt32, epoch: UInt32 = 0, change: String = "committed",
        of evaluation: UInt64 = 0
    ) {
        var kinds = InlineArray<7, UInt32>(repeating: 0)
        kinds[0] = wasted
        add(
            .viewChanged(
                ViewChanged(
                    view: texts.intern(view), change: texts.intern(change), storeName: texts.intern(store.name),
                    store: store.number, epoch: epoch, instances: 1, instance: EvaluationEnded.noInstance,
                    commits: commits, wastedMeasured: UInt64(wasted), wastedNanoseconds: UInt64(wasted) * 100,
                    wastedKinds: kinds, evaluation: evaluation, waste: evaluation == 0 ? .none : .measured)))
    }

    /// A turn; its end tells of `lost` evaluations more than `body` adds on the loop's thread.
    func turn(_ number: UInt64, length: Int64 = 1_000, lost: UInt64 = 0, _ body: () -> Void) {
        add(.turnBegan(Turn(number: number, evaluations: 0)))
        let first = events.count
        body()
        let evaluations = events[first...].count { event in
            if case .evaluationEnded(let end) = event.what { event.tid == 1 && end.turn == number } else { false }
        }
        add(.turnEnded(Turn(number: number, evaluations: UInt64(evaluations) + lost)), after: length)
    }

    func hang(
        _ duration: UInt64, id: UInt64 = 1, view: String, isEnd: Bool, pid: Int32 = 1, verdict: String = "running"
    )
        -> HangEvent
    {
        HangEvent(
            id: id, view: texts.intern(view), lastRendered: texts.intern(view), pid: pid,
            attribution: texts.intern("in body"), verdict: texts.intern(verdict),
            durationNanoseconds: isEnd ? duration : 0)
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
