// SPDX-License-Identifier: MIT
// What a trace says, as values: the export with what only a trace knows.

package import RerenderModel

/// Everything that is reported of a recording.
package struct TraceReport: Sendable {
    /// The views as `rerenderctl stats` has them, from the trace alone; made at the trace's last event.
    ///
    /// `count` is evaluations in the trace. A process's `evaluations` also has those that ``missing`` has, and they are its
    /// `lost`. Not known from a trace, and left at what they are without it: `connected`, `mainLoop`, `enabled`, `dropped`,
    /// thresholds, `forgotten`, and the time of each kind of waste where a commit overruled one. `startedAt` is the first
    /// event of the store.
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
