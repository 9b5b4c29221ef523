// SPDX-License-Identifier: MIT
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
