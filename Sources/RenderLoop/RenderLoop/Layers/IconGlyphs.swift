// SPDX-License-Identifier: MIT
// The characters that stand for icons where there are no pictures.

/// Characters for the names of icons, one cell wide each.
enum IconGlyphs {
    /// The character for a name; a box for one that is not known.
    static func glyph(of name: String) -> Character { known[name] ?? "□" }

    private static let known: [String: Character] = [
        "plus": "+", "minus": "-", "xmark": "x", "checkmark": "✓", "circle": "○", "circle.fill": "●",
        "square": "□", "square.fill": "■", "star": "☆", "star.fill": "★", "heart": "♡", "heart.fill": "♥",
        "chevron.left": "<", "chevron.right": ">", "chevron.up": "^", "chevron.down": "v",
        "arrow.left": "←", "arrow.right": "→", "arrow.up": "↑", "arrow.down": "↓", "arrow.clockwise": "↻",
        "magnifyingglass": "⌕", "gear": "⚙", "gearshape": "⚙", "gearshape.fill": "⚙", "house": "⌂",
        "house.fill": "⌂", "bell": "♪", "bell.fill": "♪", "trash": "⌫", "pencil": "✎", "envelope": "✉",
        "envelope.fill": "✉", "person": "☺", "person.fill": "☻", "flag": "⚐", "flag.fill": "⚑", "bolt": "↯",
        "bolt.fill": "↯", "play": "▷", "play.fill": "▶", "pause": "‖", "pause.fill": "‖", "stop.fill": "■",
        "info": "i", "info.circle": "i", "exclamationmark.triangle": "!", "exclamationmark.triangle.fill": "!",
        "questionmark.circle": "?", "list.bullet": "≡", "ellipsis": "…", "clock": "◷", "clock.fill": "◷",
    ]
}
