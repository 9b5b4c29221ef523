// SPDX-License-Identifier: MIT
// What goes into the HUD, and what it asks of its caller.

/// A key that the HUD knows.
package enum HUDKey: Hashable, Sendable {
    case up, down, pageUp, pageDown, home, end, enter, escape
    case character(Character)
}

/// An event of the window. Points are in the window's coordinates.
package enum HUDInput: Hashable, Sendable {
    /// A button is pressed, or a finger put down; 1 is the primary button.
    case press(HUDPoint, button: UInt32 = 1)
    case motion(HUDPoint)
    /// A button is released.
    case release(HUDPoint, button: UInt32 = 1)
    /// The pointer left the window.
    case leave
    /// The system took the pointer away, and no release will come.
    case cancel
    /// The wheel, or two fingers: so many pixels down.
    case scroll(HUDPoint, by: Double)
    case key(HUDKey)
    /// The shortcut that lends the keyboard to the HUD and takes it back.
    case shortcut
}

/// What the caller has to do.
package enum HUDAction: Hashable, Sendable {
    /// Draw again: something else is shown, or at another place.
    case redraw
    /// Call `advance` before each frame until it says that nothing moves.
    case animate
    /// Put a border around the instances of a view.
    case pulse(String)
    /// Print what is known of a view to the console.
    case printStatistics(String)
    /// Put the export onto the clipboard, as JSON.
    case copy
    /// Show another store.
    case choose(store: Int)
    /// Give details of this view, or of none, from now on.
    case expand(String?)
    /// Begin or end to flash what draws again.
    case highlight(Bool)
}

/// What became of an event.
package struct HUDResponse: Hashable, Sendable {
    /// Whether the program must not see the event.
    package var isConsumed: Bool
    package var actions: [HUDAction]

    package init(isConsumed: Bool, _ actions: [HUDAction] = []) {
        (self.isConsumed, self.actions) = (isConsumed, actions)
    }

    /// The event is none of the HUD's.
    package static let passed = HUDResponse(isConsumed: false)
}
