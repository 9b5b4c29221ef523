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
