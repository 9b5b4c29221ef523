// SPDX-License-Identifier: MIT
// A stack that makes only the rows that can be seen.

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
