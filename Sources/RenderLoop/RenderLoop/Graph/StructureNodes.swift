// SPDX-License-Identifier: MIT
// Nodes that only hold others: lists, alternatives, wrappers.

/// Children that are known by their place.
final class TupleNode<each Content: View>: ViewNode<TupleView<repeat each Content>> {
    private var children: [Node] = []

    override func didMount() {
        var made: [Node] = []
        for element in repeat each view.content { made.append(contentContext.make(element)) }
        children = made
    }

    override func viewDidChange(from old: TupleView<repeat each Content>) {
        var index = 0
        for element in repeat each view.content {
            children[index].update(to: element)
            index += 1
        }
    }

    override func forEachChild(_ body: (Node) -> Void) {
        for child in children { body(child) }
    }
}

/// A view that stands for one of several, told apart by a tag.
protocol SwitchContent: PrimitiveView {
    associatedtype Tag: Equatable
    var tag: Tag { get }
    /// Puts the content into the child, which was made under the same tag. Without one, or where that is of another kind,
    /// makes a child.
    func put(into child: Node?, in context: NodeContext) -> Node?
}

extension NodeContext {
    /// Puts a view into the node that was made of one of its type; makes it if there is none.
    func put<Content: View>(_ view: Content, into child: Node?) -> Node {
        guard let child else { return make(view) }
        child.update(to: view)
        return child
    }
}

extension SwitchContent {
    /// What it stands for changes.
    public static var isOneView: Bool { false }

    /// A node with at most one child, which is replaced when the tag changes.
    public static func makeNode(_ view: Self, in context: NodeContext) -> ViewNode<Self> {
        SwitchNode(view, in: context)
    }
}

/// A child that is replaced when its tag or its type changes.
final class SwitchNode<Content: SwitchContent>: ViewNode<Content> {
    private var child: Node?

    override func didMount() { child = view.put(into: nil, in: contentContext) }

    override func viewDidChange(from old: Content) {
        let left = child
        child = view.put(into: old.tag == view.tag ? left : nil, in: contentContext)
        guard child !== left else { return }
        left?.unmount()
        layersDidChange()
    }

    override func forEachChild(_ body: (Node) -> Void) {
        if let child { body(child) }
    }
}

/// A view without a layer of its own around another one.
protocol WrapperContent: PrimitiveView {
    associatedtype Content: View
    var content: Content { get }
}

extension WrapperContent {
    /// A node that passes its child's layers on.
    public static func makeNode(_ view: Self, in context: NodeContext) -> ViewNode<Self> {
        WrapperNode(view, in: context) { $0.content }
    }
}

/// One child, which is always there.
class WrapperNode<Content: View, Child: View>: ViewNode<Content> {
    private let content: (Content) -> Child
    /// The node of the content; nil before ``Node/didMount()``.
    private(set) final var child: ViewNode<Child>?

    /// Makes a node whose child is what `content` finds in the view.
    init(_ view: Content, in context: NodeContext, content: @escaping (Content) -> Child) {
        self.content = content
        super.init(view, in: context)
    }

    override func didMount() { child = contentContext.make(content(view)) }

    override func viewDidChange(from old: Content) { child?.update(to: content(view)) }

    override func forEachChild(_ body: (Node) -> Void) {
        if let child { body(child) }
    }
}

/// The node of a modifier without a layer: its child is the modified view.
typealias ModifierNode<Modifier: ViewModifier, Content: View> = WrapperNode<ModifiedContent<Content, Modifier>, Content>
