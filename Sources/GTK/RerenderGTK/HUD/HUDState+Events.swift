// SPDX-License-Identifier: MIT
// The effect of each event on the HUD: of the pointer, of clicks and of keys.

extension HUDState {
    /// Handles an event, and says whether the program must not see it.
    package mutating func take(_ input: HUDInput) -> HUDResponse {
        guard isVisible || press != nil else { return .passed }
        switch input {
        case .press(let point, let button): return pressed(point, button)
        case .motion(let point): return moved(to: point)
        case .release(let point, let button): return released(point, button)
        case .leave: return hovered(nil)
        case .cancel: return cancelled()
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
        if isPicking, foreign.isEmpty, target(at: point) == nil {
            isPicking = false
            // Its release is not the program's, either.
            swallowed.insert(button)
            message = nil
            return HUDResponse(isConsumed: true, button == 1 ? [.pick(point), .redraw] : [.redraw])
        }
        guard foreign.isEmpty, let target = target(at: point), let frame else {
            foreign.insert(button)
            return .passed
        }
        let origin = HUDPoint(frame.x, frame.y)
        let hadMessage = message != nil
        // A message covers what a click on the footer would do.
        let part = hadMessage && target == .footer ? HUDTarget.background : target
        press = Press(button: button, target: part, point: point, origin: origin, scroll: scroll)
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
            dragged = HUDPoint(
                press.origin.x + point.x - press.point.x, press.origin.y + point.y - press.point.y)
        } else {
            scroll = press.scroll - (point.y - press.point.y)
            scroll = layout.scroll
        }
        return HUDResponse(isConsumed: true, [.redraw])
    }

    private mutating func released(_ point: HUDPoint, _ button: UInt32) -> HUDResponse {
        if foreign.remove(button) != nil { return .passed }
        if swallowed.remove(button) != nil { return HUDResponse(isConsumed: true) }
        guard let press else { return .passed }
        guard press.button == button else { return HUDResponse(isConsumed: true) }
        let target = target(at: point)
        let actions = dropped()
        hover = target
        let isClick = !press.isDrag && button == 1 && target == press.target
        return HUDResponse(isConsumed: true, actions + (isClick ? clicked(press.target) : []))
    }

    /// Ends a drag: the HUD goes to the nearest corner.
    private mutating func dropped() -> [HUDAction] {
        press = nil
        guard dragged != nil, let frame else { return [] }
        corner = HUDCorner.nearest(to: frame.center, in: area)
        dragged = nil
        return [.redraw]
    }

    /// Takes it that no button is held: a release may have gone to another window, such as a menu or the window manager.
    package mutating func loseButtons() -> [HUDAction] {
        swallowed = []
        guard press != nil || !foreign.isEmpty else { return [] }
        foreign = []
        return dropped()
    }

    /// Gives the pointer and the keyboard back: the HUD is taken away.
    package mutating func leave() {
        (press, dragged, hover, foreign, swallowed) = (nil, nil, nil, [], [])
        (hasKeyboard, isPicking) = (false, false)
    }

    private mutating func cancelled() -> HUDResponse {
        (foreign, swallowed) = ([], [])
        hover = nil
        return HUDResponse(isConsumed: false, dropped())
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
        case .header, .store, .mark, .pick, .highlight, .collapse: true
        default: false
        }
    }
}

extension HUDState {
    /// What a click on a part does.
    mutating func clicked(_ target: HUDTarget) -> [HUDAction] {
        switch target {
        case .collapse: return collapsed(!isCollapsed)
        case .header: return isCollapsed ? collapsed(false) : []
        case .mark: return [.mark]
        case .highlight: return highlighted()
        case .pick: return picking()
        case .store:
            isChoosingStore.toggle()
            scroll = 0
            return [.redraw]
        case .choice(let place): return chosen(place)
        case .row(let key): return toggled(key)
        case .footer: return showsAll || content.folded > 0 ? unfolded() : []
        case .details, .background: return []
        }
    }

    /// What a key does while the HUD has the keyboard. It consumes all keys: none of them is meant for the program.
    mutating func taken(_ key: HUDKey) -> HUDResponse {
        message = nil
        let page = max(1, Int((layout.list?.height ?? 0) / HUDMetrics.row) - 1)
        switch key {
        case .escape: return lentKeyboard()
        case .up: select(by: -1)
        case .down: select(by: 1)
        case .pageUp: select(by: -page)
        case .pageDown: select(by: page)
        case .home: select(by: -HUDContent.mostRows)
        case .end: select(by: HUDContent.mostRows)
        case .enter, .character(" "): return HUDResponse(isConsumed: true, selected.map { toggled($0) } ?? [])
        case .character("h"): return HUDResponse(isConsumed: true, highlighted())
        case .character("a"): return HUDResponse(isConsumed: true, unfolded())
        case .character("m"): return HUDResponse(isConsumed: true, [.mark])
        case .character("p"): return HUDResponse(isConsumed: true, picking())
        case .character("-"): return HUDResponse(isConsumed: true, collapsed(!isCollapsed))
        case .character: return HUDResponse(isConsumed: true)
        }
        return HUDResponse(isConsumed: true, [.redraw])
    }

    /// Lends the keyboard to the HUD, or takes it back.
    mutating func lentKeyboard() -> HUDResponse {
        hasKeyboard.toggle()
        if hasKeyboard {
            (isCollapsed, isSizeDecided, isChoosingStore) = (false, true, false)
            selected = selected ?? content.rows.first?.key
        }
        return HUDResponse(isConsumed: true, [.redraw])
    }

    private mutating func collapsed(_ isCollapsed: Bool) -> [HUDAction] {
        (self.isCollapsed, isSizeDecided, isChoosingStore, isPicking) = (isCollapsed, true, false, false)
        return [.redraw]
    }

    private mutating func picking() -> [HUDAction] {
        isPicking.toggle()
        message = isPicking ? "click a widget to see its row" : nil
        return [.redraw]
    }

    /// Shows rows that are folded, or folds them again.
    private mutating func unfolded() -> [HUDAction] {
        showsAll.toggle()
        return [.unfold, .redraw]
    }

    /// Opens the row of a view that was picked on the screen. A folded one is listed while it is open.
    package mutating func show(picked key: String?) -> [HUDAction] {
        guard let key else {
            message = "nothing that is counted is there"
            return [.redraw]
        }
        (isChoosingStore, selected) = (false, key)
        let actions = expanded == key ? [.redraw] : toggled(key)
        if let place = content.rows.firstIndex(where: { $0.key == key }) { keepInView(place) }
        return actions
    }

    /// Closes the row that was opened if it is not listed, and says so.
    package mutating func closeUnlisted() {
        guard let key = expanded, !content.rows.contains(where: { $0.key == key }) else { return }
        (expanded, message) = (nil, "\(HUDName(key).name) is not in this list")
    }

    private mutating func highlighted() -> [HUDAction] {
        isHighlighting.toggle()
        return [.highlight(isHighlighting), .redraw]
    }

    private mutating func chosen(_ store: Int) -> [HUDAction] {
        (isChoosingStore, scroll) = (false, 0)
        return store == content.store ? [.redraw] : [.choose(store: store), .redraw]
    }

    /// Opens a row, which closes another one, or closes it.
    private mutating func toggled(_ key: String) -> [HUDAction] {
        selected = key
        if expanded == key {
            expanded = nil
            return [.expand(nil), .printStatistics(key), .redraw]
        }
        expanded = key
        // The words about a row that is not listed come last.
        return [.pulse(key), .printStatistics(key), .expand(key), .redraw]
    }

    private mutating func select(by distance: Int) {
        guard !content.rows.isEmpty else { return }
        let now = selected.flatMap { key in content.rows.firstIndex { $0.key == key } }
        let place = max(0, min(content.rows.count - 1, (now ?? -1) + distance))
        selected = content.rows[place].key
        keepInView(place)
    }

    private mutating func keepInView(_ row: Int) {
        guard let list = layout.list else { return }
        let span = HUDListHeights(self).span(of: row)
        scroll = min(span.top, max(scroll, span.bottom - list.height))
        scroll = layout.scroll
    }
}
