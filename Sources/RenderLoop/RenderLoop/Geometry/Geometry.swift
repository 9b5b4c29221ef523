// SPDX-License-Identifier: MIT
// Sizes, places and axes in character cells, and alignments of something smaller in something larger.

@_exported public import Foundation

/// How large numbers of cells get: far beyond every screen, and sums of some of them are still numbers.
///
/// `frame(width: .max)` asks for as much as there can be, which is no reason to stop the program.
enum CellLimit {
    static let range = -(1 << 30)...(1 << 30)

    static func place(_ cells: Int) -> Int { min(max(cells, range.lowerBound), range.upperBound) }
    static func length(_ cells: Int) -> Int { min(max(cells, 0), range.upperBound) }
}

/// A size in character cells; at most 2^30 of them each way.
public struct CellSize: Hashable, Sendable {
    /// Columns.
    public var width: Int { didSet { width = CellLimit.length(width) } }
    /// Lines.
    public var height: Int { didSet { height = CellLimit.length(height) } }

    /// No cells.
    public static let zero = CellSize(width: 0, height: 0)

    /// Makes a size; negative ones are none.
    public init(width: Int, height: Int) {
        self.width = CellLimit.length(width)
        self.height = CellLimit.length(height)
    }
}

/// A place in character cells, to the right and down; at most 2^30 of them away.
public struct CellPoint: Hashable, Sendable {
    /// Columns from the left.
    public var x: Int { didSet { x = CellLimit.place(x) } }
    /// Lines from the top.
    public var y: Int { didSet { y = CellLimit.place(y) } }

    /// The top left corner.
    public static let zero = CellPoint(x: 0, y: 0)

    /// Makes a place.
    public init(x: Int, y: Int) {
        self.x = CellLimit.place(x)
        self.y = CellLimit.place(y)
    }

    static func + (lhs: CellPoint, rhs: CellPoint) -> CellPoint { CellPoint(x: lhs.x + rhs.x, y: lhs.y + rhs.y) }
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

/// What a container offers, at most 2^30 cells each way; nil where it asks for the ideal size.
public struct ProposedSize: Hashable, Sendable {
    /// Columns.
    public var width: Int? { didSet { width = width.map(CellLimit.length) } }
    /// Lines.
    public var height: Int? { didSet { height = height.map(CellLimit.length) } }

    /// Asks for the ideal size.
    public static let ideal = ProposedSize(width: nil, height: nil)

    /// Makes a proposal; negative sizes are none.
    public init(width: Int?, height: Int?) {
        self.width = width.map(CellLimit.length)
        self.height = height.map(CellLimit.length)
    }

    /// Proposes a size.
    public init(_ size: CellSize) { self.init(width: size.width, height: size.height) }

    func inset(by insets: EdgeInsets) -> ProposedSize {
        ProposedSize(
            width: width.map { $0 - insets.leading - insets.trailing },
            height: height.map { $0 - insets.top - insets.bottom })
    }
}

/// Distances from the edges, in cells; at most 2^30.
public struct EdgeInsets: Hashable, Sendable {
    /// From the top.
    public var top: Int { didSet { top = CellLimit.place(top) } }
    /// From the left.
    public var leading: Int { didSet { leading = CellLimit.place(leading) } }
    /// From the bottom.
    public var bottom: Int { didSet { bottom = CellLimit.place(bottom) } }
    /// From the right.
    public var trailing: Int { didSet { trailing = CellLimit.place(trailing) } }

    /// Makes insets.
    public init(top: Int, leading: Int, bottom: Int, trailing: Int) {
        self.top = CellLimit.place(top)
        self.leading = CellLimit.place(leading)
        self.bottom = CellLimit.place(bottom)
        self.trailing = CellLimit.place(trailing)
    }
}

/// The direction of a stack.
public enum Axis: Hashable, Sendable {
    /// From left to right.
    case horizontal
    /// From top to bottom.
    case vertical
}

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

// Lengths as SwiftUI writes them, and the limits of a flexible frame.

// As SwiftUI does: a literal of `CGFloat` needs it.

extension CGFloat {
    /// The nearest number of cells; what is no number is none, and what is infinite as much as there can be.
    var cells: Int {
        guard !isNaN else { return 0 }
        let limits = CellLimit.range
        return Int(Swift.min(Swift.max(rounded(), CGFloat(limits.lowerBound)), CGFloat(limits.upperBound)))
    }
}

/// How long a frame may be in one direction, in cells.
public struct LengthLimits: Hashable, Sendable {
    /// At least this; nil where the content decides.
    public let min: Int?
    /// This where nothing is proposed; nil where the content decides.
    public let ideal: Int?
    /// At most this, and as far as space is proposed; nil where the content decides.
    public let max: Int?

    init(min: CGFloat?, ideal: CGFloat?, max: CGFloat?) {
        self.min = min.map { CellLimit.length($0.cells) }
        self.ideal = ideal.map { CellLimit.length($0.cells) }
        self.max = max.map { CellLimit.length($0.cells) }
    }

    /// What the content is proposed.
    func offer(_ proposed: Int?) -> Int? { (proposed ?? ideal).map(limited) }

    /// The frame's length around a content of some length.
    func length(around content: Int, proposed: Int?) -> Int {
        guard let proposed else { return limited(ideal ?? content) }
        var length = content
        if let min { length = Swift.max(min, Swift.min(length, proposed)) }
        if let max { length = Swift.min(max, Swift.max(length, proposed)) }
        return length
    }

    private func limited(_ length: Int) -> Int {
        Swift.max(Swift.min(length, max ?? .max), min ?? 0)
    }
}
