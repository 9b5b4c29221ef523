// SPDX-License-Identifier: MIT
// Places in sources that a text names, such as `Shop/Cart.swift:12`, each looked for once.

import Synchronization

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

    /// Whether a text may name one. Quick: nearly no text does.
    static func mayBeIn(_ text: String) -> Bool {
        text.utf8.count > mark.utf8.count && text.utf8.contains(UInt8(ascii: ":"))
    }

    /// A piece of a line, in pieces of which those have a file that are a place in it.
    static func links(in span: TopSpan, _ path: (_ file: String) -> String?) -> [TopSpan] {
        guard mayBeIn(span.text), span.text.contains(mark) else { return [span] }
        var pieces: [TopSpan] = []
        for word in span.text.split(separator: " ", omittingEmptySubsequences: false) {
            if !pieces.isEmpty { pieces.append(TopSpan(text: " ", style: span.style)) }
            let place = SourcePlace(word: word)
            pieces.append(TopSpan(text: String(word), style: span.style, file: place.flatMap { path($0.file) }))
        }
        // What is no place stays in one piece.
        return pieces.reduce(into: []) { merged, piece in
            if let last = merged.last, last.file == piece.file, piece.file == nil {
                merged[merged.count - 1].text += piece.text
            } else if !piece.text.isEmpty {
                merged.append(piece)
            }
        }
    }
}

/// Remembers the places in texts, and which files they mean: the screen shows the same ones again and again.
final class PlaceIndex: Sendable {
    /// Texts that are kept; beyond it all are looked at anew.
    private static let most = 4_096

    let files: SourceFiles
    private let known = Mutex<[TopSpan: [TopSpan]]>([:])

    init(_ files: SourceFiles) { self.files = files }

    /// As ``SourcePlace/links(in:_:)``, with the files that are known here.
    func links(in span: TopSpan) -> [TopSpan] {
        guard SourcePlace.mayBeIn(span.text) else { return [span] }
        return known.withLock { known in
            if let links = known[span] { return links }
            let links = SourcePlace.links(in: span) { files.path(of: $0) }
            if known.count >= Self.most { known = [:] }
            known[span] = links
            return links
        }
    }
}
