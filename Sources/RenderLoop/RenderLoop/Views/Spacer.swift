// SPDX-License-Identifier: MIT
// Space between views.

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
