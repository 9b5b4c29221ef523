// SPDX-License-Identifier: MIT
// Describes one hang.

import RerenderModel

/// Writes a hang as lines.
package struct HangText: Sendable {
    package let hang: Hang
    package let now: Timestamp
    /// What a command that asks for more ends with; nil where the line is left out.
    package var asks: ShellCommand?

    package init(hang: Hang, now: Timestamp) {
        (self.hang, self.now) = (hang, now)
    }

    /// Functions of a stack that are shown; the outer ones are the loop's.
    private static let shownFrames = 6
    /// When, how long, who, how sure and what the thread did; then what supports it.
    package var lines: [StyledLine] {
        let supports =
            uncertainty + source + shares + threshold + lastRendered + ending + activities + stack + trace + next
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
        let name = blamed ?? "no view"
        let sure = hang.isBlamed ? " (\(attribution))" : ""
        let text =
            "\(LocalTime.text(hang.startedAt, now: now))  \(Fit.pad(duration, 7, toTheRight: true))  "
            + "\(name)\(sure), \(verdict), in \(Printable.text(hang.process))[\(hang.pid)]"
        return StyledLine(text: text + (hang.open ? ", GOING ON" : ""), style: style)
    }

    /// What it is blamed on, with `~` before a guess: a view, a handler, or the function that its stacks have. Nil for none.
    package var blamed: String? {
        let title = title(hang.view, hang.handler, hang.viewStore)
        return title.isEmpty ? hang.source.map(Printable.text) : (hang.guess ? "~" : "") + title
    }

    /// What a handler's hang was in, and in which call that waited or ran. Of a view's hang its body says that, and the stack.
    private var source: [String] {
        guard let source = hang.source, hang.handler != nil else { return [] }
        let parts = [source, hang.call].compactMap(\.self).map { "in \(Printable.text($0))" }
        return [parts.joined(separator: ", ")]
    }

    /// Why it is that view. The largest share may be a fifth.
    package var attribution: String {
        let phase = (hang.phase ?? .body).rawValue
        if hang.attribution == .inPhase { return "in \(phase)" }
        guard hang.attribution == .share, let share = hang.share else { return hang.attribution.rawValue }
        let part = "share of \(Percent.text(share, of: hang.durationNanoseconds))"
        return hang.phase ?? .body == .body ? part : "\(part) in \(phase)"
    }

    /// A view, with its store where that is not the process's first one, or where views of several stores are named.
    private func title(_ view: ViewKey, _ store: Hang.Store?) -> String {
        view.displayName + suffix(of: store)
    }

    /// The same of an event handler: `Toolbar of sidebar: click on Save`. Empty for neither.
    private func title(_ view: ViewKey?, _ handler: String?, _ store: Hang.Store?) -> String {
        guard let handler = handler.map(Printable.text) else { return view.map { title($0, store) } ?? "" }
        return view.map { "\(title($0, store)): \(handler)" } ?? handler + suffix(of: store)
    }

    private func suffix(of store: Hang.Store?) -> String {
        let named = [hang.viewStore, hang.viewAtThresholdStore, hang.lastRenderedStore] + hang.shares.map(\.store)
        let stores = Set(named.compactMap(\.self))
        guard let store, stores.contains(where: { $0.number != 0 }) else { return "" }
        let isNameShared = stores.contains { $0.name == store.name && $0.number != store.number }
        return " of \(Printable.text(store.name))" + (isNameShared ? "#\(store.number)" : "")
    }

    private var style: Style {
        if hang.open { return .bad }
        return hang.counts ? .bold : .dim
    }

    private var duration: String { DurationText.short(hang.durationNanoseconds) }

    /// What the thread did, and in which call.
    package var verdict: String {
        // A moment without a processor explains nothing.
        let least = max(1, hang.durationNanoseconds / 20)
        let isStopped = hang.verdict != .stopped && hang.stoppedNanoseconds >= least
        let isStarved = hang.verdict != .starved && hang.starvedNanoseconds >= least
        let call = hang.isBlamed ? nil : hang.call.map { "in \(Printable.text($0))" }
        let words = [call, verdictWord, isStopped ? stopped : nil, isStarved ? starved : nil]
        return words.compactMap(\.self).joined(separator: ", ")
    }

    private var stopped: String {
        "stopped for \(Percent.text(hang.stoppedNanoseconds, of: hang.durationNanoseconds))"
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
        case .stopped: return hang.counts ? stopped : "stopped (not counted)"
        case .suspended: return "the machine was suspended" + (hang.counts ? "" : " (not counted)")
        case .unknown: return "mostly not observed"
        }
    }

    /// Durations are shown in milliseconds: less makes no difference.
    private var uncertainty: [String] {
        let (earlier, later) = (hang.mayHaveBegunEarlierNanoseconds, hang.mayHaveEndedLaterNanoseconds)
        return (earlier < 1_000_000 ? [] : ["it may have begun up to \(DurationText.short(earlier)) earlier"])
            + (later < 1_000_000 ? [] : ["it may have ended up to \(DurationText.short(later)) later"])
    }

    /// What took a part of it, a line for each of 5 % or more, the largest first; the others are added up.
    private var shares: [String] {
        let isLost = hang.guess && !hang.open && hang.shares.isEmpty
        guard let outside = hang.unattributedNanoseconds, !isLost else {
            return ["how long each part of it took is not known"]
        }
        guard !hang.shares.isEmpty || hang.verdict != .stopped else { return [] }
        let none = hang.shares.contains { $0.handler == nil } ? [] : ["nothing was evaluated or drawn"]
        let inSource = hang.isBlamed || hang.source == nil ? 0 : min(hang.share ?? 0, outside)
        let others = [
            (name: "in \(Printable.text(hang.source ?? ""))", nanoseconds: inSource),
            (name: "outside views", nanoseconds: outside - inSource),
        ]
        let parts = (ofShares + others).filter { $0.nanoseconds > 0 }
        let large = parts.filter { isLarge($0.nanoseconds) }.sorted { $0.nanoseconds > $1.nanoseconds }
        let rest = parts.reduce(UInt64(0)) { isLarge($1.nanoseconds) ? $0 : $0.clampedSum($1.nanoseconds) }
        let share = Percent.text(rest, of: hang.durationNanoseconds)
        return none + large.map(line)
            + (rest == 0 ? [] : ["parts of less than 5%: \(DurationText.short(rest)) (\(share))"])
    }

    private func isLarge(_ nanoseconds: UInt64) -> Bool {
        UInt128(nanoseconds) * 20 >= UInt128(hang.durationNanoseconds)
    }

    /// `███████▁▁▁ 72% in bodies: CartTotal 300ms`.
    private func line(_ part: (name: String, nanoseconds: UInt64)) -> String {
        let share = Double(part.nanoseconds) / Double(max(1, hang.durationNanoseconds))
        let full = Int((min(1, share) * 10).rounded())
        let bar = String(repeating: "█", count: full) + String(repeating: "▁", count: 10 - full)
        let percent = Percent.text(part.nanoseconds, of: hang.durationNanoseconds)
        return "\(bar) \(percent) \(part.name) \(DurationText.short(part.nanoseconds))"
    }

    /// What stands in front of a view in a phase. Of views beyond the listed ones, it is not known which phase they were in.
    private static func word(_ phase: HangPhase?) -> String {
        switch phase {
        case .body: "in bodies"
        case .layout: "in layouts"
        case .snapshot: "in snapshots"
        case .drawing: "drawn by GSK"
        case .firstDrawing: "drawn by GSK for the first time"
        case .handler, nil: "in any phase"
        }
    }

    /// The times of views and handlers, each without the others inside. A recording does not say which phase it was.
    private var ofShares: [(name: String, nanoseconds: UInt64)] {
        let isOld = hang.shares.contains { $0.handler == nil && $0.phase == nil && $0.view != .otherViews }
        return hang.shares.map { share in
            if share.handler != nil {
                let name = title(share.namedView, share.handler, share.store)
                return (name: "in handlers: \(name)", nanoseconds: share.nanoseconds)
            }
            // Views without a place of their own: their number is not known.
            let name = share.view == .otherViews ? "other views" : title(share.view, share.store)
            let word = isOld ? "in bodies" : Self.word(share.phase)
            return (name: "\(word): \(name)", nanoseconds: share.nanoseconds)
        }
    }

    /// Who ran when the threshold was crossed, where that is not the view that is named.
    private var threshold: [String] {
        if let view = hang.viewAtThreshold {
            return hang.isInBodyAtThreshold ? [] : ["at the threshold: \(title(view, hang.viewAtThresholdStore))"]
        }
        guard hang.view != nil, hang.handler == nil, !hang.guess, hang.ended == .normally else { return [] }
        return ["at the threshold: nothing was evaluated or drawn"]
    }

    private var lastRendered: [String] {
        hang.lastRendered.map { ["last rendered: \(title($0, hang.lastRenderedStore))"] } ?? []
    }

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
        guard let summary = StackSummary(hang.stacks) else { return howToGetOne }
        let common = summary.common.prefix(Self.shownFrames).map(Printable.text)
        let path =
            common.isEmpty
            ? [] : ["stack (\(Counted.text(summary.samples, "sample"))): " + common.joined(separator: " ← ")]
        let ends = hang.stacks.contains(where: HangCulprit.hasProgram) ? [] : [Self.endsBefore(hang.stacks)]
        guard let inner = summary.inner, summary.samples > 1 || common.isEmpty else { return path + ends }
        let most = "most often in: \(Printable.text(inner.function)) (\(inner.samples) of \(summary.samples))"
        return path + [most] + ends
    }

    /// Where stacks have no function of the program: whether they go on to the one that it begins with.
    private static func endsBefore(_ stacks: [Hang.Stack]) -> String {
        let isWhole = stacks.allSatisfy { stack in stack.frames.contains { StackFrameText(text: $0).isMain } }
        return isWhole
            ? "no function of the program is in it but main"
            : "the stack ends before a function of the program: what called this is not known"
    }

    /// What the app was seen doing is known, and no stack: its thread ran. A recording has neither.
    private var howToGetOne: [String] {
        guard !hang.open, hang.activities.contains(where: { $0.text.hasPrefix("runs") }) else { return [] }
        return ["no stack: one of a running thread is taken after rerenderctl config set hangStacks=true"]
    }

    /// What tells more of the view that is blamed, if its name can be copied from a line. A function has its place.
    private var next: [String] {
        guard let asks, !hang.guess, hang.handler == nil, let view = hang.view, view.displayName == view.rawValue,
            !view.rawValue.hasPrefix("-"), view.rawValue.utf8.count <= Table.pipeRow
        else { return [] }
        let command: ShellCommand = "rerenderctl explain \(view.rawValue)"
        return ["Next: \(command + asks)"]
    }

    package var trace: [String] { hang.trace.map { ["trace: \(Printable.text($0))"] } ?? [] }
}

// What the stacks of one hang have in common.

/// The path that all stacks of a hang share: one late stack would blame whatever ran at its moment.
///
/// It is the app's own functions, after the one of the runtime that the innermost of them called: between those and around
/// them run Swift, the loop and our probes, in every stack alike.
struct StackSummary: Sendable {
    let samples: Int
    /// The functions that are in all of them, innermost first.
    let common: [String]
    /// The function that was innermost most often where they part, and in how many; nil where they never do.
    let inner: (function: String, samples: Int)?

    /// nil without stacks.
    init?(_ stacks: [Hang.Stack]) {
        let stacks = stacks.map { StackFrameText.folded($0.frames) }.filter { !$0.isEmpty }
        guard let first = stacks.first else { return nil }
        samples = stacks.count
        // From the outside in: where the first one parts from any other.
        let outside = Array(first.reversed())
        let shared = outside.indices.prefix { depth in
            stacks.allSatisfy { $0.count > depth && $0[$0.count - 1 - depth] == outside[depth] }
        }.count
        common = Array(outside.prefix(shared).reversed())
        let parted = stacks.filter { $0.count > shared }.map { $0[$0.count - 1 - shared] }
        let counts = Dictionary(grouping: parted, by: \.self).mapValues(\.count)
        let most = counts.max { ($0.value, $1.key) < ($1.value, $0.key) }
        inner = most.map { ($0.key, $0.value) }
    }
}
