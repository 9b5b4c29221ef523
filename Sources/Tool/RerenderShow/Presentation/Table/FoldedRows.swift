// SPDX-License-Identifier: MIT
// Folds rows that say nothing of their own: under the row whose evaluation they pass on, or into one line.

import RerenderModel

/// The rows of a table without those that only pass on what another row caused, and without those that were evaluated once.
///
/// A row with a finding or a hang is never folded, nor a view that only its parent's evaluation caused and whose waste is known: its author can
/// compare its inputs.
package struct FoldedRows: Sendable {
    /// Names a view of a store.
    private struct Name: Hashable {
        let store: StoreID
        let view: ViewKey
    }

    /// Rows between one that passes on and the one that has the cause.
    private static let mostSteps = 64

    /// The rows that are shown, in their order. Each says how many are folded under it.
    package private(set) var rows: [RankedView]
    /// Those that are folded under others.
    package private(set) var passing: [RankedView] = []
    /// Those that were evaluated once.
    package private(set) var once: [RankedView] = []

    /// - Parameter isOn: Whether to fold at all.
    package init(_ all: [RankedView], isOn: Bool = true) {
        rows = all
        guard isOn else { return }
        let names = all.map { Name(store: StoreID($0.store), view: $0.view.key) }
        let places = Dictionary(zip(names, all.indices)) { first, _ in first }
        let targets = all.indices.map { index -> (place: Int, isChild: Bool)? in
            guard let passed = all[index].passesOn else { return nil }
            return places[Name(store: names[index].store, view: passed.view)].map {
                (place: $0, isChild: passed.isChild)
            }
        }
        var under: [Int: RankedView.Folded] = [:]
        var isFolded = [Bool](repeating: false, count: all.count)
        for (index, target) in targets.enumerated() {
            guard let target, let root = Self.root(of: index, targets) else { continue }
            isFolded[index] = true
            under[root, default: RankedView.Folded()].add(isParent: target.isChild)
        }
        let single = all.indices.filter { !isFolded[$0] && under[$0] == nil && all[$0].isOnce }
        passing = all.indices.filter { isFolded[$0] }.map { all[$0] }
        if single.count > 1, single.count + passing.count < all.count {
            once = single.map { all[$0] }
            for index in single { isFolded[index] = true }
        }
        rows = all.indices.filter { !isFolded[$0] }.map { index in
            var row = all[index]
            row.folded = under[index] ?? RankedView.Folded()
            return row
        }
    }

    /// The row that has the cause; nil where rows pass on to each other alone.
    private static func root(of index: Int, _ targets: [(place: Int, isChild: Bool)?]) -> Int? {
        var place = index
        for _ in 0..<mostSteps {
            guard let next = targets[place]?.place else { return place == index ? nil : place }
            place = next
        }
        return nil
    }

    /// The line below the rows; nil where every row is shown.
    ///
    /// - Parameters:
    ///   - isWhole: Whether all views are among the rows.
    ///   - how: What shows those that are not: `--all`.
    package func line(isWhole: Bool, how: String) -> String? {
        let hidden = passing + once
        guard !hidden.isEmpty else { return nil }
        let words = StoreWords(hidden.lazy.map(\.store))
        let pass = "only \(passing.count == 1 ? "passes" : "pass") on what others caused"
        let least = isWhole ? "" : "at least "
        let number = passing.isEmpty ? Counted.text(once.count, words.noun) : Counted.grouped(once.count)
        let parts = [
            passing.isEmpty ? nil : "\(Counted.text(passing.count, words.noun)) \(pass)",
            once.isEmpty ? nil : "\(number) were \(words.participle) once",
        ].compactMap(\.self)
        return "… \(least)\(Counted.list(parts)); \(how) shows them"
    }
}

extension RankedView {
    /// How many rows are folded under a row.
    package struct Folded: Hashable, Sendable {
        /// Those that drew again because it did.
        private(set) var parents = 0
        /// Those that were evaluated because it was.
        private(set) var children = 0

        mutating func add(isParent: Bool) {
            parents += isParent ? 1 : 0
            children += isParent ? 0 : 1
        }

        /// ` (+12 parents)`; empty for none.
        var note: String {
            let parts = [
                parents > 0 ? "+" + Counted.text(parents, "parent") : nil,
                children > 0 ? "+" + Counted.text(children, "child", "children") : nil,
            ].compactMap(\.self)
            return parts.isEmpty ? "" : " (\(parts.joined(separator: ", ")))"
        }
    }

    /// Whether nothing was found about it.
    private var isPlain: Bool { rank.mark == .plain && view.hangs.count == 0 }

    /// The row whose evaluation it passes on; nil where it has a cause of its own.
    fileprivate var passesOn: (view: ViewKey, isChild: Bool)? {
        let passed = view.reasons.filter { Reason.isPassedOn($0.reason) }
        let isAll = view.reasons.count == passed.count + view.reasons.count { $0.reason == Reason.initial }
        guard isPlain, isAll, let main = passed.min(by: ReasonCount.isMain) else { return nil }
        return Reason.passedOn(main.reason).flatMap { $0.isChild || view.wasted.count == 0 ? $0 : nil }
    }

    /// Whether each instance was evaluated once.
    fileprivate var isOnce: Bool {
        isPlain && view.count > 0 && view.wasted.count == 0 && view.reasons.map(\.reason) == [Reason.initial]
    }
}
