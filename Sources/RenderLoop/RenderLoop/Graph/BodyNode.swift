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
