// SPDX-License-Identifier: MIT
// The layers that stand for nodes, and which nodes a commit changed.

extension Layer {
    /// Makes the layer of a node.
    convenience init(of node: Node) {
        self.init(owner: node)
        attach(to: node.graph.layers)
    }
}

extension Node {
    /// Adds the layers that stand for the node to a list.
    final func collectLayers(into list: inout [Layer]) {
        if let ownLayer { return list.append(ownLayer) }
        forEachChild { $0.collectLayers(into: &list) }
    }

    /// The smallest rectangle on the screen around the node's layers, as the last layout placed them; nil without any.
    package final var screenFrame: CellRect? {
        var layers: [Layer] = []
        collectLayers(into: &layers)
        return layers.map(\.screenFrame).reduce(nil) { sum, frame in sum?.union(frame) ?? frame }
    }

    /// To be called by a node without a layer of its own when its children change.
    final func layersDidChange() {
        let layer = chain.lazy.compactMap(\.ownLayer).first ?? graph.layers.root
        graph.layers.layout.sublayersChanged(of: layer)
        if graph.probeOffers > 0 { graph.layers.commits.insert(restructured: self, in: layer) }
    }

    /// Notes for this node and those above that a commit changed what they draw, up to the node whose evaluation led to it.
    final func drawingChanged(in commit: UInt64) {
        guard isMounted else { return }
        let commit = NodeMark(commit)
        var node: Node? = self
        while let current = node, current.changedCommit != commit {
            current.changedCommit = commit
            if current.isEvaluatedForItself { return }
            node = current.parent
        }
    }

    /// Whether the body was evaluated in this turn only for what it reads, which something outside of the graph changed:
    /// then no evaluation further up has a part in what it draws.
    private var isEvaluatedForItself: Bool {
        hasBody && evaluatedTurn == graph.turnMark && inheritedTurn != graph.turnMark
    }
}
