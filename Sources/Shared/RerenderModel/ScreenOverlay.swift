// SPDX-License-Identifier: MIT
// What an app can show above its own window.

/// What lies above the views of an app until it is switched off.
package enum ScreenOverlay: String, Hashable, Codable, Sendable, CaseIterable {
    /// The table of views.
    case hud
    /// Flashes over what draws again.
    case highlight
}
