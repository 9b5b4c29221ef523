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
            let isOfToolkit = Self.ofToolkit.contains {
                reason.utf8.elementsEqual($0.utf8) || reason.utf8.starts(with: "\($0) ".utf8)
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

/// What of a view decides whether its row says nothing of its own.
package struct RowFacts: Sendable {
    /// So many drawings are few, however short the time.
    private static let few: UInt64 = 10

    /// The number of its store.
    fileprivate let store: Int
    fileprivate let key: ViewKey
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
        (self.store, self.key, self.reasons, hasWaste) = (number, key, reasons, wasted > 0)
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
    fileprivate var passesOn: (view: ViewKey, isChild: Bool)? {
        guard isPlain, let main = reasons.main, isPassingAll || (isQuiet && reasons.others <= reasons.passedOn / 9),
            let passed = Reason.passedOn(main.text), passed.isChild || !hasWaste
        else { return nil }
        return passed
    }

    /// Whether each instance was evaluated once, and nothing was found about that.
    fileprivate var isOnce: Bool { isPlain && !hasWaste && reasons.isOnce }

    /// The class that a widget is a part of, as its key says: `Window` of `Window/GtkBox#list`.
    fileprivate var owner: ViewKey? {
        let type = keyType
        return PathName.isPath(type) ? PathName.parts(of: type).first.map { ViewKey(rawValue: $0) } : nil
    }

    /// The class of a widget that is no part of another one: `Window` of `Window#main`.
    fileprivate var ownClass: ViewKey? {
        let type = keyType
        return isWidget && !PathName.isPath(type) ? ViewKey(rawValue: type) : nil
    }

    /// A key without the name that the program gave the widget.
    private var keyType: String {
        String(decoding: key.rawValue.utf8.prefix { $0 != UInt8(ascii: "#") }, as: UTF8.self)
    }
}

/// How many rows are folded under a row.
package struct FoldedCounts: Hashable, Sendable {
    /// Those that drew again because it did.
    private var parents = 0
    /// Those that were evaluated because it was.
    private var children = 0
    /// Those that GTK drew for its own reasons, in a widget of the program.
    private var parts = 0

    package init() {}

    fileprivate mutating func add(isParent: Bool) {
        parents += isParent ? 1 : 0
        children += isParent ? 0 : 1
    }

    /// - Parameter other: What was folded under the part.
    fileprivate mutating func add(part other: Self) {
        parts += other.parts + 1
        parents += other.parents
        children += other.children
    }

    /// ` (+12 parents)`; empty for none.
    package var note: String {
        let texts = [
            parents > 0 ? "+" + Counted.text(parents, "parent") : nil,
            children > 0 ? "+" + Counted.text(children, "child", "children") : nil,
            parts > 0 ? "+" + Counted.text(parts, "part") : nil,
        ].compactMap(\.self)
        return texts.isEmpty ? "" : " (\(texts.joined(separator: ", ")))"
    }
}

/// The places of rows that only pass on what another row caused, and of those that were evaluated once.
///
/// A row with a finding or a hang is never folded, nor a view that only its parent's evaluation caused and whose waste is known: its author can
/// compare its inputs. Of widgets, those are folded, too, that GTK drew a few times for its own reasons, as for a layout or the pointer: they cost
/// less than is worth a finding. They stand under the widget of the program's class that they are a part of.
package struct RowFolding: Sendable {
    /// Names a view of a store.
    private struct Name: Hashable {
        let store: Int
        let view: ViewKey
    }

    /// The row whose evaluation is passed on.
    private typealias Target = (place: Int, isChild: Bool)

    /// Rows between one that passes on and the one that has the cause.
    private static let mostSteps = 64

    /// How many rows are folded under each row that is shown; none under those that are not here.
    package let under: [Int: FoldedCounts]
    /// Those that are folded under others.
    package let passing: [Int]
    /// Those that GTK drew for its own reasons.
    package let parts: [Int]
    /// Those that were evaluated once.
    package let once: [Int]
    private let isFolded: [Bool]
    /// Whether all of ``passing`` do nothing else.
    private let isPassingAll: Bool

    /// - Parameter rows: In the order of the table.
    package init(_ rows: [RowFacts]) {
        var isFolded = [Bool](repeating: false, count: rows.count)
        var under: [Int: FoldedCounts] = [:]
        let names = rows.map { Name(store: $0.store, view: $0.key) }
        let places = Dictionary(zip(names, rows.indices)) { first, _ in first }
        let targets = rows.map { row -> Target? in
            guard let passed = row.passesOn else { return nil }
            return places[Name(store: row.store, view: passed.view)].map { (place: $0, isChild: passed.isChild) }
        }
        for (index, target) in targets.enumerated() {
            guard let target, let root = Self.root(of: index, targets) else { continue }
            isFolded[index] = true
            under[root, default: FoldedCounts()].add(isParent: target.isChild)
        }
        let passing = rows.indices.filter { isFolded[$0] }
        let quiet = rows.indices.filter { !isFolded[$0] && rows[$0].isQuiet && (under[$0] != nil || !rows[$0].isOnce) }
        let classes = quiet.isEmpty ? [] : rows.indices.filter { rows[$0].ownClass != nil }
        let owners = Dictionary(
            classes.compactMap { index in
                rows[index].ownClass.map { (Name(store: rows[index].store, view: $0), index) }
            }
        ) { first, _ in first }
        var parts: [Int] = []
        for index in quiet {
            let owner = rows[index].owner.flatMap { owners[Name(store: rows[index].store, view: $0)] }
            // The owner may stand under this one.
            guard let owner, !isFolded[owner] || Self.root(of: owner, targets) != index else { continue }
            isFolded[index] = true
            parts.append(index)
            let own = under.removeValue(forKey: index) ?? FoldedCounts()
            if !isFolded[owner] { under[owner, default: FoldedCounts()].add(part: own) }
        }
        let single = rows.indices.filter { !isFolded[$0] && under[$0] == nil && rows[$0].isOnce }
        once = single.count > 1 && single.count + passing.count + parts.count < rows.count ? single : []
        for index in once { isFolded[index] = true }
        isPassingAll = passing.allSatisfy { rows[$0].isPassingAll }
        (self.isFolded, self.under, self.passing, self.parts) = (isFolded, under, passing, parts)
    }

    /// The places of the rows that are shown, in their order.
    ///
    /// - Parameter isKept: Whether a row is shown nevertheless.
    package func shown(with isKept: (Int) -> Bool = { _ in false }) -> [Int] {
        isFolded.indices.filter { !isFolded[$0] || isKept($0) }
    }

    /// The places of all others.
    package var hidden: [Int] { passing + parts + once }

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
        let only = isPassingAll ? "only " : ""
        let kinds = [
            (passing.count, "\(only)\(passing.count == 1 ? "passes" : "pass") on what others caused"),
            (parts.count, "\(parts.count == 1 ? "was" : "were") drawn for a layout or a state"),
            (once.count, "were \(words.participle) once"),
        ].filter { $0.0 > 0 }
        return Counted.list(
            kinds.enumerated().map { place, kind in
                "\(place == 0 ? Counted.text(kind.0, words.noun) : Counted.grouped(kind.0)) \(kind.1)"
            })
    }
}
