// SPDX-License-Identifier: MIT
// Reports a layer's place on the screen, also when an outer layer moves.

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
