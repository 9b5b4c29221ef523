// SPDX-License-Identifier: MIT
// A view as it stands: what lives from its appearance to its disappearance.

/// A place in the structure where a view stands.
///
/// A node is made when its view appears and unmounted when the view is no longer there, or has another type or id.
/// In between, new values of the view are put into it. Nodes belong to the main actor, and to their loop.
@MainActor
open class Node {
    // Proof: a loop unmounts all nodes before it goes, and a node its children; a node that is not mounted uses neither.
    private unowned(unsafe) let owner: RenderLoop
    private unowned(unsafe) var outer: Node?
    /// Where the node's view finds its environment.
    public let environment: EnvironmentScope
    /// Unique in the loop, in the order of appearance.
    public let serial: UInt64
    /// How many nodes are above.
    public let depth: UInt32

    /// Whether the view is there.
    public private(set) final var isMounted = true
    /// Whether the node waits for its evaluation.
    final var isQueued = false
    /// The turn in which the body was last evaluated.
    final var evaluatedTurn = NodeMark.none
    /// The round of evaluations in which that was.
    final var evaluatedRound = NodeMark.none
    /// The turn in which an evaluation or a handler last invalidated the node, or gave its view other values.
    final var inheritedTurn = NodeMark.none
    /// The last commit that changed something of what the node draws.
    final var changedCommit = NodeMark.none
    /// What is known beyond that, for those who observe; nil while nobody does.
    final var record: NodeRecord?
    /// What the body read that announces its changes to nodes.
    final var dependencies: [Dependency] = []

    /// How many nodes can be in one another: a stack of 8 MiB, as the main thread has, is enough for this
    /// in a debug build twice over, with bodies of usual size.
    public nonisolated static var depthLimit: UInt32 { 4000 }

    /// Most likely a view contains itself without an end. The program would stop all the same, of its stack's overflow,
    /// which names nobody.
    final func stopTooDeep() -> Never {
        var names: [String] = []
        var node: Node? = self
        while let current = node, names.count < 3 {
            if current.hasBody { names.append(current.reference.name) }
            node = current.parent
        }
        fatalError(
            """
            the views are more than \(Self.depthLimit) deep, at last \(names.joined(separator: " in ")): a view that contains \
            itself needs an `if` that ends this
            """)
    }

    /// Makes a node at a place.
    public init(in context: NodeContext) {
        unsafe owner = context.loop
        unsafe outer = context.parent
        environment = context.environment
        depth = context.parent.map { $0.depth + 1 } ?? 0
        serial = context.loop.nextSerial()
    }

    /// The loop that the node belongs to. Only while the node is mounted.
    public final var loop: RenderLoop { unsafe owner }
    /// The node whose content this is; nil at the root, and when the node is no longer mounted.
    public final var parent: Node? { unsafe outer }

    // MARK: For subclasses

    /// Called once, when the node is in its place: makes the children.
    open func didMount() {}

    /// Called once, when the view is about to disappear, before its children do.
    open func willUnmount() {}

    /// Calls `body` with each child in order.
    open func forEachChild(_ body: (Node) -> Void) {}

    /// The layer that the node itself adds; nil if its children's layers stand for it.
    open var ownLayer: Layer? { nil }

    /// Evaluates what was invalidated. Called by the loop in the evaluation phase.
    open func evaluate() {}

    /// Where children are made; a node that changes their environment overrides this.
    open var contentContext: NodeContext { NodeContext(loop: loop, parent: self, environment: environment) }

    /// The type of the view.
    open var viewType: Any.Type { Never.self }

    /// A probe for the evaluations of a view with a body right below; see ``ProbeModifier``.
    open func makeProbe(for node: Node) -> (any EvaluationProbe)? { nil }

    /// What the nodes between this and the next one up with a body offer; the nearest counts.
    final var offeredProbe: (any EvaluationProbe)? {
        var node = parent
        while let current = node, !current.hasBody || current.passesProbes {
            if let probe = current.makeProbe(for: self) { return probe }
            node = current.parent
        }
        return nil
    }

    // MARK: The tree

    /// Takes the node and all below away.
    final func unmount() {
        guard isMounted else { return }
        willUnmount()
        isMounted = false
        forEachChild { $0.unmount() }
        endDependencies()
        if let record { record.probe?.unmounted(self) }
        ownLayer?.detach()
        if loop.isObserved { loop.emit(.unmounted(reference)) }
        unsafe outer = nil
    }

    /// Adds the layers in the node's own layer to a list; returns which of them decide its size. Where others lie behind
    /// or in front, a node overrides this.
    open func collectSublayers(into list: inout [Layer]) -> Range<Int> {
        forEachChild { $0.collectLayers(into: &list) }
        return 0..<list.count
    }

    /// Adds the layers that stand for the node to a list.
    public final func collectLayers(into list: inout [Layer]) {
        if let ownLayer { return list.append(ownLayer) }
        forEachChild { $0.collectLayers(into: &list) }
    }

    /// To be called by a node without a layer of its own when other children stand in it.
    public final func layersDidChange() {
        var node: Node? = self
        while let current = node {
            if let layer = current.ownLayer { return layersDidChange(in: layer) }
            node = current.parent
        }
        layersDidChange(in: loop.rootLayer)
    }

    private func layersDidChange(in layer: Layer) {
        loop.layout.sublayersChanged(of: layer)
        if loop.probeOffers > 0 { loop.commits.insert(restructured: self, in: layer) }
    }

    /// The node as events name it.
    public final var reference: NodeReference { NodeReference(id: serial, name: TypeNames.name(of: viewType)) }

    /// The nearest node up from here, itself included, that evaluates a body; nil if there is none.
    public final var evaluatedNode: Node? {
        var node: Node? = self
        while let current = node, !current.hasBody { node = current.parent }
        return node
    }

    /// Whether the node evaluates a body.
    var hasBody: Bool { false }

    /// Whether a probe is rather for the views in the node's body than for that.
    var passesProbes: Bool { false }

    /// Puts a view of the type that the node was made for into it.
    ///
    /// Proof: callers find a child where they made it, of the same static type.
    @inline(__always)
    final func update<Content: View>(to view: Content) {
        unsafe unsafeDowncast(self, to: ViewNode<Content>.self).update(to: view)
    }
}

/// The number of a turn, a round or a commit, as nodes keep it in four bytes: told apart from the four billion before it.
package struct NodeMark: Hashable, Sendable {
    private let value: UInt32

    package init(_ number: UInt64) { value = UInt32(number % UInt64(UInt32.max)) + 1 }
    private init() { value = 0 }

    /// That of no number.
    package static let none = NodeMark()
}

/// Names a node in events: its number, and its view's type.
public struct NodeReference: Hashable, Sendable, CustomStringConvertible {
    /// Unique in the loop, in the order of appearance.
    public let id: UInt64
    /// The view's type, without its generic arguments.
    public let name: String

    /// `ItemRow#12`.
    public var description: String { "\(name)#\(id)" }
}

/// A node whose view has a known type.
@MainActor
open class ViewNode<Content: View>: Node {
    /// The view as it was given last.
    public internal(set) final var view: Content

    /// Makes a node of a view.
    public init(_ view: Content, in context: NodeContext) {
        self.view = view
        super.init(in: context)
    }

    /// The type of the view.
    open override var viewType: Any.Type { Content.self }

    /// Takes a new value of the view. A node that evaluates something compares first.
    open func update(to view: Content) {
        let old = self.view
        self.view = view
        viewDidChange(from: old)
    }

    /// Called after ``view`` was replaced, whether or not it is equal.
    open func viewDidChange(from old: Content) {}
}

/// Where a node is made.
@MainActor
public struct NodeContext {
    /// The loop that the node will belong to.
    public let loop: RenderLoop
    /// The node whose content it is; nil at the root.
    public let parent: Node?
    /// Where the view finds its environment.
    public var environment: EnvironmentScope

    /// Makes the node of a view that appears here.
    public func make<Content: View>(_ view: Content) -> ViewNode<Content> {
        let node = Content.makeNode(view, in: self)
        if node.depth > Node.depthLimit { node.stopTooDeep() }
        if loop.isObserved { loop.emit(.mounted(node.reference)) }
        node.didMount()
        return node
    }
}
