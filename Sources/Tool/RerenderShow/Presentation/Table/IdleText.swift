// SPDX-License-Identifier: MIT
// Sentences on evaluations without input, frames, cycles, and views whose bodies were never seen, for tables, `explain` and `top`.

/// The lines about evaluations and frames that no input led to. A fact and no warning.
package enum IdleText {
    /// Causes of one store in one screen.
    private static let listed = 3
    /// For how long something is said to go on that is not heard of: apps tell of it ten times a second, and a clock ticks once.
    private static let freshNanoseconds: Int64 = 3_000_000_000

    /// Whether work goes on as far as is known: its process runs, and it came a moment ago.
    package static func goesOn(_ work: IdleWork, in store: ProcessStats, _ now: Timestamp) -> Bool {
        store.connected && now.nanoseconds(since: work.latestAt) < freshNanoseconds
    }

    /// A line for the frames of each store and for each cause, those that take most first; not yet fitted to a width.
    package static func lines(_ stores: [ProcessStats]) -> [String] {
        let (labels, shares) = (StoreLabels(stores), CoreShares(stores))
        return stores.flatMap { store -> [String] in
            let work = ranked((store.idleWork ?? []).map { Ranked($0, shares.share(of: $0, in: store.pid), in: store) })
            guard !work.isEmpty else { return [] }
            let more = work.count - listed
            let texts =
                work.prefix(listed).map { sentence($0) + span($0.work) }
                + (more > 0 ? ["\(Counted.text(more, "more cause")): see --json"] : [])
            return texts.map { "\(labels.full(store)) without input: \($0)" }
        }
    }

    /// What goes on now in all stores, in one line; nil where nothing does. Frames come first: most of what a cause costs is in them, and the
    /// end of the line is what a narrow screen cuts off.
    package static func now(_ stores: [ProcessStats], _ now: Timestamp) -> String? {
        let shares = CoreShares(stores)
        let current = stores.flatMap { store in
            (store.idleWork ?? []).filter { goesOn($0, in: store, now) }
                .map { Ranked($0, shares.share(of: $0, in: store.pid), in: store) }
        }
        return text(ranked(current))
    }

    /// Work with its part of a core.
    private struct Ranked {
        let work: IdleWork
        let share: CoreShare?
        let words: StoreWords

        init(_ work: IdleWork, _ share: CoreShare?, in store: ProcessStats) {
            (self.work, self.share, words) = (work, share, StoreWords(store.kind))
        }
    }

    private static func text(_ work: [Ranked]) -> String? {
        guard !work.isEmpty else { return nil }
        let causes = work.filter { $0.work.kind != .frames }
        let more = causes.count > 1 ? [Counted.text(causes.count - 1, "more cause")] : []
        let frames = work.filter { $0.work.kind == .frames }.prefix(1).map(sentence)
        return "without input: " + (frames + causes.prefix(1).map(sentence) + more).joined(separator: "; ")
    }

    /// The sentences about what of a view goes on without input.
    ///
    /// - Parameter shares: Of all stores of the process; nil where this one is alone.
    package static func sentences(
        _ view: ViewKey, _ store: ProcessStats, _ shares: CoreShares? = nil
    ) -> [String] {
        let shares = shares ?? CoreShares([store])
        let work = (store.idleWork ?? []).filter { $0.kind == .evaluations && $0.view == view.rawValue }
        let verb = store.connected ? "goes" : "went"
        return ranked(work.map { Ranked($0, shares.share(of: $0, in: store.pid), in: store) }).prefix(listed).map {
            "It \(verb) on without input: \(cause($0.work)), \(amount($0))\(span($0.work))."
        }
    }

    /// What takes most of a core first; the others last.
    private static func ranked(_ work: [Ranked]) -> [Ranked] {
        work.sorted { left, right in
            let (isLeft, isRight) = (left.work.kind == .others, right.work.kind == .others)
            return isLeft != isRight ? isRight : (left.share?.percent ?? 0) > (right.share?.percent ?? 0)
        }
    }

    /// `GtkSpinner: tick, 60/s (480/s in all), 1.2% of a core`.
    private static func sentence(_ told: Ranked) -> String {
        switch told.work.kind {
        case .frames: "frames, \(amount(told))"
        case .others: "other causes, \(told.words.events(told.work.all.count))"
        case .evaluations: "\(Printable.text(told.work.view)): \(cause(told.work)), \(amount(told))"
        }
    }

    /// How often it came in a second, or how often it came where the row was too short for a rate.
    private static func amount(_ told: Ranked) -> String {
        let work = told.work
        guard work.perSecond != nil else {
            return Counted.text(work.latest.own, work.kind == .frames ? "frame" : told.words.event)
        }
        let all = work.latest.count > work.latest.own ? " (\(RateText.cell(work.allPerSecond)) in all)" : ""
        let share = told.share.map { ", \($0.text) of a core" } ?? ""
        return RateText.cell(work.perSecond) + all + share
    }

    /// How long the latest row of it took.
    private static func span(_ work: IdleWork) -> String {
        work.kind == .others ? "" : ", for \(DurationText.short(work.latestDuration))"
    }

    /// `property label by tick() clock.c:31, from the timer update() clock.c:12`.
    package static func cause(_ work: IdleWork) -> String {
        let reason = Printable.text(work.reason)
        let writer = work.writer.flatMap { StackFrameText(text: $0).isNameless ? nil : Printable.text($0) }
        guard let callback = work.callback else { return reason + (writer.map { " by \($0)" } ?? "") }
        let source = Printable.text(callback.source)
        guard let function = callback.function.map({ Printable.text($0) }) else {
            return reason + (writer.map { " by \($0), called by" } ?? " by") + " \(article(source)) \(source)"
        }
        guard let writer else { return "\(reason) by the \(source) \(function)" }
        let isSame = name(of: writer) == name(of: function)
        return isSame
            ? "\(reason) by the \(source) \(writer)" : "\(reason) by \(writer), from the \(source) \(function)"
    }

    private static func article(_ noun: String) -> String { noun.hasPrefix("i") ? "an" : "a" }

    /// A function without its place.
    private static func name(of function: String) -> Substring {
        function.lastIndex(of: " ").map { function[..<$0] } ?? function[...]
    }
}

/// The sentences about writes that lead to each other.
package enum CycleText {
    /// The sentences about the cycles that a view is in.
    package static func sentences(_ view: ViewKey, _ store: ProcessStats) -> [String] {
        cycles(of: view, store).flatMap { ["It is in a cycle\($0.passage): \($0.summary)."] + writers($0) }
    }

    /// A sentence for each step of a cycle that a write leads to.
    package static func writers(_ cycle: Cycle) -> [String] {
        cycle.steps.compactMap { step in
            step.writer.map { "\(Printable.text(step.name)) follows a write by \(Printable.text($0))." }
        }
    }

    package static func has(_ view: ViewKey, _ store: ProcessStats) -> Bool { !cycles(of: view, store).isEmpty }

    private static func cycles(of view: ViewKey, _ store: ProcessStats) -> [Cycle] {
        (store.cycles ?? []).filter { $0.steps.contains { $0.name == view.rawValue } }
    }
}

/// Frames in words.
enum FrameText {
    /// How many were drawn, how many of these over their interval, and where their time went. An interval that is not known is a dash.
    ///
    /// - Parameter loop: The main loop of the process, which tells of frames that painted nothing; nil where it is not known.
    static func summary(_ frames: FrameStats, _ loop: LoopStats? = nil) -> String {
        let phases = [
            ("update", frames.updateNanoseconds), ("layout", frames.layoutNanoseconds),
            ("snapshot", frames.snapshotNanoseconds), ("drawing", frames.drawingNanoseconds),
        ].map { "\($0.0) \(DurationText.short($0.1))" }
        let drawn = "\(Counted.text(frames.count, "frame")) drawn\(unpainted(loop?.totals.frames))"
        let longest = frames.longestNanoseconds == 0 ? "–" : DurationText.short(frames.longestNanoseconds)
        return "\(drawn), \(over(frames)), longest \(longest); \(phases.joined(separator: ", "))"
            + (frames.presentationNanoseconds.map { "; to presentation \(DurationText.short($0))" } ?? "")
    }

    /// ` (797 painted nothing in 13.4s without input)`: those are in none of the other figures.
    private static func unpainted(_ quiet: QuietStretch?) -> String {
        guard let quiet, quiet.unpainted > 0 else { return "" }
        return
            " (\(Counted.grouped(quiet.unpainted)) painted nothing in \(DurationText.short(quiet.nanoseconds)) without input)"
    }

    private static func over(_ frames: FrameStats) -> String {
        guard let interval = frames.intervalNanoseconds else { return "interval –, not judged" }
        let word = frames.isIntervalTold ? "" : " (GTK's default)"
        let judged = "\(Counted.grouped(frames.overInterval)) over \(DurationText.short(interval))\(word)"
        return frames.notJudged == 0 ? judged : "\(judged), \(Counted.grouped(frames.notJudged)) not judged"
    }
}

/// The sentences about views whose values were in evaluated outputs and whose bodies were never called through their hooks.
package enum NotSeenText {
    /// Names in one line.
    private static let named = 8
    /// An output has values that are never shown, too: of a closed section, or a row outside of the window. A framework shows some of its
    /// own views without their bodies.
    static let cause =
        "not shown, shown without its body, or inlined: build with -Xswiftc -disable-cmo, or without -O"

    /// A line for each store that has such views; not yet fitted to a width.
    package static func lines(_ stores: [ProcessStats]) -> [String] {
        let labels = StoreLabels(stores)
        return stores.compactMap { store in
            guard let views = store.notSeenViews, views.count > 0 else { return nil }
            let place = stores.count > 1 ? " in \(labels.full(store))" : ""
            let names = views.keys.prefix(named).map(\.displayName)
            let more =
                views.count > UInt64(names.count) ? ["\(Counted.grouped(views.count - UInt64(names.count))) more"] : []
            return "not seen\(place): \((names + more).joined(separator: ", ")) (\(cause))"
        }
    }

    /// The sentence about one such view.
    package static let sentence =
        "Not seen: values of it were in evaluated outputs, and its body was never called through its hook (\(cause))."
}

extension Stats {
    /// Whether it stands in a table: what was never seen is said below it, unless there is a hang or a commit to show.
    package var isRow: Bool { notSeen != true || hangs.count > 0 || commits > 0 }
}
