// SPDX-License-Identifier: MIT
// The report of a recording, as values: the export, and what only a trace knows, such as the tree of causes.

internal import CShared
package import RerenderModel

/// Everything that is reported of a recording.
package struct TraceReport: Sendable {
    /// The views as `rerenderctl stats` has them, from the trace alone; made at the trace's last event.
    ///
    /// `count` is evaluations in the trace. A process's `evaluations` also has those that ``missing`` has, and they are its
    /// `lost`. Not known from a trace, and left at what they are without it: `connected`, `enabled`, `dropped`, thresholds and
    /// `forgotten`. `mainLoop` and `startedAt` are what the store told; of one that told nothing, `none` and its first event. The
    /// time of each kind of waste is not known where a commit decided about an evaluation that is not in the trace.
    package var export: StatsExport
    /// When the first and the last event happened.
    package var began: Timestamp
    package var ended: Timestamp
    /// All events, and those of signposts that are not ours.
    package var events: UInt64
    package var otherEvents: UInt64
    /// Traces read together.
    package var traces: Int
    /// Processes with an event of ours.
    package var processes: Int
    /// Whether the recording does not say the process of some events: then all of these are of one.
    package var mergesProcesses: Bool
    /// Views with evaluations that the trace has not.
    package var missing: [MissingEvaluations]
    /// Evaluations before a reset of the counts, which the export has not either.
    package var beforeReset: UInt64
    /// What the tracer had no room for.
    package var discarded: DiscardedEvents
    /// Beginnings without an end in the trace, and ends without a beginning.
    package var unended: UInt64
    package var unbegun: UInt64
    /// Hangs, newest first, and how many older ones are not listed.
    package var hangs: [Hang]
    package var hangsForgotten: UInt64
    /// Whether a daemon was recorded; if not, hangs are turns over the default threshold.
    package var hasDaemon: Bool
    /// Turns in which an instance was evaluated more than once, all such evaluations, and the worst turns.
    package var doubleTurns: UInt64
    package var doubleEvaluations: UInt64
    package var worstDoubleTurns: [DoubleTurn]
    /// The keys that ``worstDoubleTurns`` names.
    var doubleKeys: [TextID: ViewKey]
    /// What caused evaluations, by process.
    package var causes: [ProcessCauses]
    /// Writes that invalidated views.
    package var writeCount: UInt64
    /// What was not kept because a bound was reached: evaluations of views, events of processes, texts,
    /// evaluations of instances in a turn of very many.
    package var overflowed: UInt64

    /// Reads the recording below `path` once. `progress` is called now and then, on this thread.
    ///
    /// Throws ``TraceError`` where there is no trace, or it cannot be read to its end.
    ///
    /// - Parameter process: The only processes that it is about; nil for all.
    package static func read(
        path: String, process: TraceProcesses? = nil, progress: ((TraceProgress) -> Void)? = nil
    ) throws -> TraceReport {
        let interpreter = try TraceInterpreter.read(path: path, process: process, progress) { ReportBuilder($0) }
        return interpreter.consumer.summary(interpreter.state).report
    }

    /// The key of a view of ``worstDoubleTurns``.
    package func key(of view: DoubleTurn.View) -> ViewKey? { doubleKeys[view.key] }
}

/// Evaluations of a view that its cumulative counts show and the trace has not.
package struct MissingEvaluations: Hashable, Sendable {
    package let key: ViewKey
    /// Before the view's first evaluation in the trace.
    package let before: UInt64
    /// Between its first and its last.
    package let between: UInt64
}

/// The tree of causes of one process.
package struct ProcessCauses: Hashable, Sendable {
    package let pid: Int32
    package let process: String
    package let causes: [CauseNode]
}

/// A cause, or a view that it reached.
package struct CauseNode: Hashable, Sendable {
    /// The reason, or the view's key.
    package var text: String
    /// Evaluations: of a cause all that it led to, of a view its own for this cause on this way.
    package var evaluations: UInt64
    /// Who wrote, of a cause; empty where no writer is known.
    package var writers: [WriterCount]
    /// The views that it reached next, most evaluations first.
    package var views: [CauseNode]
}

/// The tree of one process's causes; bounded by ``TraceLimits/causes`` together with those of the other processes.
struct CauseTally: Sendable {
    private struct Node: Sendable {
        let text: TextID
        var count: UInt64 = 0
        var writers = WriterTally()
    }

    private var nodes: [Node] = []
    private var children: [Int: [Int]] = [:]
    /// The node of a child, by its parent and text.
    private var index = WordIndex()
    /// The node of a way, by process and the text of a reason or chain.
    private var ways = WordIndex()
    /// Evaluations that found no room.
    private(set) var overflowed: UInt64 = 0

    /// Counts an evaluation under what caused it.
    @inline(__always)
    mutating func record(_ event: EvaluationEnded, process: Int, _ texts: TraceTexts) {
        let way = event.chain.isEmpty ? event.reason : event.chain
        let word = UInt64(process + 1) << 32 | UInt64(way.index)
        let start = ways[word].map { Int($0) } ?? addWay(event, process, word, texts)
        guard let start, let node = child(event.name, of: start) else { return overflowed += 1 }
        nodes[node].count += 1
        guard event.isPass != true else { return }
        nodes[start].writers.add(event.writers, names: TraceLimits.writersPerCause, texts)
    }

    private mutating func addWay(_ event: EvaluationEnded, _ process: Int, _ word: UInt64, _ texts: TraceTexts) -> Int?
    {
        // Nearest first: `Panel ← Dashboard ← ticker.tick`.
        let steps = event.chain.isEmpty ? [] : texts[event.chain].split(separator: " ← ").reversed()
        let cause = steps.first.map { texts.intern(String($0)) } ?? event.reason
        guard var node = child(cause, of: root(of: process)) else { return nil }
        for step in steps.dropFirst() {
            guard let next = child(texts.intern(String(step)), of: node) else { return nil }
            node = next
        }
        if ways.count < TraceLimits.causes * 4 { ways.set(word, UInt32(node)) }
        return node
    }

    /// A node's child with a text, entered if it is new; causes are the children of ``root(of:)``.
    @inline(__always)
    private mutating func child(_ text: TextID, of node: Int) -> Int? {
        let word = UInt64(node + 1) << 32 | UInt64(text.index)
        if let known = index[word] { return Int(known) }
        guard nodes.count < TraceLimits.causes else { return nil }
        nodes.append(Node(text: text))
        children[node, default: []].append(nodes.count - 1)
        index.set(word, UInt32(nodes.count - 1))
        return nodes.count - 1
    }

    /// What stands for a process: a number that no node has.
    private func root(of process: Int) -> Int { TraceLimits.causes + process }

    /// The causes of a process, most evaluations first.
    func causes(of process: Int, _ texts: TraceTexts) -> [CauseNode] {
        Self.sorted(
            children[root(of: process), default: []].map { root in
                var cause = node(root, texts)
                cause.evaluations = Self.sum(cause)
                cause.writers = nodes[root].writers.counts(names: TraceLimits.writersPerCause, texts)
                return cause
            })
    }

    private func node(_ index: Int, _ texts: TraceTexts) -> CauseNode {
        CauseNode(
            text: texts[nodes[index].text], evaluations: nodes[index].count, writers: [],
            views: Self.sorted(children[index, default: []].map { node($0, texts) }))
    }

    private static func sum(_ node: CauseNode) -> UInt64 {
        node.views.reduce(node.evaluations) { $0 &+ sum($1) }
    }

    private static func sorted(_ nodes: [CauseNode]) -> [CauseNode] {
        let sums: [(node: CauseNode, sum: UInt64)] = nodes.map { ($0, sum($0)) }
        return sums.sorted { $0.sum != $1.sum ? $0.sum > $1.sum : $0.node.text < $1.node.text }.map(\.node)
    }
}

// What a recording had counted at a moment, and its report until a later one.

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
