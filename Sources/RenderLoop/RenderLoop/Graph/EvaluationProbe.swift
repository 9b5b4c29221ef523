// SPDX-License-Identifier: MIT
// The hook through which tools follow the evaluations of one view.

package import Rerender

/// Wraps the evaluations of one view: the hook for tools.
///
/// A ``ProbeModifier`` puts a probe around the evaluations of the nearest view with a body below it.
@MainActor
package protocol EvaluationProbe: AnyObject {
    /// Something that the view depends on has changed; called right before the evaluation, once for each reason.
    func willEvaluate(_ node: Node, reason: EvaluationReason)

    /// Evaluates the body, exactly once.
    func evaluate<Content: View>(_ view: Content, at node: Node, _ body: () -> Content.Body) -> Content.Body

    /// The body was evaluated a further time in the same turn.
    func evaluatedAgain(_ node: Node)

    /// A commit followed evaluations of the view; `changed` says whether it changed what the view draws.
    func committed(_ node: Node, changed: Bool)

    /// The view is gone.
    func unmounted(_ node: Node)

    /// The code that runs now, as the writer of a cause that ``willEvaluate(_:reason:)`` tells later.
    func causeWriter() -> CauseWriter?

    /// Runs what the program does about an event: `onAppear` of a view, or a tap on it. The view is the probe's or in it.
    func handling(_ event: HandledEvent, of view: NodeReference, _ body: () -> Void)
}

/// An event as a developer knows it.
package struct HandledEvent {
    /// `tap`, `onAppear`.
    package let kind: String
    /// How it goes on with the view's name: `on`, `of`.
    package let preposition: String
    /// Whether it follows an evaluation, as `onAppear` does, and not input.
    package let isReaction: Bool
}

extension Node {
    /// The probe of the nearest view up from here, itself included, that has one.
    final var nearestProbe: (any EvaluationProbe)? {
        graph.probeOffers > 0 ? chain.lazy.compactMap { $0.record?.probe }.first : nil
    }
}

extension EvaluationProbe {
    /// Nothing by default.
    package func willEvaluate(_ node: Node, reason: EvaluationReason) {}
    /// Nothing by default.
    package func evaluatedAgain(_ node: Node) {}
    /// Nothing by default.
    package func committed(_ node: Node, changed: Bool) {}
    /// Nothing by default.
    package func unmounted(_ node: Node) {}
    /// None by default.
    package func causeWriter() -> CauseWriter? { nil }
    /// The bare body by default.
    package func handling(_ event: HandledEvent, of view: NodeReference, _ body: () -> Void) { body() }
}

/// A view whose body belongs to the views around it: probes go through to the views in it.
protocol ProbePassing {}
