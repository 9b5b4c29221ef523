// SPDX-License-Identifier: MIT
// How many cells a text takes, and what each of them shows.

enum TextMetrics {
    /// The cells that a text takes: a character is one cell wide.
    static func size(of text: String) -> CellSize {
        // Without line feeds and characters of several bytes, which most texts are.
        if text.utf8.allSatisfy({ $0 >= 32 && $0 < 127 }) { return CellSize(width: text.utf8.count, height: 1) }
        let lines = lines(of: text)
        return CellSize(width: lines.map(\.count).max() ?? 0, height: lines.count)
    }

    /// A carriage return with a line feed is one character, and not the same as the line feed alone.
    static func lines(of text: String) -> [Substring] {
        text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
    }

    /// What is shown in a character's cell: a space for a tab, U+FFFD for what a terminal would obey instead of show.
    static func shown(_ character: Character) -> Character {
        if character == "\t" { return " " }
        return character.unicodeScalars.contains(where: isObeyed) ? "\u{FFFD}" : character
    }

    /// Control characters, separators of lines and paragraphs, and what changes the direction of writing: as what
    /// `rerenderctl` escapes.
    private static func isObeyed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029: true
        case 0x200E, 0x200F, 0x061C, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
