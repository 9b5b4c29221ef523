// SPDX-License-Identifier: MIT
// The symbols of the HUD, made of rectangles: which glyphs a font has is not known.

extension HUDPainter {
    /// A button of the header.
    mutating func paint(_ button: HUDTarget, _ frame: HUDRect) {
        if state.hover == button { fill(frame.inset(by: 1, 1), HUDTheme.hover, radius: 5) }
        switch button {
        case .highlight: flash(frame.center)
        case .copy: pages(frame.center)
        case .collapse: chevron(frame.center, isDown: isFoldedUp)
        default: break
        }
    }

    /// The chevron points to where the list goes.
    private var isFoldedUp: Bool {
        let isAtTop = state.corner == .topLeft || state.corner == .topRight
        return layout.isStrip == isAtTop
    }

    /// The red badge of a view with hangs.
    mutating func badge(at point: HUDPoint) {
        let frame = HUDRect(point.x, point.y, HUDMetrics.badge.width, HUDMetrics.badge.height)
        fill(frame, HUDTheme.hang, radius: 4)
        text("HANG", frame, size: 9, weight: 700, HUDTheme.onHang, .center)
    }

    mutating func chevron(_ center: HUDPoint, isDown: Bool) {
        let angle: Float = isDown ? 45 : -45
        for (side, turned) in [(-1.0, angle), (1.0, -angle)] {
            let bar = HUDRect(center.x + side * 2.3 - 3.6, center.y - 0.8, 7.2, 1.6)
            add(.fill(bar, radius: 0.8, HUDTheme.dim, turned: turned))
        }
    }

    /// A rectangle with a border, as a flashing widget has: the switch of the highlight.
    private mutating func flash(_ center: HUDPoint) {
        let frame = HUDRect(center.x - 6, center.y - 5, 12, 10)
        let color = state.isHighlighting ? HUDColor(0xF87171) : HUDTheme.dim
        if state.isHighlighting { fill(frame, HUDColor(0xEF4444, alpha: 0.4), radius: 2) }
        add(.border(frame, radius: 2, width: 1.4, color))
        fill(HUDRect(center.x - 2, center.y - 1.5, 4, 3), color, radius: 1)
    }

    /// Two pages: copy.
    private mutating func pages(_ center: HUDPoint) {
        add(.border(HUDRect(center.x - 5, center.y - 6, 8, 9), radius: 1.5, width: 1.3, HUDTheme.dim))
        fill(HUDRect(center.x - 2, center.y - 3, 8, 9), HUDColor(0x2B2B2F), radius: 1.5)
        add(.border(HUDRect(center.x - 2, center.y - 3, 8, 9), radius: 1.5, width: 1.3, HUDTheme.dim))
    }
}
