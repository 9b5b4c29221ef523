// SPDX-License-Identifier: MIT
// How many evaluations would remain if a child read a key path instead.

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
            let name = text.replacing(/\ \(\d+ of \d+\)$/, with: "")
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
