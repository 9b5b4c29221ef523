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
    /// Whether nothing is drawn, unlike with any colour that can be made.
    let isClear: Bool
}

extension Color {
    /// Makes a colour.
    public init(red: Double, green: Double, blue: Double, letter: Character = "#") {
        self.init(red: red, green: green, blue: blue, letter: letter, isClear: false)
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
    public static let clear = Color(red: 0, green: 0, blue: 0, letter: " ", isClear: true)
}
