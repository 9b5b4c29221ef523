// SPDX-License-Identifier: MIT
// A list that makes only the rows that can be seen, and the layout of these rows.

/// Rows from top to bottom, of which only those are made that can be seen.
///
/// A ``ForEach`` in it stands for one row for each element, also inside of a `Group` or a branch, and with modifiers, which
/// apply to each row. A view with a body is one row, also where that has several statements. A row that is scrolled out
/// of sight disappears, and its state with it; when it comes back, it is a new view. A row that stays in sight keeps
/// its identity wherever its element moves.
///
/// The list is as large as it is proposed to be, and ``idealHeight`` lines high where no height is proposed, as in a
/// `VStack`. It scrolls by whole rows, so that the last row in sight may be seen in part; input is
/// ``InputEvent/Kind/scrolled(_:)``, by so many rows, and a value from 0 (the start) to 1 (the end). Scripts find it by
/// ``View/inputName(_:)``. A change costs as much as the rows in sight, however many there are.
public struct List<Content: View>: PrimitiveView {
    /// The lines that a list takes up where no height is proposed.
    public nonisolated static var idealHeight: Int { 10 }

    let content: Content

    /// Makes a list of views.
    public init(@ViewBuilder content: () -> Content) { self.content = content() }

    /// A node that makes rows.
    public static func makeNode(_ view: Self, in context: NodeContext) -> ViewNode<Self> {
        LazyRowsNode(view, in: context)
    }
}

extension List {
    /// Makes a list with a row for each element, with the ids at a key path.
    public init<Data: RandomAccessCollection, ID: Hashable, RowView: View>(
        _ data: Data, id: KeyPath<Data.Element, ID>,
        @ViewBuilder row: @escaping (Data.Element) -> RowView
    ) where Content == ForEach<Data, ID, RowView> {
        content = ForEach(data, id: id, content: row)
    }

    /// Makes a list with a row for each element.
    public init<Data: RandomAccessCollection, RowView: View>(
        _ data: Data, @ViewBuilder row: @escaping (Data.Element) -> RowView
    ) where Content == ForEach<Data, Data.Element.ID, RowView>, Data.Element: Identifiable {
        content = ForEach(data, content: row)
    }
}

/// The rows of a list that are in sight.
private final class LazyRowsNode<Content: View>: ViewNode<List<Content>>, InputTarget {
    private lazy var layer = Layer(of: self)
    private lazy var window = RowWindow(count: view.content.rows.rowCount)
    private var nodes = RowNodes()
    private var shown = 0..<0

    override var ownLayer: Layer? { layer }

    override func didMount() {
        layer.clipsSublayers = true
        layer.layout = .custom(RowsLayout { [weak self] in self?.measured($0, in: $1) })
        reconcile(updating: true)
    }

    override func viewDidChange(from old: List<Content>) {
        recount()
        reconcile(updating: true)
    }

    /// There may be other rows.
    private func recount() {
        let content = view.content.rows
        var heights: [RowKey: Int] = [:]
        for (index, row) in nodes.rows.enumerated() { heights[row.key] = window.height(at: index) }
        var next = window
        next.setCount(content.rowCount) { heights[content.row(at: $0).key] }
        if next.count != window.count || next.rows != window.rows {
            window = next
            graph.layers.layout.insert(layer)
        }
    }

    override func evaluate() { reconcile(updating: false) }

    /// The window has moved.
    private func move(_ name: String) { invalidate(EvaluationReason(.graph, name)) }

    override func forEachChild(_ body: (Node) -> Void) {
        for row in nodes.rows { body(row.node) }
    }

    func receive(_ event: InputEvent) -> Bool {
        switch event.kind {
        case .scrolled(let lines): window.scroll(by: lines)
        case .value(let fraction) where !fraction.isNaN:
            window.scroll(to: Int((min(max(fraction, 0), 1) * Double(max(0, window.count - 1))).rounded()))
        default: return false
        }
        if window.rows != shown { move("scrolled") }
        return true
    }

    /// The rows in sight were laid out.
    private func measured(_ heights: [Int], in space: Int) {
        // Otherwise others are about to be made.
        guard shown == window.rows else { return }
        if window.measured(heights, in: space) { move("rows") }
    }

    /// Makes and takes away rows, so that those in the window are there.
    private func reconcile(updating: Bool) {
        isQueued = false
        forgetReasons()
        shown = window.rows
        let content = view.content.rows
        let wanted = content.rows(at: shown.clamped(to: 0..<content.rowCount))
        guard nodes.reconcile(wanted, in: contentContext, updating: updating) else { return }
        graph.layers.layout.sublayersChanged(of: layer)
        preferencesDidMove()
    }
}

/// Lays rows out from top to bottom, and tells how high they are.
final class RowsLayout: CustomLayerLayout {
    private let measured: @MainActor (_ heights: [Int], _ space: Int) -> Void

    init(_ measured: @escaping @MainActor ([Int], Int) -> Void) { self.measured = measured }

    override func size(of layer: Layer, _ proposal: ProposedSize) -> CellSize {
        let rows = layer.sublayers.map { $0.measure(ProposedSize(width: proposal.width, height: nil)).width }
        return CellSize(
            width: proposal.width ?? rows.max() ?? 0, height: proposal.height ?? List<EmptyView>.idealHeight)
    }

    override func place(_ layer: Layer) {
        var y = 0
        var heights: [Int] = []
        for row in layer.sublayers {
            let size = row.measure(row.proposal)
            row.place(at: CellPoint(x: 0, y: y), size: size)
            y += max(1, size.height)
            heights.append(size.height)
        }
        measured(heights, layer.frame.size.height)
    }
}
