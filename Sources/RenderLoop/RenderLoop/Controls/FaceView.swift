// SPDX-License-Identifier: MIT
// What is seen of a control that shows a value.

/// A control's value: as the renderer's own control, or as characters where it has none.
struct FaceView: LayerView {
    let face: ControlFace
    let characters: String

    /// The layer shows one of both.
    func configure(_ layer: Layer) { layer.content = layer.drawsControls ? .control(face) : .text(characters) }
}
