// SPDX-License-Identifier: MIT
// What is known of one view: the element of `views` in the export, and why the view was evaluated most often.

/// Everything counted and timed of one view in one store, since the store was made or last reset.
///
/// All durations are in nanoseconds of the monotonic clock. The JSON names are fixed by ``StatsExport``'s version 1.
public struct Stats: Hashable, Codable, Sendable {
    // A new property must be optional, or exports of older versions cannot be read any more. The same holds for `Timing`.

    /// The view's name.
    public var key: ViewKey
    /// The file of the probe, as `#fileID` gives it.
    public var file: String
    /// The line of the probe.
    public var line: UInt32
    /// Evaluations of the body that have ended, those that threw included.
    public var count: UInt64 = 0
    /// Those of ``count`` that were further evaluations of one update, as a framework asks for when it computes a layout or sizes;
    /// nil if that is not known.
    public var passes: UInt64?
    /// True where values of the view were in evaluated outputs though its body was never seen, and nil elsewhere: the compiler
    /// probably put the body into its caller. Only of views whose bodies are called through hooks.
    public var notSeen: Bool?
    /// True where optimised code calls the body past its hook, which is not counted: ``count`` is the least. Nil elsewhere. Known only from
    /// debug information, and not in recordings.
    public var mayBeMore: Bool?
    /// Instances seen and not yet ended; a view without instance numbers counts as one.
    public var instances: UInt64 = 0
    /// Updates that the framework committed.
    public var commits: UInt64 = 0
    /// What the framework did for the view beside its bodies; nil where that is not seen.
    public var framework: FrameworkTime?
    /// Evaluations whose result was not needed.
    public var wasted = Waste()
    /// Time in the body closure alone: with the bodies of evaluations inside of it, and without the work of their probes.
    public var body = Timing()
    /// From the beginning of the body to its end: `body`, and our own work on the views inside of it.
    public var total = Timing()
    /// The sum of the self times: ``body`` without the bodies of evaluations inside of it that ran on the same thread and are counted in any
    /// view. Those of all views add up to no more than what ran. Nil in an older export.
    package var selfNanoseconds: UInt64?
    /// The reason of the latest evaluation.
    public var lastReason = ""
    /// Reasons with their counts, most frequent first; their counts add up to ``count``.
    public var reasons: [ReasonCount] = []
    /// Instances whose previous values were dropped because too many were kept; their next evaluation is not explained.
    public var forgotten: UInt64 = 0
    /// Hangs of the main loop that this view was blamed for.
    public var hangs = HangTotals()
    /// Frames over their interval that the view had most of; nil where there were none, or none are seen.
    package var framesOverInterval: UInt64?
    /// When the latest evaluation ended; nil before the first.
    public var lastRenderedAt: Timestamp?
    /// What names the view, and no other one, for as long as its daemon runs: `v3.12`; nil in the answer to a query that does not
    /// ask for it.
    package var handle: String?

    /// How often the view was updated: evaluations without the further ones of the same update.
    public var updates: UInt64 { count - min(passes ?? 0, count) }

    /// The part of its updates that was wasted.
    package var wastedShare: Double { Double(wasted.count) / Double(max(updates, 1)) }

    /// How many hangs this view was blamed for.
    public var hangCount: UInt64 { hangs.count }
    /// How long the latest of them was, in nanoseconds; 0 when there was none.
    public var lastHangDurationNanos: UInt64 { hangs.lastNanoseconds }

    /// Makes the record of a view with nothing but its name.
    package init(key: ViewKey, file: String = "", line: UInt32 = 0) {
        self.key = key
        self.file = file
        self.line = line
    }

    /// ``selfNanoseconds``, or, in an older export, the time in bodies with those inside of them.
    package var ownNanoseconds: UInt64 { selfNanoseconds ?? body.totalNanoseconds }

    /// Whether `lhs` stands above `rhs` in a table sorted by count: more evaluations first, then by key.
    package static func byCount(_ lhs: Stats, _ rhs: Stats) -> Bool {
        lhs.count != rhs.count ? lhs.count > rhs.count : lhs.key < rhs.key
    }
}

/// Layouts and commits of one view, and the framework's time in them: without bodies, and without those of other views inside of
/// them.
public struct FrameworkTime: Hashable, Codable, Sendable {
    /// How many layouts the framework computed.
    public var layouts: UInt64
    /// The sum of their times.
    public var layoutNanoseconds: UInt64
    /// The sum of the times of ``Stats/commits``.
    public var commitNanoseconds: UInt64

    /// Makes a record of these.
    package init(layouts: UInt64, layoutNanoseconds: UInt64, commitNanoseconds: UInt64) {
        self.layouts = layouts
        self.layoutNanoseconds = layoutNanoseconds
        self.commitNanoseconds = commitNanoseconds
    }
}

/// Durations of one kind over all evaluations of a view.
public struct Timing: Hashable, Codable, Sendable {
    /// The latest duration.
    public var lastNanoseconds: UInt64 = 0
    /// The mean, cut to whole nanoseconds.
    public var averageNanoseconds: UInt64 = 0
    /// The longest; exact.
    public var maxNanoseconds: UInt64 = 0
    /// The median: never too short, and at most 6.3 % too long.
    public var p50Nanoseconds: UInt64 = 0
    /// The 95th percentile: never too short, and at most 6.3 % too long.
    public var p95Nanoseconds: UInt64 = 0
    /// The 99th percentile: never too short, and at most 6.3 % too long.
    public var p99Nanoseconds: UInt64 = 0
    /// The sum; exact.
    public var totalNanoseconds: UInt64 = 0

    /// Makes a record of no durations: all zero.
    package init() {}
}

/// How many hangs there were, and how long they were.
public struct HangTotals: Hashable, Codable, Sendable, BitwiseCopyable {
    /// How many.
    public var count: UInt64 = 0
    /// How long the latest was.
    public var lastNanoseconds: UInt64 = 0
    /// How long the longest was.
    public var worstNanoseconds: UInt64 = 0
    /// The sum of all.
    package var totalNanoseconds: UInt64 = 0
    /// How many of ``faults`` were ``HangVerdict/starved``: the machine did not run the app for most of the time.
    package var starved: UInt64 = 0
    /// For how long of ``faultNanoseconds`` the thread could have run and had no processor.
    package var starvedNanoseconds: UInt64 = 0
    /// What the view, source or handler itself took of ``faultNanoseconds``; 0 where it is not known.
    package var ownNanoseconds: UInt64 = 0
    /// How many of them are no fault of the program: it ended in them by itself, say. See ``Hang/isExcused``.
    package var excused: UInt64 = 0
    /// The sum of these.
    package var excusedNanoseconds: UInt64 = 0
    /// How long the longest was of the others; 0 where it is not known.
    package var worstFaultNanoseconds: UInt64 = 0
    /// Time in micro-hangs without the wait for a processor: of a store all of it, of a view what it took itself. Hangs that are long by that
    /// wait alone are among them.
    package var microNanoseconds: UInt64 = 0

    /// Its sums, which only grow. All others are lengths of one hang.
    package static var sums: [WritableKeyPath<HangTotals, UInt64>] {
        [
            \.count, \.totalNanoseconds, \.starved, \.starvedNanoseconds, \.ownNanoseconds, \.excused,
            \.excusedNanoseconds, \.microNanoseconds,
        ]
    }

    /// Makes a record of no hangs.
    package init() {}

    /// Those that are not excused: the ones that are a fault.
    package var faults: UInt64 { count - min(excused, count) }

    /// Those of ``faults`` in which the thread had a processor, or waited: the ones that the program can help.
    package var blamable: UInt64 { faults - min(starved, faults) }

    /// How long the longest of ``faults`` was.
    package var worstOfFaults: UInt64 {
        if faults == 0 { return 0 }
        return excused == 0 || worstFaultNanoseconds == 0 ? worstNanoseconds : worstFaultNanoseconds
    }

    /// The time of ``faults``.
    package var faultNanoseconds: UInt64 { totalNanoseconds - min(excusedNanoseconds, totalNanoseconds) }

    /// The time of ``faults`` in which the thread had a processor, or waited.
    package var nanosecondsOfApp: UInt64 { faultNanoseconds - min(starvedNanoseconds, faultNanoseconds) }

    /// What somebody waited for and the app can help: ``nanosecondsOfApp``, and of it what was the view's, source's or handler's own, where
    /// that is known.
    package var feltNanoseconds: UInt64 {
        ownNanoseconds == 0 ? nanosecondsOfApp : min(ownNanoseconds, nanosecondsOfApp)
    }

    /// Adds a hang. An excused one is in no sum of faults: subtracted twice, it would hide another hang.
    ///
    /// - Parameters:
    ///   - starvedNanoseconds: For how long of it the thread had no processor.
    ///   - isStarved: Whether that is what it did for most of it.
    ///   - own: What the view, source or handler itself took of it; 0 where that is not known.
    ///   - isExcused: Whether it is no fault of the program.
    package mutating func add(
        nanoseconds: UInt64, starvedNanoseconds: UInt64 = 0, isStarved: Bool = false, own: UInt64 = 0,
        isExcused: Bool = false
    ) {
        count &+= 1
        totalNanoseconds &+= nanoseconds
        lastNanoseconds = nanoseconds
        worstNanoseconds = max(worstNanoseconds, nanoseconds)
        if isExcused {
            excused &+= 1
            excusedNanoseconds &+= nanoseconds
        } else {
            worstFaultNanoseconds = max(worstFaultNanoseconds, nanoseconds)
            ownNanoseconds &+= min(own, nanoseconds)
            starved &+= isStarved ? 1 : 0
            self.starvedNanoseconds &+= min(starvedNanoseconds, nanoseconds)
        }
    }

    /// The same of a hang with all that is known of it.
    package mutating func add(_ hang: Hang) {
        add(
            nanoseconds: hang.durationNanoseconds, starvedNanoseconds: hang.starvedNanoseconds,
            isStarved: hang.verdict == .starved, own: hang.share ?? 0, isExcused: hang.isExcused)
    }

    /// Adds a micro-hang, with what the view, source or handler took of it.
    package mutating func addMicro(nanoseconds: UInt64) { microNanoseconds = microNanoseconds.clampedSum(nanoseconds) }

    /// Adds others; which of them was the latest is known only where there were none before.
    package mutating func add(_ others: HangTotals) {
        if count == 0 { lastNanoseconds = others.lastNanoseconds }
        for sum in Self.sums { self[keyPath: sum] &+= others[keyPath: sum] }
        worstFaultNanoseconds = max(worstFaultNanoseconds, others.worstFaultNanoseconds)
        worstNanoseconds = max(worstNanoseconds, others.worstNanoseconds)
    }
}

/// Hangs of a store's epoch, those that no view is blamed for included.
package struct StoreHangs: Hashable, Sendable, BitwiseCopyable {
    package var hangs = HangTotals()
    /// Those that no view is blamed for, whatever store it would be of.
    package var ofNoView = HangTotals()
    package var microHangs: UInt64 = 0

    package init() {}

    /// Adds a hang. A guess is no view's count.
    package mutating func add(_ hang: Hang) {
        hangs.add(hang)
        if hang.guess || hang.view == nil { ofNoView.add(hang) }
    }

    package mutating func addMicro(_ hang: Hang) {
        microHangs &+= 1
        hangs.addMicro(nanoseconds: hang.nanosecondsOfApp)
    }
}

/// The reason of most evaluations of a view.
///
/// ``Reason/isMain(_:over:)`` chooses it for tables, the HUD, the page, budgets and the daemon's order, so that all of them show the same one.
/// `initial` counts as any other reason does.
package struct MainReason: Hashable, Sendable {
    /// The reason with its count, its writers and its chains.
    package let reason: ReasonCount
    /// All evaluations of the view.
    package let evaluations: UInt64
    /// Whether the view has no other reason.
    package let isOnly: Bool

    /// Makes the main reason of a view that has so many evaluations.
    package init(_ reason: ReasonCount, of evaluations: UInt64, isOnly: Bool) {
        (self.reason, self.evaluations, self.isOnly) = (reason, evaluations, isOnly)
    }

    /// Whether it is a guess: found by comparing values, and not observed.
    package var isGuess: Bool { reason.isGuess }

    /// The part of the evaluations that were for it: `62%`.
    package var share: String { Percent.text(reason.count, of: evaluations) }

    /// Who wrote most of what led to these evaluations, and to no other ones; nil where no writer has a name.
    package var writer: WriterCount? { reason.namedWriter }

    /// `~tick 62%`: the reason with a `~` before a guess, and its share where it is not the only one. Safe to print.
    package var text: String { isOnly ? reason.marked : "\(reason.marked) \(share)" }
}

extension Stats {
    /// Why the view was evaluated most often; nil where no reason is known. Linear in the number of ``reasons``, in whatever order they are.
    package var mainReason: MainReason? {
        reasons.min(by: ReasonCount.isMain).map { MainReason($0, of: count, isOnly: reasons.count == 1) }
    }
}
