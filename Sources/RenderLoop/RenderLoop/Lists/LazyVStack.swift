// SPDX-License-Identifier: MIT
// A stack that makes only the rows that can be seen, and the pure part that decides which rows these are.

public import Foundation

/// Views from top to bottom, of which only those are made that can be seen, in a ``ScrollView`` or on the screen.
///
/// A ``ForEach`` in it stands for one row for each element, as in a ``List``. A row that is scrolled out of sight
/// disappears, and its state with it. The stack is as wide as it is proposed to be. The room for a row that has not been
/// seen is as high as the first row.
public struct LazyVStack<Content: View>: PrimitiveView {
    fileprivate let alignment: HorizontalAlignment
    fileprivate let spacing: Int
    fileprivate let content: Content

    /// Stacks views with a distance in cells; none without one.
    public init(
        alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content
    ) {
        self.alignment = alignment
        self.spacing = max(0, spacing?.cells ?? 0)
        self.content = content()
    }

    /// A node that makes rows.
    public static func makeNode(_ view: Self, in context: NodeContext) -> ViewNode<Self> {
        LazyStackNode(view, in: context)
    }
}

/// The rows of a lazy stack that are in sight.
private final class LazyStackNode<Content: View>: ViewNode<LazyVStack<Content>> {
    private lazy var layer = Layer(of: self)
    private let layout = LazyStackLayout()
    private var nodes = RowNodes()

    override var ownLayer: Layer? { layer }

    override func didMount() {
        layer.layout = .custom(layout)
        // Not only where the stack itself has moved: another part of it may be seen.
        layer.follower = { [weak self] _ in self?.look() }
        layer.markFollowed()
        layout.measured = { [weak self] in self?.graph.layers.layout.moved($0) }
        for case let port as any ScrollPort in chain { port.add(layer) }
        takeContent()
    }

    override func viewDidChange(from old: LazyVStack<Content>) { takeContent() }

    override func evaluate() {
        isQueued = false
        forgetReasons()
        let content = view.content.rows
        let count = content.rowCount
        if count != layout.column.count { layout.column.setCount(count, keepsHeights: false) }
        take(content.rows(at: layout.column.rows), updating: false)
    }

    override func forEachChild(_ body: (Node) -> Void) {
        for row in nodes.rows { body(row.node) }
    }

    /// The content is another one.
    private func takeContent() {
        layout.alignment = view.alignment.position
        let old = layout.column
        let oldKeys = nodes.rows.map(\.key)
        let content = view.content.rows
        layout.column.setCount(content.rowCount, keepsHeights: true)
        let rows = content.rows(at: layout.column.rows)
        if rows.map(\.key) != oldKeys { layout.column.setCount(layout.column.count, keepsHeights: false) }
        layout.column.spacing = view.spacing
        if old.count != layout.column.count || old.spacing != view.spacing { graph.layers.layout.insert(layer) }
        take(rows, updating: true)
    }

    private func take(_ rows: [Row], updating: Bool) {
        guard nodes.reconcile(rows, in: contentContext, updating: updating) else { return }
        graph.layers.layout.sublayersChanged(of: layer)
        preferencesDidMove()
    }

    /// Looks which rows are in sight, after a layout.
    private func look() {
        guard isMounted else { return }
        let wanted = layout.column.wanted(in: layer.seenRows)
        guard wanted != layout.column.rows else { return }
        layout.column.make(wanted)
        invalidate(EvaluationReason(.graph, "rows"))
    }
}

/// Lays the made rows out in their places.
private final class LazyStackLayout: CustomLayerLayout {
    var column = LazyColumn(count: 0)
    var alignment = Alignment.Position.center
    var measured: @MainActor (Layer) -> Void = { _ in }

    override func size(of layer: Layer, _ proposal: ProposedSize) -> CellSize {
        let sizes = layer.sublayers.map { $0.measure(ProposedSize(width: proposal.width, height: nil)) }
        // Otherwise others are about to be made.
        if sizes.count == column.rows.count { column.measured(sizes.map(\.height)) }
        measured(layer)
        return CellSize(width: proposal.width ?? sizes.map(\.width).max() ?? 0, height: column.length)
    }

    override func growth(of layer: Layer) -> CellSize { CellSize(width: .max, height: 0) }

    override func place(_ layer: Layer) {
        var y = column.top(of: column.rows.lowerBound)
        for row in layer.sublayers {
            let size = row.measure(row.proposal)
            let x = alignment.offset(size.width, in: layer.frame.size.width)
            row.place(at: CellPoint(x: x, y: y), size: size)
            y += max(1, size.height) + column.spacing
        }
    }
}

extension Layer {
    /// Which of the layer's own lines can be seen: inside of the screen and of all layers around it that cut off.
    fileprivate var seenRows: Range<Int> {
        var seen = 0..<frame.size.height
        // Where the layer begins, in the one around.
        var top = frame.origin.y
        for layer in sequence(first: self, next: \.outer).dropFirst() {
            if layer.clipsSublayers || layer.outer == nil {
                seen = seen.clamped(to: -top..<max(-top, layer.frame.size.height - top))
            }
            top += layer.frame.origin.y
        }
        return seen
    }
}

/// The rows of a lazy stack: those that are made, and the room for all others.
///
/// How high a row is is known only once it is made. All others are taken to be as high as the first that was, which keeps
/// those that are made in their places. How many fill the space is found in steps, as if the others were as high as the
/// highest so far, so that no row is made which cannot be seen.
struct LazyColumn {
    private(set) var count: Int
    /// Those that are made.
    private(set) var rows: Range<Int>
    var spacing = 0
    /// How high a row is where nothing else is known; nil before the first was made.
    private var usual: Int?
    private var highest = 1
    /// Heights that are not the usual one.
    private var others: [Int: Int] = [:]

    init(count: Int) {
        self.count = count
        rows = 0..<min(1, count)
    }

    /// There may be other rows; what is known of their heights is kept where the made ones are the same.
    mutating func setCount(_ count: Int, keepsHeights: Bool) {
        self.count = count
        rows = rows.clamped(to: 0..<count)
        if rows.isEmpty, usual == nil { rows = 0..<min(1, count) }
        if !keepsHeights { others.removeAll() }
        others = others.filter { $0.key < count }
    }

    /// The made rows are so high; one without anything in it is a line, too.
    mutating func measured(_ heights: [Int]) {
        for (row, height) in zip(rows, heights) {
            let height = max(1, height)
            if usual == nil { usual = height }
            highest = max(highest, height)
            others[row] = height == usual ? nil : height
        }
    }

    func height(of row: Int) -> Int { others[row] ?? usual ?? 1 }

    /// How far from the start a row begins. As many steps as rows of other heights are known.
    func top(of row: Int) -> Int {
        let usual = usual ?? 1
        let difference = others.reduce(0) { $1.key < row ? $0 + $1.value - usual : $0 }
        return row * (usual + spacing) + difference
    }

    /// How long all rows are.
    var length: Int { count == 0 ? 0 : top(of: count) - spacing }

    /// The rows that are to be made where these cells are seen.
    func wanted(in seen: Range<Int>) -> Range<Int> {
        guard count > 0, usual != nil else { return rows }
        guard !seen.isEmpty, seen.upperBound > 0, seen.lowerBound < length else { return 0..<0 }
        let first = firstRow(endingAfter: seen.lowerBound)
        var end = first
        var bottom = top(of: first)
        while end < count, bottom < seen.upperBound {
            bottom += assumedHeight(of: end) + spacing
            end += 1
        }
        return first..<end
    }

    /// Makes other rows.
    mutating func make(_ wanted: Range<Int>) { rows = wanted.clamped(to: 0..<count) }

    private func assumedHeight(of row: Int) -> Int {
        rows.contains(row) ? height(of: row) : others[row] ?? highest
    }

    private func firstRow(endingAfter cell: Int) -> Int {
        var (low, high) = (0, count - 1)
        while low < high {
            let middle = (low + high) / 2
            if top(of: middle) + height(of: middle) > cell { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
