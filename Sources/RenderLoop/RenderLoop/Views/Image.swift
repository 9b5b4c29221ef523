// SPDX-License-Identifier: MIT
// Icons, and texts with an icon.

/// An icon.
///
/// A renderer finds the name as ``LayerContent/icon(_:)`` and shows what it knows by it. As text, an icon is one character.
public struct Image: LayerView {
    private let systemName: String

    /// An icon by its name, as `star.fill`.
    public init(systemName: String) { self.systemName = systemName }

    /// The layer shows the icon.
    public func configure(_ layer: Layer) { layer.content = .icon(systemName) }
}

/// A title with an icon before it.
public struct Label<Title: View, Icon: View>: WrapperContent {
    private let title: Title
    private let icon: Icon

    /// Makes a label of two views.
    public init(@ViewBuilder title: () -> Title, @ViewBuilder icon: () -> Icon) {
        self.title = title()
        self.icon = icon()
    }

    var content: some View {
        HStack {
            icon
            title
        }
    }
}

extension Label where Title == Text, Icon == Image {
    /// Makes a label of a text and the name of an icon.
    public init(_ title: some StringProtocol, systemImage name: String) {
        self.title = Text(title)
        icon = Image(systemName: name)
    }
}
