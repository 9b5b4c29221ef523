// SPDX-License-Identifier: MIT
// Draws a state, with symbols that are made of rectangles. Pure: equal states give equal operations.

import RerenderModel

extension HUDState {
    /// What is drawn, in the HUD's coordinates; nothing where it is not shown.
    package var operations: [HUDOperation] {
        guard isVisible else { return [] }
        var painter = HUDPainter(self)
        painter.paint()
        return painter.operations
    }
}

/// Collects the operations.
struct HUDPainter {
    let state: HUDState
    let layout: HUDLayout
    private(set) var operations: [HUDOperation] = []

    init(_ state: HUDState) { (self.state, layout) = (state, state.layout) }

    mutating func paint() {
        let all = HUDRect(0, 0, layout.size.width, layout.size.height)
        let radius = Float(HUDMetrics.radius)
        // No clip is around all of it: a rounded one makes each text in it dear.
        operations = [.fill(all, radius: radius, HUDTheme.background), .clip(all, radius: radius)]
        fill(layout.header, HUDTheme.header)
        add(.unclip)
        paintHeader()
        if !layout.isStrip {
            paintVerdict()
            paintTitles()
            paintList()
            paintFooter()
        }
        add(.border(all, radius: radius, width: 1, outline))
    }

    /// The border shows that the HUD has the keyboard.
    private var outline: HUDColor { state.hasKeyboard ? HUDTheme.accent : HUDTheme.outline }

    mutating func add(_ operation: HUDOperation) { operations.append(operation) }

    mutating func fill(_ frame: HUDRect, _ color: HUDColor, radius: Float = 0) {
        add(.fill(frame, radius: radius, color))
    }

    mutating func text(
        _ text: String, _ frame: HUDRect, size: Float = 12, weight: Int32 = 400, _ color: HUDColor = HUDTheme.text,
        _ alignment: HUDText.Alignment = .leading, ellipsis: HUDText.Ellipsis = .end
    ) {
        guard frame.width > 0, !text.isEmpty else { return }
        add(
            .text(
                HUDText(
                    text: text, frame: frame, size: size, weight: weight, color: color, alignment: alignment,
                    ellipsis: ellipsis)))
    }

    // MARK: Header and footer

    private mutating func paintHeader() {
        text("Rerender", HUDRect(HUDMetrics.padding, 7, 72, 18), weight: 700)
        paintSummary()
        for button in layout.buttons { paint(button.target, button.frame) }
    }

    /// What costs most, as the commands say it.
    private mutating func paintVerdict() {
        guard let band = layout.verdict, let finding = state.content.verdict else { return }
        let frame = HUDRect(HUDMetrics.padding, band.y + 4, band.width - 2 * HUDMetrics.padding, 15)
        let mark = finding.kind == .busy ? finding.kind.mark : ""
        text(mark + finding.text, frame, size: 11, weight: finding.kind.isMarked ? 600 : 400, finding.kind.color)
    }

    /// The store's name, or in a title strip what costs most; where that is not known, how many views and hangs there are.
    private mutating func paintSummary() {
        let x = 84.0
        let right = layout.buttons.map(\.frame.x).min() ?? layout.header.maxX
        var frame = HUDRect(x, 7, max(0, right - x - 6), 18)
        if layout.isStrip {
            if let finding = state.content.verdict {
                return text(finding.short, frame, size: 11, finding.kind.color)
            }
            if state.content.rows.contains(where: { $0.hangs > 0 }) {
                badge(at: HUDPoint(frame.maxX - HUDMetrics.badge.width, 9))
                frame.width -= HUDMetrics.badge.width + 6
            }
            return text(countOfViews, frame, size: 11, HUDTheme.dim)
        }
        guard let store = layout.store else { return text(state.content.storeName, frame, size: 11, HUDTheme.dim) }
        if state.hover == .store || state.isChoosingStore { fill(store, HUDTheme.hover, radius: 5) }
        chevron(HUDPoint(store.x + 12, 16), isDown: !state.isChoosingStore)
        text(state.content.storeName, HUDRect(store.x + 22, 7, store.width - 28, 18), size: 11, HUDTheme.text)
    }

    private var countOfViews: String {
        let content = state.content
        return Counted.text(content.rows.count + content.leftOut + content.folded, noun)
    }

    /// What a row is.
    private var noun: String { state.content.areWidgets ? "widget" : "view" }

    /// What a click on the footer does; empty for nothing.
    private var folding: String {
        let folded = state.content.folded
        return state.showsAll ? " · fold" : folded > 0 ? " · show \(Counted.grouped(folded)) folded" : ""
    }

    private mutating func paintFooter() {
        guard let footer = layout.footer else { return }
        if state.hover == .footer, !folding.isEmpty { fill(footer, HUDTheme.hover) }
        fill(HUDRect(0, footer.y, footer.width, 1), HUDTheme.separator)
        let frame = HUDRect(HUDMetrics.padding, footer.y + 3, footer.width - 2 * HUDMetrics.padding, 16)
        if let message = state.message { return text(message, frame, size: 10.5, HUDTheme.accent) }
        let unlisted = state.content.leftOut > 0 ? ", \(state.content.leftOut) of them not listed" : ""
        let rest = unlisted + folding + (state.content.gaps.isEmpty ? "" : " · not all is known")
        let left = HUDRect(frame.x, frame.y, max(0, frame.width - 110), frame.height)
        text(countOfViews + rest, left, size: 10.5, HUDTheme.dim)
        text("HUD \(HUDNumbers.percent(state.content.cost)) of a core", frame, size: 10.5, HUDTheme.dim, .trailing)
    }

    // MARK: The list

    private mutating func paintTitles() {
        guard let titles = layout.titles else { return }
        let columns = HUDColumns(titles)
        let title = state.isChoosingStore ? "STORE" : noun.uppercased()
        text(title, HUDRect(HUDMetrics.padding, titles.y + 3, 100, 13), size: 9.5, weight: 600, HUDTheme.dim)
        guard !state.isChoosingStore else { return }
        for (name, column) in [("COUNT", columns.count), ("PER S", columns.rate), ("WASTED", columns.wasted)] {
            let frame = HUDRect(column.x, column.y, column.width, 13)
            text(name, frame, size: 9.5, weight: 600, HUDTheme.dim, .trailing)
        }
    }

    private mutating func paintList() {
        guard let list = layout.list else { return }
        add(.clip(list, radius: 0))
        for item in layout.items { paint(item) }
        if layout.items.isEmpty {
            let frame = HUDRect(HUDMetrics.padding, list.y + 9, list.width - 2 * HUDMetrics.padding, 18)
            text("no \(noun)s yet", frame, HUDTheme.dim)
        }
        paintScrollBar(list)
        add(.unclip)
    }

    private mutating func paintScrollBar(_ list: HUDRect) {
        guard layout.contentHeight > list.height else { return }
        let height = max(16, list.height * list.height / layout.contentHeight)
        let y = list.y + (list.height - height) * layout.scroll / (layout.contentHeight - list.height)
        fill(HUDRect(list.maxX - 5, y, 3, height), HUDColor(0xFFFFFF, alpha: 0.3), radius: 1.5)
    }

    private mutating func paint(_ item: HUDLayout.Item) {
        switch item.target {
        case .row: paint(state.content.rows[item.index], item)
        case .choice: paintStore(item)
        default: paintDetails(item.frame)
        }
    }

    private mutating func paintStore(_ item: HUDLayout.Item) {
        if state.hover == item.target { fill(item.frame, HUDTheme.hover) }
        let isShown = item.index == state.content.store
        let frame = HUDRect(HUDMetrics.padding, item.frame.y + 4, item.frame.width - 2 * HUDMetrics.padding, 18)
        text(
            state.content.stores[item.index], frame, weight: isShown ? 700 : 400,
            isShown ? HUDTheme.accent : HUDTheme.text, ellipsis: .middle)
    }

    private mutating func paint(_ row: HUDRow, _ item: HUDLayout.Item) {
        let frame = item.frame
        if state.expanded == row.key {
            fill(frame, HUDTheme.open)
        } else if state.hover == item.target {
            fill(frame, HUDTheme.hover)
        }
        if state.hasKeyboard, state.selected == row.key {
            add(.border(frame.inset(by: 2, 1), radius: 5, width: 1, HUDTheme.accent))
        }
        let columns = HUDColumns(frame)
        let name = HUDName(row.key)
        paintKey(row, name.name, columns.key)
        text(HUDNumbers.count(row.count), columns.count, HUDTheme.text, .trailing)
        text(HUDNumbers.rate(row.rate), columns.rate, HUDTheme.text, .trailing)
        text(HUDNumbers.waste(row), columns.wasted, row.isWasteful ? HUDTheme.waste : HUDTheme.dim, .trailing)
        let below = columns.below(withOwner: !name.owner.isEmpty, note: row.note)
        text(name.owner, below.owner, size: 10.5, HUDTheme.faint, ellipsis: .middle)
        text(row.why.isEmpty ? HUDNumbers.unknown : row.why, below.why, size: 10.5, HUDTheme.dim)
        text(row.note, below.note, size: 10.5, HUDTheme.dim, .trailing)
        fill(HUDRect(HUDMetrics.padding, frame.maxY - 1, frame.width - 2 * HUDMetrics.padding, 1), HUDTheme.separator)
    }

    /// The name, and the badge after it, where there is room for both.
    private mutating func paintKey(_ row: HUDRow, _ name: String, _ frame: HUDRect) {
        var frame = frame
        if row.hangs > 0 {
            frame.width -= HUDMetrics.badge.width + 6
            badge(at: HUDPoint(frame.maxX + 6, frame.y + 2))
        }
        text(name, frame, weight: 600, HUDTheme.text, ellipsis: .middle)
    }

    private mutating func paintDetails(_ frame: HUDRect) {
        fill(frame, HUDTheme.open)
        var y = frame.y + HUDMetrics.detailPadding
        for line in HUDDetailLine.all(state) {
            let label = HUDRect(HUDMetrics.padding, y, 42, 15)
            text(line.label, label, size: 10.5, HUDTheme.dim)
            let x = label.maxX + (line.kind == .writer ? 16 : 6)
            let rest = HUDRect(x, y, frame.width - x - HUDMetrics.padding, 15)
            text(line.text, rest, size: 11, line.kind.color, ellipsis: line.kind == .place ? .middle : .end)
            y += HUDMetrics.detailLine
        }
    }
}

extension Verdict.Kind {
    fileprivate var color: HUDColor {
        switch self {
        case .hangs, .microHangs, .interactions: HUDTheme.hangText
        case .sameFrames, .hiddenWidget, .spinning, .layout, .madeAnew, .lateFrames, .cycle, .waste: HUDTheme.waste
        case .busy, .notJudged: HUDTheme.text
        case .nothing, .nothingKnown: HUDTheme.dim
        }
    }
}

extension HUDDetailLine.Kind {
    fileprivate var color: HUDColor {
        switch self {
        case .plain, .place, .reason: HUDTheme.text
        case .hang: HUDTheme.hangText
        case .writer, .more: HUDTheme.dim
        }
    }
}

/// The columns of a row, or of the titles.
struct HUDColumns {
    let key: HUDRect
    let count: HUDRect
    let rate: HUDRect
    let wasted: HUDRect
    let why: HUDRect

    init(_ row: HUDRect) {
        let (left, right) = (row.x + HUDMetrics.padding, row.maxX - HUDMetrics.padding)
        let widths = HUDMetrics.columns
        wasted = HUDRect(right - widths.wasted, row.y + 3, widths.wasted, 17)
        rate = HUDRect(wasted.x - widths.rate, row.y + 3, widths.rate, 17)
        count = HUDRect(rate.x - widths.count, row.y + 3, widths.count, 17)
        key = HUDRect(left, row.y + 3, max(0, count.x - left - 4), 17)
        why = HUDRect(left, row.y + 19, max(0, right - left), 14)
    }

    /// The line below the name: what the view is of, where that is no part of the name, the reason, and a note, which leaves the others less room.
    func below(withOwner hasOwner: Bool, note: String) -> (owner: HUDRect, why: HUDRect, note: HUDRect) {
        let end = min(why.width, Double(note.count) * HUDMetrics.noteCharacter)
        let (rest, gap) = (why.width - end, hasOwner ? 8.0 : 0)
        let width = hasOwner ? rest * 0.45 : 0
        return (
            HUDRect(why.x, why.y, width, why.height),
            HUDRect(why.x + width + gap, why.y, max(0, rest - width - gap), why.height),
            HUDRect(why.x + rest, why.y, end, why.height)
        )
    }
}

extension HUDPainter {
    /// A button of the header.
    mutating func paint(_ button: HUDTarget, _ frame: HUDRect) {
        if state.hover == button { fill(frame.inset(by: 1, 1), HUDTheme.hover, radius: 5) }
        switch button {
        case .highlight: flash(frame.center)
        case .mark: flag(frame.center)
        case .pick: crosshair(frame.center)
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

    /// A flag: mark this moment.
    private mutating func flag(_ center: HUDPoint) {
        fill(HUDRect(center.x - 4.5, center.y - 6, 1.4, 12), HUDTheme.dim)
        add(.border(HUDRect(center.x - 4, center.y - 6, 9, 7), radius: 1, width: 1.3, HUDTheme.dim))
    }

    /// A crosshair: pick a widget on the screen.
    private mutating func crosshair(_ center: HUDPoint) {
        let color = state.isPicking ? HUDTheme.accent : HUDTheme.dim
        add(.border(HUDRect(center.x - 4, center.y - 4, 8, 8), radius: 4, width: 1.3, color))
        for side in [-1.0, 1.0] {
            fill(HUDRect(center.x + side * 5.5 - 1.5, center.y - 0.7, 3, 1.4), color)
            fill(HUDRect(center.x - 0.7, center.y + side * 5.5 - 1.5, 1.4, 3), color)
        }
    }
}
