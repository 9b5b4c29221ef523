// SPDX-License-Identifier: MIT
// Pages of which one is shown: views that disappear and appear again with their identity kept.

/// Pages of which the selected one is shown.
///
///     TabView(selection: $page) {
///         Inbox().tag(1)
///         Settings().tag(2)
///     }
///
/// A page is made when it is selected for the first time. Another selection makes it disappear, while its state is kept and
/// it is evaluated as before; selected again, it appears again. A row of a ``ForEach`` has its id as its tag. There is no
/// bar with the tabs: the program changes the selection.
public struct TabView<Selection: Hashable, Content: View>: View {
    @Binding private var selection: Selection
    private let content: Content

    /// Shows the page with the selected tag; nothing where there is none.
    public init(selection: Binding<Selection>, @ViewBuilder content: () -> Content) {
        _selection = selection
        self.content = content()
    }

    /// The pages.
    public var body: some View { Pages(selected: AnyHashable(selection), content: content) }
}

/// Says by which selection a page is shown.
struct TagModifier: CommonModifier {
    let tag: AnyHashable

    static func makeNode<V: View>(_ view: Modified<V>, in context: NodeContext) -> ViewNode<Modified<V>> {
        ModifierNode(view, in: context) { $0.content }
    }
}

extension View {
    /// Gives a page of a ``TabView`` its tag.
    public func tag<Tag: Hashable>(_ tag: Tag) -> some View { modifier(TagModifier(tag: AnyHashable(tag))) }
}

/// A view that may have a tag.
@MainActor
protocol TaggedContent {
    var tag: AnyHashable? { get }
}

extension ModifiedContent: TaggedContent {
    var tag: AnyHashable? { (modifier as? TagModifier)?.tag ?? (content as? any TaggedContent)?.tag }
}

/// Views of which the one with the selected tag is shown; those that were shown before are kept.
struct Pages<Content: View>: PrimitiveView {
    let selected: AnyHashable
    /// Whether all are made at once, and not only when they are shown.
    var makesAll = false
    let content: Content

    static func makeNode(_ view: Self, in context: NodeContext) -> ViewNode<Self> { PagesNode(view, in: context) }
}

/// The pages that have been selected so far.
private final class PagesNode<Content: View>: ViewNode<Pages<Content>> {
    private lazy var layer = Layer(of: self)
    private var pages: [(key: RowKey, node: Node)] = []
    private var shown: Node?

    override var ownLayer: Layer? { layer }

    override func didMount() {
        graph.hidingNodes += 1
        layer.layout = .joined(.topLeading)
        reconcile()
    }

    override func willUnmount() { graph.hidingNodes -= 1 }

    override func viewDidChange(from old: Pages<Content>) { reconcile() }

    override func forEachChild(_ body: (Node) -> Void) {
        for page in pages { body(page.node) }
    }

    override func hides(_ child: Node) -> Bool { child !== shown }

    override func collectSublayers(into list: inout [Layer]) -> Range<Int> {
        shown?.collectLayers(into: &list)
        return 0..<list.count
    }

    private func reconcile() {
        let rows = view.content.rows
        var left: [RowKey: Node] = [:]
        let oldKeys = pages.map(\.key)
        for (key, node) in pages { left[key] = node }
        var kept: [(key: RowKey, node: Node)] = []
        var selected: Row?
        for index in 0..<rows.rowCount {
            let row = rows.row(at: index)
            let isSelected = selected == nil && (row.tag ?? row.key.id) == view.selected
            if isSelected { selected = row }
            if let node = left.removeValue(forKey: row.key) {
                row.update(node)
                kept.append((row.key, node))
            } else if view.makesAll, !isSelected {
                kept.append((row.key, row.make(in: contentContext)))
            }
        }
        pages = kept
        show(selected)
        left.unmountAll(inOrder: oldKeys)
    }

    /// As where a branch changes, what appears comes before what disappears.
    private func show(_ selected: Row?) {
        let old = shown
        let known = selected.flatMap { row in pages.first { $0.key == row.key } }
        guard known == nil || known?.node !== old else { return }
        if let node = known?.node {
            shown = node
            node.appearanceDidChange(isShown: !isHidden)
        } else if let selected {
            shown = nil
            let node = selected.make(in: contentContext) { [self] in shown = $0 }
            pages.append((selected.key, node))
        } else {
            guard old != nil else { return }
            shown = nil
        }
        old?.appearanceDidChange(isShown: false)
        graph.layers.layout.sublayersChanged(of: layer)
    }
}
