// SPDX-License-Identifier: MIT
// Where something smaller lies in something larger.

/// Where something lies from left to right.
public struct HorizontalAlignment: Hashable, Sendable {
    let position: Alignment.Position

    /// At the left.
    public static let leading = HorizontalAlignment(position: .leading)
    /// In the middle; half a cell goes to the left.
    public static let center = HorizontalAlignment(position: .center)
    /// At the right.
    public static let trailing = HorizontalAlignment(position: .trailing)
}

/// Where something lies from top to bottom.
///
/// A line of text is one cell high. So the first baseline is where the top is, and the last one where the bottom is.
public struct VerticalAlignment: Hashable, Sendable {
    let position: Alignment.Position

    /// At the top.
    public static let top = VerticalAlignment(position: .leading)
    /// In the middle; half a cell goes to the top.
    public static let center = VerticalAlignment(position: .center)
    /// At the bottom.
    public static let bottom = VerticalAlignment(position: .trailing)
    /// By the first line of text: at the top.
    public static let firstTextBaseline = top
    /// By the last line of text: at the bottom.
    public static let lastTextBaseline = bottom
}

/// Where something smaller lies in something larger.
public struct Alignment: Hashable, Sendable {
    /// Where along one axis.
    public enum Position: Hashable, Sendable {
        /// At the left or the top.
        case leading
        /// In the middle; half a cell goes to the left or the top.
        case center
        /// At the right or the bottom.
        case trailing

        func offset(_ length: Int, in space: Int) -> Int {
            switch self {
            case .leading: 0
            case .center: (space - length) / 2
            case .trailing: space - length
            }
        }
    }

    /// From left to right.
    public var horizontal: HorizontalAlignment
    /// From top to bottom.
    public var vertical: VerticalAlignment

    /// Makes an alignment.
    public init(horizontal: HorizontalAlignment, vertical: VerticalAlignment) {
        self.horizontal = horizontal
        self.vertical = vertical
    }

    /// In the middle.
    public static let center = Alignment(horizontal: .center, vertical: .center)
    /// In the middle of the left edge.
    public static let leading = Alignment(horizontal: .leading, vertical: .center)
    /// In the middle of the right edge.
    public static let trailing = Alignment(horizontal: .trailing, vertical: .center)
    /// In the middle of the top edge.
    public static let top = Alignment(horizontal: .center, vertical: .top)
    /// In the middle of the bottom edge.
    public static let bottom = Alignment(horizontal: .center, vertical: .bottom)
    /// In the top left corner.
    public static let topLeading = Alignment(horizontal: .leading, vertical: .top)
    /// In the top right corner.
    public static let topTrailing = Alignment(horizontal: .trailing, vertical: .top)
    /// In the bottom left corner.
    public static let bottomLeading = Alignment(horizontal: .leading, vertical: .bottom)
    /// In the bottom right corner.
    public static let bottomTrailing = Alignment(horizontal: .trailing, vertical: .bottom)

    func origin(of size: CellSize, in space: CellSize) -> CellPoint {
        CellPoint(
            x: horizontal.position.offset(size.width, in: space.width),
            y: vertical.position.offset(size.height, in: space.height))
    }
}
