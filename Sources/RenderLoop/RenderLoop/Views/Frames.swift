// SPDX-License-Identifier: MIT
// Frames with limits.

public import Foundation

extension View {
    /// Limits the size in cells, where a limit is given.
    ///
    /// With a maximum the frame takes up the space that is proposed, as far as that goes: `maxWidth: .infinity` takes up all.
    /// In a stack that is a share of the space that is left. Without a minimum it is at least as large as the view.
    public func frame(
        minWidth: CGFloat? = nil, idealWidth: CGFloat? = nil, maxWidth: CGFloat? = nil, minHeight: CGFloat? = nil,
        idealHeight: CGFloat? = nil, maxHeight: CGFloat? = nil, alignment: Alignment = .center
    ) -> some View {
        let width = LengthLimits(min: minWidth, ideal: idealWidth, max: maxWidth)
        let height = LengthLimits(min: minHeight, ideal: idealHeight, max: maxHeight)
        return modifier(LayoutModifier(layout: .limits(width: width, height: height, alignment)))
    }
}
