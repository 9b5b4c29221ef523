// SPDX-License-Identifier: MIT
// What is drawn, in the order of drawing, and the HUD's own colours and measures. Coordinates are the HUD's own.

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

/// Colours of the HUD: its own, so that it can be read on any theme.
enum HUDTheme {
    static let background = HUDColor(0x18181B)
    static let outline = HUDColor(0xFFFFFF, alpha: 0.16)
    static let header = HUDColor(0xFFFFFF, alpha: 0.07)
    static let hover = HUDColor(0xFFFFFF, alpha: 0.07)
    static let open = HUDColor(0xFFFFFF, alpha: 0.10)
    static let separator = HUDColor(0xFFFFFF, alpha: 0.07)
    static let text = HUDColor(0xF4F4F5)
    static let dim = HUDColor(0xA6A6B0)
    static let faint = HUDColor(0x84848F)
    static let waste = HUDColor(0xFDBA74)
    static let hang = HUDColor(0xDC2626)
    static let hangText = HUDColor(0xF87171)
    static let onHang = HUDColor(0xFFFFFF)
    static let accent = HUDColor(0x60A5FA)
}

/// Measures of the HUD, in pixels.
enum HUDMetrics {
    /// Room between the HUD and the window's edges.
    static let margin = 10.0
    static let width = 372.0
    static let stripWidth = 236.0
    /// No HUD is drawn in a window that has less room.
    static let least = HUDSize(140, 32)
    static let radius = 9.0
    static let header = 32.0
    static let verdict = 20.0
    static let titles = 18.0
    static let row = 36.0
    static let footer = 22.0
    static let detailLine = 17.0
    static let detailPadding = 7.0
    static let menuItem = 26.0
    static let padding = 11.0
    static let button = 26.0
    /// The list is no taller than this.
    static let list = 8.5 * row
    /// Widths of the columns of numbers, from the right.
    static let columns = (wasted: 56.0, rate: 46.0, count: 50.0)
    static let badge = HUDSize(38, 14)
    /// Room for a character of a note: letters of the largest usual width.
    static let noteCharacter = 6.5
    /// A pointer that moved so far with its button pressed drags.
    static let dragDistance = 4.0
}
