// SPDX-License-Identifier: MIT
// How layers find their sizes and places: stacks, and little more.

/// The direction of a stack.
public enum Axis: Hashable, Sendable {
    /// From left to right.
    case horizontal
    /// From top to bottom.
    case vertical
}

/// A way to arrange layers that the library does not know.
@MainActor
public protocol CustomLayerLayout: AnyObject {
    /// The size of a layer; asks ``Layer/measure(_:)`` of its sublayers.
    func size(of layer: Layer, _ proposal: ProposedSize) -> CellSize
    /// Calls ``Layer/place(at:size:)`` of each sublayer.
    func place(_ layer: Layer)
}

/// How a layer finds its size and places its sublayers.
///
/// Where the content is several layers (of a `Group`, a `ForEach`, a body of several statements), they lie as they would without
/// the layer around them: as in the nearest stack; over one another in a ``ZStack``, a background or an overlay; else one below
/// the other.
public enum LayerLayout: Equatable {
    /// As large as its content.
    case leaf
    /// As large as it is proposed to be.
    case fill
    /// One after the other.
    case stack(Axis, spacing: Int, Alignment.Position)
    /// Over one another, the last in front; as large as the largest.
    case overlaid(Alignment)
    /// As large as its content, which several sublayers may be.
    case joined(Alignment)
    /// The content with a distance around.
    case padding(EdgeInsets)
    /// Of fixed size, where one is given.
    case frame(width: Int?, height: Int?, Alignment)
    /// Somewhere else than where it would be.
    case offset(x: Int, y: Int)
    /// The first `count` sublayers are the content, which decides the size; all others get that size proposed.
    case attached(Alignment)
    /// By an algorithm of one's own.
    case custom(any CustomLayerLayout)

    /// Whether both arrange alike; algorithms of one's own by identity.
    public static func == (lhs: LayerLayout, rhs: LayerLayout) -> Bool {
        switch (lhs, rhs) {
        case (.leaf, .leaf), (.fill, .fill): true
        case (.stack(let axis, let spacing, let position), .stack(let axis2, let spacing2, let position2)):
            axis == axis2 && spacing == spacing2 && position == position2
        case (.overlaid(let old), .overlaid(let new)), (.attached(let old), .attached(let new)),
            (.joined(let old), .joined(let new)):
            old == new
        case (.padding(let old), .padding(let new)): old == new
        case (.frame(let width, let height, let position), .frame(let width2, let height2, let position2)):
            width == width2 && height == height2 && position == position2
        case (.offset(let x, let y), .offset(let x2, let y2)): x == x2 && y == y2
        case (.custom(let old), .custom(let new)): old === new
        default: false
        }
    }
}

@available(*, unavailable)
extension LayerLayout: Sendable {}

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
