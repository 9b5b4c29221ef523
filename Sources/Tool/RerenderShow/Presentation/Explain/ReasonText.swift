// SPDX-License-Identifier: MIT
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
