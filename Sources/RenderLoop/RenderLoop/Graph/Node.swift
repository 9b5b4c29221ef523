// SPDX-License-Identifier: MIT
// A node: it lives from a view's appearance to its disappearance.

/// A place in the structure where a view stands.
///
/// A node is made when its view appears and unmounted when the view is no longer there, or has another type or id.
/// In between, new values of the view are put into it. Nodes belong to the main actor, and to their graph.
@MainActor
public class Node: LayerOwner {
    // Proof: a graph unmounts all nodes before it goes, and a node its children; an unmounted node uses neither.
    private unowned(unsafe) let owner: ViewGraph
    private unowned(unsafe) var outer: Node?
    /// Where the node's view finds its environment.
    package let environment: EnvironmentScope
    /// Unique in the graph, in the order of appearance.
    package let serial: UInt64
    /// Unique in the process, so that instances of several loops count apart in one store.
    var instanceNumber: UInt64 { graph.instanceNumber(of: self) }
    /// How many nodes are above.
    package let depth: UInt32

    /// Whether the view is there.
    package private(set) final var isMounted = true
    /// Whether the node waits for its evaluation.
    final var isQueued = false
    /// The turn in which the body was last evaluated.
    final var evaluatedTurn = NodeMark.none
    /// The round of evaluations in which that was.
    final var evaluatedRound = NodeMark.none
    /// The commit before which the node's parent last gave its view other values.
    final var givenCommit = NodeMark.none
    /// The last commit that changed something of what the node draws.
    final var changedCommit = NodeMark.none
    /// What observers and probes need to know; nil while there are none.
    final var record: NodeRecord?
    /// What the body read that announces its changes to nodes.
    final var dependencies: [Dependency] = []

    /// How many nodes can be nested. In a debug build with bodies of usual size, the main thread's stack of 8 MiB holds
    /// twice as many.
    package nonisolated static var depthLimit: UInt32 { 4000 }

    /// Stops the program before its stack overflows: most likely a view contains itself without an end.
    final func stopTooDeep() -> Never {
        let names: [String] = chain.filter { $0.hasBody }.prefix(3).map { $0.reference.name }
        fatalError(
            """
            the views are more than \(Self.depthLimit) deep, at last \(names.joined(separator: " in ")): a view that contains \
            itself needs an `if` that ends this
            """)
    }

    /// Makes a node at a place.
    init(in context: NodeContext) {
        unsafe owner = context.graph
        unsafe outer = context.parent
        environment = context.environment
        depth = context.parent.map { $0.depth + 1 } ?? 0
        serial = context.graph.nextSerial()
    }

    /// The graph that the node belongs to. Only while the node is mounted.
    final var graph: ViewGraph { unsafe owner }
    /// The node whose content this is; nil at the root, and when the node is no longer mounted.
    package final var parent: Node? { unsafe outer }

    // MARK: For subclasses

    /// Called once, when the node is in its place: makes the children.
    func didMount() {}

    /// Called once, when the view is about to disappear, before its children do.
    func willUnmount() {}

    /// Calls `body` with each child in order.
    func forEachChild(_ body: (Node) -> Void) {}

    /// The layer that the node itself adds; nil if its children's layers stand for it.
    var ownLayer: Layer? { nil }

    /// Evaluates what was invalidated. Called by the graph in the evaluation phase.
    func evaluate() {}

    /// Where children are made; a node that changes their environment overrides this.
    var contentContext: NodeContext { NodeContext(graph: graph, parent: self, environment: environment) }

    var viewType: Any.Type { Never.self }

    /// A probe for the evaluations of a view with a body right below; see ``ProbeModifier``.
    func makeProbe(for node: Node) -> (any EvaluationProbe)? { nil }

    /// Whether the node evaluates a body.
    var hasBody: Bool { false }

    /// A modifier around this node, which applies to each of the views below, has another value.
    func modifierDidChange(_ each: EachView) { forEachChild { $0.modifierDidChange(each) } }

    /// For a node of one of the views that a modifier applies to: the modifier's place, and the type of what it makes.
    var appliedModifier: (place: Node, made: Any.Type)? { nil }

    /// Whether probes go through to the views in the node's body.
    var passesProbes: Bool { false }

    /// The type of the modifier whose content is in the node; nil where there is none.
    var contentOfModifier: Any.Type? { nil }

    /// The type of the modifier whose body the node evaluates; nil for a view's body.
    final var bodyOfModifier: Any.Type? { (viewType as? any ModifiedView.Type)?.modifier }

    /// Adds the layers in the node's own layer to a list; returns which of them decide its size. A node with layers behind
    /// or in front of its content overrides this.
    func collectSublayers(into list: inout [Layer]) -> Range<Int> {
        forEachChild { $0.collectLayers(into: &list) }
        return 0..<list.count
    }

    // MARK: The tree

    /// This node and those around it, from the inside out.
    final var chain: some Sequence<Node> { sequence(first: self) { $0.parent } }

    /// The probe that the nodes between this one and the next one up with a body offer; the nearest counts.
    ///
    /// A view that is the content of a modifier with a body looks past that body, and past what else is in it.
    final var offeredProbe: (any EvaluationProbe)? {
        /// The modifiers that this is the content of, and whether there is a view in their bodies around the content.
        var modifiers: [(type: Any.Type, isInView: Bool)] = []
        for node in chain.dropFirst() {
            if let content = node.contentOfModifier { modifiers.append((content, false)) }
            if node.hasBody, !node.passesProbes {
                guard let last = modifiers.indices.last else { return nil }
                if node.bodyOfModifier == modifiers[last].type {
                    modifiers.removeLast()
                } else {
                    modifiers[last].isInView = true
                }
            }
            if !modifiers.contains(where: \.isInView), let probe = node.makeProbe(for: self) { return probe }
        }
        return nil
    }

    /// Takes the node and all below away.
    final func unmount() {
        guard isMounted else { return }
        willUnmount()
        isMounted = false
        isQueued = false
        forEachChild { $0.unmount() }
        endDependencies()
        if let record { record.probe?.unmounted(self) }
        ownLayer?.detach()
        graph.emit(.unmounted(reference))
        unsafe outer = nil
    }

    /// The node as events name it.
    package final var reference: NodeReference { NodeReference(id: serial, name: TypeNames.name(of: viewType)) }

    /// The nearest node up from here, itself included, that evaluates a body; nil if there is none.
    final var evaluatedNode: Node? { chain.first(where: \.hasBody) }

    /// The nearest node with a body up from here in which this node's modifier was written.
    final var author: Node? {
        let type = viewType
        for node in chain {
            if node.hasBody { return node }
            if let (place, made) = node.appliedModifier, made == type { return place.author }
        }
        return nil
    }

    /// Puts a view of the type that the node was made for into it.
    ///
    /// Proof: callers find a child where they made it, of the same static type.
    @inline(__always)
    final func update<Content: View>(to view: Content) {
        unsafe unsafeDowncast(self, to: ViewNode<Content>.self).update(to: view)
    }
}

/// A node whose view has a known type.
@MainActor
public class ViewNode<Content: View>: Node {
    /// The view as it was given last.
    final var view: Content

    init(_ view: Content, in context: NodeContext) {
        self.view = view
        super.init(in: context)
    }

    override var viewType: Any.Type { Content.self }

    /// Takes a new value of the view. A node that evaluates something compares first.
    func update(to view: Content) {
        let old = self.view
        self.view = view
        viewDidChange(from: old)
    }

    /// Called after ``view`` was replaced, whether or not it is equal.
    func viewDidChange(from old: Content) {}
}

/// Where a node is made.
@MainActor
public struct NodeContext {
    /// The graph that the node will belong to.
    let graph: ViewGraph
    /// The node whose content it is; nil at the root.
    let parent: Node?
    /// Where the view finds its environment.
    let environment: EnvironmentScope

    /// Makes the node of a view that appears here.
    func make<Content: View>(_ view: Content) -> ViewNode<Content> {
        let node = makeNode(view)
        if node.depth > Node.depthLimit { node.stopTooDeep() }
        graph.emit(.mounted(node.reference))
        node.didMount()
        return node
    }

    private func makeNode<Content: View>(_ view: Content) -> ViewNode<Content> {
        if let each = environment.each, Content.isOneView { return each.makeMember(view, in: self) }
        return Content.makeNode(view, in: self)
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
