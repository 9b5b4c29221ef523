// SPDX-License-Identifier: MIT
// Places in sources that a text names, such as `Shop/Cart.swift:12`.

/// A file as its module names it, and a line.
struct SourcePlace: Hashable, Sendable {
    let file: String
    let line: UInt32

    /// What every such place has in it.
    private static let mark = ".swift:"

    init(file: String, line: UInt32) { (self.file, self.line) = (file, line) }

    /// Reads a word; nil where it is no place. Brackets and marks of a sentence around it do not matter.
    init?(word: some StringProtocol) {
        let around: Set<Character> = ["(", ")", "[", "]", ",", ".", ";", ":"]
        let trimmed = word.drop { around.contains($0) }
        guard let colon = trimmed.lastIndex(of: ":"), trimmed[...colon].hasSuffix(Self.mark) else { return nil }
        let digits = trimmed[trimmed.index(after: colon)...].prefix { $0.isASCII && $0.isNumber }
        let rest = trimmed[digits.endIndex...]
        guard let line = UInt32(digits), rest.allSatisfy(around.contains) else { return nil }
        self.init(file: String(trimmed[..<colon]), line: line)
    }

    /// The last place that a text names.
    static func last(in text: String) -> SourcePlace? {
        text.split(separator: " ").reversed().lazy.compactMap { SourcePlace(word: $0) }.first
    }
}
