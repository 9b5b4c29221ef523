// SPDX-License-Identifier: MIT
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
