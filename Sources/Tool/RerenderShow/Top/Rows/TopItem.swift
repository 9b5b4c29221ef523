// SPDX-License-Identifier: MIT
// Rows of a tab, whatever they are of, and their drawing below the titles.

/// One row.
struct TopItem: Sendable {
    /// Names the row across samples.
    var id = ""
    var cells: [Cell]
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
    var columns: [ColumnHead] = []
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
        return list
    }
}

/// Draws a table of some rows, with what is selected and what needs attention before each.
struct TopTable {
    /// Columns before the first: what is selected, and what needs attention.
    private static let margin = 2

    private let table: Table
    private let width: Int

    /// Chooses the columns for a width by the rows that they will show.
    init(_ columns: [ColumnHead], _ rows: [TopItem], width: Int) {
        table = Table(columns, rows.map(\.cells), width: width, margin: Self.margin)
        self.width = width
    }

    var titles: TopLine {
        var line = TopLine(width)
        // The most telling one alone, where two columns show the order: the time rather than the share.
        let last = table.places.last { !$0.head.sign.isEmpty }?.number
        for place in table.places {
            let isOrder = place.number == last
            line.pad(to: place.start)
            line.add(place.title(isOrder ? place.head.sign : ""), isOrder ? .bold : .dim)
        }
        return line
    }

    /// A row: `>` before the selected one, `!` before one that needs attention; one that is fine is dim.
    func line(_ row: TopItem, isSelected: Bool) -> TopLine {
        var line = TopLine(width)
        line.add(isSelected ? ">" : " ", .bold)
        line.add(row.mark == nil ? " " : "!", row.mark ?? .plain)
        for place in table.places {
            line.pad(to: place.start)
            let (cell, shown) = (row.cells[place.number], place.fitted(row.cells))
            if place.head.isNumber { line.add(shown.blanks) }
            if let pieces = cell.pieces, row.mark != nil, shown.text == cell.text {
                for piece in pieces { line.add(piece.text, piece.style) }
            } else {
                line.add(shown.text, row.mark == nil ? .dim : cell.style)
            }
            if !place.head.isNumber { line.add(shown.blanks) }
        }
        guard isSelected else { return line }
        // The whole line in reverse, so that the selection shows without colours, too.
        line.pad(to: width)
        return line.styled(.reverse)
    }
}

// A screen as lines of styled text, and its tabs.

/// A piece of a line.
struct TopSpan: Hashable, Sendable {
    package var text: String
    var style = Style.plain
}

/// One line of the screen, never wider than it was made for.
struct TopLine: Hashable, Sendable {
    private(set) var spans: [TopSpan] = []
    private(set) var width = 0
    let limit: Int

    init(_ limit: Int) { self.limit = limit }

    init(_ text: String, _ style: Style = .plain, _ limit: Int) {
        self.limit = limit
        add(text, style)
    }

    /// The text without styles.
    package var text: String { spans.map(\.text).joined() }

    /// Adds a text, cut at its end if there is no room.
    mutating func add(_ text: String, _ style: Style = .plain) {
        var (fitted, columns) = (text, DisplayWidth.of(text))
        if columns > limit - width {
            fitted = Fit.end(text, limit - width)
            columns = DisplayWidth.of(fitted)
        }
        guard !fitted.isEmpty else { return }
        spans.append(TopSpan(text: fitted, style: style))
        width += columns
    }

    /// Adds blanks up to a column.
    mutating func pad(to column: Int, _ style: Style = .plain) {
        add(String(repeating: " ", count: max(0, min(column, limit) - width)), style)
    }

    /// The same line with one style for all of it.
    func styled(_ style: Style) -> TopLine {
        var line = self
        line.spans = spans.map { TopSpan(text: $0.text, style: style) }
        return line
    }

    /// The same line without letters that are joined into one sign, in as many columns: terminals do not agree how wide these are.
    var shown: TopLine {
        var line = self
        line.spans = spans.map { span in
            guard DisplayWidth.narrow(span.text) == nil else { return span }
            return TopSpan(text: span.text.reduce(into: "") { $0 += Self.unjoined($1) }, style: span.style)
        }
        return line
    }

    private static func unjoined(_ character: Character) -> String {
        let scalars = character.unicodeScalars
        let width = DisplayWidth.of(character)
        guard scalars.count > 1, let first = scalars.first, scalars.reduce(0, { $0 + DisplayWidth.of($1) }) != width
        else { return String(character) }
        return String(first) + String(repeating: " ", count: max(0, width - DisplayWidth.of(first)))
    }
}

/// A whole screen.
struct TopFrame: Sendable {
    /// From the top; no more do not fit the screen.
    var lines: [TopLine]

    /// The line at a place; nil below the last.
    func line(at place: Int) -> TopLine? { lines.indices.contains(place) ? lines[place] : nil }
}

/// A tab: what the rows are.
enum TopTab: Int, CaseIterable, Hashable, Sendable {
    case views = 1, hangs, processes, writers, cycles, sources

    /// What the tab holds: on it, in less room, and where there is least.
    func titles(of stores: [ProcessStats]) -> (long: String, medium: String, short: String) {
        switch self {
        case .views: Self.titleOfViews(stores)
        case .hangs: ("Hangs", "Hangs", "Hangs")
        case .processes: ("Processes", "Processes", "Proc")
        case .writers: ("Writers", "Writers", "Write")
        case .cycles: (stores.contains { $0.cycles?.isEmpty == false } ? "Idle and cycles" : "Idle", "Idle", "Idle")
        case .sources: ("Sources and handlers", "Sources", "Src")
        }
    }

    private static func titleOfViews(_ stores: [ProcessStats]) -> (long: String, medium: String, short: String) {
        let kinds = Set(stores.map(\.kind)).subtracting([.loop])
        if kinds == [.widgets] { return ("Widgets", "Widgets", "Widg") }
        return (kinds.contains(.widgets) ? "Views and widgets" : "Views", "Views", "Views")
    }
}
