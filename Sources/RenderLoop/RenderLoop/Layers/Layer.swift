// SPDX-License-Identifier: MIT
// What is on the screen: layers whose changes become visible with a commit.

/// What a layer shows.
public enum LayerContent: Hashable, Sendable {
    /// Nothing; the sublayers may.
    case none
    /// Characters, in lines.
    case text(String)
    /// A colour over the whole layer.
    case fill(Color)
    /// A line along the edges, so many points thick. In character cells every line is one cell.
    case border(Color, points: Int)
}

/// The values of a layer.
public struct LayerValues: Hashable {
    /// What it shows.
    public internal(set) var content = LayerContent.none
    /// Where it is, from the top left corner of the layer that it is in.
    public internal(set) var frame = CellRect.zero
    /// How much of it covers what is below: 0 nothing, 1 all.
    public internal(set) var opacity: Float = 1
    /// Whether nothing of the sublayers is seen outside of the frame.
    public internal(set) var clipsSublayers = false
    /// Further in front at the end.
    public internal(set) var sublayers: [Layer] = []
}

@available(*, unavailable)
extension LayerValues: Sendable {}

/// A rectangle that shows something, and the layers in it.
///
/// Its properties are set at any time on the main actor; ``committed`` is what the renderers know. The arrays of
/// sublayers of both share their storage.
@MainActor
public final class Layer {
    /// The values of the last commit.
    public private(set) var committed = LayerValues()
    /// The values as they are set.
    private(set) var values = LayerValues()

    // Proof: each is nil once the node is unmounted, which comes before any of the three can go; see ``detach()``.
    private unowned(unsafe) var loop: RenderLoop?
    private unowned(unsafe) var node: Node?
    private unowned(unsafe) var superlayer: Layer?
    private var isChanged = false
    /// False once the node is gone.
    private(set) var isAttached = true

    // What the layout knows; see LayoutPass.
    var measuredSize = CellSize.zero
    var proposal = ProposedSize.ideal
    private(set) var depth: UInt32 = 0
    /// Which of the sublayers the node's own content is; others are attached to it.
    var contentRange: Range<Int> = 0..<0
    var isMeasured = false
    var needsSublayers = false
    var needsArranging = true
    var isWaiting = false
    var resized: [Layer] = []
    /// Whether the layer belongs to a debugging tool, whose changes are none of the view's.
    var isDiagnostic = false

    // See LayerFollower.
    var follower: LayerFollower?
    /// Whether the layer, or one that is or was in it, is followed.
    var isFollowed = false
    var hasMoved = false

    /// How the layer finds its size and places its sublayers.
    public var layout = LayerLayout.leaf {
        didSet {
            guard layout != oldValue, let loop = unsafe loop else { return }
            loop.layout.insert(self)
            rearrangeJoints(loop.layout)
            // What moves are other layers, which is this one's doing.
            if loop.probeOffers > 0, !isDiagnostic { loop.commits.insert(rearranged: self) }
        }
    }

    /// Makes the layer at the top of a loop.
    init(of loop: RenderLoop) {
        unsafe self.loop = loop
    }

    /// Makes a layer that no node has: it takes no part in the layout or in what views are said to draw.
    init(over loop: RenderLoop, showing content: LayerContent) {
        unsafe self.loop = loop
        values.content = content
    }

    /// Makes the layer of a node.
    public init(of node: Node) {
        unsafe loop = node.loop
        unsafe self.node = node
    }

    /// The node is gone, or the loop.
    func detach() {
        isAttached = false
        unsafe loop = nil
        unsafe node = nil
        unsafe superlayer = nil
    }

    /// What the layer shows.
    public var content: LayerContent {
        get { values.content }
        set {
            guard values.content != newValue else { return }
            let old = values.content
            values.content = newValue
            changed()
            if old.changesSize(to: newValue) { unsafe loop?.layout.insert(self) }
        }
    }

    /// How much of the layer covers what is below: 0 (or less, or no number) nothing, 1 (or more) all.
    public var opacity: Float {
        get { values.opacity }
        set {
            // No number equals none, which would be a change each time.
            let opacity = newValue > 0 ? min(newValue, 1) : 0
            guard values.opacity != opacity else { return }
            values.opacity = opacity
            changed()
        }
    }

    /// Whether nothing of the sublayers is seen outside of the layer.
    public var clipsSublayers: Bool {
        get { values.clipsSublayers }
        set {
            guard values.clipsSublayers != newValue else { return }
            values.clipsSublayers = newValue
            changed()
        }
    }

    /// Where the layer is, from the top left corner of the layer that it is in. The layout sets it.
    public internal(set) var frame: CellRect {
        get { values.frame }
        set {
            guard values.frame != newValue else { return }
            values.frame = newValue
            changed()
            if isFollowed { unsafe loop?.layout.moved(self) }
        }
    }

    /// The layers in this one; further in front at the end.
    public internal(set) var sublayers: [Layer] {
        get { values.sublayers }
        set {
            for layer in newValue {
                unsafe layer.superlayer = self
                if layer.depth != depth + 1 { layer.setDepth(depth + 1) }
                if layer.isFollowed { markFollowed() }
            }
            guard !values.sublayers.elementsEqual(newValue, by: ===) else { return }
            values.sublayers = newValue
            changed()
        }
    }

    /// Where the layer is on the screen. As many steps as layers are above.
    public var screenFrame: CellRect {
        var frame = values.frame
        var layer = unsafe superlayer
        while let current = layer {
            frame.origin.x += current.values.frame.origin.x
            frame.origin.y += current.values.frame.origin.y
            layer = unsafe current.superlayer
        }
        return frame
    }

    private func setDepth(_ new: UInt32) {
        depth = new
        for layer in values.sublayers { layer.setDepth(new + 1) }
    }

    private func changed() {
        guard !isChanged else { return }
        isChanged = true
        unsafe loop?.changed(self)
    }

    /// Makes the values those that renderers know; nil if they are the same.
    func commit() -> LayerChange? {
        isChanged = false
        guard committed != values else { return nil }
        let old = committed
        committed = values
        return LayerChange(layer: self, old: old)
    }

    /// Whether nothing of it is seen, as of the last commit: then it takes no input.
    var isTransparent: Bool { committed.opacity <= 0 }
    /// The layer that this one is in.
    var outer: Layer? { unsafe superlayer }
    /// The node that made the layer, while it is mounted.
    var owner: Node? { unsafe node }
    /// The loop, while the node is mounted.
    var owningLoop: RenderLoop? { unsafe loop }
}

extension Layer: Hashable {
    /// The same layer.
    public nonisolated static func == (lhs: Layer, rhs: Layer) -> Bool { lhs === rhs }
    /// By identity.
    public nonisolated func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension LayerContent {
    fileprivate func changesSize(to other: LayerContent) -> Bool {
        switch (self, other) {
        case (.text(let old), .text(let new)): TextMetrics.size(of: old) != TextMetrics.size(of: new)
        default: true
        }
    }
}

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
    /// Nodes without a layer of their own in which other children stand, by the layer that those are in.
    private var restructured: [Layer: [Node]] = [:]
    private var serial: UInt64 = 0

    func insert(_ layer: Layer) { changed.append(layer) }

    /// A layer arranges those in it in another way.
    func insert(rearranged layer: Layer) { rearranged.append(layer) }

    /// Other layers stand for a node.
    func insert(restructured node: Node, in layer: Layer) { restructured[layer, default: []].append(node) }

    /// Commits what has changed. Costs as much as that.
    func take(turn: UInt64, root: Layer) -> Commit {
        serial += 1
        var changes: [LayerChange] = []
        changes.reserveCapacity(changed.count)
        for layer in changed {
            guard let change = layer.commit() else { continue }
            changes.append(change)
            if change.showsMore, !layer.isDiagnostic { markChanged(change) }
        }
        for layer in rearranged { layer.owner?.markChanged(in: NodeMark(serial)) }
        rearranged.removeAll()
        restructured.removeAll()
        changed.removeAll(keepingCapacity: true)
        return Commit(serial: serial, turn: turn, changes: changes, root: root)
    }

    /// Where only other layers are in it, that is the doing of the nodes that these stand for.
    private func markChanged(_ change: LayerChange) {
        let commit = NodeMark(serial)
        let nodes = change.showsOtherLayers ? restructured[change.layer] ?? [] : []
        for node in nodes where node.isMounted { node.markChanged(in: commit) }
        if nodes.isEmpty || change.showsMoreItself { change.layer.owner?.markChanged(in: commit) }
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

extension Node {
    /// Notes for this node and those above that a commit changed what they draw, as far up as an evaluation may have led
    /// to it.
    func markChanged(in commit: NodeMark) {
        var node: Node? = self
        while let current = node, current.changedCommit != commit {
            current.changedCommit = commit
            if current.isEvaluatedForItself { return }
            node = current.parent
        }
    }

    /// Whether the body was evaluated in this turn for nothing but what it reads, which something outside of the graph
    /// changed: then no evaluation further up has a part in what it draws.
    private var isEvaluatedForItself: Bool {
        hasBody && evaluatedTurn == loop.turnMark && inheritedTurn != loop.turnMark
    }
}
