// SPDX-License-Identifier: MIT
// The nodes that read under tracking: one evaluates a view's body, the other reads for a modifier beside its content.

/// Evaluates one view's body.
final class BodyNode<Content: View>: ViewNode<Content> {
    private var child: ViewNode<Content.Body>?
    private var reads = ReadTracker()
    private let properties: PropertyLayout
    private var storage: [AnyObject?]
    /// The number of the next node up that evaluates a view's body; 0 if there is none.
    private let parentNumber: UInt64
    /// Whether the parent's evaluation gave the view other inputs, and nothing else asked for its evaluation.
    private var isGiven = false

    override init(_ view: Content, in context: NodeContext) {
        properties = PropertyLayout.layout(of: Content.self)
        let around = sequence(first: context.parent) { $0?.parent }.lazy.compactMap(\.self)
        parentNumber = around.first { $0.hasBody && !$0.passesProbes && $0.bodyOfModifier == nil }?.instanceNumber ?? 0
        storage = properties.isEmpty ? [] : Array(repeating: nil, count: properties.count)
        super.init(view, in: context)
    }

    override var hasBody: Bool { true }
    override var passesProbes: Bool { Content.self is any ProbePassing.Type }

    override func didMount() {
        givenCommit = graph.nextCommit
        if graph.probeOffers > 0, !passesProbes, bodyOfModifier == nil, let probe = offeredProbe {
            requiredRecord.probe = probe
        }
        if graph.isObserved { requiredRecord.add(graph.inherited(.initial)) }
        evaluate()
    }

    override func update(to view: Content) {
        guard let changed = ValueComparison.firstDifference(self.view, view) else { return }
        if graph.isObserved || record != nil {
            requiredRecord.add(graph.inherited(.input, changed.isEmpty ? "self" : changed))
        }
        self.view = view
        givenCommit = graph.nextCommit
        isGiven = !isQueued
        evaluate()
    }

    override func evaluate() {
        isQueued = false
        let body = graph.evaluate(self) { tracked() }
        isGiven = false
        if let child {
            child.update(to: body)
        } else {
            child = contentContext.make(body)
        }
    }

    override func willUnmount() {
        reads.end()
        for case let object? in storage { (object as? any UnmountedStorage)?.unmount() }
    }

    override func forEachChild(_ body: (Node) -> Void) {
        if let child { body(child) }
    }

    /// The body, with all that it reads noted.
    private func tracked() -> Content.Body {
        CurrentEvaluation.run(self) {
            if !properties.isEmpty { properties.update(&view, of: self, &storage) }
            return reads.track(self, view) {
                guard let probe = record?.probe else {
                    return Content.body(of: view, instance: instanceNumber, givenBy: isGiven ? parentNumber : 0)
                }
                return probe.evaluate(view, at: self) { view.body }
            }
        }
    }
}

/// Runs ``look()`` under tracking when the view appears or gets a new value, and when something that it read changes.
class TrackingNode<Modifier: ViewModifier, Content: View>: ModifierNode<Modifier, Content> {
    private var reads = ReadTracker()

    /// What the modifier does; its reads are tracked.
    func look() {}

    override func didMount() {
        track()
        super.didMount()
    }

    override func viewDidChange(from old: ModifiedContent<Content, Modifier>) {
        track()
        super.viewDidChange(from: old)
    }

    override func evaluate() {
        isQueued = false
        forgetReasons()
        track()
    }

    override func willUnmount() { reads.end() }

    private func track() {
        CurrentEvaluation.run(self) { reads.track(self, view) { look() } }
    }
}

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
