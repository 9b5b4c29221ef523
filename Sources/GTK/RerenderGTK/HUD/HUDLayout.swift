// SPDX-License-Identifier: MIT
// Where the HUD stands in its window, and where its parts are: points, sizes and rectangles in GTK's logical pixels.

/// A part of the HUD that the pointer can be on.
package enum HUDTarget: Hashable, Sendable {
    case header, store, mark, pick, highlight, collapse, footer
    /// A view, and what is open below it.
    case row(String)
    case details
    /// A store in the list of stores.
    case choice(Int)
    /// Anything else.
    case background
}

/// The places of all parts that are shown.
struct HUDLayout: Sendable {
    /// An element of the list.
    struct Item: Sendable {
        var target: HUDTarget
        /// The place of the row or store.
        var index: Int
        var frame: HUDRect
    }

    let size: HUDSize
    let header: HUDRect
    let buttons: [(target: HUDTarget, frame: HUDRect)]
    /// The store's name in the header; nil where there is none to choose.
    let store: HUDRect?
    /// What costs most; nil in the title strip, as are the parts below, and where it is not known.
    let verdict: HUDRect?
    let titles: HUDRect?
    let list: HUDRect?
    let footer: HUDRect?
    /// The elements that can be seen.
    let items: [Item]
    /// How tall the list would be if all of it were shown.
    let contentHeight: Double
    /// How far it is scrolled.
    let scroll: Double

    /// Whether it is a title strip.
    var isStrip: Bool { list == nil }

    init(_ state: HUDState) {
        let area = state.area
        let verdict = state.content.verdict == nil ? 0 : HUDMetrics.verdict
        let chrome = Self.chrome(state)
        let isStrip = state.isCollapsed || area.height < chrome + HUDMetrics.row
        let width = min(area.width, isStrip ? HUDMetrics.stripWidth : HUDMetrics.width)
        header = HUDRect(0, 0, width, HUDMetrics.header)
        let targets: [HUDTarget] = isStrip ? [.collapse] : [.mark, .pick, .highlight, .collapse]
        buttons = Self.buttons(targets, width)
        let left = width - HUDMetrics.padding / 2 - Double(targets.count) * HUDMetrics.button
        store = isStrip || state.content.stores.count < 2 ? nil : HUDRect(84, 4, max(0, left - 88), 24)
        guard !isStrip else {
            (self.verdict, titles, list, footer) = (nil, nil, nil, nil)
            (items, contentHeight, scroll) = ([], 0, state.scroll)
            size = HUDSize(width, HUDMetrics.header)
            return
        }
        let all = HUDListHeights(state)
        let height = max(HUDMetrics.row, min(all.total, HUDMetrics.list, area.height - chrome))
        let top = HUDMetrics.header + verdict
        let frame = HUDRect(0, top + HUDMetrics.titles, width, height)
        self.verdict = verdict > 0 ? HUDRect(0, HUDMetrics.header, width, verdict) : nil
        titles = HUDRect(0, top, width, HUDMetrics.titles)
        list = frame
        footer = HUDRect(0, frame.maxY, width, HUDMetrics.footer)
        size = HUDSize(width, chrome + height)
        contentHeight = all.total
        scroll = max(0, min(state.scroll, all.total - height))
        items = all.items(in: frame, scroll: scroll)
    }

    /// The height of all but the list.
    private static func chrome(_ state: HUDState) -> Double {
        let verdict = state.content.verdict == nil ? 0 : HUDMetrics.verdict
        return HUDMetrics.header + verdict + HUDMetrics.titles + HUDMetrics.footer
    }

    /// How large it would be with its list. A program that starts has few rows, and soon has more.
    static func sizeAtFirst(_ state: HUDState) -> HUDSize {
        let rows = max(HUDListHeights(state).total, 4 * HUDMetrics.row)
        let height = chrome(state) + min(rows, HUDMetrics.list)
        return HUDSize(min(state.area.width, HUDMetrics.width), min(state.area.height, height))
    }

    /// Buttons at the right end of the header.
    private static func buttons(_ targets: [HUDTarget], _ width: Double) -> [(target: HUDTarget, frame: HUDRect)] {
        targets.reversed().enumerated().map { place, target in
            let x = width - HUDMetrics.padding / 2 - Double(place + 1) * HUDMetrics.button
            return (target, HUDRect(x, (HUDMetrics.header - 24) / 2, HUDMetrics.button, 24))
        }
    }

    /// What is at a point inside of the HUD.
    func target(at point: HUDPoint) -> HUDTarget {
        if header.contains(point) {
            if let button = buttons.first(where: { $0.frame.contains(point) }) { return button.target }
            return store?.contains(point) == true ? .store : .header
        }
        if footer?.contains(point) == true { return .footer }
        guard let list, list.contains(point) else { return .background }
        return items.first { $0.frame.contains(point) }?.target ?? .background
    }
}

/// The heights of the elements of the list. What can be seen is found without looking at each row.
struct HUDListHeights: Sendable {
    private let content: HUDContent
    private let choosesStore: Bool
    private let each: Double
    private let count: Int
    /// The expanded row, and the height of what is open below it.
    private let open: (row: Int, height: Double)?

    init(_ state: HUDState) {
        content = state.content
        choosesStore = state.isChoosingStore
        each = choosesStore ? HUDMetrics.menuItem : HUDMetrics.row
        count = choosesStore ? content.stores.count : content.rows.count
        let row = choosesStore ? nil : state.expanded.flatMap { key in state.content.rows.firstIndex { $0.key == key } }
        open = row.map { ($0, HUDDetailLine.height(of: HUDDetailLine.all(state))) }
    }

    var total: Double { Double(count) * each + (open?.height ?? 0) }

    /// From where to where a row reaches, without what is open below it.
    func span(of row: Int) -> (top: Double, bottom: Double) {
        let above = open.map { row > $0.row ? $0.height : 0 } ?? 0
        let top = Double(row) * each + above
        return (top, top + each)
    }

    /// From where to where the expanded row reaches, with what is open below it; nil where none is.
    var openSpan: (top: Double, bottom: Double)? {
        open.map { (span(of: $0.row).top, span(of: $0.row).bottom + $0.height) }
    }

    /// The elements that can be seen.
    func items(in frame: HUDRect, scroll: Double) -> [HUDLayout.Item] {
        let first = max(0, Int((scroll - (open?.height ?? 0)) / each))
        let last = min(count, Int((scroll + frame.height) / each) + 1)
        guard first < last else { return [] }
        return (first..<last).flatMap { items(of: $0, in: frame, scroll) }
            .filter { $0.frame.maxY > frame.y && $0.frame.y < frame.maxY }
    }

    private func items(of index: Int, in frame: HUDRect, _ scroll: Double) -> [HUDLayout.Item] {
        let y = frame.y + span(of: index).top - scroll
        let target = choosesStore ? HUDTarget.choice(index) : .row(content.rows[index].key)
        let row = HUDLayout.Item(target: target, index: index, frame: HUDRect(0, y, frame.width, each))
        guard let open, open.row == index else { return [row] }
        let below = HUDRect(0, y + each, frame.width, open.height)
        return [row, HUDLayout.Item(target: .details, index: index, frame: below)]
    }
}

/// A corner of the window.
package enum HUDCorner: String, CaseIterable, Hashable, Sendable {
    case topLeft = "top-left"
    case topRight = "top-right"
    case bottomLeft = "bottom-left"
    case bottomRight = "bottom-right"

    /// Where something of this size stands in an area.
    package func origin(of size: HUDSize, in area: HUDRect) -> HUDPoint {
        let isLeft = self == .topLeft || self == .bottomLeft
        let isTop = self == .topLeft || self == .topRight
        return HUDPoint(isLeft ? area.x : area.maxX - size.width, isTop ? area.y : area.maxY - size.height)
    }

    package static func nearest(to point: HUDPoint, in area: HUDRect) -> HUDCorner {
        let isLeft = point.x < area.center.x
        let isTop = point.y < area.center.y
        return isTop ? (isLeft ? .topLeft : .topRight) : (isLeft ? .bottomLeft : .bottomRight)
    }
}

package struct HUDPoint: Hashable, Sendable {
    package var x: Double
    package var y: Double

    package init(_ x: Double, _ y: Double) { (self.x, self.y) = (x, y) }

    /// How far it is from another one.
    func distance(to other: HUDPoint) -> Double {
        ((x - other.x) * (x - other.x) + (y - other.y) * (y - other.y)).squareRoot()
    }
}

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

// What is drawn, in the order of drawing, and the HUD's own colours and measures. Coordinates are the HUD's own.

/// A colour; the parts are from 0 to 1, and not multiplied by alpha.
package struct HUDColor: Hashable, Sendable {
    package var red: Float
    package var green: Float
    package var blue: Float
    package var alpha: Float

    /// A colour by its hexadecimal digits, such as `0xEF4444`.
    package init(_ digits: UInt32, alpha: Float = 1) {
        red = Float(digits >> 16 & 255) / 255
        green = Float(digits >> 8 & 255) / 255
        blue = Float(digits & 255) / 255
        self.alpha = alpha
    }
}

/// A line of text. It is cut with an ellipsis where it is wider than its frame.
package struct HUDText: Hashable, Sendable {
    /// On which side of its frame a text stands.
    package enum Alignment: Int32, Hashable, Sendable { case leading, center, trailing }

    /// Where a text is cut.
    package enum Ellipsis: Int32, Hashable, Sendable { case end, middle }

    package var text: String
    package var frame: HUDRect
    /// The font's size in pixels.
    package var size: Float
    /// The font's weight, as CSS counts it.
    package var weight: Int32
    package var color: HUDColor
    package var alignment: Alignment
    package var ellipsis: Ellipsis
}

/// A step of drawing.
package enum HUDOperation: Hashable, Sendable {
    /// A filled rectangle with rounded corners.
    ///
    /// `turned` is the angle around the centre, in degrees.
    case fill(HUDRect, radius: Float, HUDColor, turned: Float = 0)
    /// A rectangle's border, which is drawn inside of it.
    case border(HUDRect, radius: Float, width: Float, HUDColor)
    /// A line of text.
    case text(HUDText)
    /// What follows is cut at a rectangle, until `unclip`.
    case clip(HUDRect, radius: Float)
    case unclip
}

/// Colours of the HUD: its own, so that it can be read on any theme.
enum HUDTheme {
    static let background = HUDColor(0x18181B)
    static let outline = HUDColor(0xFFFFFF, alpha: 0.16)
    static let header = HUDColor(0xFFFFFF, alpha: 0.07)
    static let hover = HUDColor(0xFFFFFF, alpha: 0.07)
    static let open = HUDColor(0xFFFFFF, alpha: 0.10)
    static let separator = HUDColor(0xFFFFFF, alpha: 0.07)
    static let text = HUDColor(0xF4F4F5)
    static let dim = HUDColor(0xA6A6B0)
    static let faint = HUDColor(0x84848F)
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
    /// Room for a character of a note: letters of the largest usual width.
    static let noteCharacter = 6.5
    /// A pointer that moved so far with its button pressed drags.
    static let dragDistance = 4.0
}
