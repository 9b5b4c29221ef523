// SPDX-License-Identifier: MIT
// Fonts of text: a layer around it says them.

/// A layer that says the font of what is in it, and changes nothing of its size.
struct FontModifier: LayerModifier {
    let font: Font?
    func configure(_ layer: Layer) { layer.content = .font(font) }
}

extension View {
    /// Sets the font of the texts in the view; nil for the renderer's own. The nearest one counts.
    public func font(_ font: Font?) -> some View { modifier(FontModifier(font: font)) }
}
