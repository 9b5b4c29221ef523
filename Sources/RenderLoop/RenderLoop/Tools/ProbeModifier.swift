// SPDX-License-Identifier: MIT
// Puts a probe around evaluations: the way in for tools.

/// Offers a probe to each of the nearest views with a body below it, when they appear.
package struct ProbeModifier: CommonModifier {
    private let make: @MainActor (Node) -> (any EvaluationProbe)?

    /// Makes a modifier; `make` gets the node whose view appears, and finds the environment through it. Without a probe
    /// nothing is done.
    package init(_ make: @escaping @MainActor (Node) -> (any EvaluationProbe)?) { self.make = make }

    /// A node that offers the probe.
    package static func makeNode<V: View>(_ view: Modified<V>, in context: NodeContext) -> ViewNode<Modified<V>> {
        ProbeNode(view, in: context) { $0.content }
    }

    private final class ProbeNode<Content: View>: ModifierNode<ProbeModifier, Content> {
        override func didMount() {
            graph.probeOffers += 1
            super.didMount()
        }

        override func willUnmount() { graph.probeOffers -= 1 }

        override func makeProbe(for node: Node) -> (any EvaluationProbe)? { view.modifier.make(node) }
    }
}
