// SPDX-License-Identifier: MIT
// Reads a trace once, for the report and for its page.

/// Makes a report and, of the same events, the timeline of its page.
package struct PageBuilder: TraceConsumer {
    private var report = ReportBuilder()
    private var timeline: PageTimeline

    /// Collects within limits.
    package init(limits: PageLimits = PageLimits()) {
        timeline = PageTimeline(limits: limits)
    }

    /// Takes some events.
    package mutating func consume(_ events: Span<TraceEvent>, _ texts: TraceTexts) throws {
        try report.consume(events, texts)
        timeline.consume(events, texts)
    }

    /// There are no more events.
    package mutating func finish(_ texts: TraceTexts) throws {
        try report.finish(texts)
        timeline.finish(texts)
    }

    /// The report and its page. `title` names the trace, `tool` the program.
    package func results(
        _ texts: TraceTexts, traces: Int, title: String, tool: String
    ) -> (report: TraceReport, page: ReportPage) {
        let report = report.report(texts, traces: traces)
        return (report, ReportPage(report, timeline, texts, title: title, tool: tool))
    }

    /// Reads the recording below `path` once. `progress` is called now and then, on this thread.
    ///
    /// Throws ``TraceError`` where there is no trace, or it cannot be read to its end.
    package static func read(
        path: String, process: String? = nil, tool: String, progress: ((TraceProgress) -> Void)? = nil
    ) throws -> (report: TraceReport, page: ReportPage) {
        let reader = try TraceReader(path: path, process: process)
        var builder = PageBuilder()
        try reader.read(into: &builder, progress: progress)
        return builder.results(reader.texts, traces: reader.traceCount, title: path, tool: tool)
    }
}
