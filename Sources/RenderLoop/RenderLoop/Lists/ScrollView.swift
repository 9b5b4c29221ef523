// SPDX-License-Identifier: MIT
// A view that shows a part of its content, which can be larger.

/// Content that can be larger than what is seen of it.
///
/// The view takes up the space that is left in its directions; in the other one it is as large as its content. Input is
/// ``InputEvent/Kind/scrolled(_:)``, by so many cells, and a value from 0 (the start) to 1 (the end). Scripts find it by
/// ``View/inputName(_:)``. Several views in it lie one below the other, or side by side where it scrolls from left to right
/// alone. To scroll evaluates nothing but the rows of a ``LazyVStack`` that come into sight.
public struct ScrollView<Content: View>: PrimitiveView {
    fileprivate let axes: Axis.Set
    private let content: Content

    /// Shows a part of views. Indicators are up to a renderer.
    public init(
        _ axes: Axis.Set = .vertical, showsIndicators: Bool = true, @ViewBuilder content: () -> Content
    ) {
        self.axes = axes
        self.content = content()
    }

    /// A node that moves its content.
    public static func makeNode(_ view: Self, in context: NodeContext) -> ViewNode<Self> {
        ScrollNode(view, in: context, layout: ScrollLayout())
    }

    fileprivate var stack: ScrolledStack<Content> {
        ScrolledStack(axis: axes == .horizontal ? .horizontal : .vertical, content: content)
    }
}

/// The views in a scroll view.
private struct ScrolledStack<Content: View>: LayerView {
    let axis: Axis
    let content: Content
    func configure(_ layer: Layer) { layer.layout = .stack(axis, spacing: 0, .center) }
}

private final class ScrollNode<Content: View>: LayerNode<ScrollView<Content>, ScrolledStack<Content>>, InputTarget,
    ScrollPort
{
    private let layout: ScrollLayout
    private var followers: [WeakLayer] = []

    init(_ view: ScrollView<Content>, in context: NodeContext, layout: ScrollLayout) {
        self.layout = layout
        super.init(view, in: context, content: { $0.stack }) { view, layer in
            layer.clipsSublayers = true
            if layout.axes != view.axes {
                layout.axes = view.axes
                layer.owningTree?.layout.insert(layer)
            }
            layer.layout = .custom(layout)
        }
        layout.placed = { [weak self] in self?.tellFollowers() }
    }

    func add(_ follower: Layer) {
        followers.removeAll { $0.layer == nil }
        followers.append(WeakLayer(layer: follower))
    }

    private func tellFollowers() {
        for follower in followers {
            if let layer = follower.layer, layer.isAttached { graph.layers.layout.moved(layer) }
        }
    }

    func receive(_ event: InputEvent) -> Bool {
        switch event.kind {
        case .scrolled(let cells): layout.scroll(by: cells)
        case .value(let fraction) where !fraction.isNaN: layout.scroll(to: min(max(fraction, 0), 1))
        default: return false
        }
        graph.layers.layout.insert(layer)
        return true
    }
}

private struct WeakLayer {
    weak var layer: Layer?
}

/// A view in which others are seen in part.
@MainActor
protocol ScrollPort: Node {
    /// Tells a layer in it whenever another part may be seen.
    func add(_ follower: Layer)
}

/// Puts the content so that a part of it is seen.
private final class ScrollLayout: CustomLayerLayout {
    var axes: Axis.Set = []
    var placed: @MainActor () -> Void = {}
    /// How far the content is moved to the left and up.
    private var offset = CellPoint.zero
    /// How far it can be.
    private var end = CellPoint.zero

    private func scrolls(_ axis: Axis) -> Bool { axes.contains(axis == .horizontal ? .horizontal : .vertical) }

    override func size(of layer: Layer, _ proposal: ProposedSize) -> CellSize {
        let inside = ProposedSize(
            width: scrolls(.horizontal) ? nil : proposal.width, height: scrolls(.vertical) ? nil : proposal.height)
        var size = layer.sublayers.first?.measure(inside) ?? .zero
        if scrolls(.horizontal), let width = proposal.width { size.width = width }
        if scrolls(.vertical), let height = proposal.height { size.height = height }
        return size
    }

    override func growth(of layer: Layer) -> CellSize {
        var growth = layer.sublayers.first?.growth ?? .zero
        if scrolls(.horizontal) { growth.width = .max }
        if scrolls(.vertical) { growth.height = .max }
        return growth
    }

    override func place(_ layer: Layer) {
        guard let content = layer.sublayers.first else { return }
        let size = content.measure(content.proposal)
        end = CellPoint(
            x: max(0, size.width - layer.frame.size.width), y: max(0, size.height - layer.frame.size.height))
        move(to: offset)
        content.place(at: CellPoint(x: -offset.x, y: -offset.y), size: size)
        placed()
    }

    private func move(to wanted: CellPoint) {
        offset = CellPoint(
            x: scrolls(.horizontal) ? min(max(wanted.x, 0), end.x) : 0,
            y: scrolls(.vertical) ? min(max(wanted.y, 0), end.y) : 0)
    }

    func scroll(by cells: Int) {
        let isVertical = scrolls(.vertical)
        move(to: offset + CellPoint(x: isVertical ? 0 : cells, y: isVertical ? cells : 0))
    }

    func scroll(to fraction: Double) {
        let isVertical = scrolls(.vertical)
        func part(_ length: Int) -> Int { Int((fraction * Double(length)).rounded()) }
        move(to: CellPoint(x: isVertical ? offset.x : part(end.x), y: isVertical ? part(end.y) : offset.y))
    }
}
