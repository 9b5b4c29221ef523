// SPDX-License-Identifier: MIT
// Finds views that read a value which only other views show.

/// Values that a view reads and passes on, and what other views are evaluated for that.
///
/// The opposite of ``CauseHints``: these tell a view who reads what it was passed.
package struct PassedValues: Sendable {
    /// What other views are evaluated for.
    package struct Passing: Hashable, Sendable {
        /// The value with most of it, as the view reads it.
        package fileprivate(set) var path = ""
        package fileprivate(set) var views: UInt64 = 0
        package fileprivate(set) var evaluations: UInt64 = 0
        /// The most of them that may have been wasted.
        package fileprivate(set) var wasted: UInt64 = 0
        /// Whether names alone tell that it is this value.
        package fileprivate(set) var isGuess = false

        package init() {}

        fileprivate mutating func add(_ count: UInt64, of view: Stats, isGuess: Bool) {
            views += 1
            evaluations = evaluations.clampedSum(count)
            wasted = wasted.clampedSum(min(view.wasted.count, count))
            self.isGuess = self.isGuess || isGuess
        }

        /// Whether enough was evaluated for it, and a third of that may have been wasted.
        var isWorthAWord: Bool { evaluations >= Self.leastEvaluations && wasted >= evaluations / 3 && wasted > 0 }

        private static let leastEvaluations: UInt64 = 10

        /// What helps against it; none where little would be won.
        var advice: [String] {
            guard isWorthAWord else { return [] }
            let value = Printable.text(path)
            let others = Counted.text(views, "other view")
            let what =
                isGuess
                ? "If what it passes on is \(value), \(others) \(views == 1 ? "is" : "are") evaluated for that"
                : "It reads \(value), and \(others) \(views == 1 ? "is" : "are") evaluated for that"
            return [
                "\(what): \(Counted.text(evaluations, "time")), up to \(Counted.grouped(wasted)) of these for nothing. "
                    + "Read it in the view that shows it, not here."
            ]
        }
    }

    private struct Reader: Hashable, Sendable {
        let store: StoreID
        let key: ViewKey
    }

    /// By view and by the value that it reads.
    private var found: [Reader: [String: Passing]] = [:]

    /// Learns from the rows at hand. Linear in their reasons and chains.
    package init(_ rows: [RankedView]) {
        let hints = CauseHints(rows)
        for row in rows {
            let store = StoreID(row.store)
            if let hint = hints.hint(row) {
                add(hint.path, Reader(store: store, key: hint.reader), hint.reason.count, row.view, isGuess: true)
            }
            // Reasons of widgets are words, and no values.
            guard row.store.kind != .widgets else { continue }
            var begun: [Reader: [String: UInt64]] = [:]
            for chain in row.view.reasons.flatMap(\.chains) {
                guard let origin = chain.origin, Self.isValue(origin.reason) else { continue }
                let reader = Reader(store: store, key: origin.view)
                begun[reader, default: [:]][origin.reason] =
                    (begun[reader]?[origin.reason] ?? 0).clampedSum(chain.count)
            }
            for (reader, paths) in begun {
                for (path, count) in paths { add(path, reader, count, row.view, isGuess: false) }
            }
        }
    }

    /// What is evaluated for a value that the view reads, most first.
    package func passing(by row: RankedView) -> Passing {
        let all = found[Reader(store: StoreID(row.store), key: row.view.key)] ?? [:]
        return all.values.max { ($0.evaluations, $1.path) < ($1.evaluations, $0.path) } ?? Passing()
    }

    private mutating func add(_ path: String, _ reader: Reader, _ count: UInt64, _ view: Stats, isGuess: Bool) {
        // A view that leads to itself passes nothing on.
        guard reader.key != view.key else { return }
        found[reader, default: [:]][path, default: Passing()].path = path
        found[reader]?[path]?.add(count, of: view, isGuess: isGuess)
    }

    /// Whether a reason names one value: no `initial`, no `<external signal>`, no `closure identity`.
    private static func isValue(_ reason: String) -> Bool {
        !FixedReason.allCases.contains { $0.text == reason } && !reason.isEmpty && !reason.contains(" ")
    }
}
