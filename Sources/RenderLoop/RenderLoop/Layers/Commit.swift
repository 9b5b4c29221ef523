// SPDX-License-Identifier: MIT
// The changes that become visible at once, and their moment; and the layers of one loop that need layout or have changed.

/// A layer that a commit changed.
@MainActor
public struct LayerChange {
    /// The layer; ``Layer/committed`` has the new values.
    public let layer: Layer
    /// The values before.
    public let old: LayerValues
}

/// What became visible at once.
@MainActor
public struct Commit {
    /// Counts commits, from 1.
    public let serial: UInt64
    /// The turn in which it happened.
    public let turn: UInt64
    /// What changed, in the order of the first change; never a layer whose values are as before.
    public let changes: [LayerChange]
    /// The layer that all others are in.
    public let root: Layer
}

/// Shows commits.
@MainActor
public protocol LayerRenderer: AnyObject {
    /// Called once for every commit that changed anything. Read ``Layer/committed`` only.
    func render(_ commit: Commit)
}

/// The layers that were changed since the last commit.
@MainActor
final class CommitQueue {
    private var changed: [Layer] = []
    private var rearranged: [Layer] = []
    /// Nodes without a layer of their own whose children changed, by the layer that contains those.
    private var restructured: [Layer: [any LayerOwner]] = [:]
    private var serial: UInt64 = 0

    func insert(_ layer: Layer) { changed.append(layer) }

    /// A layer arranges those in it in another way.
    func insert(rearranged layer: Layer) { rearranged.append(layer) }

    /// Other layers stand for a node.
    func insert(restructured node: any LayerOwner, in layer: Layer) { restructured[layer, default: []].append(node) }

    /// Commits what has changed. Costs as much as that.
    func take(turn: UInt64, root: Layer) -> Commit {
        serial += 1
        var changes: [LayerChange] = []
        changes.reserveCapacity(changed.count)
        for layer in changed {
            guard let change = layer.commit() else { continue }
            changes.append(change)
            if change.showsMore { markChanged(change) }
        }
        for layer in rearranged { layer.owner?.drawingChanged(in: serial) }
        rearranged.removeAll()
        restructured.removeAll()
        changed.removeAll(keepingCapacity: true)
        return Commit(serial: serial, turn: turn, changes: changes, root: root)
    }

    /// Where only other layers are in it, that is the doing of the nodes that these stand for.
    private func markChanged(_ change: LayerChange) {
        let nodes = change.showsOtherLayers ? restructured[change.layer] ?? [] : []
        for node in nodes { node.drawingChanged(in: serial) }
        if nodes.isEmpty || change.showsMoreItself { change.layer.owner?.drawingChanged(in: serial) }
    }
}

extension LayerChange {
    /// Whether more than the size and the place changed, which follow from what others show and how they are arranged.
    fileprivate var showsMore: Bool { showsMoreItself || showsOtherLayers }

    fileprivate var showsMoreItself: Bool {
        old.content != layer.committed.content || old.opacity != layer.committed.opacity
    }

    fileprivate var showsOtherLayers: Bool { old.sublayers != layer.committed.sublayers }
}

/// When changes of layers become visible.
///
/// A change outside of an explicit transaction opens the implicit one, which the end of the turn commits. An explicit one
/// commits when its outermost level ends, unless it is inside of the implicit one.
struct TransactionMachine {
    private(set) var isImplicit = false
    private(set) var level = 0

    mutating func changed() {
        if level == 0 { isImplicit = true }
    }

    mutating func openImplicit() { isImplicit = true }
    mutating func begin() { level += 1 }

    /// Whether this commits.
    mutating func end() -> Bool {
        guard level > 0 else { return false }
        level -= 1
        return level == 0 && !isImplicit
    }

    /// Whether the end of the turn commits. An explicit transaction that is left open keeps everything back until it ends.
    mutating func endTurn() -> Bool {
        defer { isImplicit = false }
        return isImplicit && level == 0
    }
}

/// What a layer asks of the node that it belongs to.
@MainActor
protocol LayerOwner: AnyObject {
    /// Adds the layers inside the owner's layer to a list, and returns which of them decide its size.
    func collectSublayers(into list: inout [Layer]) -> Range<Int>

    /// A commit changed what the owner draws.
    func drawingChanged(in commit: UInt64)
}

/// The layers of one loop.
@MainActor
final class LayerTree {
    /// The layer that contains all others.
    let root: Layer
    let layout: LayoutPass
    let commits = CommitQueue()
    var transactions = TransactionMachine()
    /// Whether commits record which views they changed.
    var recordsOwners = false
    /// How large what a renderer draws itself is; nil for character cells. Set before the first layout.
    var metrics: (any LayerMetrics)?
    private let wake: @MainActor () -> Void

    /// Makes the tree; `owner` provides the layers at the top, and `wake` is called for each changed layer.
    init(owner: any LayerOwner, size: CellSize, wake: @escaping @MainActor () -> Void) {
        root = Layer(owner: owner)
        layout = LayoutPass(root: root, size: size)
        self.wake = wake
        root.attach(to: self)
    }

    func changed(_ layer: Layer) {
        transactions.changed()
        commits.insert(layer)
        wake()
    }
}
