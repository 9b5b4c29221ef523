// SPDX-License-Identifier: MIT
// The node of a view with a body: evaluates it when an input or something that it read has changed, and only then.

/// Evaluates one view's body.
final class BodyNode<Content: View>: ViewNode<Content> {
    private var child: ViewNode<Content.Body>?
    private var reads = ObservedReads()
    private let properties: PropertyLayout
    private var storage: [AnyObject?]

    override init(_ view: Content, in context: NodeContext) {
        properties = PropertyLayout.layout(of: Content.self)
        storage = properties.isEmpty ? [] : Array(repeating: nil, count: properties.count)
        super.init(view, in: context)
    }

    override var hasBody: Bool { true }
    override var passesProbes: Bool { Content.self is any ProbePassing.Type }

    override func didMount() {
        inheritedTurn = loop.turnMark
        if loop.probeOffers > 0, !passesProbes, let probe = offeredProbe { requiredRecord.probe = probe }
        if loop.isObserved { requiredRecord.add(loop.inherited(.initial)) }
        evaluate()
    }

    override func update(to view: Content) {
        guard let changed = ValueComparison.firstDifference(self.view, view) else { return }
        if loop.isObserved || record != nil {
            requiredRecord.add(loop.inherited(.input, changed.isEmpty ? "self" : changed))
        }
        self.view = view
        inheritedTurn = loop.turnMark
        evaluate()
    }

    override func evaluate() {
        isQueued = false
        let body = loop.evaluate(self) { tracked() }
        if let child {
            child.update(to: body)
        } else {
            child = contentContext.make(body)
        }
    }

    override func willUnmount() {
        isQueued = false
        reads.end()
        for case let object? in storage { (object as? any UnmountedStorage)?.unmount() }
    }

    override func forEachChild(_ body: (Node) -> Void) {
        if let child { body(child) }
    }

    /// The body, with all that it reads noted.
    private func tracked() -> Content.Body {
        let outer = Evaluation.begin(self)
        defer { Evaluation.end(self, outer) }
        if !properties.isEmpty { updateProperties() }
        return reads.track(self, view) {
            guard let probe = record?.probe else { return view.body }
            return probe.evaluate(view, at: self) { view.body }
        }
    }

    private func updateProperties() {
        var context = DynamicPropertyContext(node: self, storage: storage)
        properties.update(&view, &context)
        storage = context.storage
    }
}
