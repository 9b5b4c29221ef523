// SPDX-License-Identifier: MIT
// Puts a probe around evaluations: the way in for tools.

/// A view whose body is nobody's in particular: probes go through it.
protocol ProbePassing {}

extension ForEachElement: ProbePassing {}

/// Offers a probe to each of the nearest views with a body below it, when they appear.
public struct ProbeModifier: ViewModifier {
    /// Primitive.
    public typealias Body = Never

    private let make: @MainActor (Node) -> (any EvaluationProbe)?

    /// Makes a modifier; `make` gets the node whose view appears, and finds the environment through it. Without a probe
    /// nothing is done.
    public init(_ make: @escaping @MainActor (Node) -> (any EvaluationProbe)?) { self.make = make }

    /// A node that offers the probe.
    public static func makeNode<Modified: View>(
        _ view: ModifiedContent<Modified, Self>, in context: NodeContext
    ) -> ViewNode<ModifiedContent<Modified, Self>> {
        ProbeNode(view, in: context) { $0.content }
    }

    private final class ProbeNode<Content: View>: WrapperNode<ModifiedContent<Content, ProbeModifier>, Content> {
        override func didMount() {
            loop.probeOffers += 1
            super.didMount()
        }

        override func willUnmount() { loop.probeOffers -= 1 }

        override func makeProbe(for node: Node) -> (any EvaluationProbe)? { view.modifier.make(node) }
    }
}
