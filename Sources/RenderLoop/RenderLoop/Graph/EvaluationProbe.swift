// SPDX-License-Identifier: MIT
// The hook through which tools follow the evaluations of one view, and the record of a node while the loop is observed.

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

/// What a node keeps while the loop is observed.
@MainActor
final class NodeRecord {
    /// Causes since the last evaluation, each once, at most 32, by kind and name.
    private(set) var reasons: [EvaluationReason] = []
    /// How often another reason than those came and was not kept.
    private var left: UInt64 = 0
    /// Wraps the evaluations; nil without a tool.
    var probe: (any EvaluationProbe)?

    /// More are of no use to a reader, and each new one is compared with all.
    private static let reasonLimit = 32

    func add(_ reason: EvaluationReason) {
        guard !reasons.contains(reason) else { return }
        guard reasons.count < Self.reasonLimit else { return left += 1 }
        // Sorted, because an object calls its subscribers in an order that differs from run to run.
        reasons.insert(reason, at: reasons.firstIndex { reason.isBefore($0) } ?? reasons.endIndex)
    }

    /// What a source is called here. Weak: another one may come to be where one that is gone was.
    struct Name {
        weak var source: DependencySource?
        var name: String
    }

    private(set) var names: [Name] = []

    func setName(_ name: String, of source: DependencySource) {
        if let index = names.firstIndex(where: { $0.source === source }) {
            names[index].name = name
        } else {
            names.removeAll { $0.source == nil }
            names.append(Name(source: source, name: name))
        }
    }

    func name(of source: DependencySource) -> String? {
        names.first { $0.source === source }?.name
    }

    /// The reasons; one without a name is left out where another of its kind has one, and an object where a property of it
    /// is there. How many were not kept is the last.
    func takeReasons() -> [EvaluationReason] {
        var taken = reasons.filter { reason in
            let prefix = reason.name.isEmpty ? "" : reason.name + "."
            guard reason.name.isEmpty || reason.kind == .object else { return true }
            return !reasons.contains {
                $0.kind == reason.kind && $0.name.count > prefix.count && $0.name.hasPrefix(prefix)
            }
        }
        if left > 0 { taken.append(EvaluationReason(.further, "+\(left)")) }
        left = 0
        reasons.removeAll(keepingCapacity: true)
        return taken
    }
}

extension Node {
    /// For a node that is brought up to date without evaluating a body: what is kept would be told the next time, too.
    func forgetReasons() { _ = record?.takeReasons() }
}
