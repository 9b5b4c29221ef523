// SPDX-License-Identifier: MIT
// A screen as lines of styled text, and what of it can be clicked.

import RerenderModel

/// How a text is shown; several at once.
struct TopStyle: OptionSet, Hashable, Sendable {
    let rawValue: UInt32

    static let plain: TopStyle = []
    static let bold = TopStyle(rawValue: 1)
    static let dim = TopStyle(rawValue: 2)
    static let reverse = TopStyle(rawValue: 4)
    static let notice = TopStyle(rawValue: 8)
    static let bad = TopStyle(rawValue: 16)
}

/// A piece of a line.
struct TopSpan: Hashable, Sendable {
    var text: String
    var style = TopStyle.plain
}

/// One line of the screen, never wider than it was made for.
struct TopLine: Hashable, Sendable {
    private(set) var spans: [TopSpan] = []
    private(set) var width = 0
    let limit: Int

    init(_ limit: Int) { self.limit = limit }

    init(_ text: String, _ style: TopStyle = .plain, _ limit: Int) {
        self.limit = limit
        add(text, style)
    }

    /// The text without styles.
    var text: String { spans.map(\.text).joined() }

    /// Adds a text, shortened at its end where there is no room for it.
    mutating func add(_ text: String, _ style: TopStyle = .plain) {
        let fitted = Fit.end(text, limit - width)
        guard !fitted.isEmpty else { return }
        spans.append(TopSpan(text: fitted, style: style))
        width += DisplayWidth.of(fitted)
    }

    /// Adds blanks up to a column.
    mutating func pad(to column: Int, _ style: TopStyle = .plain) {
        add(String(repeating: " ", count: max(0, min(column, limit) - width)), style)
    }

    /// The same line with one style for all of it.
    func styled(_ style: TopStyle) -> TopLine {
        var line = self
        line.spans = spans.map { TopSpan(text: $0.text, style: style) }
        return line
    }

    /// The same line with a style added.
    func adding(_ style: TopStyle) -> TopLine {
        var line = self
        line.spans = spans.map { TopSpan(text: $0.text, style: $0.style.union(style)) }
        return line
    }

    /// The same line in what the terminal can show; no wider and no narrower.
    func shown(_ look: TopLook) -> TopLine {
        var line = self
        line.spans = spans.map { TopSpan(text: look.shown($0.text), style: $0.style) }
        return line
    }
}

/// A whole screen.
struct TopFrame: Hashable, Sendable {
    /// From the top; no more than the screen has.
    var lines: [TopLine]
    /// What a click on a line means, by column.
    var targets: [Int: [(columns: Range<Int>, target: TopTarget)]] = [:]

    /// What stands at a place.
    func target(line: Int, column: Int) -> TopTarget? {
        targets[line]?.first { $0.columns.contains(column) }?.target
    }

    static func == (lhs: TopFrame, rhs: TopFrame) -> Bool { lhs.lines == rhs.lines }
    func hash(into hasher: inout Hasher) { hasher.combine(lines) }
}

/// What a terminal can show.
struct TopLook: Hashable, Sendable {
    var isUTF8 = true
    var hasColours = true

    /// The text with what this terminal cannot show replaced, in as many columns.
    ///
    /// In UTF-8 those are letters that are joined into one sign: terminals do not agree how wide it is.
    func shown(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
        return text.reduce(into: "") { $0 += isUTF8 ? Self.unjoined($1) : Self.plain($1) }
    }

    private static func unjoined(_ character: Character) -> String {
        let scalars = character.unicodeScalars
        let width = DisplayWidth.of(character)
        guard scalars.count > 1, let first = scalars.first, scalars.reduce(0, { $0 + DisplayWidth.of($1) }) != width
        else { return String(character) }
        return String(first) + String(repeating: " ", count: max(0, width - DisplayWidth.of(first)))
    }

    /// An asterisk stands for what was left out: `Ticker.a*.swift:19`.
    private static func plain(_ character: Character) -> String {
        switch character {
        case "…": "*"
        case "←": "<"
        case "µ": "u"
        case "×": "x"
        case "▼": "v"
        case "·": "'"
        default: character.isASCII ? String(character) : String(repeating: "?", count: DisplayWidth.of(character))
        }
    }
}
