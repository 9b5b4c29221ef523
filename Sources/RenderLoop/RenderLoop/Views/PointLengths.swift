// SPDX-License-Identifier: MIT
// Lengths as SwiftUI's code has them, `CGFloat`: so many cells, rounded.

public import Foundation

extension View {
    /// Fixes the size in cells, where one is given.
    @_disfavoredOverload
    public func frame(width: CGFloat? = nil, height: CGFloat? = nil, alignment: Alignment = .center) -> some View {
        frame(width: width?.cells, height: height?.cells, alignment: alignment)
    }

    /// Keeps a distance in cells on all sides.
    @_disfavoredOverload
    public func padding(_ length: CGFloat) -> some View { padding(length.cells) }

    /// Keeps a distance in cells at some of the edges; one cell without a length.
    @_disfavoredOverload
    public func padding(_ edges: Edge.Set = .all, _ length: CGFloat?) -> some View {
        padding(edges, length?.cells)
    }

    /// Shows the view so many cells elsewhere than the layout puts it.
    @_disfavoredOverload
    public func offset(x: CGFloat = 0, y: CGFloat = 0) -> some View { offset(x: x.cells, y: y.cells) }

    /// Draws a line along the edges, over the view.
    @_disfavoredOverload
    public func border(_ color: Color, width points: CGFloat) -> some View { border(color, width: points.cells) }
}

extension VStack {
    /// Stacks views with a distance in cells; none without one.
    @_disfavoredOverload
    public init(alignment: HorizontalAlignment = .center, spacing: CGFloat?, @ViewBuilder content: () -> Content) {
        self.init(alignment: alignment, spacing: spacing?.cells, content: content)
    }
}

extension HStack {
    /// Stacks views with a distance in cells; one without one.
    @_disfavoredOverload
    public init(alignment: VerticalAlignment = .center, spacing: CGFloat?, @ViewBuilder content: () -> Content) {
        self.init(alignment: alignment, spacing: spacing?.cells, content: content)
    }
}
