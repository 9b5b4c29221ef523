// SPDX-License-Identifier: MIT
// Frames that views hand up to those above them.

/// Where a view is, as it hands that up.
///
/// Two are equal if they are of one view at one place.
@MainActor
public struct FrameAnchor: @MainActor Equatable {
    private let layer: Layer
    private let known: CellRect

    fileprivate init(_ layer: Layer) {
        self.layer = layer
        known = layer.screenFrame
    }

    /// The frame on the screen, as of now.
    public var frame: CellRect { layer.screenFrame }

    /// Whether both are of one view, which was at one place when they were made.
    public static func == (lhs: FrameAnchor, rhs: FrameAnchor) -> Bool {
        lhs.layer === rhs.layer && lhs.known == rhs.known
    }
}

/// Hands up a value made of the view's frame.
package struct AnchorPreferenceModifier<Key: PreferenceKey>: PrimitiveModifier {
    let transform: @MainActor (FrameAnchor) -> Key.Value

    /// A node with a layer that is followed.
    package static func makeNode<V: View>(_ view: Modified<V>, in context: NodeContext) -> ViewNode<Modified<V>> {
        AnchorNode(view, in: context, content: { $0.content }) { _, layer in layer.layout = .joined(.topLeading) }
    }

    private final class AnchorNode<Content: View>:
        LayerNode<ModifiedContent<Content, AnchorPreferenceModifier<Key>>, Content>, PreferenceSource
    {
        override func didMount() {
            super.didMount()
            layer.follow { [weak self] _ in self?.preferenceDidChange(Key.self) }
            preferenceDidChange(Key.self)
        }

        override func viewDidChange(from old: ModifiedContent<Content, AnchorPreferenceModifier<Key>>) {
            super.viewDidChange(from: old)
            preferenceDidChange(Key.self)
        }

        override func willUnmount() { preferenceDidChange(Key.self) }

        func preference(_ key: ObjectIdentifier) -> Any? {
            key == ObjectIdentifier(Key.self) ? view.modifier.transform(FrameAnchor(layer)) : nil
        }
    }
}

extension View {
    /// Hands a value up that is made of where the view is.
    ///
    /// It is made anew after a layout that changed the view's size or its place on the screen, also where it is a view
    /// around it that moves.
    public func anchorPreference<Key: PreferenceKey>(
        key: Key.Type, transform: @escaping @MainActor (FrameAnchor) -> Key.Value
    ) -> some View {
        modifier(AnchorPreferenceModifier<Key>(transform: transform))
    }
}
