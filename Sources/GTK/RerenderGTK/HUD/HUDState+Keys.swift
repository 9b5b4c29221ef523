// SPDX-License-Identifier: MIT
// The effect of clicks and keys.

extension HUDState {
    /// What a click on a part does.
    mutating func clicked(_ target: HUDTarget) -> [HUDAction] {
        switch target {
        case .collapse: return collapsed(!isCollapsed)
        case .header: return isCollapsed ? collapsed(false) : []
        case .copy: return [.copy]
        case .highlight: return highlighted()
        case .store:
            isChoosingStore.toggle()
            scroll = 0
            return [.redraw]
        case .choice(let place): return chosen(place)
        case .row(let key): return toggled(key)
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
        case .character("c"): return HUDResponse(isConsumed: true, [.copy])
        case .character("h"): return HUDResponse(isConsumed: true, highlighted())
        case .character("-"): return HUDResponse(isConsumed: true, collapsed(!isCollapsed))
        case .character: return HUDResponse(isConsumed: true)
        }
        return HUDResponse(isConsumed: true, [.redraw])
    }

    /// Lends the keyboard to the HUD, or takes it back.
    mutating func lentKeyboard() -> HUDResponse {
        hasKeyboard.toggle()
        if hasKeyboard {
            (isCollapsed, isChoosingStore) = (false, false)
            selected = selected ?? content.rows.first?.key
        }
        return HUDResponse(isConsumed: true, [.redraw])
    }

    private mutating func collapsed(_ isCollapsed: Bool) -> [HUDAction] {
        (self.isCollapsed, isChoosingStore) = (isCollapsed, false)
        return [.redraw]
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
        guard content.rows.contains(where: { $0.key == key }) else { return [] }
        selected = key
        if expanded == key {
            expanded = nil
            return [.expand(nil), .printStatistics(key), .redraw]
        }
        expanded = key
        return [.expand(key), .pulse(key), .printStatistics(key), .redraw]
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
