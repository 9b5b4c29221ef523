// SPDX-License-Identifier: MIT
// Draws the committed layers as characters.

/// Draws committed layers as lines of characters.
///
/// Text is itself, and what is behind its white space is seen through that. A colour is one letter for each cell, a border
/// is made of `+`, `-` and `|`. What is less than half opaque, with the layers around it, is not drawn, nor is what lies
/// beyond 2,048 columns and lines. The text can be printed to a terminal: a control character is U+FFFD and a tab one space,
/// each in the one cell that it takes up in the layout.
@MainActor
public final class TextRenderer: LayerRenderer {
    /// How many commits were drawn.
    public private(set) var commits = 0
    /// Each commit as it was drawn, oldest first; only the last `historyLimit`.
    public private(set) var history: [String] = []
    /// How many commits are remembered; 64 at first. Negative numbers are none.
    public var historyLimit = 64 { didSet { historyLimit = max(0, historyLimit) } }
    private let onRender: (@MainActor (String) -> Void)?

    /// Makes a renderer; `onRender` gets each commit as text.
    public init(onRender: (@MainActor (String) -> Void)? = nil) { self.onRender = onRender }

    /// The last commit as text, remembered or not; empty before the first.
    public private(set) var text = ""

    /// Draws a commit.
    public func render(_ commit: Commit) {
        text = Self.text(of: commit.root)
        commits += 1
        history.append(text)
        if history.count > historyLimit { history.removeFirst(history.count - historyLimit) }
        onRender?(text)
    }

    /// A layer and those in it, as they were committed; without spaces at the ends of lines and without empty lines at
    /// the end.
    public static func text(of root: Layer) -> String {
        var canvas = Canvas(size: root.committed.frame.size)
        draw(root, at: .zero, into: &canvas)
        return canvas.text
    }

    private static func draw(_ layer: Layer, at corner: CellPoint, opacity: Float = 1, into canvas: inout Canvas) {
        let values = layer.committed
        let opacity = opacity * values.opacity
        guard opacity >= 0.5 else { return }
        let frame = CellRect(origin: corner + values.frame.origin, size: values.frame.size)
        switch values.content {
        case .text(let text): canvas.write(text, at: frame.origin)
        case .fill(let color) where !color.isClear: canvas.fill(frame, color.letter)
        case .none, .fill, .border, .font, .foreground, .control: break
        }
        let outer = canvas.clip
        if values.clipsSublayers { canvas.clip = outer.intersection(frame) }
        for sublayer in values.sublayers { draw(sublayer, at: frame.origin, opacity: opacity, into: &canvas) }
        canvas.clip = outer
        if case .border(let color, _) = values.content, !color.isClear { canvas.outline(frame) }
    }
}

extension Character {
    /// Whether nothing of it is seen: a space with an accent is none.
    fileprivate var isBlank: Bool { isWhitespace && unicodeScalars.allSatisfy(\.properties.isWhitespace) }
}

/// Cells to draw into; what lies outside is left out.
private struct Canvas {
    private let size: CellSize
    private var cells: [Character]
    /// Nothing is drawn outside of this part.
    var clip: CellRect

    init(size: CellSize) {
        // A cell takes 16 bytes.
        let size = CellSize(width: min(size.width, 2048), height: min(size.height, 2048))
        self.size = size
        clip = CellRect(origin: .zero, size: size)
        cells = Array(repeating: " ", count: size.width * size.height)
    }

    mutating func set(_ x: Int, _ y: Int, _ character: Character) {
        guard clip.contains(CellPoint(x: x, y: y)) else { return }
        cells[y * size.width + x] = character
    }

    mutating func write(_ text: String, at origin: CellPoint) {
        for (line, text) in TextMetrics.lines(of: text).enumerated() {
            for (column, character) in text.enumerated() {
                let shown = TextMetrics.shown(character)
                if !shown.isBlank { set(origin.x + column, origin.y + line, shown) }
            }
        }
    }

    mutating func fill(_ rect: CellRect, _ letter: Character) {
        let character = TextMetrics.shown(letter)
        let seen = rect.intersection(clip)
        for y in seen.rows {
            for x in seen.columns { set(x, y, character) }
        }
    }

    mutating func outline(_ rect: CellRect) {
        guard rect.size.width > 0, rect.size.height > 0 else { return }
        let (left, top) = (rect.origin.x, rect.origin.y)
        let (right, bottom) = (left + rect.size.width - 1, top + rect.size.height - 1)
        let seen = rect.intersection(clip)
        for x in seen.columns {
            set(x, top, "-")
            set(x, bottom, "-")
        }
        for y in seen.rows {
            set(left, y, "|")
            set(right, y, "|")
        }
        for (x, y) in [(left, top), (right, top), (left, bottom), (right, bottom)] { set(x, y, "+") }
    }

    var text: String {
        var lines = (0..<size.height).map { row in
            String(cells[row * size.width..<(row + 1) * size.width].reversed().drop { $0 == " " }.reversed())
        }
        while lines.last?.isEmpty == true { lines.removeLast() }
        return lines.joined(separator: "\n")
    }
}
