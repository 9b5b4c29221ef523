// SPDX-License-Identifier: MIT
// What buttons say.

import RenderLoop

/// A button's text: in brackets where a renderer has no buttons of its own.
struct ButtonText: LayerView {
    private let string: String

    init(_ string: String) { self.string = string }

    func configure(_ layer: Layer) { layer.content = .text(layer.drawsControls ? string : "[\(string)]") }
}
