// SPDX-License-Identifier: MIT
// Folds rows that say nothing of their own: under the row whose evaluation they pass on, or into one line.

import RerenderModel

/// The rows of a table without those that only pass on what another row caused, and without those that were evaluated once.
///
/// A row with a finding or a hang is never folded, nor a view that only its parent's evaluation caused and whose waste is known: its author can
/// compare its inputs. Of widgets, those are folded, too, that GTK drew a few times for its own reasons, as for a layout or the pointer: they cost
/// less than is worth a finding. They stand under the widget of the program's class that they are a part of.
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
    /// Those that GTK drew for its own reasons.
    package private(set) var parts: [RankedView] = []
    /// Those that were evaluated once.
    package private(set) var once: [RankedView] = []
    /// Whether all of ``passing`` do nothing else.
    private var isPassingAll = true

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
        passing = all.indices.filter { isFolded[$0] }.map { all[$0] }
        isPassingAll = passing.allSatisfy { $0.passesOn?.isAll != false }
        let owners = Dictionary(
            all.indices.compactMap { index in
                all[index].ownClass.map { (Name(store: names[index].store, view: $0), index) }
            }
        ) { first, _ in first }
        for index in all.indices where !isFolded[index] && all[index].isQuiet {
            let isSingle = under[index] == nil && all[index].isOnce
            let owner = all[index].owner.flatMap { owners[Name(store: names[index].store, view: $0)] }
            // The owner may stand under this one.
            guard !isSingle, let owner, !isFolded[owner] || Self.root(of: owner, targets) != index else { continue }
            isFolded[index] = true
            parts.append(all[index])
            let own = under.removeValue(forKey: index) ?? RankedView.Folded()
            if !isFolded[owner] { under[owner, default: RankedView.Folded()].add(part: own) }
        }
        let single = all.indices.filter { !isFolded[$0] && under[$0] == nil && all[$0].isOnce }
        if single.count > 1, single.count + passing.count + parts.count < all.count {
            once = single.map { all[$0] }
            for index in single { isFolded[index] = true }
        }
        rows = all.indices.filter { !isFolded[$0] }.map { index in
            var row = all[index]
            row.folded = under[index] ?? RankedView.Folded()
            return row
        }
    }

    /// All rows that are folded.
    package var hidden: [RankedView] { passing + parts + once }

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
        guard !hidden.isEmpty else { return nil }
        let words = StoreWords(hidden.lazy.map(\.store))
        let only = isPassingAll ? "only " : ""
        let kinds = [
            (passing.count, "\(only)\(passing.count == 1 ? "passes" : "pass") on what others caused"),
            (parts.count, "\(parts.count == 1 ? "was" : "were") drawn for a layout or a state"),
            (once.count, "were \(words.participle) once"),
        ].filter { $0.0 > 0 }
        let texts = kinds.enumerated().map { place, kind in
            "\(place == 0 ? Counted.text(kind.0, words.noun) : Counted.grouped(kind.0)) \(kind.1)"
        }
        return "… \(isWhole ? "" : "at least ")\(Counted.list(texts)); \(how) shows them"
    }
}

extension RankedView {
    /// How many rows are folded under a row.
    package struct Folded: Hashable, Sendable {
        /// Those that drew again because it did.
        private(set) var parents = 0
        /// Those that were evaluated because it was.
        private(set) var children = 0
        /// Those that GTK drew for its own reasons, in a widget of the program.
        private(set) var parts = 0

        mutating func add(isParent: Bool) {
            parents += isParent ? 1 : 0
            children += isParent ? 0 : 1
        }

        /// - Parameter other: What was folded under the part.
        mutating func add(part other: Self) {
            parts += other.parts + 1
            parents += other.parents
            children += other.children
        }

        /// ` (+12 parents)`; empty for none.
        var note: String {
            let texts = [
                parents > 0 ? "+" + Counted.text(parents, "parent") : nil,
                children > 0 ? "+" + Counted.text(children, "child", "children") : nil,
                parts > 0 ? "+" + Counted.text(parts, "part") : nil,
            ].compactMap(\.self)
            return texts.isEmpty ? "" : " (\(texts.joined(separator: ", ")))"
        }
    }

    /// Whether nothing was found about it.
    private var isPlain: Bool { rank.mark == .plain && view.hangs.count == 0 }

    /// The row whose evaluation it passes on; nil where it has a cause of its own. A widget that GTK drew a few times besides has none.
    fileprivate var passesOn: (view: ViewKey, isChild: Bool, isAll: Bool)? {
        let passed = view.reasons.filter { Reason.isPassedOn($0.reason) }
        guard isPlain, let main = passed.min(by: ReasonCount.isMain) else { return nil }
        let isAll = view.reasons.count == passed.count + view.reasons.count { $0.reason == Reason.initial }
        let count = passed.reduce(UInt64(0)) { $0.clampedSum($1.count) }
        guard isAll || (isQuiet && toolkitCount <= count / 9) else { return nil }
        guard let (row, isChild) = Reason.passedOn(main.reason), isChild || view.wasted.count == 0 else { return nil }
        return (row, isChild, isAll)
    }

    /// Whether each instance was evaluated once.
    fileprivate var isOnce: Bool {
        isPlain && view.count > 0 && view.wasted.count == 0 && view.reasons.map(\.reason) == [Reason.initial]
    }

    // MARK: Widgets

    /// The reasons of a widget that GTK has by itself, and what each may be followed by: whose layout it was, or which state.
    private static let ofToolkit = ["initial", "state", "style", "size", "layout", "shown again"]
    /// So many drawings are few, however short the time.
    private static let few: UInt64 = 10

    /// Whether it is a widget that GTK drew a few times for its own reasons, at less cost than is worth a finding.
    fileprivate var isQuiet: Bool {
        guard isPlain, store.kind == .widgets, rank.nanoseconds < VerdictFloor.nanoseconds else { return false }
        let isOfToolkit = view.reasons.allSatisfy { reason in
            Reason.isPassedOn(reason.reason)
                || Self.ofToolkit.contains { reason.reason == $0 || reason.reason.hasPrefix($0 + " ") }
        }
        guard isOfToolkit else { return false }
        return toolkitCount <= Self.few || store.rate(of: toolkitCount).map { $0 < 1 } ?? false
    }

    /// Its drawings that are neither the first of an instance, nor passed on.
    private var toolkitCount: UInt64 {
        view.reasons.reduce(UInt64(0)) { sum, reason in
            let isOther = reason.reason == Reason.initial || Reason.isPassedOn(reason.reason)
            return isOther ? sum : sum.clampedSum(reason.count)
        }
    }

    /// The class that a widget is a part of, as its key says: `Window` of `Window/GtkBox#list`.
    fileprivate var owner: ViewKey? {
        let type = keyType
        return PathName.isPath(type) ? PathName.parts(of: type).first.map { ViewKey(rawValue: $0) } : nil
    }

    /// The class of a widget that is no part of another one: `Window` of `Window#main`.
    fileprivate var ownClass: ViewKey? {
        let type = keyType
        return store.kind == .widgets && !PathName.isPath(type) ? ViewKey(rawValue: type) : nil
    }

    /// A key without the name that the program gave the widget.
    private var keyType: String { String(view.key.rawValue.prefix { $0 != "#" }) }
}
