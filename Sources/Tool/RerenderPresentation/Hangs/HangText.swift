// SPDX-License-Identifier: MIT
// Describes one hang.

package import RerenderToolBase

/// Writes a hang as lines.
package struct HangText: Sendable {
    package let hang: Hang
    package let now: Timestamp

    package init(hang: Hang, now: Timestamp) {
        (self.hang, self.now) = (hang, now)
    }

    /// Functions of a stack that are shown; the outer ones are the loop's.
    private static let shownFrames = 6
    /// Shares that are shown by themselves.
    private static let shownShares = 4

    /// When, how long, who, how sure and what the thread did; then what supports it.
    package var lines: [StyledLine] {
        let supports = beginning + shares + threshold + lastRendered + ending + activities + stack + trace
        return [headline] + supports.map { StyledLine(text: $0) }
    }

    /// The same with more blanks before the lines after the first.
    package func lines(indent: Int, rest: Int) -> [StyledLine] {
        lines.enumerated().map { number, line in
            let blanks = String(repeating: " ", count: number == 0 ? indent : rest)
            return StyledLine(text: blanks + line.text, style: line.style)
        }
    }

    /// The first line alone. A guess has a `~`.
    package var headline: StyledLine {
        let name = hang.view.map { (hang.guess ? "~" : "") + $0.displayName } ?? "no view"
        let sure = hang.view == nil ? "" : " (\(attribution))"
        let text =
            "\(LocalTime.text(hang.startedAt, now: now))  \(Fit.pad(duration, 7, toTheRight: true))  "
            + "\(name)\(sure), \(verdict), in \(Printable.text(hang.process))[\(hang.pid)]"
        return StyledLine(text: text + (hang.open ? ", GOING ON" : ""), style: style)
    }

    /// The largest share may be a fifth.
    private var attribution: String {
        guard hang.attribution == .share, let share = hang.shares.first(where: { $0.view == hang.view }) else {
            return hang.attribution.rawValue
        }
        return "share of \(Percent.text(share.nanoseconds, of: hang.durationNanoseconds))"
    }

    private var style: Style {
        if hang.open { return .bad }
        return hang.counts ? .bold : .dim
    }

    private var duration: String { DurationText.short(hang.durationNanoseconds) }

    private var verdict: String {
        // A moment without a processor explains nothing.
        let least = max(1, hang.durationNanoseconds / 20)
        return hang.verdict == .starved || hang.starvedNanoseconds < least ? verdictWord : "\(verdictWord), \(starved)"
    }

    private var starved: String {
        "no processor for \(Percent.text(hang.starvedNanoseconds, of: hang.durationNanoseconds))"
    }

    private var verdictWord: String {
        let waiting = hang.waitingOn.map { " in " + Printable.text($0) } ?? ""
        switch hang.verdict {
        case .running: return "running"
        case .blocked: return "blocked" + waiting
        case .starved: return starved
        case .stopped: return "stopped (not counted)"
        case .suspended: return "the machine was suspended (not counted)"
        case .unknown: return "not observed during the hang"
        }
    }

    /// Durations are shown in milliseconds: less makes no difference.
    private var beginning: [String] {
        let earlier = hang.mayHaveBegunEarlierNanoseconds
        return earlier < 1_000_000 ? [] : ["it may have begun up to \(DurationText.short(earlier)) earlier"]
    }

    private var shares: [String] {
        if hang.guess, !hang.open, hang.shares.isEmpty { return ["which bodies ran in it is not known"] }
        guard !hang.shares.isEmpty || hang.verdict != .stopped else { return [] }
        let shown = hang.shares.prefix(Self.shownShares).map { share in
            "\(share.view.displayName) \(part(share.nanoseconds))"
        }
        let rest = hang.shares.dropFirst(Self.shownShares)
        let others = rest.reduce(UInt64(0)) { $0 &+ $1.nanoseconds }
        let more = rest.isEmpty ? [] : ["\(Counted.text(rest.count, "other view")) \(part(others))"]
        let bodies = shown.isEmpty ? "no body ran" : "in bodies: " + (shown + more).joined(separator: ", ")
        return ["\(bodies); outside views: \(part(hang.unattributedNanoseconds))"]
    }

    private func part(_ nanoseconds: UInt64) -> String {
        "\(DurationText.short(nanoseconds)) (\(Percent.text(nanoseconds, of: hang.durationNanoseconds)))"
    }

    /// Who ran when the threshold was crossed, where that is not the view that is named.
    private var threshold: [String] {
        if let view = hang.viewAtThreshold {
            return view == hang.view ? [] : ["at the threshold: \(view.displayName)"]
        }
        guard hang.view != nil, !hang.guess, hang.ended == .normally else { return [] }
        return ["at the threshold: no body ran"]
    }

    private var lastRendered: [String] { hang.lastRendered.map { ["last rendered: \($0.displayName)"] } ?? [] }

    private var ending: [String] {
        switch hang.ended {
        case .exited: ["the process ended during it"]
        case .killed: ["the process was killed during it"]
        case .normally, nil: []
        }
    }

    /// What it was seen doing; only that it ran is in the verdict.
    private var activities: [String] {
        let looks = hang.activities.reduce(0) { $0 + Int($1.count) }
        guard hang.activities.contains(where: { $0.text != "runs" }) else { return [] }
        return hang.activities.map { activity in
            let text = Printable.text(activity.text)
            return activity.count == looks ? text : "\(text) (\(activity.count) of \(Counted.text(looks, "look")))"
        }
    }

    private var stack: [String] {
        guard let summary = StackSummary(hang.stacks) else { return [] }
        let common = summary.common.prefix(Self.shownFrames).map(Printable.text)
        let path =
            common.isEmpty
            ? [] : ["stack (\(Counted.text(summary.samples, "sample"))): " + common.joined(separator: " ← ")]
        guard let inner = summary.inner, summary.samples > 1 || common.isEmpty else { return path }
        return path + [
            "most often in: \(Printable.text(inner.function)) (\(inner.samples) of \(summary.samples))"
        ]
    }

    package var trace: [String] { hang.trace.map { ["trace: \(Printable.text($0))"] } ?? [] }
}
