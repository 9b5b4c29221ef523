// SPDX-License-Identifier: MIT
// The state of the HUD, and what goes in and out. Pure: the caller supplies data and events, and does what it is asked for.

/// What the HUD shows, where, and what the pointer does with it.
package struct HUDState: Sendable {
    /// A button that was pressed inside of the HUD.
    struct Press: Sendable {
        var button: UInt32
        /// What was pressed.
        var target: HUDTarget
        /// Where, in the window's coordinates.
        var point: HUDPoint
        /// The HUD's origin at that time.
        var origin: HUDPoint
        /// How far the list was scrolled at that time.
        var scroll: Double
        /// Whether the pointer has moved so far that it drags.
        var isDrag = false
    }

    package private(set) var content = HUDContent()
    /// The window without what belongs to its title bar.
    package private(set) var window = HUDRect(0, 0, 0, 0)
    package internal(set) var corner: HUDCorner
    /// Whether only the title strip is shown. It begins so where it would cover more than a third of the window.
    package internal(set) var isCollapsed = false
    /// Whether that was decided: by the window's size once there are rows, or by the user.
    var isSizeDecided = false
    /// Whether the next press outside of the HUD picks a widget.
    package internal(set) var isPicking = false
    package internal(set) var isHighlighting = false
    /// Whether the list shows the stores instead of the views.
    package internal(set) var isChoosingStore = false
    /// Whether rows that say nothing of their own are shown, too.
    package internal(set) var showsAll = false
    /// Whether keys go to the HUD.
    package internal(set) var hasKeyboard = false
    /// The view whose details are shown.
    package internal(set) var expanded: String?
    /// The view that keys act on.
    package internal(set) var selected: String?
    /// A short text in place of the footer, until the next press or key.
    package internal(set) var message: String?
    /// How far the list is scrolled, in pixels.
    var scroll = 0.0
    var press: Press?
    /// Buttons that were pressed outside: until they are released, the pointer is the program's.
    var foreign: Set<UInt32> = []
    /// Further buttons that were pressed while the HUD had the pointer: their releases are not the program's, either.
    var swallowed: Set<UInt32> = []
    var hover: HUDTarget?
    /// Where it is dragged to.
    var dragged: HUDPoint?

    package init(corner: HUDCorner = .topRight) { self.corner = corner }

    // MARK: Data

    /// Shows other data; the list stays where it is.
    package mutating func show(_ content: HUDContent) {
        if content.storeName != self.content.storeName { forgetRows() }
        let areDetailsNew = content.details?.key != self.content.details?.key
        if isBetweenRows, expanded == nil, press == nil, !content.hasOrder(of: self.content) {
            // After another order, no row stands half below the titles.
            scroll = (scroll / HUDMetrics.row).rounded() * HUDMetrics.row
        }
        self.content = content
        decideSize()
        if areDetailsNew, expanded != nil { revealDetails() }
        scroll = layout.scroll
    }

    /// Takes over the window's size.
    ///
    /// - Parameter top: The height of its title bar, which the HUD leaves free.
    package mutating func resize(to size: HUDSize, top: Double = 0) {
        window = HUDRect(0, top, size.width, max(0, size.height - top))
        decideSize()
        scroll = layout.scroll
    }

    private var isBetweenRows: Bool { scroll.truncatingRemainder(dividingBy: HUDMetrics.row) != 0 }

    private mutating func decideSize() {
        guard !isSizeDecided, isVisible, !content.rows.isEmpty else { return }
        isSizeDecided = true
        let size = HUDLayout.sizeAtFirst(self)
        isCollapsed = size.width * size.height * 3 > window.width * window.height
    }

    /// Shows a short text until the next press or key.
    package mutating func say(_ message: String) { self.message = message }

    /// Scrolls so that what is open below a row can be seen, and the row.
    private mutating func revealDetails() {
        guard let list = layout.list, let open = HUDListHeights(self).openSpan else { return }
        scroll = min(open.top, max(scroll, open.bottom - list.height))
    }

    private mutating func forgetRows() { (expanded, selected, scroll, isChoosingStore) = (nil, nil, 0, false) }

    // MARK: Geometry

    /// Where the HUD may stand.
    var area: HUDRect { window.inset(by: HUDMetrics.margin, HUDMetrics.margin) }

    /// Whether the window has room for it.
    package var isVisible: Bool {
        area.width >= HUDMetrics.least.width && area.height >= HUDMetrics.least.height
    }

    /// What it consists of.
    var layout: HUDLayout { HUDLayout(self) }

    /// Its rectangle in the window's coordinates; nil where it is not shown.
    package var frame: HUDRect? {
        guard isVisible else { return nil }
        let size = layout.size
        let origin = origin(of: size)
        return HUDRect(origin.x, origin.y, size.width, size.height)
    }

    private func origin(of size: HUDSize) -> HUDPoint {
        if let dragged { return clamped(dragged, size) }
        return corner.origin(of: size, in: area)
    }

    /// The nearest point at which all of it is in the window.
    private func clamped(_ point: HUDPoint, _ size: HUDSize) -> HUDPoint {
        HUDPoint(
            max(window.x, min(point.x, window.maxX - size.width)),
            max(window.y, min(point.y, window.maxY - size.height)))
    }

    /// What is at a point of the window; nil outside.
    func target(at point: HUDPoint) -> HUDTarget? {
        guard let frame, frame.contains(point) else { return nil }
        return layout.target(at: HUDPoint(point.x - frame.x, point.y - frame.y))
    }
}

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
    /// Put a border around the instances of a view.
    case pulse(String)
    /// Print what is known of a view to the console.
    case printStatistics(String)
    /// Give this moment a name, from which on somebody may ask what happened.
    case mark
    /// Show another store.
    case choose(store: Int)
    /// Give details of this view, or of none, from now on, and list its row, folded or not. Then ``HUDState/closeUnlisted()``.
    case expand(String?)
    /// Read the rows anew: folded ones are shown from now on, or not any more.
    case unfold
    /// Begin or end to flash what draws again.
    case highlight(Bool)
    /// Find the widget at a point of the window, and show its row.
    case pick(HUDPoint)
}

/// What became of an event.
package struct HUDResponse: Hashable, Sendable {
    /// Whether the program must not see the event.
    package var isConsumed: Bool
    package var actions: [HUDAction]

    package init(isConsumed: Bool, _ actions: [HUDAction] = []) {
        (self.isConsumed, self.actions) = (isConsumed, actions)
    }

    /// The event does not concern the HUD.
    package static let passed = HUDResponse(isConsumed: false)
}
