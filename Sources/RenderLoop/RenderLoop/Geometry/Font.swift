// SPDX-License-Identifier: MIT
// The look of texts: fonts, as far as a renderer has any, colours, and the cells that a text takes.

public import Foundation

/// A font: a style of text with the size that the renderer has for it, or a size in points.
///
/// In character cells all fonts are the same. A renderer finds it as ``LayerContent/font(_:)``.
public struct Font: Hashable, Sendable {
    /// What a text is for.
    public enum TextStyle: String, Hashable, Sendable, CaseIterable {
        // The largest first.
        case largeTitle, title, title2, title3, headline, subheadline, body, callout, footnote, caption, caption2
    }

    /// How thick the strokes are.
    public enum Weight: Int, Hashable, Sendable, CaseIterable {
        // As in CSS and Pango.
        case ultraLight = 100
        case thin = 200
        case light = 300
        case regular = 400
        case medium = 500
        case semibold = 600
        case bold = 700
        case heavy = 800
        case black = 900
    }

    /// The kind of letters.
    public enum Design: String, Hashable, Sendable, CaseIterable {
        case `default`, serif, rounded, monospaced
    }

    /// What the text is for.
    public let textStyle: TextStyle
    /// The size in points; nil for the style's own.
    public let size: Double?
    /// The weight; nil for the style's own.
    public private(set) var weight: Weight?
    /// The kind of letters.
    public private(set) var design: Design

    private init(_ textStyle: TextStyle, size: Double? = nil, weight: Weight? = nil, design: Design = .default) {
        self.textStyle = textStyle
        self.size = size
        self.weight = weight
        self.design = design
    }
}

extension Font {
    /// The largest title.
    public static let largeTitle = Font(.largeTitle)
    /// A title.
    public static let title = Font(.title)
    /// A title of the second level.
    public static let title2 = Font(.title2)
    /// A title of the third level.
    public static let title3 = Font(.title3)
    /// A heading.
    public static let headline = Font(.headline)
    /// A heading of less weight.
    public static let subheadline = Font(.subheadline)
    /// Text.
    public static let body = Font(.body)
    /// A remark.
    public static let callout = Font(.callout)
    /// A note below.
    public static let footnote = Font(.footnote)
    /// Text at a picture.
    public static let caption = Font(.caption)
    /// Smaller text at a picture.
    public static let caption2 = Font(.caption2)

    /// A font of a size in points.
    public static func system(size: CGFloat, weight: Weight? = nil, design: Design? = nil) -> Font {
        Font(.body, size: Double(size), weight: weight, design: design ?? .default)
    }

    /// A font of a style.
    public static func system(_ style: TextStyle, design: Design? = nil, weight: Weight? = nil) -> Font {
        Font(style, weight: weight, design: design ?? .default)
    }

    /// The font with another weight.
    public func weight(_ weight: Weight) -> Font { with { $0.weight = weight } }
    /// The bold font.
    public func bold() -> Font { weight(.bold) }
    /// The font with letters of one width.
    public func monospaced() -> Font { with { $0.design = .monospaced } }

    private func with(_ change: (inout Font) -> Void) -> Font {
        var font = self
        change(&font)
        return font
    }
}

/// A colour, over all the space that is proposed.
public struct Color: Hashable, Sendable {
    /// Red, 0 to 1.
    public let red: Double
    /// Green, 0 to 1.
    public let green: Double
    /// Blue, 0 to 1.
    public let blue: Double
    /// The letter that stands for the colour where it is drawn as characters.
    public let letter: Character
    /// What the colour is for.
    public let role: Role

    /// What a colour is for; a renderer with a theme takes the theme's colour for all but a fixed one.
    public enum Role: UInt8, Hashable, Sendable {
        /// It is what its parts say.
        case fixed
        /// Nothing is drawn, unlike with any colour that can be made.
        case clear
        /// Text.
        case primary
        /// Text that matters less.
        case secondary
    }

    var isClear: Bool { role == .clear }
}

extension Color {
    /// Makes a colour.
    public init(red: Double, green: Double, blue: Double, letter: Character = "#") {
        self.init(red: red, green: green, blue: blue, letter: letter, role: .fixed)
    }

    /// Red.
    public static let red = Color(red: 1, green: 0, blue: 0, letter: "R")
    /// Green.
    public static let green = Color(red: 0, green: 1, blue: 0, letter: "G")
    /// Blue.
    public static let blue = Color(red: 0, green: 0, blue: 1, letter: "B")
    /// White.
    public static let white = Color(red: 1, green: 1, blue: 1, letter: "W")
    /// Black.
    public static let black = Color(red: 0, green: 0, blue: 0, letter: "K")
    /// Nothing: as large as other colours, and what is below is seen.
    public static let clear = Color(red: 0, green: 0, blue: 0, letter: " ", role: .clear)

    /// Orange.
    public static let orange = Color(red: 1, green: 0.58, blue: 0, letter: "O")
    /// The theme's colour of text.
    public static let primary = Color(red: 0, green: 0, blue: 0, letter: "K", role: .primary)
    /// The theme's colour of text that matters less.
    public static let secondary = Color(red: 0.5, green: 0.5, blue: 0.5, letter: "A", role: .secondary)
}

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
