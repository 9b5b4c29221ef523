// SPDX-License-Identifier: MIT
// Why a body was evaluated.

/// Names for the reasons that the library itself gives.
public enum Reason: Sendable {
    /// The first evaluation of an instance.
    public static let initial = "initial"
    /// Nothing that is known explains the evaluation.
    public static let externalSignal = "<external signal>"
    /// Nothing is known of why a widget of GTK drew again.
    public static let unknown = "unknown"
    /// What reasons beyond the limit of a view are counted under.
    public static let other = "other"

    /// What an evaluation has as its reason that only its parent's evaluation caused: `parent: KEY`.
    public static func parent(_ key: ViewKey) -> String { "parent: \(key.rawValue)" }

    /// Whether an evaluation for it had no cause of its own: a widget drew again because one in it did (`child KEY`), or only the parent's evaluation
    /// caused it (`parent: KEY`). The part for GTK makes the former. Compares bytes, so that no text is slow to compare.
    package static func isPassedOn(_ reason: String) -> Bool {
        reason.utf8.starts(with: ofChild.utf8) || reason.utf8.starts(with: ofParent.utf8)
    }

    /// The view whose evaluation was passed on, of several the first, and whether that is a child; nil where the reason is another one.
    package static func passedOn(_ reason: String) -> (view: Substring, isChild: Bool)? {
        let isChild = reason.utf8.starts(with: ofChild.utf8)
        guard isChild || reason.utf8.starts(with: ofParent.utf8) else { return nil }
        let name = reason.utf8.dropFirst((isChild ? ofChild : ofParent).utf8.count)
        // Of several children, the first is named.
        let hasOthers = isChild && name.suffix(andOthers.utf8.count).elementsEqual(andOthers.utf8)
        let one = hasOthers ? name.dropLast(andOthers.utf8.count) : name
        return (Substring(one), isChild)
    }

    /// The view that alone asked for the layout which the reason is: `size for KEY`, `layout for KEY`; nil for other reasons.
    package static func layoutAsker(_ reason: String) -> ViewKey? {
        guard let beginning = ["size for ", "layout for "].first(where: { reason.utf8.starts(with: $0.utf8) }),
            !reason.utf8.suffix(andOthers.utf8.count).elementsEqual(andOthers.utf8)
        else { return nil }
        return ViewKey(rawValue: String(decoding: reason.utf8.dropFirst(beginning.utf8.count), as: UTF8.self))
    }

    private static let ofChild = "child "
    private static let ofParent = "parent: "
    private static let andOthers = " and others"

    /// Whether the first of two reasons is rather a view's main one: it has more evaluations.
    ///
    /// Of two with as many it is the one that is not `initial`, which says little, and else the first by text.
    package static func isMain(
        _ first: (text: String, count: UInt64), over second: (text: String, count: UInt64)
    ) -> Bool {
        if first.count != second.count { return first.count > second.count }
        let (isFirst, isSecond) = (first.text == initial, second.text == initial)
        return isFirst != isSecond ? isSecond : first.text < second.text
    }
}

/// A reason with a text of its own, which no property, no parent and no caller gives.
///
/// A new kind of reason is a case here, and a method of `RerenderStore` that announces its text, or what `StoreCore.found` finds. Tests ask
/// for a labelled case in `CauseCorpus`, which shows whether the evidence is looked for, and for a row in the guide.
package enum FixedReason: CaseIterable, Sendable {
    case initial, externalSignal, unknown, other

    fileprivate static let byText = Dictionary(allCases.map { ($0.text, $0) }) { first, _ in first }

    package var text: String { row.text }

    /// What it says, in words.
    package var sentence: String { row.sentence }

    /// Whether something may have changed that the app's code wrote.
    package var isChange: Bool { row.isChange }

    /// All of the above, and whether it can be a fact: a property of the same name is known in another way.
    fileprivate var row: (text: String, sentence: String, isChange: Bool, isFact: Bool) {
        switch self {
        case .initial: (Reason.initial, "a new instance appeared", false, true)
        case .externalSignal: (Reason.externalSignal, "no observed change explains it", true, false)
        case .unknown: (Reason.unknown, "its cause was not found", true, false)
        case .other: (Reason.other, "over the limit of reasons for a view", true, false)
        }
    }
}

/// How sure a reason is.
public enum Attribution: String, Hashable, Codable, Sendable, CaseIterable {
    /// A fact that the library observed.
    case exact
    /// The caller or a framework's bridge said so.
    case announced
    /// Found by comparing values.
    case diff
}

/// How often a view was evaluated for one reason.
public struct ReasonCount: Hashable, Codable, Sendable {
    /// The reason.
    public var reason: String
    /// Evaluations for it.
    public var count: UInt64
    /// Those that were further evaluations of one update; nil where there are none, or where that is not known.
    public var passes: UInt64?
    /// How sure it is; nil where the reason says that none is known, or stands for several.
    public var attribution: Attribution?
    /// Who wrote what caused it, most frequent first.
    public var writers: [WriterCount]
    /// Where it began if an ancestor caused it, most frequent first; empty unless the reason is `parent: KEY`.
    public var chains: [ChainCount]

    /// Makes a count for a reason.
    public init(
        reason: String, count: UInt64, attribution: Attribution?, writers: [WriterCount] = [],
        chains: [ChainCount] = []
    ) {
        self.reason = reason
        self.count = count
        self.attribution = attribution
        self.writers = writers
        self.chains = chains
    }

    /// Makes a count of evaluations some of which may be passes.
    package init(
        reason: String, count: UInt64, passes: UInt64, attribution: Attribution?, writers: [WriterCount] = [],
        chains: [ChainCount] = []
    ) {
        self.init(reason: reason, count: count, attribution: attribution, writers: writers, chains: chains)
        if passes > 0 { self.passes = passes }
    }

    /// Updates for it: evaluations without the further ones of the same update.
    public var updates: UInt64 { count - min(passes ?? 0, count) }

    /// Whether `lhs` stands above `rhs` in a list: more evaluations first, then by text.
    package static func byCount(_ lhs: ReasonCount, _ rhs: ReasonCount) -> Bool {
        lhs.count != rhs.count ? lhs.count > rhs.count : lhs.reason < rhs.reason
    }

    /// Whether `lhs` is rather a view's main reason: see ``Reason/isMain(_:over:)``.
    package static func isMain(_ lhs: ReasonCount, over rhs: ReasonCount) -> Bool {
        Reason.isMain((lhs.reason, lhs.count), over: (rhs.reason, rhs.count))
    }

    /// Whether it is a guess: found by comparing values, and not observed.
    package var isGuess: Bool {
        switch attribution {
        case .diff: true
        case .exact, .announced, nil: false
        }
    }

    /// The fixed reason that it is; nil for any other one.
    package var fixed: FixedReason? {
        FixedReason.byText[reason].flatMap { attribution == nil || $0.row.isFact && !isGuess ? $0 : nil }
    }

    /// The reason with a `~` before a guess, safe to print.
    package var marked: String { (isGuess ? "~" : "") + Printable.text(reason) }

    /// Who wrote most of what led to these evaluations; nil where no writer has a name.
    package var namedWriter: WriterCount? { writers.first { $0.writer != Reason.other } }
}

/// How often one piece of code wrote what caused an evaluation.
public struct WriterCount: Hashable, Codable, Sendable {
    /// The function, file and line: `Ticker.advance() Shop/Ticker.swift:40`.
    public var writer: String
    /// Its writes.
    public var count: UInt64

    package init(writer: String, count: UInt64) {
        self.writer = writer
        self.count = count
    }
}

/// Where an evaluation that only a parent caused began, and how often.
public struct ChainCount: Hashable, Codable, Sendable {
    /// The ancestors down to the first cause, nearest first: `Dashboard ← ticker.tick`.
    public var chain: String
    /// Evaluations that began there.
    public var count: UInt64

    package init(chain: String, count: UInt64) {
        self.chain = chain
        self.count = count
    }

    /// The ancestor that a chain ends at, and that one's own reason, which has the writer.
    ///
    /// Wrong where a key or a reason has ` ← ` in it: look for such a view, and there may be none.
    package var origin: (view: ViewKey, reason: String)? {
        let links = chain.split(separator: " ← ", omittingEmptySubsequences: false)
        guard links.count >= 2 else { return nil }
        return (ViewKey(rawValue: String(links[links.count - 2])), String(links[links.count - 1]))
    }
}
