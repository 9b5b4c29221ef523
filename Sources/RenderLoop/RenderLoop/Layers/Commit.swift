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

// Lays out changed layers, from the inside out, as far as sizes change, and reports a layer's place on the screen.

/// The layers whose layout is no longer known to hold.
///
/// A layer that changed is measured again with what it was proposed last. Only if its size is another one, the layer
/// around it is arranged again. A stack in which one layer changed its size looks at that one alone where the others
/// stay in their places.
///
/// Space that is left goes to the layers that take it up; which these are is known before anything is measured.
@MainActor
final class LayoutPass {
    /// A layout of one's own that changes layers whenever it is asked would have no end; what is left then is cut off as
    /// handlers are.
    private static let roundLimit = 32

    private let root: Layer
    private var size: CellSize
    private var waiting: [Layer] = []
    /// What waits by its depth, during a run.
    private var levels: [[Layer]] = []
    private var collecting: [Layer] = []
    private var moved: [Layer] = []
    private var isFirst = true

    init(root: Layer, size: CellSize) {
        self.root = root
        self.size = size
    }

    /// The screen has another size.
    func resize(to size: CellSize) {
        guard size != self.size else { return }
        self.size = size
        guard !isFirst else { return }
        fillScreen()
        insert(root)
    }

    private func fillScreen() {
        root.proposal = ProposedSize(size)
        root.measuredSize = size
        root.frame = CellRect(origin: .zero, size: size)
    }

    var isNeeded: Bool { !waiting.isEmpty || !collecting.isEmpty }

    /// The layer and what it contains have to be arranged anew.
    func insert(_ layer: Layer) {
        layer.needsArranging = true
        guard !layer.isWaiting else { return }
        layer.isWaiting = true
        waiting.append(layer)
    }

    /// A layer in this one has another size.
    private func insert(_ layer: Layer, resized: Layer) {
        if !layer.needsArranging { layer.resized.append(resized) }
        guard !layer.isWaiting else { return }
        layer.isWaiting = true
        levels[Int(layer.depth)].append(layer)
    }

    /// Other layers stand for the content of the layer's node.
    func sublayersChanged(of layer: Layer) {
        guard !layer.needsSublayers else { return }
        layer.needsSublayers = true
        collecting.append(layer)
    }

    /// Brings sizes and places up to date. Followers may change layers meanwhile.
    func run() {
        if isFirst {
            isFirst = false
            fillScreen()
        }
        var rounds = 0
        while isNeeded, rounds < Self.roundLimit {
            rounds += 1
            collect()
            sort()
            // An update makes nothing wait but the layer around.
            for depth in levels.indices.reversed() {
                for layer in levels[depth] where layer.isWaiting { update(layer) }
                levels[depth].removeAll(keepingCapacity: true)
            }
        }
        tellFollowers()
    }

    /// A layer that is followed, or in which one is, has another place or size.
    func moved(_ layer: Layer) {
        guard !layer.hasMoved else { return }
        layer.hasMoved = true
        moved.append(layer)
    }

    /// When every place is known. Outer layers first: each of those in them is told once.
    private func tellFollowers() {
        guard !moved.isEmpty else { return }
        let layers = moved.sorted { $0.depth < $1.depth }
        moved.removeAll(keepingCapacity: true)
        for layer in layers where layer.hasMoved {
            if layer.isAttached { layer.tellFollowers() } else { layer.hasMoved = false }
        }
    }

    /// The last to be asked for is the outermost of those that appear together, which has to know its depth first.
    private func collect() {
        guard !collecting.isEmpty else { return }
        let layers = collecting
        collecting.removeAll(keepingCapacity: true)
        for layer in layers.reversed() {
            layer.needsSublayers = false
            guard layer.isAttached else { continue }
            layer.collectSublayers()
            insert(layer)
        }
    }

    private func sort() {
        for layer in waiting {
            let depth = Int(layer.depth)
            while levels.count <= depth { levels.append([]) }
            levels[depth].append(layer)
        }
        waiting.removeAll(keepingCapacity: true)
    }

    /// All that is further inside is up to date, or a layer would take up a size of which those around it never hear.
    private func update(_ layer: Layer) {
        layer.isWaiting = false
        guard layer.isAttached, layer === root || layer.outer != nil else { return }
        let resized = layer.resized
        layer.resized.removeAll()
        if !layer.needsArranging, layer.absorb(resized) { return }
        let old = layer.measuredSize
        let oldGrowth = layer.growth
        layer.growth = layer.currentGrowth
        // What is in it is measured by this, which has to know what it is proposed.
        let size = layer.size(for: layer.proposal)
        if layer !== root { layer.measuredSize = size }
        if layer.measuredSize != old || layer.growth != oldGrowth, let outer = layer.outer {
            // That one puts it in its place and has it arranged for the new size.
            layer.needsArranging = true
            // Others share the space now.
            if layer.growth != oldGrowth { outer.needsArranging = true }
            return insert(outer, resized: layer)
        }
        layer.needsArranging = false
        layer.placeSublayers()
    }
}

extension Layer {
    /// Calls after each layout that changed the layer's size or its place on the screen, and after the first one.
    func follow(_ report: @escaping @MainActor (Layer) -> Void) {
        var last: CellRect?
        follower = { layer in
            let frame = layer.screenFrame
            guard frame != last else { return }
            last = frame
            report(layer)
        }
        markFollowed()
        owningTree?.layout.moved(self)
    }

    /// Marks this layer and the outer ones as containing a followed layer; the mark stays when that layer goes.
    func markFollowed() {
        var layer: Layer? = self
        while let current = layer, !current.isFollowed {
            current.isFollowed = true
            layer = current.outer
        }
    }

    /// Tells the followers of the layer and of those in it. Goes only where any are.
    func tellFollowers() {
        hasMoved = false
        follower?(self)
        for layer in sublayers where layer.isFollowed { layer.tellFollowers() }
    }
}
