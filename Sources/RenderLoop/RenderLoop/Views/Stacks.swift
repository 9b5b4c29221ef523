// SPDX-License-Identifier: MIT
// Views one after the other or over one another, and the space between them.

public import Foundation

/// Views from top to bottom.
public struct VStack<Content: View>: LayerView {
    /// The views.
    public let content: Content
    private let alignment: HorizontalAlignment
    private let spacing: Int

    /// Stacks views with a distance in cells; none without one.
    public init(
        alignment: HorizontalAlignment = .center, spacing: Int? = nil, @ViewBuilder content: () -> Content
    ) {
        self.alignment = alignment
        self.spacing = spacing ?? 0
        self.content = content()
    }

    /// The layer stacks what is in it.
    public func configure(_ layer: Layer) { layer.layout = .stack(.vertical, spacing: spacing, alignment.position) }
}

/// Views from left to right.
public struct HStack<Content: View>: LayerView {
    /// The views.
    public let content: Content
    private let alignment: VerticalAlignment
    private let spacing: Int

    /// Stacks views with a distance in cells; one without one.
    public init(alignment: VerticalAlignment = .center, spacing: Int? = nil, @ViewBuilder content: () -> Content) {
        self.alignment = alignment
        self.spacing = spacing ?? 1
        self.content = content()
    }

    /// The layer stacks what is in it.
    public func configure(_ layer: Layer) { layer.layout = .stack(.horizontal, spacing: spacing, alignment.position) }
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

/// Takes up the space that is left in the stack around it; several share it.
///
/// Outside of a stack it is as large as it is proposed to be.
public struct Spacer: LayerView {
    private let minLength: CGFloat?

    /// Takes up at least so many cells; none without a length.
    public init(minLength: CGFloat? = nil) { self.minLength = minLength }

    /// The layer is space.
    public func configure(_ layer: Layer) { layer.layout = .spacer(minLength: max(0, minLength?.cells ?? 0)) }
}
