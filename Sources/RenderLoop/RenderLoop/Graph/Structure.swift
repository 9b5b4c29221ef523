// SPDX-License-Identifier: MIT
// Views that are nothing but structure, without a layer of their own, and the nodes that only hold others.

/// Nothing.
public struct EmptyView: PrimitiveView {
    /// Makes nothing.
    public init() {}

    /// It stands for no view: a modifier has nothing to apply to.
    public static var isOneView: Bool { false }

    /// A node without content.
    public static func makeNode(_ view: Self, in context: NodeContext) -> ViewNode<Self> {
        ViewNode(view, in: context)
    }
}

/// Several views, each known by its place.
public struct TupleView<each Content: View>: PrimitiveView {
    let content: (repeat each Content)

    init(_ content: repeat each Content) {
        self.content = (repeat each content)
    }

    /// Several.
    public static var isOneView: Bool { false }

    /// A node with one child for each element.
    public static func makeNode(_ view: Self, in context: NodeContext) -> ViewNode<Self> {
        TupleNode(view, in: context)
    }
}

/// One of two views; they have identities of their own.
public struct ConditionalContent<First: View, Second: View>: SwitchContent {
    enum Branch {
        case first(First)
        case second(Second)
    }

    let branch: Branch

    init(_ branch: Branch) { self.branch = branch }

    func put(into child: Node?, in context: NodeContext) -> Node? {
        switch branch {
        case .first(let view): context.put(view, into: child)
        case .second(let view): context.put(view, into: child)
        }
    }

    var tag: Int {
        switch branch {
        case .first: 0
        case .second: 1
        }
    }
}

/// A view that may be missing.
extension Optional: View, PrimitiveView, SwitchContent where Wrapped: View {
    func put(into child: Node?, in context: NodeContext) -> Node? { map { context.put($0, into: child) } }
    var tag: Int { self == nil ? 0 : 1 }
}

/// A view whose type is not known until it runs. Another type is another identity.
public struct AnyView: SwitchContent {
    let content: any View

    /// Hides the type of a view.
    public init(_ content: some View) { self.content = (content as? AnyView)?.content ?? content }

    func put(into child: Node?, in context: NodeContext) -> Node? {
        func put<Content: View>(_ content: Content) -> Node {
            context.put(content, into: child as? ViewNode<Content>)
        }
        return put(content)
    }

    var tag: Int { 0 }
}

extension AnyView: InputComparable {
    func isSameInput(as other: AnyView) -> Bool {
        func isSame<Content: View>(_ content: Content) -> Bool {
            guard let other = other.content as? Content else { return false }
            return ValueComparison.firstDifference(content, other) == nil
        }
        return isSame(content)
    }
}

/// Several views in one value, which stands for each of them: a modifier that follows applies to each.
public struct Group<Content: View>: WrapperContent {
    let content: Content

    /// Whether its content is one.
    public static var isOneView: Bool { Content.isOneView }

    /// Makes a group.
    public init(@ViewBuilder content: () -> Content) { self.content = content() }
}

/// A view with an identity of its own, beside its place in the structure.
public struct IdentifiedView<Content: View, ID: Hashable>: SwitchContent {
    let content: Content
    let id: ID

    /// Whether its content is one.
    public static var isOneView: Bool { Content.isOneView }

    func put(into child: Node?, in context: NodeContext) -> Node? { context.put(content, into: child) }
    var tag: ID { id }
}

extension View {
    /// Gives the view an identity: with another id it is another view, whose state begins anew.
    public func id<ID: Hashable>(_ id: ID) -> IdentifiedView<Self, ID> { IdentifiedView(content: self, id: id) }
}

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
    /// Puts a view into the node that was made of one of its type, or makes that node.
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

// The layers that stand for nodes, and which nodes had a part in what a commit changed.

extension Layer {
    /// Makes the layer of a node.
    convenience init(of node: Node) {
        self.init(owner: node)
        attach(to: node.graph.layers)
    }
}

extension Node {
    /// Adds the layers that stand for the node to a list.
    final func collectLayers(into list: inout [Layer]) {
        if let ownLayer { return list.append(ownLayer) }
        forEachChild { $0.collectLayers(into: &list) }
    }

    /// The smallest rectangle on the screen around the node's layers, as the last layout placed them; nil without any.
    package final var screenFrame: CellRect? {
        var layers: [Layer] = []
        collectLayers(into: &layers)
        return layers.map(\.screenFrame).reduce(nil) { sum, frame in sum?.union(frame) ?? frame }
    }

    /// To be called by a node without a layer of its own when its children change.
    final func layersDidChange() {
        let layer = chain.lazy.compactMap(\.ownLayer).first ?? graph.layers.root
        graph.layers.layout.sublayersChanged(of: layer)
        if graph.probeOffers > 0 { graph.layers.commits.insert(restructured: self, in: layer) }
    }

    /// The nearest node around this one that is there; another one than the parent where that goes together with this one.
    final var holder: Node? { chain.dropFirst().first(where: \.isMounted) }

    /// Notes for this node, and for those that had a part in what it draws, that a commit changed that.
    ///
    /// A body that was given nothing since the last commit draws what it does for itself: those above have no part in it.
    final func drawingChanged(in commit: UInt64) {
        if isMounted, graph.probeOffers > 0 { drawingChanged(in: NodeMark(commit)) }
    }

    private func drawingChanged(in commit: NodeMark) {
        var node: Node? = self
        while let current = node, current.changedCommit != commit {
            current.changedCommit = commit
            graph.drawingCauses.forEach(of: current) { if $0.isMounted { $0.drawingChanged(in: commit) } }
            node = current.hasBody && current.givenCommit != commit ? nil : current.parent
        }
    }
}

/// What one node changed for another that it gave no values: past the views between them, or by a handler.
///
/// Whoever writes a value of the environment or a state in an evaluation invalidates its readers, wherever they are, and
/// is seen by those who begin to read it. So does a handler that an evaluation scheduled. A modifier of several views is
/// put into each of them. Kept while there are probes, which ask whose evaluation changed the screen, and until a commit.
@MainActor
struct DrawingCauses {
    /// By the serial numbers of both, the node that is drawn first.
    private var causes: [UInt64: [UInt64: Node]] = [:]
    /// Who changed what can be read. By address: another source in the place of one that is gone adds a cause too many.
    private var changes: [ObjectIdentifier: [Node]] = [:]

    /// Where the handler that runs was scheduled.
    private static var handlerCauses: [Node] = []
    /// Who changes what changes now: the evaluation that runs, or those that scheduled the handler that does.
    private static var current: [Node] { CurrentEvaluation.current.map { [$0] } ?? handlerCauses }

    /// Runs a handler that was scheduled at these nodes.
    static func runHandler(of causes: [Node], _ action: () -> Void) {
        let outer = handlerCauses
        handlerCauses = causes
        defer { handlerCauses = outer }
        action()
    }

    /// A source is about to tell its readers of a change.
    static func noteChange(of source: DependencySource) {
        if CurrentEvaluation.current == nil, handlerCauses.isEmpty { return }
        for cause in current where cause.isMounted && cause.graph.probeOffers > 0 {
            cause.graph.drawingCauses.changes[ObjectIdentifier(source), default: []].append(cause)
        }
    }

    /// The node reads a source, which may have been changed since the last commit.
    mutating func noteRead(of source: DependencySource, by node: Node) {
        guard !changes.isEmpty else { return }
        for cause in changes[ObjectIdentifier(source)] ?? [] { note(cause, for: node) }
    }

    /// Something that the node has read has changed.
    mutating func noteInvalidation(of node: Node) {
        for cause in Self.current { note(cause, for: node) }
    }

    /// One node has a part in what another draws from now on.
    mutating func note(_ cause: Node, for node: Node) {
        guard cause !== node, cause.isMounted, cause.graph === node.graph else { return }
        causes[node.serial, default: [:]][cause.serial] = cause
    }

    func forEach(of node: Node, _ body: (Node) -> Void) {
        guard !causes.isEmpty, let found = causes[node.serial] else { return }
        for cause in found.values { body(cause) }
    }

    mutating func removeAll() {
        causes.removeAll(keepingCapacity: true)
        changes.removeAll(keepingCapacity: true)
    }
}
