// SPDX-License-Identifier: MIT
// Points, sizes and rectangles, in GTK's logical pixels from the top left.

/// A point.
package struct HUDPoint: Hashable, Sendable {
    package var x: Double
    package var y: Double

    package init(_ x: Double, _ y: Double) { (self.x, self.y) = (x, y) }

    /// How far it is from another one.
    func distance(to other: HUDPoint) -> Double {
        ((x - other.x) * (x - other.x) + (y - other.y) * (y - other.y)).squareRoot()
    }
}

/// A size.
package struct HUDSize: Hashable, Sendable {
    package var width: Double
    package var height: Double

    package init(_ width: Double, _ height: Double) { (self.width, self.height) = (width, height) }
}

/// A rectangle.
package struct HUDRect: Hashable, Sendable {
    package var x: Double
    package var y: Double
    package var width: Double
    package var height: Double

    package init(_ x: Double, _ y: Double, _ width: Double, _ height: Double) {
        (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }

    package var maxX: Double { x + width }
    package var maxY: Double { y + height }
    package var center: HUDPoint { HUDPoint(x + width / 2, y + height / 2) }

    /// Whether a point is inside; the right and the lower edge are outside.
    package func contains(_ point: HUDPoint) -> Bool {
        point.x >= x && point.x < maxX && point.y >= y && point.y < maxY
    }

    /// The same, smaller by so much on each side.
    func inset(by x: Double, _ y: Double) -> HUDRect {
        HUDRect(self.x + x, self.y + y, max(0, width - 2 * x), max(0, height - 2 * y))
    }
}
