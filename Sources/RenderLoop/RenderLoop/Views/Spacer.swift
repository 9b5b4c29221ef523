// SPDX-License-Identifier: MIT
// Space between views, and lines between them.

public import Foundation

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

/// A line between views: upright in an ``HStack``, else from left to right.
public struct Divider: LayerView {
    /// Makes a line.
    public init() {}

    /// The layer is a line.
    public func configure(_ layer: Layer) { layer.layout = .rule }
}
