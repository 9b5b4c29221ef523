// SPDX-License-Identifier: MIT
// Lays out what has changed, from the inside out, as far as sizes change.

/// The layers whose layout is no longer known to hold.
///
/// A layer that changed is measured again with what it was proposed last. Only if its size is another one, the layer
/// around it is arranged again. A stack in which one layer changed its size looks at that one alone where the others
/// stay in their places.
@MainActor
final class LayoutPass {
    private let root: Layer
    private let size: CellSize
    private var waiting: [Layer] = []
    private var collecting: [Layer] = []
    private var isFirst = true

    init(root: Layer, size: CellSize) {
        self.root = root
        self.size = size
    }

    var isNeeded: Bool { !waiting.isEmpty || !collecting.isEmpty }

    /// The layer and what it contains have to be arranged anew.
    func insert(_ layer: Layer) {
        layer.needsArranging = true
        wait(layer)
    }

    /// A layer in this one has another size.
    private func insert(_ layer: Layer, resized: Layer) {
        if !layer.needsArranging { layer.resized.append(resized) }
        wait(layer)
    }

    private func wait(_ layer: Layer) {
        guard !layer.isWaiting else { return }
        layer.isWaiting = true
        waiting.append(layer)
    }

    /// Other layers stand for the content of the layer's node.
    func sublayersChanged(of layer: Layer) {
        guard !layer.needsSublayers else { return }
        layer.needsSublayers = true
        collecting.append(layer)
    }

    /// Brings sizes and places up to date. Layers may be changed meanwhile, by those who follow them.
    func run() {
        if isFirst {
            isFirst = false
            root.proposal = ProposedSize(size)
            root.measuredSize = size
            root.frame = CellRect(origin: .zero, size: size)
        }
        while isNeeded {
            collect()
            let layers = waiting.count == 1 ? waiting : waiting.sorted { $0.depth > $1.depth }
            waiting.removeAll(keepingCapacity: true)
            for layer in layers where layer.isWaiting { update(layer) }
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

    /// In whichever order layers come, the outcome is the same: a layer that waits is measured anew by whoever asks.
    /// Deepest first, each is measured once.
    private func update(_ layer: Layer) {
        layer.isWaiting = false
        guard layer.isAttached, layer === root || layer.outer != nil else { return }
        let resized = layer.resized
        layer.resized.removeAll()
        if !layer.needsArranging, layer.absorb(resized) { return }
        let old = layer.measuredSize
        if layer !== root { layer.measuredSize = layer.size(for: layer.proposal) }
        if layer.measuredSize != old, let outer = layer.outer { insert(outer, resized: layer) }
        layer.needsArranging = false
        layer.placeSublayers()
    }
}
