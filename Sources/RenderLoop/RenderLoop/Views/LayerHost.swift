// SPDX-License-Identifier: MIT
// A layer that the program changes itself, beside the graph.

/// Refers to the layer of a ``LayerHost``, from when it appears.
@MainActor
package final class LayerReference {
    /// The layer; nil before the view has appeared.
    package fileprivate(set) var layer: Layer?

    /// Refers to nothing yet.
    package init() {}
}

/// A view whose layer the program fills: as a view of another toolkit would be, changes of it wait for no evaluation.
package struct LayerHost: PrimitiveView {
    let reference: LayerReference

    /// Makes a view whose layer is found through a reference.
    package init(_ reference: LayerReference) { self.reference = reference }

    /// A node with a layer that is as large as it is proposed to be.
    package static func makeNode(_ view: Self, in context: NodeContext) -> ViewNode<Self> {
        LayerNode(view, in: context, content: { _ in EmptyView() }) { view, layer in
            layer.layout = .fill
            view.reference.layer = layer
        }
    }
}
