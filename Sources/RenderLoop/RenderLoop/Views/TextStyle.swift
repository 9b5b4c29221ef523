// SPDX-License-Identifier: MIT
// Fonts and colours of text: layers around it say them, and values of the environment.

/// A layer that says something of what is in it, and changes nothing of its size.
struct StyleModifier: LayerModifier {
    let style: LayerContent
    func configure(_ layer: Layer) { layer.content = style }
}

private struct FontKey: EnvironmentKey {
    static var defaultValue: Font? { nil }
}

extension EnvironmentValues {
    /// The font that ``View/font(_:)`` has set; nil for the renderer's own. To set it here changes no text.
    public var font: Font? {
        get { self[FontKey.self] }
        set { self[FontKey.self] = newValue }
    }
}

extension View {
    /// Sets the font of the texts and icons in the view; nil for the renderer's own. The nearest one counts.
    public func font(_ font: Font?) -> some View {
        environment(\.font, font).modifier(StyleModifier(style: .font(font)))
    }

    /// Sets the weight of the texts in the view, whatever their font; nil for the font's own.
    public func fontWeight(_ weight: Font.Weight?) -> some View {
        modifier(StyleModifier(style: .fontWeight(weight)))
    }

    /// Makes the texts in the view bold.
    public func bold(_ isActive: Bool = true) -> some View { fontWeight(isActive ? .bold : nil) }

    /// Sets what the texts and icons in the view are drawn with.
    public func foregroundStyle<Style: ShapeStyle>(_ style: Style) -> some View {
        modifier(StyleModifier(style: .foreground(style.foreground)))
    }

    /// Sets the colour of the texts and icons in the view; nil for the renderer's own.
    public func foregroundColor(_ color: Color?) -> some View {
        modifier(StyleModifier(style: .foreground(color.map { .color($0) })))
    }
}
