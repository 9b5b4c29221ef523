// SPDX-License-Identifier: MIT
// The texts of the HUD: the lines below the expanded row, and numbers as short texts.

import RerenderModel

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
