// SPDX-License-Identifier: MIT
// Names in backticks, in which any character may stand: they are taken out of a text while it is parsed.

/// The raw identifiers of a text, such as `` `1.x` ``.
struct RawIdentifiers {
    private var names: [String] = []
    /// The text with one character in the place of each raw identifier: none that a parser gives a meaning to.
    private(set) var text: String

    /// Private characters, which no name begins to use at the end of their plane.
    private static let first: UInt32 = 0x10_F000
    private static let last: UInt32 = 0x10_FFFD

    init(_ original: String) {
        text = original
        guard original.utf8.contains(UInt8(ascii: "`")) else { return }
        var rest = original[...]
        text = ""
        while let open = rest.firstIndex(of: "`"),
            let close = rest[rest.index(after: open)...].firstIndex(of: "`"),
            let place = Unicode.Scalar(Self.first + UInt32(names.count)), place.value <= Self.last
        {
            text += rest[..<open]
            text.unicodeScalars.append(place)
            names.append(Self.asWritten(String(rest[open...close])))
            rest = rest[rest.index(after: close)...]
        }
        text += rest
    }

    /// A name as the source has it: the compiler writes no-break spaces for its spaces.
    static func asWritten(_ name: String) -> String {
        name.utf8.contains(UInt8(ascii: "`")) ? name.replacing("\u{A0}", with: " ") : name
    }

    /// A part of the text with the identifiers as they were, in backticks.
    func restored(_ part: some StringProtocol) -> String {
        guard !names.isEmpty else { return String(part) }
        var result = ""
        for character in part {
            let place = Self.place(of: character)
            result += place.flatMap { $0 < names.count ? names[$0] : nil } ?? String(character)
        }
        return result
    }

    /// Whether the character stands for an identifier.
    static func isPlace(_ character: Character) -> Bool { place(of: character) != nil }

    private static func place(of character: Character) -> Int? {
        guard let scalar = character.unicodeScalars.first, scalar.value >= first, scalar.value <= last else {
            return nil
        }
        return Int(scalar.value - first)
    }
}
