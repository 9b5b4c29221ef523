// SPDX-License-Identifier: MIT
// The layers of one loop: which of them need layout, and which have changed.

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
