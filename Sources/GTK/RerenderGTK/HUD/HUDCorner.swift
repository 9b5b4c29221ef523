// SPDX-License-Identifier: MIT
// The corner of the window in which the HUD stands.

/// A corner of the window.
package enum HUDCorner: String, CaseIterable, Hashable, Sendable {
    case topLeft = "top-left"
    case topRight = "top-right"
    case bottomLeft = "bottom-left"
    case bottomRight = "bottom-right"

    /// Where something of this size stands in an area.
    package func origin(of size: HUDSize, in area: HUDRect) -> HUDPoint {
        let isLeft = self == .topLeft || self == .bottomLeft
        let isTop = self == .topLeft || self == .topRight
        return HUDPoint(isLeft ? area.x : area.maxX - size.width, isTop ? area.y : area.maxY - size.height)
    }

    /// The corner that is nearest to a point in an area.
    package static func nearest(to point: HUDPoint, in area: HUDRect) -> HUDCorner {
        let isLeft = point.x < area.center.x
        let isTop = point.y < area.center.y
        return isTop ? (isLeft ? .topLeft : .topRight) : (isLeft ? .bottomLeft : .bottomRight)
    }
}
