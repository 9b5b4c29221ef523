// SPDX-License-Identifier: MIT
// The layers that stand for nodes, and which nodes had a part in what a commit changed.

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

    /// The nearest node around this one that is there; another one than the parent where that goes together with this one.
    final var holder: Node? { chain.dropFirst().first(where: \.isMounted) }

    /// Notes for this node, and for those that had a part in what it draws, that a commit changed that.
    ///
    /// A body that was given nothing since the last commit draws what it does for itself: those above have no part in it.
    final func drawingChanged(in commit: UInt64) {
        if isMounted, graph.probeOffers > 0 { drawingChanged(in: NodeMark(commit)) }
    }

    private func drawingChanged(in commit: NodeMark) {
        var node: Node? = self
        while let current = node, current.changedCommit != commit {
            current.changedCommit = commit
            graph.drawingCauses.forEach(of: current) { if $0.isMounted { $0.drawingChanged(in: commit) } }
            node = current.hasBody && current.givenCommit != commit ? nil : current.parent
        }
    }
}

/// What one node changed for another that it gave no values: past the views between them, or by a handler.
///
/// Whoever writes a value of the environment or a state in an evaluation invalidates its readers, wherever they are, and
/// is seen by those who begin to read it. So does a handler that an evaluation scheduled. A modifier of several views is
/// put into each of them. Kept while there are probes, which ask whose evaluation changed the screen, and until a commit.
@MainActor
struct DrawingCauses {
    /// By the serial numbers of both, the node that is drawn first.
    private var causes: [UInt64: [UInt64: Node]] = [:]
    /// Who changed what can be read. By address: another source in the place of one that is gone adds a cause too many.
    private var changes: [ObjectIdentifier: [Node]] = [:]

    /// Where the handler that runs was scheduled.
    private static var handlerCauses: [Node] = []
    /// Who changes what changes now: the evaluation that runs, or those that scheduled the handler that does.
    private static var current: [Node] { CurrentEvaluation.current.map { [$0] } ?? handlerCauses }

    /// Runs a handler that was scheduled at these nodes.
    static func runHandler(of causes: [Node], _ action: () -> Void) {
        let outer = handlerCauses
        handlerCauses = causes
        defer { handlerCauses = outer }
        action()
    }

    /// A source is about to tell its readers of a change.
    static func noteChange(of source: DependencySource) {
        if CurrentEvaluation.current == nil, handlerCauses.isEmpty { return }
        for cause in current where cause.isMounted && cause.graph.probeOffers > 0 {
            cause.graph.drawingCauses.changes[ObjectIdentifier(source), default: []].append(cause)
        }
    }

    /// The node reads a source, which may have been changed since the last commit.
    mutating func noteRead(of source: DependencySource, by node: Node) {
        guard !changes.isEmpty else { return }
        for cause in changes[ObjectIdentifier(source)] ?? [] { note(cause, for: node) }
    }

    /// Something that the node has read has changed.
    mutating func noteInvalidation(of node: Node) {
        for cause in Self.current { note(cause, for: node) }
    }

    /// One node has a part in what another draws from now on.
    mutating func note(_ cause: Node, for node: Node) {
        guard cause !== node, cause.isMounted, cause.graph === node.graph else { return }
        causes[node.serial, default: [:]][cause.serial] = cause
    }

    func forEach(of node: Node, _ body: (Node) -> Void) {
        guard !causes.isEmpty, let found = causes[node.serial] else { return }
        for cause in found.values { body(cause) }
    }

    mutating func removeAll() {
        causes.removeAll(keepingCapacity: true)
        changes.removeAll(keepingCapacity: true)
    }
}
