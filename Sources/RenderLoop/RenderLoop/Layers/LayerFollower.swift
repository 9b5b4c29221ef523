// SPDX-License-Identifier: MIT
// Reports a layer's place on the screen, also when an outer layer moves.

/// Told of a layer's place on the screen whenever a layout has changed it.
@MainActor
final class LayerFollower {
    private let report: @MainActor (Layer) -> Void
    private var last: CellRect?

    fileprivate init(_ report: @escaping @MainActor (Layer) -> Void) { self.report = report }

    fileprivate func tell(of layer: Layer) {
        let frame = layer.screenFrame
        guard frame != last else { return }
        last = frame
        report(layer)
    }
}

extension Layer {
    /// Calls after each layout that changed the layer's size or its place on the screen, and after the first one.
    func follow(_ report: @escaping @MainActor (Layer) -> Void) {
        follower = LayerFollower(report)
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
        follower?.tell(of: self)
        for layer in sublayers where layer.isFollowed { layer.tellFollowers() }
    }
}
