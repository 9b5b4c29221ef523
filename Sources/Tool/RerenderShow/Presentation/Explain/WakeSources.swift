// SPDX-License-Identifier: MIT
// What leads into a view: which writes and writers woke it, through which views between.

/// A write or another cause that woke a view, and the way from there.
package struct WakeSource: Hashable, Sendable {
    /// The value that was written, or another reason: `ticker.tick`.
    package let cause: String
    /// The views between, from this one outwards.
    package let through: [String]
    /// Evaluations of the view.
    package fileprivate(set) var count: UInt64
    /// Whether the cause was found by comparing values, or its number by the shares of the view between.
    package fileprivate(set) var isGuess: Bool
    /// Who wrote the value, most frequent first, as the view that reads it knows.
    package let writers: [WriterCount]
}

/// Finds what leads into views of a process.
package struct WakeSources: Sendable {
    /// A cause and the way from there.
    private struct Way: Hashable {
        let cause: String
        let through: [String]
    }

    /// Where a view stands among the views that are looked at.
    private struct Step {
        let view: Stats
        let through: [String]
        /// Evaluations of the view that it stands for, and the part of its own that these are.
        let count: UInt64
        let share: Double
    }

    /// How many views between it follows without a chain, one behind the other and in all, and how many ways it lists.
    private static let deepest = 8
    private static let mostSteps = 256
    private static let mostWays = 256

    /// The views by their keys; those of the view's own store before others.
    private let views: [ViewKey: Stats]

    /// - Parameters:
    ///   - store: The view's own store.
    ///   - stores: Those of its process, with all views.
    package init(of store: ProcessStats, among stores: [ProcessStats]) {
        let own = StoreID(store)
        let ordered = stores.filter { StoreID($0) == own } + stores.filter { StoreID($0) != own }
        views = Dictionary(ordered.flatMap(\.views).map { ($0.key, $0) }) { first, _ in first }
    }

    /// What woke a view, most evaluations first. Their numbers add up to at most its evaluations.
    ///
    /// Where a chain was recorded, the cause is the chain's. Elsewhere a view between is followed by the shares of its own reasons, which is a
    /// guess.
    package func all(of view: Stats) -> [WakeSource] {
        var found: [Way: WakeSource] = [:]
        var steps = [Step(view: view, through: [], count: view.count, share: 1)]
        var taken = 0
        while let step = steps.popLast() {
            taken += 1
            guard taken <= Self.mostSteps else {
                add(Self.notRecorded, step.through, step.count, true, [], &found)
                continue
            }
            for reason in step.view.reasons where step.through.isEmpty || reason.fixed != .initial {
                if let next = follow(reason, from: step, &found) { steps.append(next) }
            }
        }
        return found.values.sorted {
            ($0.count, $1.cause, $1.through.joined()) > ($1.count, $0.cause, $0.through.joined())
        }
    }

    /// Adds what is known of a reason, and returns the view between whose reasons tell the rest.
    private func follow(_ reason: ReasonCount, from step: Step, _ found: inout [Way: WakeSource]) -> Step? {
        let isShared = !step.through.isEmpty
        guard let passed = Reason.passedOn(reason.reason) else {
            let count = Self.part(reason.count, step.share)
            add(reason.reason, step.through, count, reason.isGuess || isShared, reason.writers, &found)
            return nil
        }
        var rest = reason.count
        for chain in reason.chains where chain.chain != Reason.other {
            let parts = chain.chain.split(separator: " ← ").map { String($0) }
            guard let cause = parts.last, parts.count > 1 else { continue }
            let count = min(rest, chain.count)
            rest -= count
            let through = step.through + parts.dropLast()
            let writers = writers(of: cause, in: parts[parts.count - 2])
            add(cause, through, Self.part(count, step.share), isShared, writers, &found)
        }
        let left = Self.part(rest, step.share)
        guard left > 0 else { return nil }
        let name = String(passed.view)
        let through = step.through + [name]
        let isNew = step.through.count < Self.deepest && !step.through.contains(name)
        let view = views[ViewKey(rawValue: name)]
        let own = view?.reasons.reduce(UInt64(0)) { $1.fixed == .initial ? $0 : $0.clampedSum($1.count) }
        guard isNew, let next = view, let own, own > 0 else {
            add(Self.notRecorded, through, left, isShared, [], &found)
            return nil
        }
        return Step(view: next, through: through, count: left, share: Double(left) / Double(own))
    }

    /// Stands for a cause that no view knows.
    private static let notRecorded = "not recorded"

    private func add(
        _ cause: String, _ through: [String], _ count: UInt64, _ isGuess: Bool, _ writers: [WriterCount],
        _ found: inout [Way: WakeSource]
    ) {
        guard count > 0 else { return }
        var way = Way(cause: cause, through: through)
        // What finds no room is one way.
        let isOther = found[way] == nil && found.count >= Self.mostWays
        if isOther { way = Way(cause: Reason.other, through: []) }
        let named = isOther ? [] : writers.filter { $0.writer != Reason.other }
        var source =
            found[way]
            ?? WakeSource(cause: way.cause, through: way.through, count: 0, isGuess: false, writers: named)
        source.count = source.count.clampedSum(count)
        source.isGuess = source.isGuess || isGuess
        found[way] = source
    }

    /// Who writes what a view reads.
    private func writers(of cause: String, in view: String) -> [WriterCount] {
        views[ViewKey(rawValue: view)]?.reasons.first { $0.reason == cause }?.writers ?? []
    }

    private static func part(_ count: UInt64, _ share: Double) -> UInt64 {
        share == 1 ? count : UInt64(min(Double(count) * max(0, share), 1e18))
    }
}

/// The lines of `explain --sources`.
package enum WakeText {
    /// What woke the view, as a section.
    ///
    /// - Parameters:
    ///   - kind: That of its store.
    ///   - limit: The most sources that are listed.
    ///   - span: The time that is counted.
    package static func section(
        _ view: Stats, of kind: StoreKind? = nil, _ sources: [WakeSource], limit: Int,
        span: String = Explanation.allTime
    ) -> Explanation.Section {
        let words = StoreWords(kind)
        let title = "What woke it, of \(words.events(view.count)) \(span)"
        guard !sources.isEmpty else {
            let why = view.count == 0 ? "It was not \(words.participle)." : "No reason is known."
            return Explanation.Section(title: title, paragraphs: [.init(why)])
        }
        let shown = sources.prefix(limit).flatMap { entry($0, of: view.count) }
        let rest = sources.dropFirst(limit)
        let count = words.events(rest.reduce(UInt64(0)) { $0.clampedSum($1.count) })
        let more = "… \(Counted.text(rest.count, "more source")) with \(count); --limit \(sources.count) shows all"
        return Explanation.Section(title: title, paragraphs: shown + (rest.isEmpty ? [] : [.init(more)]))
    }

    /// Writers of a source that are listed.
    private static let shownWriters = 3

    private static func entry(_ source: WakeSource, of count: UInt64) -> [Explanation.Paragraph] {
        let sign = source.isGuess ? "~" : ""
        let share = Percent.text(source.count, of: count)
        let way = source.through.map { ViewKey(rawValue: $0).displayName }.joined(separator: " ← ")
        let through = way.isEmpty ? "" : ", through \(way)"
        let head = "\(sign)\(Counted.grouped(source.count)) (\(share)) \(Printable.text(source.cause))\(through)"
        let writers = source.writers.prefix(shownWriters).map { writer in
            let text = "written by \(Printable.text(writer.writer)) (\(Counted.grouped(writer.count)))"
            return Explanation.Paragraph(text, indent: 6)
        }
        let left = source.writers.count - writers.count
        return [.init(head)] + writers
            + (left > 0 ? [.init(Counted.rest(left, "writer", see: "--json"), indent: 6)] : [])
    }
}

// The reasons of a view with their shares, writers and causes, and the evaluations that remain if a child reads a key path.

/// The entries of "Why".
package enum ReasonText {
    /// The most reasons that are listed.
    package static let listed = 8

    /// An entry for each reason, most frequent first, each followed by its writers and chains, and by the guess if it is
    /// about it.
    ///
    /// - Parameters:
    ///   - kind: That of its store.
    ///   - span: The time that is counted.
    package static func paragraphs(
        _ view: Stats, of kind: StoreKind?, _ hint: CauseHint? = nil, span: String = Explanation.allTime
    ) -> [Explanation.Paragraph] {
        let words = StoreWords(kind)
        guard !view.reasons.isEmpty else { return [.init(unknown(view, words, span))] }
        let reasons = view.reasons.sorted(by: ReasonCount.byCount)
        let width = reasons.reduce(0) { max($0, Counted.grouped($1.count).count) }
        let shown = reasons.prefix(listed).flatMap { reason -> [Explanation.Paragraph] in
            let remarks = (hint?.remarks(on: reason) ?? []).map { Explanation.Paragraph($0, indent: width + 4) }
            return [entry(reason, of: view.count, width)] + details(reason, indent: width + 4) + remarks
        }
        guard reasons.count > listed else { return shown }
        let rest = reasons.dropFirst(listed).reduce(UInt64(0)) { $0 &+ $1.count }
        let more = Counted.text(reasons.count - listed, "more reason")
        return shown + [.init("and \(more) with \(words.events(rest)): see --json")]
    }

    private static func unknown(_ view: Stats, _ words: StoreWords, _ span: String) -> String {
        let isNew = "No reason is known, because it was not \(words.participle) \(span)."
        return view.count > 0 ? "No reason is known." : isNew
    }

    private static func entry(_ reason: ReasonCount, of count: UInt64, _ width: Int) -> Explanation.Paragraph {
        let number = Fit.pad(Counted.grouped(reason.count), width, toTheRight: true)
        // The blanks that align the numbers go into the indent, because wrapping joins words.
        let blanks = number.prefix { $0 == " " }.count
        let share = Percent.text(reason.count, of: count)
        return .init(
            "\(number.dropFirst(blanks)) (\(share)) \(name(reason))\(sureness(reason))", indent: 2 + blanks)
    }

    /// A reason as a reader understands it.
    private static func name(_ reason: ReasonCount) -> String {
        reason.fixed.map { "\($0.text): \($0.sentence)" } ?? Printable.text(reason.reason)
    }

    private static func sureness(_ reason: ReasonCount) -> String {
        switch reason.attribution {
        case .diff: ", found by comparing values"
        case .announced where reason.fixed != .initial: ", as reported by the app"
        case .announced, .exact, nil: ""
        }
    }

    private static func details(_ reason: ReasonCount, indent: Int) -> [Explanation.Paragraph] {
        reason.writers.map { detail("written by", $0.writer, $0.count, indent) }
            + reason.chains.map { detail("began with", $0.chain, $0.count, indent) }
    }

    private static func detail(
        _ what: String, _ text: String, _ count: UInt64, _ indent: Int
    ) -> Explanation.Paragraph {
        let name = text == Reason.other ? "others" : Printable.text(text)
        return .init("\(what) \(name) (\(Counted.grouped(count)))", indent: indent)
    }
}

/// What would remain if some key paths were not read by the view itself. Updates: passes come and go with theirs.
struct Remaining: Hashable, Sendable {
    /// The key paths that are moved.
    let paths: [String]
    /// Whether a comparison of values found any of the reasons that would go.
    let isCompared: Bool
    /// Updates that would go: those for these paths and nothing else.
    let saved: UInt64
    /// Updates that have another reason.
    let remaining: UInt64

    /// One for each reason that names key paths, the most useful first.
    ///
    /// A reason that joins several paths goes only when all of them are moved. An update has one reason, the strongest:
    /// one that a parent would have caused anyway does not go, so ``remaining`` is the least that is left.
    static func all(_ view: Stats) -> [Remaining] {
        let causes = view.reasons.compactMap(Cause.init)
        let all = causes.map { cause -> Remaining in
            let gone = causes.filter { $0.paths.isSubset(of: cause.paths) }
            let saved = min(gone.reduce(UInt64(0)) { $0 &+ $1.reason.updates }, view.updates)
            return Remaining(
                paths: cause.ordered, isCompared: gone.contains(where: \.reason.isGuess), saved: saved,
                remaining: view.updates - saved)
        }
        // Of a reason there may be passes alone: a reset came between its update and them.
        return all.filter { $0.saved > 0 }.sorted {
            $0.saved != $1.saved
                ? $0.saved > $1.saved
                : ($0.paths.count, $0.paths.joined()) < ($1.paths.count, $1.paths.joined())
        }
    }

    private struct Cause {
        let reason: ReasonCount
        let ordered: [String]
        let paths: Set<String>

        /// Nil for a reason that names no key path, or not all of its paths.
        init?(_ reason: ReasonCount) {
            guard reason.attribution == .exact || reason.attribution == .diff else { return nil }
            // A fixed text of one word would pass for a key path.
            guard reason.fixed == nil else { return nil }
            ordered = reason.reason.split(separator: ", ").map { String($0) }
            guard !ordered.isEmpty, ordered.allSatisfy(Self.isPath) else { return nil }
            self.reason = reason
            paths = Set(ordered)
        }

        /// Whether a text names one key path: no `parent: KEY`, `closure identity`, `<external signal>`, `+3`, and no half
        /// of `Pair<Int, String>.value`.
        private static func isPath(_ text: String) -> Bool {
            let name = text.replacing(/\ \(\d+ (?:or more )?of \d+\)$/, with: "")
            let opened = name.count { $0 == "<" }
            return !name.isEmpty && !name.contains(" ") && !name.hasPrefix("<") && !name.hasPrefix("+")
                && opened == name.count { $0 == ">" }
        }
    }
}

/// The entries of "If a child read it".
enum RemainingText {
    /// The most that are listed.
    static let listed = 4

    /// A sentence for each key path, or set of key paths, that a child could read instead.
    static func paragraphs(_ view: Stats) -> [Explanation.Paragraph] {
        let all = Remaining.all(view).prefix(listed)
        guard !all.isEmpty else { return [] }
        let noun = view.updates < view.count ? "update" : "evaluation"
        return all.map { .init(sentence($0, of: Counted.text(view.updates, noun))) } + [
            .init("This is the best case: \(noun)s that a parent would have caused anyway remain.")
        ]
    }

    private static func sentence(_ remaining: Remaining, of all: String) -> String {
        let paths = Counted.list(remaining.paths.map { Printable.text($0) })
        let number = remaining.paths.count == 1 ? "" : remaining.paths.count == 2 ? " both" : " all"
        let way = remaining.isCompared ? "read by a child, or not passed in" : "read by a child"
        return "If \(paths) were\(number) \(way), \(Counted.grouped(remaining.remaining)) of \(all) would remain."
    }
}
