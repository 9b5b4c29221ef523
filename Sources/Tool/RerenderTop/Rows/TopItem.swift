// SPDX-License-Identifier: MIT
// Rows and columns of a tab, whatever they are of.

import RerenderPresentation
import RerenderToolBase

/// What a cell is sorted by.
enum TopWeight: Comparable, Sendable {
    case number(Double)
    case text(String)
}

/// One cell.
struct TopCell: Sendable {
    /// Safe to print.
    var text: String
    /// Text after it, if there is room.
    var supplement = ""
    var style = Style.plain
    /// Pieces with styles of their own, as wide as ``text`` together; nil for one style.
    var pieces: [TopSpan]?
    var weight = TopWeight.number(0)

    /// A text, which is sorted by itself.
    static func text(_ text: String, _ style: Style = .plain, supplement: String = "") -> TopCell {
        TopCell(text: text, supplement: supplement, style: style, weight: .text(text.lowercased()))
    }

    /// A number as it is shown.
    static func number(_ text: String, _ weight: Double, _ style: Style = .plain) -> TopCell {
        TopCell(text: text, style: style, weight: .number(weight))
    }

    static func count(_ count: UInt64, _ style: Style = .plain) -> TopCell {
        number(count == 0 ? "-" : String(count), Double(count), style)
    }

    static func duration(_ nanoseconds: UInt64, in scale: DurationScale, _ style: Style = .plain) -> TopCell {
        number(nanoseconds == 0 ? "-" : scale.text(nanoseconds), Double(nanoseconds), style)
    }
}

/// A column.
struct TopColumn: Sendable {
    let title: String
    /// How much it matters: lower ones are the first to get room.
    let rank: Int
    let need: ColumnLayout.Need
    /// The least width.
    var least = 0
    /// How far a text can be squeezed; nil for a column that keeps its width.
    var text: (minimum: Int, readable: Int, comfortable: Int)?
    /// Numbers are aligned to the right.
    var isNumber = true
    var target: TopTarget?
    /// The sign behind the title of the column that is sorted by.
    var sign = ""
    /// What the layout must show.
    var isSorted = false

    func layout(natural: Int) -> ColumnLayout.Column {
        let text = text ?? (.max, .max, .max)
        return ColumnLayout.Column(
            rank: isSorted ? 1 : 2 * rank, isSorted ? .essential : need, natural: max(natural, least),
            minimum: text.minimum, readable: text.readable, comfortable: text.comfortable)
    }
}

/// One row.
struct TopItem: Sendable {
    /// Names the row across samples.
    var id = ""
    var cells: [TopCell]
    /// The style of the `!` before a row that needs attention; nil where it is fine, and dim.
    var mark: Style?
    /// What is known of it, in blocks with a label each.
    var blocks: [TopBlock] = []
    var place: SourcePlace?
}

/// Lines that belong together, below a label.
struct TopBlock: Sendable {
    let label: String
    let paragraphs: [Explanation.Paragraph]

    init(_ label: String, _ paragraphs: [Explanation.Paragraph]) { (self.label, self.paragraphs) = (label, paragraphs) }

    init(_ label: String, texts: [String]) { self.init(label, texts.map { Explanation.Paragraph($0) }) }

    /// Longer lines are hard to read.
    private static let widest = 140

    /// The lines, each at most `width` columns wide.
    static func lines(_ blocks: [TopBlock], width: Int) -> [TopLine] {
        blocks.flatMap { block in
            block.paragraphs.enumerated().flatMap { number, paragraph in
                lines(number == 0 ? block.label : "", paragraph, width)
            }
        }
    }

    private static func lines(_ label: String, _ paragraph: Explanation.Paragraph, _ width: Int) -> [TopLine] {
        let isNarrow = width < 60
        let indent = isNarrow ? 2 : 4
        // The paragraphs of `explain` begin two columns to the right of its margin.
        let own = max(0, min(paragraph.indent - 2, width / 12))
        let start = indent + (isNarrow ? 6 : 7) + own
        let room = max(8, min(width, widest) - start)
        return Wrap.lines(paragraph.text, width: room, indent: 2).enumerated().map { number, text in
            var line = TopLine(width)
            line.pad(to: indent)
            if number == 0 { line.add(label, .dim) }
            line.pad(to: start)
            line.add(text)
            return line
        }
    }
}

/// The rows of a tab that are all there at once.
struct TopList: Sendable {
    var columns: [TopColumn] = []
    var items: [TopItem] = []
    /// Which column is sorted by where nobody chose, and whether its largest comes first.
    var usual = (column: 0, isDescending: true)
    /// What is said where there is no row.
    var empty: [String] = []
    /// What is said below the rows.
    var note: String?

    /// The rows that have a text in one of their cells, in the order of a column. Texts begin with A, numbers with the largest.
    func sorted(by column: Int?, isReversed: Bool, filter: String) -> TopList {
        var list = self
        let wanted = filter.lowercased()
        if !wanted.isEmpty {
            list.items = items.filter { $0.cells.contains { $0.text.lowercased().contains(wanted) } }
        }
        let place = column.flatMap { columns.indices.contains($0) ? $0 : nil } ?? usual.column
        let isDescending = !columns.isEmpty && (place == usual.column ? usual.isDescending : columns[place].isNumber)
        let ranked = list.items.enumerated().sorted { left, right in
            let (first, second) = (left.element.cells[place].weight, right.element.cells[place].weight)
            if first == second { return left.offset < right.offset }
            return ((first > second) == isDescending) != isReversed
        }
        list.items = ranked.map(\.element)
        if columns.indices.contains(place) {
            list.columns[place].isSorted = true
            list.columns[place].sign = isDescending != isReversed ? "▼" : "▲"
        }
        for index in columns.indices { list.columns[index].target = .column(index) }
        return list
    }
}
