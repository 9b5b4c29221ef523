// SPDX-License-Identifier: MIT
// What the page shows: everything that is few, as JSON, and the intervals.

package import RerenderModel

/// The contents of a report's page.
///
/// Texts are safe to show; durations are in nanoseconds, times in nanoseconds since the trace began. Numbers beyond 2⁵³
/// are not exact in a browser. Views, processes and threads are named by their places in these arrays.
package struct ReportPage: Encodable, Sendable {
    /// What was read: the recording's path.
    package var title: String
    /// When the trace began, for people.
    package var recordedAt: String
    /// The program that made the page.
    package var tool: String
    /// From the first event to the last.
    package var durationNanoseconds: UInt64
    /// What costs most: the findings of the report's verdict, and how many there are besides.
    package var findings: [Finding] = []
    package var moreFindings: UInt64 = 0
    /// What is not on the page and should be; a sentence each.
    package var missing: [String] = []
    /// Sentences about the hangs and about the timeline's marks of waste; empty where there is nothing to say.
    package var hangsNote = ""
    package var timelineNote = ""
    package var totals = Totals()
    package var processes: [Process] = []
    /// Threads by their numbers of the kernel.
    package var threads: [Int32] = []
    /// The most expensive first, as the findings are ranked: time in hangs, then time wasted in each second.
    package var views: [View] = []
    /// Reasons of single evaluations, with a `~` before a guess, and what was written and by whom; 0 stands for no text.
    package var reasons: [String] = [""]
    package var causes: [Cause] = []
    package var parents: [Parent] = []
    package var hangs: [HangRow] = []
    /// Turns in which an instance was evaluated more than once: the worst.
    package var doubles: [DoubleRow] = []
    /// Evaluations and turns in the order of their beginnings.
    package var evaluations = PackedIntervals()
    package var turns = PackedIntervals()
    /// Writes that invalidated views, at one moment each.
    package var writes = PackedIntervals()
    /// What opens a place, with `{path}` and `{line}` in it, and the paths of the files that places name; nil without a source root.
    package var openWith: String?
    package var paths: [String: String] = [:]
    /// An older recording beside this one; nil without one.
    package var compared: PageComparison?
    /// Where each bucket of a histogram begins.
    package let buckets = PageHistogram.bounds
    /// The time from which ``evaluations`` and ``turns`` count.
    package var origin: Int64

    /// Gives, for all stores of a report, what helps against the costs of one of their views: a sentence each.
    package typealias Advice = ([ProcessStats]) -> (ProcessStats, Stats) -> [String]

    /// No advice at all.
    package static let noAdvice: @Sendable ([ProcessStats]) -> (ProcessStats, Stats) -> [String] = { _ in { _, _ in [] }
    }

    /// A finding of the verdict.
    package struct Finding: Encodable, Sendable {
        package var kind: Verdict.Kind
        package var text: String
        /// Its view; nil for none.
        package var view: Int?
    }

    /// Sums over everything in the trace.
    package struct Totals: Encodable, Sendable {
        package var evaluations: UInt64 = 0
        package var wasted: UInt64 = 0
        package var wastedNanoseconds: UInt64 = 0
        /// The part of ``wasted`` that is inferred from inputs, and not measured.
        package var inferred: UInt64 = 0
        package var inferredNanoseconds: UInt64 = 0
        /// The sum of the self times of all views.
        package var bodyNanoseconds: UInt64 = 0
        package var turns: UInt64 = 0
        /// Turns in which an instance was evaluated more than once, and all such evaluations beyond the first.
        package var doubleTurns: UInt64 = 0
        package var doubleEvaluations: UInt64 = 0
    }

    package struct Process: Encodable, Sendable {
        package var pid: Int32
        package var name: String
    }

    /// One view of one store.
    package struct View: Encodable, Sendable {
        package var key: String
        package var process: Int
        package var file = ""
        package var line: UInt32 = 0
        package var count: UInt64 = 0
        /// Further evaluations of one update.
        package var passes: UInt64 = 0
        package var wasted: UInt64 = 0
        package var wastedNanoseconds: UInt64 = 0
        /// The part of ``wasted`` that is inferred from inputs, and not measured.
        package var inferred: UInt64 = 0
        package var inferredNanoseconds: UInt64 = 0
        package var body = Timing()
        /// The sum of the self times.
        package var selfNanoseconds: UInt64 = 0
        package var hangs: UInt64 = 0
        /// The time in these, and how many of them the machine did not run the app for most of the time.
        package var hangNanoseconds: UInt64 = 0
        package var starvedHangs: UInt64 = 0
        /// Evaluations that were not recorded, or lost.
        package var missing: UInt64 = 0
        package var reasons: [ReasonCount] = []
        /// Why it was evaluated most often; nil where no reason is known.
        package var mainReason: Why?
        /// What `explain` says under "What helps"; none for views beyond ``PageLimits/advice``.
        package var advice: [String] = []
        package var histogram = PageHistogram()
    }

    /// The main reason of a view, and the evaluations for it.
    package struct Why: Encodable, Sendable {
        package var reason: String
        package var count: UInt64
        package var isGuess = false
    }

    /// What was written, or else is the first cause, with the views evaluated for it.
    package struct Cause: Encodable, Sendable {
        package var name: String
        package var process = 0
        /// All that it led to, views inside others included.
        package var evaluations: UInt64 = 0
        package var writers: [WriterCount] = []
        package var views: [Effect] = []
    }

    package struct Effect: Encodable, Sendable {
        package var view: Int
        package var count: UInt64
    }

    /// Evaluations of a view that only another view's evaluation caused.
    package struct Parent: Encodable, Sendable {
        package var parent: Int
        package var child: Int
        package var count: UInt64
    }

    package struct HangRow: Encodable, Sendable {
        package var process: Int
        package var start: UInt64
        package var duration: UInt64
        package var isOpen = false
        package var view: String
        package var attribution: String
        package var verdict: String
        /// Who ran when the threshold was crossed; empty for none, or where it is not known.
        package var atThreshold = ""
        package var starved: UInt64 = 0
        package var isGuess = false
        /// Time in views' own bodies, and what none explains; nil if that is not known.
        package var inside: [Part] = []
        package var unattributed: UInt64? = 0
    }

    /// A view's part of a hang, in nanoseconds, or of a turn's evaluations beyond the first of each instance.
    package struct Part: Encodable, Sendable {
        package var view: String
        package var amount: UInt64
        /// What was done for the view in that time; nil where the trace does not say.
        package var phase: HangPhase?
    }

    /// A turn in which instances were evaluated again.
    package struct DoubleRow: Encodable, Sendable {
        package var process: Int
        package var turn: UInt64
        package var start: UInt64
        package var again: UInt64
        package var views: [Part]
    }
}
