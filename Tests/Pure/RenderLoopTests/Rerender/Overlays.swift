// SPDX-License-Identifier: MIT
// What the tests of the overlays share: the layers of the tools, as the renderers have them.

import RenderLoop
@testable import RenderLoopSupport

/// A layer of a tool, as it was committed.
struct SeenOverlay: Hashable {
    let content: LayerContent
    let frame: CellRect
    let opacity: Float
}

extension Stage {
    /// The red and orange layers in front of everything.
    var overlays: [SeenOverlay] {
        loop.committedRoot.committed.sublayers.compactMap { layer in
            let values = layer.committed
            switch values.content {
            case .fill(.red), .fill(.orange), .border(.red, points: 3):
                return SeenOverlay(content: values.content, frame: values.frame, opacity: values.opacity)
            default: return nil
            }
        }
    }
}

extension CellRect {
    init(_ x: Int, _ y: Int, _ width: Int, _ height: Int) {
        self.init(origin: CellPoint(x: x, y: y), size: CellSize(width: width, height: height))
    }
}
