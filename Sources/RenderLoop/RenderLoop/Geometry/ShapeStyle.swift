// SPDX-License-Identifier: MIT
// What text and icons are drawn with.

/// What text and icons are drawn with, as a renderer finds it.
public enum Foreground: Hashable, Sendable {
    /// A colour.
    case color(Color)
    /// The present colour, weaker with each level: 0 is all of it.
    case level(Int)
}

/// What text and icons can be drawn with.
public protocol ShapeStyle: Sendable {
    /// What a renderer takes.
    var foreground: Foreground { get }
}

extension Color: ShapeStyle {
    /// The colour.
    public var foreground: Foreground { .color(self) }
}

/// The present colour, weaker with each level.
public struct HierarchicalShapeStyle: ShapeStyle {
    fileprivate let level: Int

    /// The level.
    public var foreground: Foreground { .level(level) }
}

extension ShapeStyle where Self == HierarchicalShapeStyle {
    /// The present colour.
    public static var primary: HierarchicalShapeStyle { HierarchicalShapeStyle(level: 0) }
    /// The present colour for what matters less.
    public static var secondary: HierarchicalShapeStyle { HierarchicalShapeStyle(level: 1) }
    /// The third level of the present colour.
    public static var tertiary: HierarchicalShapeStyle { HierarchicalShapeStyle(level: 2) }
    /// The fourth level of the present colour.
    public static var quaternary: HierarchicalShapeStyle { HierarchicalShapeStyle(level: 3) }
}

extension ShapeStyle where Self == Color {
    /// Red.
    public static var red: Color { .red }
    /// Green.
    public static var green: Color { .green }
    /// Blue.
    public static var blue: Color { .blue }
    /// White.
    public static var white: Color { .white }
    /// Black.
    public static var black: Color { .black }
    /// Yellow.
    public static var yellow: Color { .yellow }
    /// Orange.
    public static var orange: Color { .orange }
    /// Purple.
    public static var purple: Color { .purple }
    /// Pink.
    public static var pink: Color { .pink }
    /// Gray.
    public static var gray: Color { .gray }
    /// Nothing.
    public static var clear: Color { .clear }
    /// The theme's colour of what can be operated.
    public static var tint: Color { .accentColor }
}
