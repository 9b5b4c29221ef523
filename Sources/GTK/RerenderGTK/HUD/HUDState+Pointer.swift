// SPDX-License-Identifier: MIT
// The effect of each event of the pointer.

extension HUDState {
    /// Handles an event, and says whether the program must not see it.
    ///
    /// - Parameter now: The time, in seconds.
    package mutating func take(_ input: HUDInput, at now: Double) -> HUDResponse {
        guard isVisible || press != nil else { return .passed }
        switch input {
        case .press(let point, let button): return pressed(point, button)
        case .motion(let point): return moved(to: point)
        case .release(let point, let button): return released(point, button, now)
        case .leave: return hovered(nil)
        case .cancel: return cancelled(now)
        case .scroll(let point, let distance): return scrolled(point, distance)
        case .key(let key): return hasKeyboard ? taken(key) : .passed
        case .shortcut: return lentKeyboard()
        }
    }

    private mutating func pressed(_ point: HUDPoint, _ button: UInt32) -> HUDResponse {
        // Further buttons of a pointer that the HUD has.
        if press != nil {
            swallowed.insert(button)
            return HUDResponse(isConsumed: true)
        }
        guard foreign.isEmpty, let target = target(at: point), let frame else {
            foreign.insert(button)
            return .passed
        }
        let origin = HUDPoint(frame.x, frame.y)
        press = Press(button: button, target: target, point: point, origin: origin, scroll: scroll)
        let hadMessage = message != nil
        message = nil
        return HUDResponse(isConsumed: true, hadMessage ? [.redraw] : [])
    }

    private mutating func moved(to point: HUDPoint) -> HUDResponse {
        guard press == nil else { return dragged(to: point) }
        guard foreign.isEmpty else { return .passed }
        return hovered(target(at: point))
    }

    private mutating func hovered(_ target: HUDTarget?) -> HUDResponse {
        let isOther = target != hover
        hover = target
        return HUDResponse(isConsumed: target != nil, isOther ? [.redraw] : [])
    }

    private mutating func dragged(to point: HUDPoint) -> HUDResponse {
        guard var press else { return .passed }
        if point.distance(to: press.point) > HUDMetrics.dragDistance, press.button == 1 { press.isDrag = true }
        self.press = press
        guard press.isDrag else { return HUDResponse(isConsumed: true) }
        if press.target.isInHeader {
            motion = nil
            dragged = HUDPoint(
                press.origin.x + point.x - press.point.x, press.origin.y + point.y - press.point.y)
        } else {
            scroll = press.scroll - (point.y - press.point.y)
            scroll = layout.scroll
        }
        return HUDResponse(isConsumed: true, [.redraw])
    }

    private mutating func released(_ point: HUDPoint, _ button: UInt32, _ now: Double) -> HUDResponse {
        if foreign.remove(button) != nil { return .passed }
        if swallowed.remove(button) != nil { return HUDResponse(isConsumed: true) }
        guard let press else { return .passed }
        guard press.button == button else { return HUDResponse(isConsumed: true) }
        let target = target(at: point)
        let actions = dropped(now)
        hover = target
        let isClick = !press.isDrag && button == 1 && target == press.target
        return HUDResponse(isConsumed: true, actions + (isClick ? clicked(press.target) : []))
    }

    /// Ends a drag: the HUD goes to the nearest corner.
    private mutating func dropped(_ now: Double) -> [HUDAction] {
        press = nil
        guard dragged != nil, let frame else { return [] }
        corner = HUDCorner.nearest(to: frame.center, in: area)
        motion = Motion(from: HUDPoint(frame.x, frame.y), start: now, now: now)
        dragged = nil
        return [.animate, .redraw]
    }

    /// Takes it that no button is held: a release may have gone to another window, such as a menu or the window manager.
    package mutating func loseButtons(at now: Double) -> [HUDAction] {
        swallowed = []
        guard press != nil || !foreign.isEmpty else { return [] }
        foreign = []
        return dropped(now)
    }

    /// Gives the pointer and the keyboard back: the HUD is taken away.
    package mutating func leave() {
        (press, dragged, motion, hover, foreign, swallowed) = (nil, nil, nil, nil, [], [])
        hasKeyboard = false
    }

    private mutating func cancelled(_ now: Double) -> HUDResponse {
        (foreign, swallowed) = ([], [])
        hover = nil
        return HUDResponse(isConsumed: false, dropped(now))
    }

    private mutating func scrolled(_ point: HUDPoint, _ distance: Double) -> HUDResponse {
        guard foreign.isEmpty, press == nil else { return press == nil ? .passed : HUDResponse(isConsumed: true) }
        guard target(at: point) != nil else { return .passed }
        let before = scroll
        scroll += distance
        scroll = layout.scroll
        hover = target(at: point)
        return HUDResponse(isConsumed: true, scroll != before ? [.redraw] : [])
    }
}

extension HUDTarget {
    /// Whether the HUD can be dragged by it.
    var isInHeader: Bool {
        switch self {
        case .header, .store, .highlight, .copy, .collapse: true
        default: false
        }
    }
}
