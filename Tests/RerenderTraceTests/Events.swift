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

    func add(_ what: TraceEvent.What, pid: Int32 = 1, after nanoseconds: Int64 = 1_000) {
        now += nanoseconds
        events.append(
            TraceEvent(nanoseconds: now, pid: pid, tid: pid, processName: texts.intern("app"), what: what))
    }

    func begin(_ view: String, pid: Int32 = 1) -> UInt64 {
        ids += 1
        add(
            .evaluationBegan(
                EvaluationBegan(
                    id: ids, view: texts.intern(view), file: texts.intern("App/\(view).swift"), line: 7,
                    parent: .empty)), pid: pid)
        return ids
    }

    func end(
        _ id: UInt64, _ view: String, reason: String = "tick", body: UInt64 = 100, turn: UInt64 = 0,
        instance: UInt64 = EvaluationEnded.noInstance, chain: String = "", writers: String = "", epoch: UInt32 = 0,
        count: UInt64? = nil, pid: Int32 = 1
    ) {
        let number = count ?? counts["\(pid) \(epoch) \(view)", default: 0] + 1
        counts["\(pid) \(epoch) \(view)"] = number
        add(
            .evaluationEnded(
                EvaluationEnded(
                    id: id, view: texts.intern(view), reason: texts.intern(reason), bodyNanoseconds: body,
                    totalNanoseconds: body + 10, waste: .none, turn: turn, count: number, epoch: epoch,
                    storeName: texts.intern("main"), store: 0, instance: instance, instances: 1, attribution: 1,
                    wasteKind: 0, writers: texts.intern(writers), chain: texts.intern(chain))), pid: pid)
    }

    /// A whole evaluation with nothing in it.
    func evaluate(
        _ view: String, reason: String = "tick", body: UInt64 = 100, turn: UInt64 = 0,
        instance: UInt64 = EvaluationEnded.noInstance, chain: String = "", writers: String = "", epoch: UInt32 = 0,
        count: UInt64? = nil
    ) {
        end(
            begin(view), view, reason: reason, body: body, turn: turn, instance: instance, chain: chain,
            writers: writers, epoch: epoch, count: count)
    }

    func turn(_ number: UInt64, length: Int64 = 1_000, _ body: () -> Void) {
        add(.turnBegan(Turn(number: number, evaluations: 0)))
        body()
        add(.turnEnded(Turn(number: number, evaluations: 0)), after: length)
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
        var builder = ReportBuilder()
        try feed(&builder)
        return builder.report(texts, traces: 1)
    }

    func feed(_ consumer: inout some TraceConsumer) throws {
        // In pieces, as a reader does.
        for start in stride(from: 0, to: events.count, by: 3) {
            let piece = Array(events[start..<min(start + 3, events.count)])
            try consumer.consume(piece.span, texts)
        }
        try consumer.finish(texts)
    }
}
