// SPDX-License-Identifier: MIT
// What a terminal can show.

/// What a terminal can show.
struct TopLook: Hashable, Sendable {
    var isUTF8 = true
    var hasColours = true

    /// The text with what this terminal cannot show replaced, in as many columns.
    ///
    /// In UTF-8 those are letters that are joined into one sign: terminals do not agree how wide it is.
    func shown(_ text: String) -> String {
        if isUTF8, DisplayWidth.narrow(text) != nil { return text }
        return isUTF8 ? text.reduce(into: "") { $0 += Self.unjoined($1) } : ASCIIText.of(text)
    }

    private static func unjoined(_ character: Character) -> String {
        let scalars = character.unicodeScalars
        let width = DisplayWidth.of(character)
        guard scalars.count > 1, let first = scalars.first, scalars.reduce(0, { $0 + DisplayWidth.of($1) }) != width
        else { return String(character) }
        return String(first) + String(repeating: " ", count: max(0, width - DisplayWidth.of(first)))
    }
}
