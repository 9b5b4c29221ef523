// SPDX-License-Identifier: MIT
// What the HUD shows: the caller reads it from a store.

package import RerenderModel

/// A view in the list.
package struct HUDRow: Hashable, Sendable {
    /// The view's name, which is unique among the rows.
    package var key: String
    /// How often it was evaluated.
    package var count: UInt64
    /// Evaluations per second now; nil where that is unknown.
    package var rate: Double?
    /// How many of them were not needed; nil where that is unknown.
    package var wasted: UInt64?
    /// Whether the waste is only inferred.
    package var isWasteInferred: Bool
    /// Whether so much of it was wasted that it is worth a finding.
    package var isWasteful: Bool
    /// The main reason with a `~` before a guess, and its share; empty where none is known.
    package var why: String
    /// ` (+12 parents)`: what is folded under it; empty for nothing.
    package var note: String
    /// How many hangs the view was blamed for.
    package var hangs: UInt64

    package init(
        key: String, count: UInt64, rate: Double? = nil, wasted: UInt64? = nil, isWasteInferred: Bool = false,
        isWasteful: Bool = false, why: String = "", note: String = "", hangs: UInt64 = 0
    ) {
        (self.isWasteful, self.note) = (isWasteful, note)
        (self.key, self.count, self.rate, self.wasted) = (key, count, rate, wasted)
        (self.isWasteInferred, self.why, self.hangs) = (isWasteInferred, why, hangs)
    }
}

/// A reason of the expanded view.
package struct HUDReason: Hashable, Sendable {
    /// With a `~` before a guess.
    package var text: String
    package var count: UInt64
    /// The function that wrote most often; nil where that is unknown.
    package var writer: String?

    package init(_ text: String, count: UInt64, writer: String? = nil) {
        (self.text, self.count, self.writer) = (text, count, writer)
    }
}

/// Two durations in nanoseconds; nil where they are unknown.
package struct HUDTimes: Hashable, Sendable {
    package var last: UInt64?
    package var average: UInt64?

    package init(last: UInt64? = nil, average: UInt64? = nil) { (self.last, self.average) = (last, average) }
}

/// How long hangs were, in nanoseconds.
package struct HUDHangs: Hashable, Sendable {
    package var last: UInt64
    package var worst: UInt64

    package init(last: UInt64, worst: UInt64) { (self.last, self.worst) = (last, worst) }
}

/// What is shown below the expanded row.
package struct HUDDetails: Hashable, Sendable {
    /// The view that it is about.
    package var key: String
    /// Time in the body alone.
    package var body: HUDTimes
    /// Time with all that runs around the body.
    package var total: HUDTimes
    /// File and line; nil where they are unknown.
    package var place: String?
    /// The latest and the longest hang; nil where there was none.
    package var hangs: HUDHangs?
    /// Most frequent first.
    package var reasons: [HUDReason]

    package init(
        key: String, body: HUDTimes = HUDTimes(), total: HUDTimes = HUDTimes(), place: String? = nil,
        hangs: HUDHangs? = nil, reasons: [HUDReason] = []
    ) {
        (self.key, self.body, self.total, self.place) = (key, body, total, place)
        (self.hangs, self.reasons) = (hangs, reasons)
    }
}

/// All that the HUD shows.
package struct HUDContent: Hashable, Sendable {
    /// Rows that are kept; the others are counted.
    package static let mostRows = 500

    /// The names of the stores.
    package var stores: [String]
    /// The place of the shown store among them.
    package var store: Int
    /// The views, highest rank first.
    package private(set) var rows: [HUDRow]
    /// How many views are not among the rows.
    package private(set) var leftOut: Int
    /// The details of the expanded row, if it is in this store.
    package var details: HUDDetails?
    /// What the HUD itself takes, in percents of one core; nil while that is unknown.
    package var cost: Double?
    /// What costs most in the process; nil where that is not known.
    package var verdict: Verdict.Finding?
    /// What may be missing from the store's counts, as sentences.
    package var gaps: [String] = []
    /// How many rows are folded, as they say nothing of their own.
    package var folded = 0
    /// Whether the store has widgets of GTK.
    package var areWidgets = false

    /// - Parameter total: How many views there are besides those that are folded; nil where the rows are all of them.
    package init(
        stores: [String] = [], store: Int = 0, rows: [HUDRow] = [], total: Int? = nil, details: HUDDetails? = nil,
        cost: Double? = nil
    ) {
        (self.stores, self.store, self.details, self.cost) = (stores, store, details, cost)
        self.rows = Array(rows.prefix(Self.mostRows))
        leftOut = max(0, (total ?? rows.count) - self.rows.count)
    }

    /// The name of the shown store.
    var storeName: String { stores.indices.contains(store) ? stores[store] : "" }
}

extension HUDContent {
    /// Whether the rows are those of another content, in its order.
    func hasOrder(of other: HUDContent) -> Bool {
        rows.lazy.map(\.key).elementsEqual(other.rows.lazy.map(\.key))
    }
}

// The texts of the HUD: the lines below the expanded row, and numbers as short texts.

struct HUDDetailLine: Hashable, Sendable {
    /// What a line is about.
    enum Kind: Hashable, Sendable { case plain, place, hang, reason, writer, more }

    /// What stands before it; empty where the line goes on with what the one above is about.
    var label: String
    var text: String
    var kind = Kind.plain

    /// Reasons that are shown; the others are counted.
    static let mostReasons = 6

    /// The lines of a state's expanded row.
    static func all(_ state: HUDState) -> [HUDDetailLine] {
        guard let details = state.content.details, details.key == state.expanded else {
            return [HUDDetailLine(label: "", text: "no details yet", kind: .more)]
        }
        let row = state.content.rows.first { $0.key == details.key }
        return [
            HUDDetailLine(label: state.content.areWidgets ? "Draw" : "Body", text: times(details.body)),
            HUDDetailLine(label: "Total", text: times(details.total)),
            HUDDetailLine(label: "Place", text: details.place ?? HUDNumbers.unknown, kind: .place),
            hangs(details.hangs, row?.hangs ?? 0),
        ] + reasons(details.reasons) + state.content.gaps.flatMap(missing)
    }

    /// What may be missing from the numbers, with what that makes unknown on a line of its own.
    private static func missing(_ gap: String) -> [HUDDetailLine] {
        gap.split(separator: ": ", maxSplits: 1).enumerated().map { place, part in
            HUDDetailLine(label: place == 0 ? "Gap" : "", text: String(part))
        }
    }

    static func height(of lines: [HUDDetailLine]) -> Double {
        Double(lines.count) * HUDMetrics.detailLine + 2 * HUDMetrics.detailPadding
    }

    private static func times(_ times: HUDTimes) -> String {
        "last \(HUDNumbers.time(times.last)) · average \(HUDNumbers.time(times.average))"
    }

    private static func hangs(_ hangs: HUDHangs?, _ count: UInt64) -> HUDDetailLine {
        guard let hangs, count > 0 else { return HUDDetailLine(label: "Hangs", text: "none") }
        let text = "\(count) · last \(HUDNumbers.time(hangs.last)) · longest \(HUDNumbers.time(hangs.worst))"
        return HUDDetailLine(label: "Hangs", text: text, kind: .hang)
    }

    private static func reasons(_ reasons: [HUDReason]) -> [HUDDetailLine] {
        guard !reasons.isEmpty else { return [HUDDetailLine(label: "Why", text: HUDNumbers.unknown)] }
        let shown = reasons.prefix(mostReasons).enumerated().flatMap { place, reason -> [HUDDetailLine] in
            let text = "\(reason.text) × \(HUDNumbers.count(reason.count))"
            let line = HUDDetailLine(label: place == 0 ? "Why" : "", text: text, kind: .reason)
            return [line] + (reason.writer.map { [HUDDetailLine(label: "", text: "by \($0)", kind: .writer)] } ?? [])
        }
        let rest = reasons.count - mostReasons
        guard rest > 0 else { return shown }
        return shown + [HUDDetailLine(label: "", text: "\(rest) more", kind: .more)]
    }
}

/// A view's key in two parts: what tells it from others, and what it is of.
struct HUDName: Hashable, Sendable {
    /// `first_move_button` of `ChessWindow/GtkButton#first_move_button`, or else what follows the last slash.
    let name: String
    /// `ChessWindow/GtkButton`; empty where the name is all of the key.
    let owner: String

    init(_ key: String) {
        let slash = key.utf8.lastIndex(of: UInt8(ascii: "/"))
        let last = slash.map { key[key.utf8.index(after: $0)...] } ?? key[...]
        guard !last.isEmpty else {
            (name, owner) = (key, "")
            return
        }
        // The ID of a widget; a label may have the sign before a number.
        let sign = last.lastIndex(of: "#")
        let id = sign.map { last[last.index(after: $0)...] } ?? ""
        if let sign, let first = id.first, first.isLetter || first == "_", sign > last.startIndex {
            (name, owner) = (String(id), String(key[..<sign]))
        } else {
            (name, owner) = (String(last), slash.map { String(key[..<$0]) } ?? "")
        }
    }
}

/// Writes numbers for the columns of the HUD. `–` stands for what is unknown.
enum HUDNumbers {
    static let unknown = "–"

    /// `0`, `99999`, `123K`, `4.5M`: at most five characters below 10 billion.
    static func count(_ count: UInt64) -> String {
        switch count {
        case ..<100_000: "\(count)"
        case ..<1_000_000: "\(count / 1_000)K"
        case ..<1_000_000_000: tenths(count / 100_000) + "M"
        default: tenths(count / 100_000_000) + "G"
        }
    }

    /// Evaluations per second: `0`, `0.4`, `24`; `<0.1` for fewer.
    static func rate(_ rate: Double?) -> String {
        guard let rate, rate.isFinite else { return unknown }
        switch rate {
        case ...0: return "0"
        case ..<0.1: return "<0.1"
        case ..<9.95: return tenths(UInt64((rate * 10).rounded()))
        default: return count(UInt64(min(rate, 1e12).rounded()))
        }
    }

    /// `12`, `~12` where it is inferred.
    static func waste(_ row: HUDRow) -> String {
        guard let wasted = row.wasted else { return unknown }
        return (row.isWasteInferred && wasted > 0 ? "~" : "") + count(wasted)
    }

    /// `812ns`, `4.12µs`, `38.0ms`, `1.50s`: three figures, cut.
    static func time(_ nanoseconds: UInt64?) -> String { nanoseconds.map(DurationText.short) ?? unknown }

    /// Percents of one core: `0.4%`; `<0.1%` for less.
    static func percent(_ percent: Double?) -> String { percent.map(PercentOfCore.text) ?? unknown }

    private static func tenths(_ number: UInt64) -> String { "\(number / 10).\(number % 10)" }
}
