// SPDX-License-Identifier: MIT
// What a recording had counted at a moment, and its report until a later one.

package import RerenderModel

/// A span of a recording's time.
///
/// Totals that programs told, and those that views have, are sums since a program's start. So what came in the span is a difference, as of two
/// exports of a daemon.
package struct TraceSpan: Sendable {
    /// What was counted when the span began; nil for the recording's beginning.
    package let before: StatsExport?
    /// The report of all events until the span's end.
    package let report: TraceReport
    /// When the span begins and ends; nil for the recording's beginning and end.
    package let began: Timestamp?
    package let ended: Timestamp?

    private struct IsOver: Error {}

    /// Reads the recording below `path` as far as its span's end, and twice where a mark is a moment.
    ///
    /// Throws ``TraceError`` where there is no trace, where it cannot be read, where it lacks a moment, and where no event is in the span.
    ///
    /// - Parameter process: The only processes that it is about; nil for all.
    package static func read(
        path: String, process: TraceProcesses? = nil, from: TraceMoment?, to: TraceMoment?,
        progress: ((TraceProgress) -> Void)? = nil
    ) throws -> TraceSpan {
        let window = try TraceWindow.find(path: path, from: from, to: to, progress)
        let (start, end) = (window.from, window.to)
        let trace = try TraceReader(path: path, process: process)
        var interpreter = TraceInterpreter(ReportBuilder(trace.texts), trace.texts, traces: trace.traceCount)
        var before: StatsExport?
        do {
            try trace.read(progress: progress) { events in
                var first = 0
                if let start, before == nil, let place = place(of: start, in: events) {
                    try interpreter.consume(events.extracting(0..<place))
                    before = try counts(interpreter, at: start)
                    first = place
                }
                guard let end, let last = place(of: end.later(by: 1), in: events) else {
                    return try interpreter.consume(events.extracting(first..<events.count))
                }
                try interpreter.consume(events.extracting(first..<max(first, last)))
                throw IsOver()
            }
        } catch is IsOver {}
        if before == nil { try window.require(latest: nil) }
        try interpreter.finish()
        return TraceSpan(
            before: before, report: interpreter.consumer.summary(interpreter.state).report,
            began: start.map(Timestamp.init(nanosecondsSince1970:)),
            ended: end.map(Timestamp.init(nanosecondsSince1970:)))
    }

    /// The place of the first event at a time or later; nil where no event is.
    private static func place(of time: Int64, in events: Span<TraceEvent>) -> Int? {
        for index in events.indices where events[index].nanoseconds >= time {
            // One that tells of discarded events has the time of their end.
            if case .discarded = events[index].what { continue }
            return index
        }
        return nil
    }

    /// What was counted until now.
    private static func counts(
        _ interpreter: TraceInterpreter<ReportBuilder>, at time: Int64
    ) throws -> StatsExport {
        var interpreter = interpreter
        try interpreter.finish()
        var export = interpreter.consumer.summary(interpreter.state).report.export
        export.generatedAt = Timestamp(nanosecondsSince1970: time)
        return export
    }
}
