// SPDX-License-Identifier: MIT
// What is drawn, in the order of drawing. Coordinates are the HUD's own.

/// A colour; the parts are from 0 to 1, and not multiplied by alpha.
package struct HUDColor: Hashable, Sendable {
    package var red: Float
    package var green: Float
    package var blue: Float
    package var alpha: Float

    /// A colour by its hexadecimal digits, such as `0xEF4444`.
    package init(_ digits: UInt32, alpha: Float = 1) {
        red = Float(digits >> 16 & 255) / 255
        green = Float(digits >> 8 & 255) / 255
        blue = Float(digits & 255) / 255
        self.alpha = alpha
    }
}

/// A line of text. It is cut with an ellipsis where it is wider than its frame.
package struct HUDText: Hashable, Sendable {
    /// On which side of its frame a text stands.
    package enum Alignment: Int32, Hashable, Sendable { case leading, center, trailing }

    /// Where a text is cut.
    package enum Ellipsis: Int32, Hashable, Sendable { case end, middle }

    package var text: String
    package var frame: HUDRect
    /// The font's size in pixels.
    package var size: Float
    /// The font's weight, as CSS counts it.
    package var weight: Int32
    package var color: HUDColor
    package var alignment: Alignment
    package var ellipsis: Ellipsis
}

/// A step of drawing.
package enum HUDOperation: Hashable, Sendable {
    /// A filled rectangle with rounded corners.
    ///
    /// `turned` is the angle around the centre, in degrees.
    case fill(HUDRect, radius: Float, HUDColor, turned: Float = 0)
    /// A rectangle's border, which is drawn inside of it.
    case border(HUDRect, radius: Float, width: Float, HUDColor)
    /// A line of text.
    case text(HUDText)
    /// What follows is cut at a rectangle, until `unclip`.
    case clip(HUDRect, radius: Float)
    case unclip
}
