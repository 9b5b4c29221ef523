// SPDX-License-Identifier: MIT
// The number of an overlay: how often a view was evaluated.

/// A number, white on black.
@MainActor
final class OverlayNumber {
    /// What it is drawn on.
    let layer = Layer(owner: nil, showing: .fill(.black))
    private let style = Layer(owner: nil, showing: .foreground(.white))
    private let text = Layer(owner: nil)

    init(in tree: LayerTree) {
        for layer in [layer, style, text] { layer.attach(to: tree) }
        layer.sublayers = [style]
        style.sublayers = [text]
    }

    func show(_ count: UInt64) {
        let digits = "\(count)"
        text.content = .text(digits)
        let size = CellSize(width: digits.count, height: 1)
        for layer in [style, text] { layer.frame = CellRect(origin: .zero, size: size) }
        layer.frame = CellRect(origin: layer.frame.origin, size: size)
    }

    func move(to origin: CellPoint) { layer.frame = CellRect(origin: origin, size: layer.frame.size) }

    func detach() {
        for layer in [layer, style, text] { layer.detach() }
    }
}
