// SPDX-License-Identifier: MIT
// Sizes and places, in character cells.

/// A size in character cells.
public struct CellSize: Hashable, Sendable {
    /// Columns.
    public var width: Int
    /// Lines.
    public var height: Int

    /// No cells.
    public static let zero = CellSize(width: 0, height: 0)

    /// Makes a size; negative ones are none.
    public init(width: Int, height: Int) {
        self.width = max(0, width)
        self.height = max(0, height)
    }
}

/// A place in character cells, to the right and down.
public struct CellPoint: Hashable, Sendable {
    /// Columns from the left.
    public var x: Int
    /// Lines from the top.
    public var y: Int

    /// The top left corner.
    public static let zero = CellPoint(x: 0, y: 0)

    /// Makes a place.
    public init(x: Int, y: Int) {
        self.x = x
        self.y = y
    }
}

/// A rectangle of character cells.
public struct CellRect: Hashable, Sendable {
    /// The top left corner.
    public var origin: CellPoint
    /// The extent.
    public var size: CellSize

    /// No rectangle.
    public static let zero = CellRect(origin: .zero, size: .zero)

    /// Makes a rectangle.
    public init(origin: CellPoint, size: CellSize) {
        self.origin = origin
        self.size = size
    }

    /// The smallest rectangle around both.
    public func union(_ other: CellRect) -> CellRect {
        let left = min(origin.x, other.origin.x)
        let top = min(origin.y, other.origin.y)
        let right = max(origin.x + size.width, other.origin.x + other.size.width)
        let bottom = max(origin.y + size.height, other.origin.y + other.size.height)
        return CellRect(origin: CellPoint(x: left, y: top), size: CellSize(width: right - left, height: bottom - top))
    }

    /// Whether a place is inside.
    public func contains(_ point: CellPoint) -> Bool {
        point.x >= origin.x && point.x < origin.x + size.width && point.y >= origin.y
            && point.y < origin.y + size.height
    }

    var columns: Range<Int> { origin.x..<origin.x + size.width }
    var rows: Range<Int> { origin.y..<origin.y + size.height }

    /// What is in both; without cells where nothing is.
    func intersection(_ other: CellRect) -> CellRect {
        let (columns, rows) = (columns.clamped(to: other.columns), rows.clamped(to: other.rows))
        return CellRect(
            origin: CellPoint(x: columns.lowerBound, y: rows.lowerBound),
            size: CellSize(width: columns.count, height: rows.count))
    }
}

/// What a container offers; nil where it asks for the ideal size.
public struct ProposedSize: Hashable, Sendable {
    /// Columns.
    public var width: Int?
    /// Lines.
    public var height: Int?

    /// Asks for the ideal size.
    public static let ideal = ProposedSize(width: nil, height: nil)

    /// Makes a proposal.
    public init(width: Int?, height: Int?) {
        self.width = width
        self.height = height
    }

    /// Proposes a size.
    public init(_ size: CellSize) { self.init(width: size.width, height: size.height) }

    func inset(by insets: EdgeInsets) -> ProposedSize {
        ProposedSize(
            width: width.map { max(0, $0 - insets.leading - insets.trailing) },
            height: height.map { max(0, $0 - insets.top - insets.bottom) })
    }
}

/// Distances from the edges, in cells.
public struct EdgeInsets: Hashable, Sendable {
    /// From the top.
    public var top: Int
    /// From the left.
    public var leading: Int
    /// From the bottom.
    public var bottom: Int
    /// From the right.
    public var trailing: Int

    /// Makes insets.
    public init(top: Int, leading: Int, bottom: Int, trailing: Int) {
        self.top = top
        self.leading = leading
        self.bottom = bottom
        self.trailing = trailing
    }
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
    public var horizontal: Position
    /// From top to bottom.
    public var vertical: Position

    /// Makes an alignment.
    public init(horizontal: Position, vertical: Position) {
        self.horizontal = horizontal
        self.vertical = vertical
    }

    /// In the middle.
    public static let center = Alignment(horizontal: .center, vertical: .center)
    /// In the top left corner.
    public static let topLeading = Alignment(horizontal: .leading, vertical: .leading)
    /// In the bottom right corner.
    public static let bottomTrailing = Alignment(horizontal: .trailing, vertical: .trailing)

    func origin(of size: CellSize, in space: CellSize) -> CellPoint {
        CellPoint(
            x: horizontal.offset(size.width, in: space.width), y: vertical.offset(size.height, in: space.height))
    }
}
