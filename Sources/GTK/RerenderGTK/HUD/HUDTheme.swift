// SPDX-License-Identifier: MIT
// The HUD's colours and measures. They are its own, so that it can be read on any theme.

/// Colours of the HUD.
enum HUDTheme {
    static let background = HUDColor(0x18181B)
    static let outline = HUDColor(0xFFFFFF, alpha: 0.16)
    static let header = HUDColor(0xFFFFFF, alpha: 0.07)
    static let hover = HUDColor(0xFFFFFF, alpha: 0.07)
    static let open = HUDColor(0xFFFFFF, alpha: 0.10)
    static let separator = HUDColor(0xFFFFFF, alpha: 0.07)
    static let menu = HUDColor(0x2A2A30)
    static let text = HUDColor(0xF4F4F5)
    static let dim = HUDColor(0xA6A6B0)
    static let waste = HUDColor(0xFDBA74)
    static let hang = HUDColor(0xDC2626)
    static let hangText = HUDColor(0xF87171)
    static let onHang = HUDColor(0xFFFFFF)
    static let accent = HUDColor(0x60A5FA)
}

/// Measures of the HUD, in pixels.
enum HUDMetrics {
    /// Room between the HUD and the window's edges.
    static let margin = 10.0
    static let width = 372.0
    static let stripWidth = 236.0
    /// No HUD is drawn in a window that has less room.
    static let least = HUDSize(140, 32)
    static let radius = 9.0
    static let header = 32.0
    static let verdict = 20.0
    static let titles = 18.0
    static let row = 36.0
    static let footer = 22.0
    static let detailLine = 17.0
    static let detailPadding = 7.0
    static let menuItem = 26.0
    static let padding = 11.0
    static let button = 26.0
    /// The list is no taller than this.
    static let list = 8.5 * row
    /// Widths of the columns of numbers, from the right.
    static let columns = (wasted: 56.0, rate: 46.0, count: 50.0)
    static let badge = HUDSize(38, 14)
    /// A pointer that moved so far with its button pressed drags.
    static let dragDistance = 4.0
    /// How long the HUD takes to reach its corner, in seconds.
    static let motion = 0.18
}
