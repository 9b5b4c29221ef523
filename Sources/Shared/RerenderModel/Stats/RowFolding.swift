// SPDX-License-Identifier: MIT
// Finds rows that say nothing of their own. Tables, `top`, the HUD and pages fold them under the row whose evaluation they pass on, or into one line.

/// What a reason tells of who caused an evaluation.
package enum ReasonOrigin: Sendable {
    /// The first evaluation of an instance.
    case first
    /// Another view's evaluation.
    case passedOn
    /// What GTK does by itself.
    case toolkit
    /// Anything else.
    case own

    /// The reasons of a widget that GTK has by itself, and what each may be followed by: whose layout it was, or which state.
    private static let ofToolkit = ["state", "style", "size", "layout", "shown again"]

    /// Compares bytes, so that no text is slow to compare.
    package init(_ reason: String) {
        if Reason.isPassedOn(reason) {
            self = .passedOn
        } else if reason.utf8.elementsEqual(Reason.initial.utf8) {
            self = .first
        } else {
            let isOfToolkit = Self.ofToolkit.contains { word in
                reason.utf8.starts(with: word.utf8)
                    && reason.utf8.dropFirst(word.utf8.count).first.map { $0 == UInt8(ascii: " ") } ?? true
            }
            self = isOfToolkit ? .toolkit : .own
        }
    }
}

/// What the reasons of a view tell of whether its row says nothing of its own.
package struct RowReasons: Sendable {
    /// Evaluations that another view's led to.
    package private(set) var passedOn: UInt64 = 0
    /// The main one of their reasons; nil without such evaluations.
    fileprivate var main: (text: String, count: UInt64)?
    /// Evaluations that were neither such nor the first of an instance.
    fileprivate var others: UInt64 = 0
    private var hasFirst = false
    /// Whether all others are of GTK.
    fileprivate var areOfToolkit = true

    package init() {}

    /// Adds a reason with its evaluations.
    package mutating func add(_ reason: String, _ count: UInt64, _ origin: ReasonOrigin) {
        guard count > 0 else { return }
        switch origin {
        case .first: hasFirst = true
        case .passedOn:
            passedOn = passedOn.clampedSum(count)
            if let main, !Reason.isMain((reason, count), over: main) { return }
            main = (reason, count)
        case .toolkit: others = others.clampedSum(count)
        case .own: (others, areOfToolkit) = (others.clampedSum(count), false)
        }
    }

    /// Whether each instance was evaluated once.
    fileprivate var isOnce: Bool { hasFirst && main == nil && others == 0 }
}

/// Names a view of a store. It is a part of a text that is there: none is made for it.
private struct PlacedName: Hashable {
    let store: Int
    let view: Substring
}

/// What of a view decides whether its row says nothing of its own.
package struct RowFacts: Sendable {
    /// So many drawings are few, however short the time.
    private static let few: UInt64 = 10

    fileprivate let name: PlacedName
    private let isWidget: Bool
    /// Whether nothing was found about it.
    private let isPlain: Bool
    private let hasWaste: Bool
    private let reasons: RowReasons
    /// Whether it is a widget that GTK drew a few times for its own reasons, at less cost than is worth a finding.
    fileprivate let isQuiet: Bool

    /// - Parameters:
    ///   - store: Its views are not looked at.
    ///   - number: What tells the store from those of other rows.
    ///   - wasted: Evaluations that were not needed.
    ///   - hangs: Hangs that the view was blamed for.
    package init(
        _ key: ViewKey, in store: ProcessStats, number: Int = 0, _ rank: RowRank, wasted: UInt64, hangs: UInt64,
        _ reasons: RowReasons
    ) {
        let (isWidget, isPlain) = (store.kind == .widgets, rank.mark == .plain && hangs == 0)
        let isCheap = isWidget && isPlain && rank.nanoseconds < VerdictFloor.nanoseconds && reasons.areOfToolkit
        isQuiet = isCheap && (reasons.others <= Self.few || store.rate(of: reasons.others).map { $0 < 1 } ?? false)
        name = PlacedName(store: number, view: key.rawValue[...])
        (self.reasons, hasWaste) = (reasons, wasted > 0)
        (self.isWidget, self.isPlain) = (isWidget, isPlain)
    }

    package init(_ view: Stats, in store: ProcessStats, number: Int, _ rank: RowRank) {
        var reasons = RowReasons()
        for reason in view.reasons { reasons.add(reason.reason, reason.count, ReasonOrigin(reason.reason)) }
        self.init(
            view.key, in: store, number: number, rank, wasted: view.wasted.count, hangs: view.hangs.count, reasons)
    }

    /// Whether it does nothing but pass on, but for the first evaluation of each instance.
    fileprivate var isPassingAll: Bool { reasons.others == 0 }

    /// The row whose evaluation it passes on; nil where it has a cause of its own. A widget that GTK drew a few times besides has none.
    fileprivate var passesOn: (row: PlacedName, isChild: Bool)? {
        guard isPlain, let main = reasons.main, isPassingAll || (isQuiet && reasons.others <= reasons.passedOn / 9),
            let passed = Reason.passedOn(main.text), passed.isChild || !hasWaste
        else { return nil }
        return (PlacedName(store: name.store, view: passed.view), passed.isChild)
    }

    /// Whether each instance was evaluated once, and nothing was found about that.
    fileprivate var isOnce: Bool { isPlain && !hasWaste && reasons.isOnce }

    /// The class that a widget is a part of, as its key says: `Window` of `Window/GtkBox#list`.
    fileprivate var owner: PlacedName? {
        let type = keyType
        return type.firstIndex(of: Self.slash).map { PlacedName(store: name.store, view: Substring(type[..<$0])) }
    }

    /// The class of a widget that is no part of another one: `Window` of `Window#main`.
    fileprivate var ownClass: PlacedName? {
        let type = keyType
        return isWidget && !type.contains(Self.slash) ? PlacedName(store: name.store, view: Substring(type)) : nil
    }

    private static let slash = UInt8(ascii: "/")

    /// A key without the name that the program gave the widget.
    private var keyType: Substring.UTF8View { name.view.utf8.prefix { $0 != UInt8(ascii: "#") } }
}

/// How many rows are folded under a row.
private struct FoldedCounts: Equatable {
    /// Those that drew again because it did.
    var parents = 0
    /// Those that were evaluated because it was.
    var children = 0
    /// Those that GTK drew for its own reasons, in a widget of the program.
    var parts = 0

    var isEmpty: Bool { self == Self() }

    mutating func add(_ other: Self, times: Int = 1) {
        parents += times * other.parents
        children += times * other.children
        parts += times * other.parts
    }

    /// ` (+12 parents)`; empty for none.
    var note: String {
        guard !isEmpty else { return "" }
        let texts = [
            parents > 0 ? "+" + Counted.text(parents, "parent") : nil,
            children > 0 ? "+" + Counted.text(children, "child", "children") : nil,
            parts > 0 ? "+" + Counted.text(parts, "part") : nil,
        ].compactMap(\.self)
        return " (\(texts.joined(separator: ", ")))"
    }
}

/// The places of rows that only pass on what another row caused, and of those that were evaluated once.
///
/// A row with a finding or a hang is never folded, nor a view that only its parent's evaluation caused and whose waste is known: its author can
/// compare its inputs. Of widgets, those are folded, too, that GTK drew a few times for its own reasons, as for a layout or the pointer: they cost
/// less than is worth a finding. They stand under the widget of the program's class that they are a part of.
///
/// It takes time by the number of rows, and for each at most ``mostSteps``.
package struct RowFolding: Sendable {
    private struct Fold {
        /// What it counts as: nothing if it was evaluated once.
        let counts: FoldedCounts
        /// The row that it stands under; nil for none.
        let root: Int?
    }

    /// The row whose evaluation is passed on.
    private typealias Target = (place: Int, isChild: Bool)

    /// Rows between one that passes on and the one that has the cause.
    private static let mostSteps = 64

    private let under: [FoldedCounts]
    /// Nil for rows that are shown.
    private let folds: [Fold?]
    /// Whether those that pass on do nothing else.
    private let isPassingAll: Bool

    /// - Parameter rows: In the order of the table.
    package init(_ rows: [RowFacts]) {
        let places = Dictionary(zip(rows.lazy.map { $0.name }, rows.indices)) { first, _ in first }
        let targets = rows.map { row -> Target? in
            guard let passed = row.passesOn, let place = places[passed.row] else { return nil }
            return (place: place, isChild: passed.isChild)
        }
        var under = [FoldedCounts](repeating: FoldedCounts(), count: rows.count)
        var folds = [Fold?](repeating: nil, count: rows.count)
        var isPassingAll = true
        for (index, target) in targets.enumerated() {
            guard let target, let root = Self.root(of: index, targets) else { continue }
            let counts = target.isChild ? FoldedCounts(parents: 1) : FoldedCounts(children: 1)
            folds[index] = Fold(counts: counts, root: root)
            under[root].add(counts)
            isPassingAll = isPassingAll && rows[index].isPassingAll
        }
        let quiet = rows.indices.filter {
            folds[$0] == nil && rows[$0].isQuiet && (!under[$0].isEmpty || !rows[$0].isOnce)
        }
        var owners: [PlacedName: Int] = [:]
        for index in rows.indices.reversed() where !quiet.isEmpty {
            if let name = rows[index].ownClass { owners[name] = index }
        }
        for index in quiet {
            // The owner may stand under this one.
            guard let owner = rows[index].owner.flatMap({ owners[$0] }), folds[owner]?.root != index else { continue }
            let (part, root) = (FoldedCounts(parts: 1), folds[owner] == nil ? owner : nil)
            folds[index] = Fold(counts: part, root: root)
            if let root {
                under[root].add(part)
                under[root].add(under[index])
            }
            under[index] = FoldedCounts()
        }
        let left = rows.indices.filter { folds[$0] == nil }
        let once = left.filter { under[$0].isEmpty && rows[$0].isOnce }
        if once.count > 1, once.count < left.count {
            for index in once { folds[index] = Fold(counts: FoldedCounts(), root: nil) }
        }
        (self.under, self.folds, self.isPassingAll) = (under, folds, isPassingAll)
    }

    /// The places of the rows that are shown, in their order.
    ///
    /// - Parameter open: A row that is shown nevertheless.
    package func shown(with open: Int? = nil) -> [Int] { folds.indices.filter { folds[$0] == nil || $0 == open } }

    /// The places of those that are folded.
    package var hidden: [Int] { folds.indices.filter { folds[$0] != nil } }

    /// The row that a folded one is counted under; nil for none.
    package func home(of row: Int) -> Int? {
        guard let root = folds[row]?.root else { return nil }
        // What stands under a part is counted where that is.
        if let part = folds[root] { return part.root }
        return root
    }

    /// ` (+12 parents)`: what is folded under a row; empty for nothing.
    ///
    /// - Parameter open: A row that is shown nevertheless. It is not counted.
    package func note(under row: Int, with open: Int? = nil) -> String {
        var counts = under[row]
        if let open, home(of: open) == row, let fold = folds[open] { counts.add(fold.counts, times: -1) }
        return counts.note
    }

    /// The row that has the cause; nil where rows pass on to each other alone.
    private static func root(of index: Int, _ targets: [Target?]) -> Int? {
        var place = index
        for _ in 0..<mostSteps {
            guard let next = targets[place]?.place else { return place == index ? nil : place }
            place = next
        }
        return nil
    }

    /// What is folded: `3 widgets only pass on what others caused and 41 were drawn once`; empty where every row is shown.
    package func text(_ words: StoreWords) -> String {
        var all = FoldedCounts()
        for case let fold? in folds { all.add(fold.counts) }
        let (passing, parts, only) = (all.parents + all.children, all.parts, isPassingAll ? "only " : "")
        let kinds = [
            (passing, "\(only)\(passing == 1 ? "passes" : "pass") on what others caused"),
            (parts, "\(parts == 1 ? "was" : "were") drawn for a layout or a state"),
            (hidden.count - passing - parts, "were \(words.participle) once"),
        ].filter { $0.0 > 0 }
        return Counted.list(
            kinds.enumerated().map { place, kind in
                "\(place == 0 ? Counted.text(kind.0, words.noun) : Counted.grouped(kind.0)) \(kind.1)"
            })
    }
}
