// SPDX-License-Identifier: MIT
// Where a value that a parent passes down probably comes from.

import RerenderModel

/// Finds who writes what a view was only passed.
///
/// A view whose own property `tick` changed does not know its writer; another view of its store that was observed to read
/// `shop.ticker.tick` does. That they are the same value is a guess by their names, and is said to be one.
enum CauseHint {
    /// The guess as a sentence; nil where the cause is known, or nothing fits.
    static func text(_ view: Stats, in store: ProcessStats, among rows: [RankedView]) -> String? {
        guard let top = WhyText.top(view), top.attribution == .diff else { return nil }
        let names = Set(top.reason.split(separator: ", ").map { lastName($0) })
        var best: (reader: Stats, reason: ReasonCount, writer: WriterCount)?
        for row in rows where isSame(row.store, store) && row.view.key != view.key {
            for reason in row.view.reasons where reason.attribution == .exact {
                guard names.contains(lastName(reason.reason[...])), reason.count > (best?.reason.count ?? 0),
                    let writer = reason.writers.first(where: { $0.writer != Reason.other })
                else { continue }
                best = (row.view, reason, writer)
            }
        }
        return best.map {
            "perhaps it comes from \(Printable.text($0.reason.reason)), which \($0.reader.key.displayName) reads and "
                + "\(Printable.text($0.writer.writer)) writes (a guess by name)"
        }
    }

    private static func isSame(_ lhs: ProcessStats, _ rhs: ProcessStats) -> Bool {
        lhs.pid == rhs.pid && lhs.store == rhs.store && lhs.startedAt == rhs.startedAt
    }

    private static func lastName(_ path: Substring) -> String {
        String(path.split(separator: ".").last ?? path)
    }
}
