// SPDX-License-Identifier: MIT
// A modifier of what stands for several views, or for none: it applies to each of them.

/// Whether bodies are one view, by the types of views; found out once for each.
@MainActor
enum BodyCount {
    private static var known: [ObjectIdentifier: Bool] = [:]

    static func isOne<Content: View>(_ type: Content.Type) -> Bool {
        let key = ObjectIdentifier(type)
        if let known = known[key] { return known }
        // Where a body is nothing but the view itself, the question would have no end. Making such a view has none either.
        known[key] = true
        let isOne = Content.Body.isOneView
        known[key] = isOne
        return isOne
    }
}

/// A modifier that each single view gets which is made in a part of the tree.
@MainActor
class EachView {
    /// The node of a view with the modifier around it.
    func makeMember<Content: View>(_ view: Content, in context: NodeContext) -> ViewNode<Content> {
        fatalError("\(Self.self) has to override makeMember")
    }
}

/// A modifier with its present value, as all the views have it.
private final class EachModifier<Modifier: ViewModifier>: EachView {
    /// Where the modifier is written. Proof: a node outlives those below it.
    unowned let place: Node
    /// Where the modified views are found by what is around the modifier.
    let outer: EnvironmentScope
    var modifier: Modifier {
        didSet { version &+= 1 }
    }
    private(set) var version: UInt32 = 0
    /// The commit before which it last changed; noted while there are probes.
    var changedCommit = NodeMark.none
    /// In which the single views are made. Weak, because that scope keeps this object.
    weak var inner: EnvironmentScope?

    init(_ modifier: Modifier, at place: Node) {
        self.modifier = modifier
        self.place = place
        outer = place.environment
    }

    override func makeMember<Content: View>(_ view: Content, in context: NodeContext) -> ViewNode<Content> {
        MemberNode(view, in: context, each: self)
    }
}

/// The node of a modifier whose content stands for any number of views.
final class EachNode<Content: View, Modifier: ViewModifier>: ModifierNode<Modifier, Content> {
    private lazy var each = EachModifier(view.modifier, at: self)
    private lazy var inner = EnvironmentScope(outer: environment, each: each)

    init(_ view: ModifiedContent<Content, Modifier>, in context: NodeContext) {
        super.init(view, in: context) { $0.content }
    }

    override var contentContext: NodeContext { NodeContext(graph: graph, parent: self, environment: inner) }

    override func didMount() {
        each.inner = inner
        super.didMount()
    }

    override func viewDidChange(from old: ModifiedContent<Content, Modifier>) {
        if graph.probeOffers > 0, ValueComparison.firstDifference(old.modifier, view.modifier) != nil {
            each.changedCommit = graph.nextCommit
        }
        each.modifier = view.modifier
        super.viewDidChange(from: old)
        // Those in a body that is not evaluated for it have not heard of it.
        forEachChild { $0.modifierDidChange(each) }
    }
}

/// The node of one of the views: what is made of it is its child.
private final class MemberNode<Content: View, Modifier: ViewModifier>: ViewNode<Content> {
    private let each: EachModifier<Modifier>
    private var child: ViewNode<ModifiedContent<Content, Modifier>>?
    private var version: UInt32 = 0

    init(_ view: Content, in context: NodeContext, each: EachModifier<Modifier>) {
        self.each = each
        super.init(view, in: context)
    }

    private var modified: ModifiedContent<Content, Modifier> {
        ModifiedContent(content: view, modifier: each.modifier)
    }

    override var contentContext: NodeContext {
        let isSet = environment !== each.inner
        let scope = isSet ? EnvironmentScope(outer: environment, each: each.outer.each) : each.outer
        return NodeContext(graph: graph, parent: self, environment: scope)
    }

    override var appliedModifier: (place: Node, made: Any.Type)? {
        (each.place, ModifiedContent<Content, Modifier>.self)
    }

    override func didMount() {
        takeModifier()
        child = contentContext.make(modified)
    }

    override func viewDidChange(from old: Content) {
        takeModifier()
        child?.update(to: modified)
    }

    /// Another modifier is the doing of the view in which it is written, whatever is between that and this.
    private func takeModifier() {
        version = each.version
        guard graph.probeOffers > 0, each.changedCommit == graph.nextCommit else { return }
        graph.drawingCauses.note(each.place, for: self)
    }

    override func modifierDidChange(_ each: EachView) {
        guard each === self.each else { return super.modifierDidChange(each) }
        if version != self.each.version { viewDidChange(from: view) }
    }

    override func forEachChild(_ body: (Node) -> Void) {
        if let child { body(child) }
    }
}
