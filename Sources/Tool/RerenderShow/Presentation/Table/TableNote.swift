// SPDX-License-Identifier: MIT
// The sentences above a table: at most five lines, those that matter most.

/// A sentence above a table.
package struct TableNote: Sendable {
    /// What it is about; the last are left out first.
    package enum Rank: Int, Comparable, Sendable {
        /// What costs most.
        case first
        /// What is missing from the numbers.
        case missing
        /// Further findings.
        case findings
        /// What the table is of.
        case subject
        /// What would bring names that are missing.
        case names
        /// What goes on without input.
        case idle
        /// What main loops did.
        case loops
        /// What frames cost.
        case frames
        /// Anything else.
        case others

        package static func < (left: Rank, right: Rank) -> Bool { left.rawValue < right.rawValue }
    }

    package let rank: Rank
    package let line: StyledLine

    package init(_ rank: Rank, _ line: StyledLine) { (self.rank, self.line) = (rank, line) }

    /// The most lines, with the one that says how many sentences are left out. A screen that is narrower than 80 columns has more, for as many words.
    static let most = 5
    private static let columns = 80
    /// The most columns of a line in a pipe: a name may have 1,024 bytes.
    static let pipeLine = 500

    /// The sentences of a verdict.
    package static func verdict(_ verdict: Verdict?) -> [TableNote] {
        (verdict?.lines ?? []).enumerated().map { TableNote($0.offset == 0 ? .first : .findings, $0.element) }
    }

    /// The sentences that are shown, in their order, broken into lines of at most `width` columns.
    ///
    /// What matters most is never left out: where it has too many words, its end is.
    ///
    /// - Parameters:
    ///   - all: Whether all are shown.
    ///   - taken: Lines that stand above these.
    package static func lines(_ notes: [TableNote], all: Bool, width: Int, taken: Int = 0) -> [StyledLine] {
        let width = min(width, pipeLine)
        var broken = notes.map { Wrap.lines($0.line.text, width: width, indent: 2) }
        let room = max(1, most * max(width, columns) / max(1, width) - taken)
        var shown = Array(notes.indices)
        var rest: [StyledLine] = []
        if !all, broken.reduce(0, { $0 + $1.count }) > room {
            let ranked = notes.indices.sorted { (notes[$0].rank, $0) < (notes[$1].rank, $1) }
            var left = room - (notes.count > 1 ? Self.rest(notes, width).count : 0)
            shown = []
            for index in ranked where broken[index].count <= left || shown.isEmpty {
                broken[index] = cut(broken[index], to: max(1, left), width)
                left -= broken[index].count
                shown.append(index)
            }
            rest = Self.rest(notes.indices.filter { !shown.contains($0) }.map { notes[$0] }, width)
        }
        return shown.sorted().flatMap { index in
            broken[index].map { StyledLine(text: $0, style: notes[index].line.style) }
        } + rest
    }

    /// The first lines, with a sign where some are left out.
    private static func cut(_ lines: [String], to count: Int, _ width: Int) -> [String] {
        guard lines.count > count, let last = lines.prefix(count).last else { return lines }
        return lines.prefix(count - 1) + [Fit.end(last + " …", width)]
    }

    /// Says how many are left out; empty for none.
    private static func rest(_ left: [TableNote], _ width: Int) -> [StyledLine] {
        guard !left.isEmpty else { return [] }
        let missing = left.count { $0.rank == .missing }
        let part = missing == 0 ? "" : ", \(missing) of them on missing data"
        let text = "… \(Counted.text(left.count, "more line"))\(part); --all shows them"
        let style: Style = missing == 0 ? .dim : .bad
        return Wrap.lines(text, width: width, indent: 2).map { StyledLine(text: $0, style: style) }
    }
}

// Why a list is empty, as sentences.

/// Says why there is nothing to show.
package enum EmptyText {
    /// That no view of these stores was evaluated, or no widget drawn.
    ///
    /// - Parameter time: In which time, such as `since the mark`; nil for all of it.
    package static func none(_ stores: [ProcessStats], in time: String? = nil) -> String {
        let words = StoreWords(stores)
        if time == nil, stores.contains(where: \.connected) {
            return "No \(words.noun) has been \(words.participle) yet."
        }
        return "No \(words.noun) was \(words.participle)\(time.map { " " + $0 } ?? "")."
    }

    /// Why no view of these stores was evaluated, beyond that none was; empty where nothing else is known.
    package static func views(_ stores: [ProcessStats]) -> [String] {
        let labels = StoreLabels(stores)
        func names(_ stores: [ProcessStats]) -> String {
            let more = stores.count > listed ? ["\(stores.count - listed) more"] : []
            return Counted.list(stores.prefix(listed).map(labels.full) + more)
        }
        let loops = stores.filter { $0.kind == .loop }
        let off = stores.filter { $0.kind != .loop && $0.connected && !$0.enabled }
        let silent = stores.filter { $0.kind != .loop && $0.evaluations > 0 }
        let words = StoreWords(silent)
        return [
            off.isEmpty
                ? nil : "Counting is switched off in \(names(off)): rerenderctl config set enabled=true",
            silent.isEmpty
                ? nil
                : "\(names(silent)) counted \(words.event)s that are in no \(words.noun): they were lost, or were over a limit.",
            loops.isEmpty || loops.count < stores.count
                ? nil : "\(names(loops)): a main loop and no views. See: rerenderctl stats --sources",
        ].compactMap(\.self)
    }

    /// Why a list of hangs is empty that has a filter.
    ///
    /// - Parameters:
    ///   - earlier: How many hangs of the process were not in the time that was asked for; nil without a time.
    ///   - others: How many hangs other processes had; nil where no process was selected.
    ///   - options: The options that name the time. With any but `--since`, the hangs may also have been after it.
    package static func hangs(earlier: Int?, others: Int?, options: String = "--since") -> [String] {
        func when(_ count: Int) -> String {
            options == "--since" ? "ended before that time" : "\(count == 1 ? "was" : "were") at another time"
        }
        return [
            earlier.flatMap { filtered($0, when($0), options) },
            others.flatMap { filtered($0, "\($0 == 1 ? "is" : "are") of other processes", "--process") },
        ].compactMap(\.self)
    }

    private static func filtered(_ count: Int, _ what: String, _ option: String) -> String? {
        guard count > 0 else { return nil }
        return "\(Counted.text(count, "hang")) \(what): leave out \(option) to see \(count == 1 ? "it" : "them")."
    }

    /// Stores that are named.
    private static let listed = 3
}

// Guesses where a value comes from that a parent passes down.

/// A guess where a value comes from that a view was passed.
package struct CauseHint: Hashable, Sendable {
    /// The view's own reason that it is about.
    package let reason: ReasonCount
    package let reader: ViewKey
    package let path: String
    package let writer: String

    /// What is guessed, for people to read.
    package var sentence: String {
        "probably \(Printable.text(path)), set by \(Printable.text(writer)) (same name)"
    }

    /// The guess, if it is about this reason.
    package func remarks(on reason: ReasonCount) -> [String] { reason == self.reason ? [sentence] : [] }

    /// What would help if it is so.
    package var advice: String {
        "If it is \(Printable.text(path)): read it in the view that shows it, not in \(reader.displayName), which passes it on."
    }
}

/// Finds who writes what a view was only passed.
///
/// A view whose own property `tick` changed does not know its writer; another view of its store that was observed to read
/// `shop.ticker.tick` does. That both are the same value is a guess based on their names, and is marked as such.
package struct CauseHints: Sendable {
    private struct Name: Hashable, Sendable {
        let store: StoreID
        /// The last part of a key path.
        let last: String
    }

    /// A view that reads a value, and who writes that.
    private struct Source: Sendable {
        let reader: ViewKey
        let reason: ReasonCount
        let writer: String
    }

    private var sources: [Name: Source] = [:]

    /// Learns from the rows at hand who reads what. Linear in their reasons.
    package init(_ rows: [RankedView]) {
        for row in rows {
            for reason in row.view.reasons where reason.attribution == .exact {
                guard let writer = reason.namedWriter else { continue }
                let name = Self.name(reason.reason[...], row.store)
                guard reason.count > sources[name]?.reason.count ?? 0 else { continue }
                sources[name] = Source(reader: row.view.key, reason: reason, writer: writer.writer)
            }
        }
    }

    /// Who probably writes what led to the view's main reason, for people to read; nil where that is known, or nothing fits.
    package func writer(_ row: RankedView) -> String? {
        guard let hint = hint(row), hint.reason == row.view.mainReason?.reason else { return nil }
        return Printable.text(hint.writer)
    }

    /// A guess about the most frequent reason but `initial`, for which nothing is written; nil where its cause is known, or nothing fits.
    package func hint(_ row: RankedView) -> CauseHint? {
        let changes = row.view.reasons.filter { $0.fixed?.isChange ?? true }
        guard let top = changes.min(by: ReasonCount.isMain), top.isGuess else { return nil }
        let found = top.reason.split(separator: ", ").compactMap { sources[Self.name($0, row.store)] }
        return found.filter { $0.reader != row.view.key }.max { $0.reason.count < $1.reason.count }.map {
            CauseHint(reason: top, reader: $0.reader, path: $0.reason.reason, writer: $0.writer)
        }
    }

    private static func name(_ path: Substring, _ store: ProcessStats) -> Name {
        Name(store: StoreID(store), last: String(path.split(separator: ".").last ?? path))
    }
}
