// SPDX-License-Identifier: MIT
// The words of the verdict: every surface shows these.

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
