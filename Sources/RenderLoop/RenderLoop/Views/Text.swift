// SPDX-License-Identifier: MIT
// Characters and colours.

/// Lines of characters.
public struct Text: LayerView {
    /// What is shown.
    public let string: String

    /// Shows a text; line feeds begin new lines.
    public init(_ string: some StringProtocol) { self.string = String(string) }

    /// The layer shows the text.
    public func configure(_ layer: Layer) { layer.content = .text(string) }
}

extension Color: LayerView {
    /// Fills the proposed size, unless the colour is clear.
    public func configure(_ layer: Layer) {
        layer.layout = .fill
        layer.content = isClear ? .none : .fill(self)
    }
}
