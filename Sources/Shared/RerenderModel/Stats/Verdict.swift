// SPDX-License-Identifier: MIT
// What costs the person in front of the screen most: the one judgement that every command, page and panel shows, and its words.

/// At most three findings of some stores, the most expensive first.
///
/// Time in hangs comes first, then time that was wasted, then cycles, then what cannot be judged. What is below the ``VerdictFloor`` is no
/// finding; that there is none is one. Made by ``VerdictBuilder``.
package struct Verdict: Hashable, Codable, Sendable {
    /// The most findings that are named.
    package static let mostFindings = 3

    /// Never empty.
    package var findings: [Finding]
    /// Findings beyond these.
    package var more: UInt64

    /// What was found.
    package enum Kind: String, Hashable, Codable, Sendable, CaseIterable {
        /// Hangs that a view is blamed for, or those that no view is blamed for.
        case hangs
        /// Evaluations that were not needed.
        case waste
        /// Writes that lead to each other.
        case cycle
        /// Evaluations of which nobody knows whether they were needed.
        case notJudged
        /// Nothing that is worth a finding.
        case nothing
        /// Nothing either, and not all was seen.
        case nothingKnown
    }

    /// One finding.
    package struct Finding: Hashable, Codable, Sendable {
        package var kind: Kind
        /// One sentence without its full stop: the view, the number, and the place. Safe to show.
        package var text: String
        /// What to ask next; nil where nothing more can be asked.
        package var command: ShellCommand?
        /// The process and the store; nil for what is of no store.
        package var pid: Int32?
        package var process: String?
        package var store: String?
        package var storeNumber: UInt32?
        /// The view; nil for hangs of no view. Where there is nothing, the view that wastes most nevertheless, if one does.
        package var view: ViewKey?
        /// Where its probe is; nil where that is not known.
        package var file: String?
        package var line: UInt32?
        /// Hangs, evaluations, or rounds of a cycle.
        package var count: UInt64 = 0
        /// The time in all of these: of hangs as long as they were, of evaluations their self time. Of those that cannot be judged, that of all
        /// evaluations of the view. 0 for a cycle, of which it is not known.
        package var nanoseconds: UInt64 = 0
        /// The longest hang; nil for all others, and where it is not known.
        package var longestNanoseconds: UInt64?
        /// In how many of the hangs the machine did not run the app for most of the time; nil where there are none.
        package var starved: UInt64?
        /// How much of each second that was, in nanoseconds; nil for hangs and cycles, and where it was not counted for a second.
        package var nanosecondsPerSecond: UInt64?

        package init(_ kind: Kind, text: String = "") { (self.kind, self.text) = (kind, text) }
    }

    package init(findings: [Finding], more: UInt64 = 0) { (self.findings, self.more) = (findings, more) }

    /// The most expensive finding.
    package var first: Finding? { findings.first }

    /// Whether anything of a kind was found.
    package func has(_ kind: Kind) -> Bool { findings.contains { $0.kind == kind } }
}

extension Verdict.Kind {
    /// Whether it is marked: it is known to cost something.
    package var isMarked: Bool {
        switch self {
        case .hangs, .waste, .cycle: true
        case .notJudged, .nothing, .nothingKnown: false
        }
    }

    /// Whether something was found; false where there is nothing to fix, or nothing that is known.
    package var isFinding: Bool {
        switch self {
        case .hangs, .waste, .cycle, .notJudged: true
        case .nothing, .nothingKnown: false
        }
    }

    /// The place among the findings: lower ones come first.
    var rank: Int {
        switch self {
        case .hangs: 0
        case .waste: 1
        case .cycle: 2
        case .notJudged: 3
        case .nothing, .nothingKnown: 4
        }
    }
}

/// From when on something is worth a finding. Nobody sees less.
package enum VerdictFloor {
    /// In all, and also each time where the share of a core is smaller.
    package static let nanoseconds: UInt64 = 1_000_000
    /// Of a second: 1 % of a core.
    package static let nanosecondsPerSecond: UInt64 = 10_000_000
    /// Over less time, a share of a core says nothing.
    static let leastCounted: UInt64 = 1_000_000_000

    /// Whether so much time is worth a finding: 1 ms in all, and 1 ms each time or 1 % of a core.
    ///
    /// - Parameters:
    ///   - count: In how many evaluations it was spent.
    ///   - counted: For how long the store has counted; nil where that is not known.
    package static func isReached(_ nanoseconds: UInt64, in count: UInt64, of counted: UInt64?) -> Bool {
        guard nanoseconds >= Self.nanoseconds, count > 0 else { return false }
        if nanoseconds / count >= Self.nanoseconds { return true }
        return perSecond(nanoseconds, of: counted).map { $0 >= nanosecondsPerSecond } ?? false
    }

    /// How much of each second that is; nil where it was counted for less than a second, or that is not known.
    static func perSecond(_ nanoseconds: UInt64, of counted: UInt64?) -> UInt64? {
        guard let counted, counted >= leastCounted else { return nil }
        return UInt64(clamping: UInt128(nanoseconds) * 1_000_000_000 / UInt128(counted))
    }
}

extension ProcessStats {
    /// For how long it counted until its latest evaluation ended; nil where that is not known. Time in which nothing happened since is no part
    /// of it.
    package var countedNanoseconds: UInt64? {
        guard let lastRenderedAt else { return nil }
        let span = lastRenderedAt.nanoseconds(since: countedSince ?? startedAt)
        return span > 0 ? UInt64(span) : nil
    }
}

extension Stats {
    /// Whether so much of it was wasted that it is worth a finding; `store` is the one that it is in.
    package func isWasteful(in store: ProcessStats) -> Bool {
        VerdictFloor.isReached(wasted.nanoseconds, in: wasted.count, of: store.countedNanoseconds)
    }
}

/// Says what was found. Safe to show.
enum VerdictText {
    // MARK: Sentences without process and place

    static func hangs(_ finding: Verdict.Finding, _ view: ViewCosts) -> String {
        "\(view.key.displayName) blocked the main loop \(times(finding))"
    }

    static func hangsOfNoView(_ finding: Verdict.Finding) -> String {
        "No view is blamed, and the main loop was blocked \(times(finding))"
    }

    static func waste(_ finding: Verdict.Finding, _ view: ViewCosts) -> String {
        "\(view.key.displayName) wasted \(amount(finding, view))"
    }

    static func cycle(_ cycle: Cycle) -> String {
        "\(ViewKey(rawValue: cycle.steps.first?.name ?? "").displayName) is in a cycle: \(cycle.summary)"
    }

    static func notJudged(_ view: ViewCosts, isInjected: Bool) -> String {
        let needed = isInjected ? "the library and comparing:" : "comparing:"
        let count = "\(Counted.grouped(view.unjudged)) of \(Counted.text(view.updates, "evaluation"))"
        return "\(view.key.displayName) needs \(needed) to be judged, \(count) are unknown"
    }

    // MARK: Whole sentences

    /// With its process, where there are several, and its place.
    static func whole(_ finding: Verdict.Finding, isAlone: Bool) -> String {
        let process = isAlone ? nil : finding.process.map { " in \(Printable.text($0))[\(finding.pid ?? 0)]" }
        return finding.text + (process ?? "") + place(finding)
    }

    /// That there is nothing, and what is the most nevertheless.
    static func nothing(_ finding: Verdict.Finding, _ most: ViewCosts?, gap: String?) -> String {
        let first = gap.map { "Nothing to fix is known: \($0)" } ?? "Nothing to fix"
        guard let most else { return first }
        return "\(first). Most was wasted by \(most.key.displayName): \(amount(finding, most))\(place(finding))"
    }

    /// What tells more.
    static func command(_ finding: Verdict.Finding, isAlone: Bool) -> ShellCommand? {
        let process: ShellCommand = isAlone ? "" : finding.pid.map { " --process \($0)" } ?? ""
        switch finding.kind {
        case .hangs: return "rerenderctl hangs\(process)"
        case .waste, .cycle, .notJudged:
            // What cannot be printed cannot be typed.
            guard let key = finding.view, key.displayName == key.rawValue else { return nil }
            let isLikeAnOption = key.rawValue.utf8.first == UInt8(ascii: "-")
            return isLikeAnOption
                ? "rerenderctl explain\(process) -- \(key.rawValue)" : "rerenderctl explain \(key.rawValue)\(process)"
        case .nothing, .nothingKnown: return nil
        }
    }

    // MARK: Parts

    /// `2×, longest 410ms`; then that the thread had no processor.
    private static func times(_ finding: Verdict.Finding) -> String {
        let longest = DurationText.short(finding.longestNanoseconds ?? 0)
        let times =
            finding.count == 1 ? "once, for \(longest)" : "\(Counted.grouped(finding.count))×, longest \(longest)"
        guard let starved = finding.starved else { return times }
        let which =
            finding.count == 1
            ? "" : starved >= finding.count ? " each time" : " in \(Counted.grouped(starved)) of these"
        return times + ", and its thread had no processor for most of it" + which
    }

    /// `41.0ms in 308 of 312 evaluations, 3.1% of a core`; a guess has a sign.
    private static func amount(_ finding: Verdict.Finding, _ view: ViewCosts) -> String {
        let sign = view.inferred > 0 ? "~" : ""
        let count = "\(Counted.grouped(view.wasted)) of \(Counted.text(view.updates, "evaluation"))"
        return "\(sign)\(DurationText.short(view.wastedNanoseconds)) in \(count), \(share(finding))"
    }

    /// Of a core, or each time where that is not known.
    private static func share(_ finding: Verdict.Finding) -> String {
        if let perSecond = finding.nanosecondsPerSecond {
            return "\(PercentOfCore.text(Double(perSecond) / 1e7)) of a core"
        }
        return "\(DurationText.short(finding.nanoseconds / max(1, finding.count))) each"
    }

    private static func place(_ finding: Verdict.Finding) -> String {
        guard let file = finding.file, let line = finding.line else { return "" }
        return ": \(Printable.text(file)):\(line)"
    }
}

extension Verdict.Finding {
    /// The finding in few words, where there is no room for its sentence.
    package var short: String {
        let name = view?.displayName ?? "no view"
        switch kind {
        case .hangs: return "\(name): \(Counted.text(count, "hang")), \(DurationText.short(nanoseconds))"
        case .waste: return "\(name): \(DurationText.short(nanoseconds)) wasted"
        case .cycle: return "\(name): a cycle"
        case .notJudged: return "\(name): waste unknown"
        case .nothing: return "nothing to fix"
        case .nothingKnown: return "nothing is known"
        }
    }
}

extension Cycle {
    /// `Row → onChange of Row → Sidebar → Row, 240 rounds, 60/s`.
    package var summary: String {
        guard !steps.isEmpty else { return "other ones, \(Counted.text(rounds, "round"))" }
        let names = (steps + steps.prefix(1)).map { Printable.text($0.name) }
        let rate = perSecond.map { ", \(RateText.cell($0))" } ?? ""
        return names.joined(separator: " → ") + ", \(Counted.text(rounds, "round"))\(rate)"
    }
}
