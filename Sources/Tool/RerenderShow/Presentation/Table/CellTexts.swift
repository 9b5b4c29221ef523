// SPDX-License-Identifier: MIT
// Table cells for waste, reasons and times.

/// Cells of wasted evaluations: what is measured, and after a `~` what is inferred from inputs.
package enum WasteText {
    /// `308 98%`, `~8 2%`, `308 96% ~8 2%`, of all updates; `-` where none is known.
    static func cell(_ view: Stats) -> String {
        apart(view.wasted.measured, view.wasted.inferred) { "\($0) \(Percent.text($0, of: view.updates))" }
    }

    /// `98%`, `~2%`, `96% ~2%`; `-` where none is known.
    package static func share(_ view: Stats) -> String {
        apart(view.wasted.measured, view.wasted.inferred) { Percent.text($0, of: view.updates) }
    }

    /// The body time that they took, in the same way; `text` writes a duration.
    package static func time(_ view: Stats, _ text: (UInt64) -> String) -> String {
        guard view.wasted.count > 0 else { return "-" }
        // Where no time is known, none is not the same as no waste.
        if view.wasted.nanoseconds == 0 { return text(0) }
        return apart(view.wasted.measuredNanoseconds, view.wasted.inferredNanoseconds, text)
    }

    private static func apart(_ measured: UInt64, _ inferred: UInt64, _ text: (UInt64) -> String) -> String {
        let parts = (measured > 0 ? [text(measured)] : []) + (inferred > 0 ? ["~" + text(inferred)] : [])
        return parts.isEmpty ? "-" : parts.joined(separator: " ")
    }
}

/// The cell of the reason.
enum WhyText {
    /// The columns that a writer needs beside the reason to say anything.
    private static let leastWriter = 12
    /// The columns that a reason, or the name of a function, needs beside a place.
    private static let leastText = (reason: 14, name: 8)
    /// Stands between a reason and who writes.
    private static let arrow = " ← "

    /// The main reason; where none is counted, that of the latest evaluation.
    static func cell(_ view: Stats) -> String {
        view.mainReason?.text ?? (view.lastReason.isEmpty ? "-" : Printable.text(view.lastReason))
    }

    /// Its most frequent writer, or who probably writes it, with `~` before a guess. Empty where neither is known.
    ///
    /// Shown after the reason if there is room.
    static func writer(_ row: RankedView, _ hints: CauseHints) -> String {
        let known = row.view.mainReason?.writer.map { Printable.text($0.writer) }
        return (known ?? hints.writer(row).map { "~" + $0 }).map { arrow + $0 } ?? ""
    }

    /// The cell in at most `width` columns, with as much of the writer as there is room for.
    ///
    /// What is to be changed stands at the writer's place, so the reason gives way before the place does.
    static func fitted(_ cell: String, _ writer: String, _ width: Int) -> String {
        let room = width - DisplayWidth.of(cell)
        guard !writer.isEmpty else { return Fit.middle(cell, width) }
        if DisplayWidth.of(writer) <= room { return cell + writer }
        let (who, least) = (String(writer.dropFirst(arrow.count)), arrow.count)
        if let place = placed(who)?.place {
            let left = width - least - DisplayWidth.of(place)
            if left >= DisplayWidth.of(cell) { return cell + arrow + shortened(who, room - least) }
            if left >= leastText.reason { return Fit.middle(cell, left) + arrow + place }
        }
        guard room >= leastWriter + least else { return Fit.middle(cell, width) }
        return cell + arrow + shortened(who, room - least)
    }

    /// A writer in at most `width` columns: without its directory, then with the middle of its name left out, then as its place alone. Where even
    /// that has no room, it is its name.
    ///
    /// `Ticker.advance() Shop/Ticker.swift:40` becomes `Ticker.advance() Ticker.swift:40` and `Ticker.swift:40`.
    static func shortened(_ writer: String, _ width: Int) -> String {
        guard DisplayWidth.of(writer) > width else { return writer }
        guard let (name, place, sign) = placed(writer) else { return Fit.middle(writer, width) }
        let room = width - 1 - DisplayWidth.of(place) + sign.count
        if room >= min(leastText.name, DisplayWidth.of(name)) {
            return "\(Fit.middle(name, room)) \(place.dropFirst(sign.count))"
        }
        return DisplayWidth.of(place) <= width ? place : Fit.middle(name, width)
    }

    /// A writer's name, and its place without the directory, with the sign of a guess before each; nil for a writer without a place.
    private static func placed(_ writer: String) -> (name: String, place: String, sign: String)? {
        let words = writer.split(separator: " ")
        guard let place = words.last, words.count > 1, isPlace(place) else { return nil }
        let sign = writer.hasPrefix("~") ? "~" : ""
        return (words.dropLast().joined(separator: " "), sign + PathName.last(of: String(place)), sign)
    }

    /// Whether a word ends with a line number.
    private static func isPlace(_ word: Substring) -> Bool {
        guard let colon = word.lastIndex(of: ":") else { return false }
        let line = word[word.index(after: colon)...]
        return !line.isEmpty && line.allSatisfy(\.isWholeNumber)
    }
}

/// The cell of the time since the latest evaluation.
package enum AgoText {
    /// Whole seconds, minutes or hours; `-` where there was none. A clock that was set back shows `0s`.
    package static func cell(_ last: Timestamp?, now: Timestamp) -> String {
        guard let last else { return "-" }
        let seconds = max(0, now.nanoseconds(since: last) / 1_000_000_000)
        switch seconds {
        case ..<60: return "\(seconds)s"
        case ..<3_600: return "\(seconds / 60)m"
        case ..<172_800: return "\(seconds / 3_600)h"
        default: return "\(seconds / 86_400)d"
        }
    }
}
