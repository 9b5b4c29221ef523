// SPDX-License-Identifier: MIT
// What costs the person in front of the screen most: the one judgement that every command, page and panel shows, and its words.

/// At most three findings of some stores, the most expensive first.
///
/// Each is of one of three classes. A fault is marked: something that its author can mend. Something that is busy without a known fault is
/// not, and neither is what cannot be judged. That there is neither is a finding, too. Faults are ranked by what a person feels or pays: time
/// in hangs, in micro-hangs, processor time, waste. Made by ``VerdictBuilder``.
package struct Verdict: Hashable, Codable, Sendable {
    /// The most findings that are named.
    package static let mostFindings = 3

    /// Never empty.
    package var findings: [Finding]
    /// Findings beyond these.
    package var more: UInt64
    /// How many findings there are of each kind, those beyond the named ones included; nil in an older export.
    package var counts: [Kind: UInt64]?

    /// What was found. `check --fail-on` names the marked ones.
    package enum Kind: String, Hashable, Codable, CodingKeyRepresentable, Sendable, CaseIterable {
        /// Hangs that are not excused, of a view, source or handler, or of none.
        case hangs
        /// Micro-hangs that are a tenth of ten seconds or more.
        case microHangs
        /// Input that took 200 ms or more until a frame showed what it led to.
        case interactions
        /// Frames without input that painted nothing or drew the same.
        case sameFrames
        /// A widget that is not visible asks for frames.
        case hiddenWidget
        /// The main loop is kept awake, and dispatches nothing or one same source.
        case spinning
        /// Layouts that are long after one input, or go on.
        case layout
        /// Instances that are dropped and made anew.
        case madeAnew
        /// Frames that were late by their own processor time.
        case lateFrames
        /// Writes that lead to each other.
        case cycle
        /// Evaluations that were not needed.
        case waste
        /// Work without input, and without a known fault.
        case busy
        /// Evaluations of which nobody knows whether they were needed.
        case notJudged
        /// Nothing that is worth a finding.
        case nothing
        /// Nothing either, and not all was seen.
        case nothingKnown
    }

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
        /// The view or widget; nil without one. Where there is nothing to fix, the view that wastes most nevertheless, if one does.
        package var view: ViewKey?
        /// The function of a source or handler, the source, or other threads, where that is named; nil where none is.
        package var source: String?
        /// Where its probe is; nil where that is not known.
        package var file: String?
        package var line: UInt32?
        /// Hangs, interactions, evaluations, or rounds of a cycle.
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
        /// True where that was shared out by the clock; nil where it is not.
        package var isShared: Bool?

        package init(_ kind: Kind, text: String = "") { (self.kind, self.text) = (kind, text) }
    }

    package init(findings: [Finding], more: UInt64 = 0, counts: [Kind: UInt64]? = nil) {
        (self.findings, self.more, self.counts) = (findings, more, counts)
    }

    /// How many findings there are of a kind, as far as that is known.
    package func count(of kind: Kind) -> UInt64 {
        counts.map { $0[kind] ?? 0 } ?? UInt64(findings.count { $0.kind == kind })
    }

    /// The most expensive finding.
    package var first: Finding? { findings.first }

    /// Whether anything of a kind was found.
    package func has(_ kind: Kind) -> Bool { findings.contains { $0.kind == kind } }
}

extension Verdict.Kind {
    /// Whether it is a fault, and marked.
    package var isMarked: Bool { rank < Self.busy.rank }

    /// What stands before its sentence: an exclamation mark before a fault, a dot before what is busy without a known one.
    package var mark: String { isMarked ? "! " : self == .busy ? "· " : "" }

    /// Whether something was found; false where there is nothing to fix, or nothing that is known.
    package var isFinding: Bool { rank < Self.nothing.rank }

    /// The place among the findings: lower ones come first, and all faults before what is busy. Those of one rank are ordered by their
    /// processor time.
    var rank: Int {
        switch self {
        case .hangs: 0
        case .microHangs, .interactions: 1
        case .sameFrames, .hiddenWidget, .spinning, .layout, .madeAnew, .lateFrames, .cycle: 2
        case .waste: 3
        case .busy: 4
        case .notJudged: 5
        case .nothing, .nothingKnown: 6
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

    /// Whether so much waste is a fault: 1 % of a core.
    ///
    /// - Parameters:
    ///   - counted: For how long the store has counted; nil where that is not known.
    ///   - running: By what it is multiplied to have processor time.
    package static func isWasteful(_ nanoseconds: UInt64, of counted: UInt64?, running: Double = 1) -> Bool {
        perSecond(nanoseconds, of: counted, running: running).map { $0 >= nanosecondsPerSecond } ?? false
    }

    /// Whether so much time that cannot be judged is worth a finding: 1 ms in all, and 1 ms each time or 1 % of a core.
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
    ///
    /// - Parameter running: By what it is multiplied to have processor time; at most 1.
    static func perSecond(_ nanoseconds: UInt64, of counted: UInt64?, running: Double = 1) -> UInt64? {
        guard let counted, counted >= leastCounted else { return nil }
        let all = UInt64(clamping: UInt128(nanoseconds) * 1_000_000_000 / UInt128(counted))
        return running >= 1 ? all : UInt64(min(Double(all) * max(0, running), 9e18))
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

    /// How often something came in a second of that time; nil where it was shorter than a second, or is not known.
    package func rate(of count: UInt64) -> Double? {
        guard let counted = countedNanoseconds, counted >= VerdictFloor.leastCounted else { return nil }
        return Double(count) / (Double(counted) / 1e9)
    }
}

/// Says what was found. Safe to show.
enum VerdictText {
    // MARK: Sentences without process and place

    /// What is named took it all; or, where others took a fifth or more, what it took itself.
    static func hangs(_ finding: Verdict.Finding, _ name: String, _ hangs: HangTotals) -> String {
        let (own, all) = (hangs.ownNanoseconds, hangs.faultNanoseconds)
        guard own > 0, !LoopFloor.isPart(own, 80, of: all) else {
            return "\(name) blocked the main loop \(times(finding))"
        }
        let whole = finding.count == 1 ? "a hang" : "\(Counted.grouped(finding.count)) hangs"
        let longest =
            finding.count == 1 ? "" : ", the longest \(DurationText.short(finding.longestNanoseconds ?? 0))"
        return "\(name) took \(DurationText.short(own)) of \(whole) of \(DurationText.short(all))\(longest)"
            + starvation(finding)
    }

    /// `on_clicked() cases.c:44 blocked the main loop once, for 3.00s, in g_dbus_connection_call_sync() (GtkButton#go: clicked)`.
    static func hangs(_ finding: Verdict.Finding, _ source: SourceHangs) -> String {
        let call = source.call.map { ", in \(Printable.text($0))" } ?? ""
        let handler = source.handler.map { " (\(Printable.text($0)))" } ?? ""
        return hangs(finding, Printable.text(source.name), source.totals) + call + handler
    }

    /// - Parameter hasViews: Whether the program has views, and not only widgets or a main loop.
    static func hangsOfNoView(_ finding: Verdict.Finding, hasViews: Bool) -> String {
        let place = hasViews ? "Outside of any view" : "In functions that are not known"
        return "\(place), the main loop was blocked \(times(finding))"
    }

    static func waste(_ finding: Verdict.Finding, _ view: ViewCosts) -> String {
        "\(view.key.displayName) wasted \(amount(finding, view))"
    }

    static func cycle(_ cycle: Cycle) -> String {
        "\(ViewKey(rawValue: cycle.steps.first?.name ?? "").displayName) is in a cycle\(cycle.passage): \(cycle.summary)"
    }

    static func notJudged(_ view: ViewCosts, isInjected: Bool) -> String {
        let without = isInjected ? "without the library, which compares its output" : "without comparing its output"
        let count = "\(Counted.grouped(view.unjudged)) of \(Counted.text(view.updates, "evaluation"))"
        return "\(view.key.displayName): \(without), it is unknown whether \(count) were needed"
    }

    // MARK: Whole sentences

    /// With its process, where there are several, and its place.
    static func whole(_ finding: Verdict.Finding, isAlone: Bool) -> String {
        let process = isAlone ? nil : finding.process.map { " in \(Printable.text($0))[\(finding.pid ?? 0)]" }
        return finding.text + (process ?? "") + place(finding)
    }

    /// That there is nothing.
    static func nothing(gap: String?) -> String { gap.map { "Nothing to fix is known: \($0)" } ?? "Nothing to fix" }

    /// The same, with what is wasted nevertheless: a large share of small cost with where it begins, or else the largest part.
    static func nothing(_ process: ProcessCosts, _ largest: ViewCosts, gap: String?) -> String {
        let waste = process.waste
        guard waste.isLarge else { return "\(nothing(gap: gap)). \(part(largest, largest.wastedNanoseconds))" }
        let sign = waste.inferred > 0 ? "~" : ""
        let share = Percent.text(min(waste.count, waste.evaluations), of: waste.evaluations)
        let cost =
            waste.perSecond > 0
            ? "\(core(waste.perSecond, isShared: process.isShared)) of a core" : DurationText.short(waste.nanoseconds)
        return
            "\(nothing(gap: gap)). \(sign)\(share) of \(Counted.text(waste.evaluations, process.event)) were needless, "
            + "\(cost) in all: \(origin(process, largest))"
    }

    /// `Shop reads the clock (Views.swift:37)`, or the view with most.
    private static func origin(_ process: ProcessCosts, _ largest: ViewCosts) -> String {
        guard let root = process.root else {
            let place = largest.file.isEmpty ? "" : " (\(Printable.text(largest.file)):\(largest.line))"
            return "the largest part by \(largest.key.displayName)\(place)"
        }
        let place = process.place(of: root.view).map { " (\(Printable.text($0.file)):\($0.line))" } ?? ""
        return "\(root.view.displayName) reads \(Printable.text(root.reason))\(place)"
    }

    /// `The largest part was wasted by Row: 5.78ms in 50 of 100 evaluations: App/Row.swift:34`.
    private static func part(_ view: ViewCosts, _ nanoseconds: UInt64) -> String {
        let sign = view.inferred > 0 ? "~" : ""
        let count = "\(Counted.grouped(view.wasted)) of \(Counted.text(view.updates, view.event))"
        let place = view.file.isEmpty ? "" : ": \(Printable.text(view.file)):\(view.line)"
        return
            "The largest part was wasted by \(view.key.displayName): \(sign)\(DurationText.short(nanoseconds)) in \(count)\(place)"
    }

    /// What tells more.
    static func command(_ finding: Verdict.Finding, isAlone: Bool) -> ShellCommand? {
        let process: ShellCommand = isAlone ? "" : finding.pid.map { " --process \($0)" } ?? ""
        switch finding.kind {
        case .hangs, .microHangs, .interactions: return "rerenderctl hangs\(process)"
        case .waste, .cycle, .notJudged, .sameFrames, .hiddenWidget, .layout, .madeAnew, .lateFrames, .spinning, .busy:
            // What cannot be printed cannot be typed.
            guard let key = finding.view else {
                return isOfLoop(finding.kind) ? "rerenderctl stats --sources\(process)" : nil
            }
            guard key.displayName == key.rawValue else { return nil }
            let isLikeAnOption = key.rawValue.utf8.first == UInt8(ascii: "-")
            return isLikeAnOption
                ? "rerenderctl explain\(process) -- \(key.rawValue)" : "rerenderctl explain \(key.rawValue)\(process)"
        case .nothing, .nothingKnown: return nil
        }
    }

    /// Whether the rows of the main loop tell more, where no view is named.
    private static func isOfLoop(_ kind: Verdict.Kind) -> Bool { [.sameFrames, .spinning, .busy].contains(kind) }

    // MARK: Parts

    /// `2×, longest 410ms`; then in how many of these the thread had no processor for most of the time.
    private static func times(_ finding: Verdict.Finding) -> String {
        let longest = DurationText.short(finding.longestNanoseconds ?? 0)
        let times =
            finding.count == 1 ? "once, for \(longest)" : "\(Counted.grouped(finding.count))×, longest \(longest)"
        return times + starvation(finding)
    }

    private static func starvation(_ finding: Verdict.Finding) -> String {
        guard let starved = finding.starved else { return "" }
        let some = starved == 1 ? "once " : "\(Counted.grouped(starved)) times "
        let which = finding.count == 1 ? "" : starved >= finding.count ? "each time " : some
        return " (\(which)it got no processor)"
    }

    /// `41.0ms in 308 of 312 evaluations, 3.1% of a core`; a guess has a sign.
    private static func amount(_ finding: Verdict.Finding, _ view: ViewCosts) -> String {
        let sign = view.inferred > 0 ? "~" : ""
        let count = "\(Counted.grouped(view.wasted)) of \(Counted.text(view.updates, view.event))"
        return "\(sign)\(DurationText.short(view.wastedNanoseconds)) in \(count), \(share(finding))"
    }

    /// Of a core, or each time where that is not known.
    private static func share(_ finding: Verdict.Finding) -> String {
        if let perSecond = finding.nanosecondsPerSecond {
            return "\(core(perSecond, isShared: finding.isShared == true)) of a core"
        }
        return "\(DurationText.short(finding.nanoseconds / max(1, finding.count))) each"
    }

    /// `3.1%`; `~3.1%` where it was shared out by the clock.
    private static func core(_ perSecond: UInt64, isShared: Bool) -> String {
        CoreShare(percent: Double(perSecond) / 1e7, isShared: isShared).text
    }

    private static func place(_ finding: Verdict.Finding) -> String { finding.place.map { ": " + $0 } ?? "" }
}

extension Verdict.Finding {
    /// `App/Row.swift:34`; nil where it is not known. Safe to show.
    package var place: String? {
        guard let file, let line else { return nil }
        return "\(Printable.text(file)):\(line)"
    }

    /// Whether no function is named that a program may have connected, or a source that it may have added.
    var isNameless: Bool {
        guard source == nil, kind != .cycle else { return false }
        if kind == .hangs || kind == .microHangs { return view == nil }
        return kind.rank < Verdict.Kind.waste.rank || kind == .busy
    }

    /// The finding in few words, where there is no room for its sentence.
    package var short: String {
        let name = source ?? view?.displayName ?? "main loop"
        switch kind {
        case .hangs: return "\(name): \(Counted.text(count, "hang")), \(DurationText.short(nanoseconds))"
        case .microHangs: return "\(name): micro-hangs, \(DurationText.short(nanoseconds))"
        case .interactions: return "\(name): \(DurationText.short(nanoseconds)) to the frame"
        case .sameFrames: return "\(name): frames for nothing\(shareText)"
        case .hiddenWidget: return "\(name): not visible\(shareText)"
        case .spinning: return "\(name): the loop is kept awake\(shareText)"
        case .layout: return "\(name): layout\(shareText)"
        case .madeAnew: return "\(name): made anew\(shareText)"
        case .lateFrames: return (source.map { "\($0): " } ?? "") + Counted.text(count, "late frame")
        case .busy: return "\(name): busy\(shareText)"
        case .waste: return nanoseconds > 0 ? "\(name): \(DurationText.short(nanoseconds)) wasted" : "\(name): wasted"
        case .cycle: return "\(name): a cycle"
        case .notJudged: return "\(name): waste unknown"
        case .nothing: return "nothing to fix"
        case .nothingKnown: return "nothing is known"
        }
    }

    private var shareText: String {
        guard let nanosecondsPerSecond, nanosecondsPerSecond > 0 else { return "" }
        return ", " + CoreShare(percent: Double(nanosecondsPerSecond) / 1e7, isShared: isShared == true).text
    }
}

extension Cycle {
    /// Whether it took long enough. One without steps had no room: it is not known what it is of.
    var isFinding: Bool { !steps.isEmpty && latestNanoseconds >= VerdictFloor.nanoseconds }

    /// ` over a queue`; empty where each step leads to the next at once.
    package var passage: String { over.map { " over \(Printable.text($0))" } ?? "" }

    /// `Row → onChange of Row → Sidebar → Row, 240 rounds, 60/s`.
    package var summary: String {
        guard !steps.isEmpty else { return "other ones, \(Counted.text(rounds, "round"))" }
        let names = (steps + steps.prefix(1)).map { Printable.text($0.name) }
        let rate = perSecond.map { ", \(RateText.cell($0))" } ?? ""
        return names.joined(separator: " → ") + ", \(Counted.text(rounds, "round"))\(rate)"
    }
}
