// SPDX-License-Identifier: MIT
// Fonts, as far as a renderer has any.

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
    /// Whether the letters are slanted.
    public private(set) var isItalic = false

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
    /// The slanted font.
    public func italic() -> Font { with { $0.isItalic = true } }
    /// The font with letters of one width.
    public func monospaced() -> Font { with { $0.design = .monospaced } }

    private func with(_ change: (inout Font) -> Void) -> Font {
        var font = self
        change(&font)
        return font
    }
}
