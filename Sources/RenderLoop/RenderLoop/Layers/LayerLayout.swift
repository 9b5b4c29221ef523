// SPDX-License-Identifier: MIT
// How layers find their sizes and places: stacks, frames, and space that is left.

/// A layout by an algorithm; equal to itself alone.
@MainActor
public class CustomLayerLayout: Equatable {
    /// The size of a layer; asks ``Layer/measure(_:)`` of its sublayers.
    func size(of layer: Layer, _ proposal: ProposedSize) -> CellSize { .zero }
    /// How far a layer takes up space that a stack has left; nothing at first.
    func growth(of layer: Layer) -> CellSize { .zero }
    /// Calls ``Layer/place(at:size:)`` of each sublayer.
    func place(_ layer: Layer) {}

    /// Whether both are the same object.
    public nonisolated static func == (lhs: CustomLayerLayout, rhs: CustomLayerLayout) -> Bool { lhs === rhs }
}

/// How a layer finds its size and places its sublayers.
///
/// Where the content is several layers (of a label or an attachment with several statements), they lie as they would without
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
    /// Within limits as large as it is proposed to be.
    case limits(width: LengthLimits, height: LengthLimits, Alignment)
    /// Space that is left in a stack, and at least so much; as large as it is proposed to be elsewhere.
    case spacer(minLength: Int)
    /// Somewhere else than where it would be.
    case offset(x: Int, y: Int)
    /// The first `count` sublayers are the content, which decides the size; all others get that size proposed.
    case attached(Alignment)
    /// By an algorithm.
    case custom(CustomLayerLayout)
}

@available(*, unavailable)
extension LayerLayout: Sendable {}
