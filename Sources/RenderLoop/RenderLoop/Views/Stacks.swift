// SPDX-License-Identifier: MIT
// Views one after the other, or over one another.

/// Where things lie from left to right.
public typealias HorizontalAlignment = Alignment.Position
/// Where things lie from top to bottom.
public typealias VerticalAlignment = Alignment.Position

/// Views from top to bottom.
public struct VStack<Content: View>: LayerView {
    /// The views.
    public let content: Content
    private let alignment: HorizontalAlignment
    private let spacing: Int

    /// Stacks views with a distance in cells.
    public init(
        alignment: HorizontalAlignment = .center, spacing: Int = 0, @ViewBuilder content: () -> Content
    ) {
        self.alignment = alignment
        self.spacing = spacing
        self.content = content()
    }

    /// The layer stacks what is in it.
    public func configure(_ layer: Layer) { layer.layout = .stack(.vertical, spacing: spacing, alignment) }
}

/// Views from left to right.
public struct HStack<Content: View>: LayerView {
    /// The views.
    public let content: Content
    private let alignment: VerticalAlignment
    private let spacing: Int

    /// Stacks views with a distance in cells.
    public init(alignment: VerticalAlignment = .center, spacing: Int = 1, @ViewBuilder content: () -> Content) {
        self.alignment = alignment
        self.spacing = spacing
        self.content = content()
    }

    /// The layer stacks what is in it.
    public func configure(_ layer: Layer) { layer.layout = .stack(.horizontal, spacing: spacing, alignment) }
}

/// Views over one another, the last in front.
public struct ZStack<Content: View>: LayerView {
    /// The views.
    public let content: Content
    private let alignment: Alignment

    /// Lays views over one another.
    public init(alignment: Alignment = .center, @ViewBuilder content: () -> Content) {
        self.alignment = alignment
        self.content = content()
    }

    /// The layer lays what is in it over one another.
    public func configure(_ layer: Layer) { layer.layout = .overlaid(alignment) }
}
