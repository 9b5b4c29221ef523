// SPDX-License-Identifier: MIT
// An event of a trace as a plain value: no object, no text of its own, copied as bytes.

/// A text of a trace, by number: equal numbers are equal texts. ``TraceTexts`` has the text itself.
package struct TextID: Hashable, Sendable, BitwiseCopyable {
    /// Counts from 0 in the order in which the texts were met; below ``TraceTexts/count``.
    package let index: UInt32

    /// The empty text. What the app records as empty is in the trace as one space, and is read as this.
    package static let empty = TextID(index: 0)

    /// Whether the text is empty.
    package var isEmpty: Bool { index == 0 }
}

/// One event of a trace: when, where, and what.
///
/// Events of all processes come in the order of time. Where one was lost its partner may be there nevertheless: an end
/// without a beginning, and a beginning without an end, are both to be expected.
package struct TraceEvent: Sendable, BitwiseCopyable {
    /// Nanoseconds since 1970-01-01T00:00:00Z on the clock of the trace, which is the same for all processes.
    package var nanoseconds: Int64
    /// The process's number; 0 where the recording had neither the context `vpid` nor buffers of the process alone.
    package var pid: Int32
    /// The thread's number; 0 where the recording had no context `vtid`.
    package var tid: Int32
    /// The thread's name as the kernel has it, 15 bytes at most; empty without the context `procname`.
    package var processName: TextID
    /// What happened.
    package var what: What

    /// What happened.
    package enum What: Sendable, BitwiseCopyable {
        /// `com.rerender.BodyEval:begin`
        case evaluationBegan(EvaluationBegan)
        /// `com.rerender.BodyEval:end`
        case evaluationEnded(EvaluationEnded)
        /// `com.rerender.View:event`
        case viewChanged(ViewChanged)
        /// `com.rerender.RenderLoop:begin`
        case turnBegan(Turn)
        /// `com.rerender.RenderLoop:end`
        case turnEnded(Turn)
        /// `com.rerender.RenderLoop.Phase:begin`
        case phaseBegan(Phase)
        /// `com.rerender.RenderLoop.Phase:end`
        case phaseEnded(Phase)
        /// `com.rerender.Write:event`
        case write(Write)
        /// `com.rerender.Hang:begin`; the event's process is the daemon.
        case hangBegan(HangEvent)
        /// `com.rerender.Hang:end`; the event's process is the daemon.
        case hangEnded(HangEvent)
        /// Events that the tracer had no room for: how many, or 0 where the trace does not say (then at least one). The
        /// event's time is the end of the range, and its process is 0 where buffers are shared.
        case discarded(UInt64)
        /// Any other event of the trace.
        case other(OtherEvent)
    }
}

/// A body's evaluation begins.
package struct EvaluationBegan: Sendable, BitwiseCopyable {
    /// The same at the end; different for each evaluation of a process.
    package var id: UInt64
    /// The view's key.
    package var view: TextID
    /// The file of the probe.
    package var file: TextID
    /// The line of the probe.
    package var line: UInt32
    /// The key of the view whose body runs around it, or that the app announced as its parent; empty where there is
    /// none, nil where the trace does not say.
    package var parent: TextID?
}

/// A body's evaluation has ended.
package struct EvaluationEnded: Sendable, BitwiseCopyable {
    /// As at its beginning; 0 where nothing recorded that.
    package var id: UInt64
    /// The view's key.
    package var view: TextID
    /// Why it was evaluated.
    package var reason: TextID
    /// Nanoseconds in the body, nested views included.
    package var bodyNanoseconds: UInt64
    /// Nanoseconds from the beginning of the body to its end, with Rerender's own work on the views inside of it.
    package var totalNanoseconds: UInt64
    /// Whether the evaluation was needed, as far as was known when it ended.
    package var waste: TraceWaste
    /// The main loop's turn; 0 outside of one.
    package var turn: UInt64
    /// Evaluations of that view since the epoch began, this one included.
    package var count: UInt64
    /// Raised by each reset of the counts.
    package var epoch: UInt32
    /// What follows is in traces of this version only: empty, 0 and ``noInstance`` in those of older ones.
    ///
    /// The name of the view's store.
    package var storeName: TextID
    /// The number of the view's store in its process, from 0.
    package var store: UInt32
    /// The instance's number; ``noInstance`` where it has none.
    package var instance: UInt64
    /// Instances of the view that live.
    package var instances: UInt32
    /// How sure the reason is: 0 none is known, 1 exact, 2 announced, 3 found by comparing.
    package var attribution: UInt8
    /// 0 none, else the kind's place in `WasteKind.allCases`, from 1.
    package var wasteKind: UInt8
    /// Who wrote what caused it, separated by `; `, each with ` ×COUNT` where it wrote more than once.
    package var writers: TextID
    /// The ancestors down to the first cause, nearest first, where the reason is a parent: `Dashboard ← ticker.tick`.
    package var chain: TextID
    /// Whether it was a further evaluation of the instance's last update; nil where the trace does not say.
    package var isPass: Bool?
    /// ``bodyNanoseconds`` without the bodies of evaluations inside of it; nil where the trace does not say.
    package var selfNanoseconds: UInt64?

    /// The time that is wasted where it is not needed: in an older trace, the bodies inside of it are in it.
    var wastedNanoseconds: UInt64 { selfNanoseconds ?? bodyNanoseconds }

    /// What stands for no number of an instance.
    package static let noInstance = UInt64.max
}

/// Whether an evaluation was needed.
package enum TraceWaste: UInt8, Sendable, BitwiseCopyable {
    /// Nothing shows that it was not.
    case none = 0
    /// Its cause shows that it was not.
    case inferred = 1
    /// Its output equals the previous one.
    case measured = 2
}

/// A commit, or an instance's end: what changes a view's numbers outside of its evaluations.
///
/// All numbers are the view's sums since the epoch began, this change included.
package struct ViewChanged: Sendable, BitwiseCopyable {
    /// The view's key.
    package var view: TextID
    /// `committed`, `ended`, or `judged`: an earlier evaluation than the latest, of which the commit after it decides.
    package var change: TextID
    /// The name of the view's store.
    package var storeName: TextID
    /// The number of the view's store in its process, from 0.
    package var store: UInt32
    /// Raised by each reset of the counts.
    package var epoch: UInt32
    /// Instances of the view that live.
    package var instances: UInt32
    /// The instance's number; ``EvaluationEnded/noInstance`` where it has none.
    package var instance: UInt64
    /// Updates that the framework committed.
    package var commits: UInt64
    /// Evaluations whose output is known to equal the previous one.
    package var wastedMeasured: UInt64
    /// Self time spent in all wasted evaluations; in an older trace, the bodies inside of these are in it.
    package var wastedNanoseconds: UInt64
    /// Wasted evaluations by kind, in the order of `WasteKind.allCases`.
    package var wastedKinds: InlineArray<7, UInt32>
    /// The evaluation whose waste is decided by this, as it says ``EvaluationEnded/id``; 0 for none.
    package var evaluation: UInt64
    /// What is decided of that evaluation, whatever its end said.
    package var waste: TraceWaste
}

/// A turn of the main loop begins or has ended.
package struct Turn: Sendable, BitwiseCopyable {
    /// The turn's number in its process.
    package var number: UInt64
    /// Evaluations in it; 0 at its beginning.
    package var evaluations: UInt64
}

/// A phase of the `RenderLoop` library begins or has ended.
package struct Phase: Sendable, BitwiseCopyable {
    /// The same at the end.
    package var id: UInt64
    /// The phase.
    package var name: TextID
    /// The turn's number in its process.
    package var turn: UInt64
}

/// A write that invalidated views; before their evaluations.
package struct Write: Sendable, BitwiseCopyable {
    /// The property: `Gauge.level`.
    package var name: TextID
    /// Function, file and line of what wrote: `advance() Shop/Ticker.swift:40`.
    package var writer: TextID
    /// How many views it invalidated.
    package var views: UInt32
}

/// A hang of a main loop, as the daemon tells it.
package struct HangEvent: Sendable, BitwiseCopyable {
    /// The same at the end; different for each hang of a daemon.
    package var id: UInt64
    /// The blamed view's key; empty if none is.
    package var view: TextID
    /// The key of the view evaluated last before its end; empty if there was none.
    package var lastRendered: TextID
    /// The process that hung.
    package var pid: Int32
    /// A `HangAttribution`.
    package var attribution: TextID
    /// A `HangVerdict`.
    package var verdict: TextID
    /// How long it took, by the app's own stamps; 0 at its beginning.
    package var durationNanoseconds: UInt64
    /// The key of the view whose body ran when the threshold was crossed; empty if none did, or it is not known.
    package var atThreshold = TextID.empty
    /// The turn that it was; 0 in recordings that do not say it.
    package var turn: UInt64 = 0
    /// How long before the event it began; 0 in recordings that do not say it.
    package var ageNanoseconds: UInt64 = 0
    /// For how long the thread had no processor.
    package var starvedNanoseconds: UInt64 = 0
    /// Whether the view is a guess.
    package var isGuess = false
    /// The numbers of the stores of the three views; nil where there is no view, or where it is not known.
    package var store: UInt32?
    package var atThresholdStore: UInt32?
    package var lastRenderedStore: UInt32?
    /// For how long the process was stopped; no share has it.
    package var stoppedNanoseconds: UInt64 = 0
    /// Whether it counts as a hang of the app; nil in recordings that do not say it.
    package var counts: Bool?
    /// The name of the blamed event handler, and its time; empty and 0 if it is none, and in recordings that do not say it.
    package var handler = TextID.empty
    package var handlerNanoseconds: UInt64 = 0
}

/// An event of no provider of ours, or of one of ours with fields that this version does not know.
package struct OtherEvent: Sendable, BitwiseCopyable {
    /// The event's whole name: `com.example.Shop:begin`.
    package var event: TextID
    /// Which event of a signpost it is.
    package var kind: SignpostKind
    /// The field `signpost_id`; 0 where there is none.
    package var id: UInt64
    /// The field `name`; empty where there is none.
    package var name: TextID
    /// The field `message`; empty where there is none.
    package var message: TextID
}

/// Which of a signpost's events it is, by the end of the event's name.
package enum SignpostKind: UInt8, Sendable, BitwiseCopyable {
    /// `…:begin`
    case begin
    /// `…:end`
    case end
    /// Anything else.
    case event
}
