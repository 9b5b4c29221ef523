// SPDX-License-Identifier: MIT
// Colours, each with the letter that a terminal shows for it.

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
        /// What can be operated.
        case accent
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
    /// Yellow.
    public static let yellow = Color(red: 1, green: 1, blue: 0, letter: "Y")
    /// Nothing: as large as other colours, and what is below is seen.
    public static let clear = Color(red: 0, green: 0, blue: 0, letter: " ", role: .clear)

    /// Orange.
    public static let orange = Color(red: 1, green: 0.58, blue: 0, letter: "O")
    /// Purple.
    public static let purple = Color(red: 0.69, green: 0.32, blue: 0.87, letter: "P")
    /// Pink.
    public static let pink = Color(red: 1, green: 0.18, blue: 0.33, letter: "I")
    /// Gray.
    public static let gray = Color(red: 0.56, green: 0.56, blue: 0.58, letter: "A")
    /// The theme's colour of text.
    public static let primary = Color(red: 0, green: 0, blue: 0, letter: "K", role: .primary)
    /// The theme's colour of text that matters less.
    public static let secondary = Color(red: 0.5, green: 0.5, blue: 0.5, letter: "A", role: .secondary)
    /// The theme's colour of what can be operated.
    public static let accentColor = Color(red: 0, green: 0.48, blue: 1, letter: "B", role: .accent)
}
